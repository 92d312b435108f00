import Foundation
import TestSupport

/// Writes a long GIF in which every pixel moves, the same for the same seed: what is hardest for memory and time.
enum LongClip {
  private static let seed: UInt64 = 2026
  private static let levels = 48
  /// Hundredths of a second.
  private static let delay = 4

  /// `long FRAMES SIDE FILE`.
  static func run(_ arguments: [String]) {
    guard arguments.count == 3, let frames = Int(arguments[0]), let side = Int(arguments[1]) else {
      return print("usage: DecalBench long FRAMES SIDE FILE")
    }
    do {
      try Data(gif(frames: frames, side: side)).write(to: URL(filePath: arguments[2]))
    } catch {
      print("the clip cannot be written: \(error)")
      exit(1)
    }
  }

  /// Two layers of bands that drift over each other, on a ground that turns through the colors.
  static func gif(frames: Int, side: Int) -> [UInt8] {
    var random = ClipRandom(seed: seed)
    let (near, far) = (ClipNoise(&random), ClipNoise(&random))
    var file = Array("GIF89a".utf8) + little16(side) + little16(side) + [0x80 | 6, 0, 0]
    for level in 0..<128 {
      let part = Float(level) / Float(levels)
      for shift in [Float(0), 0.33, 0.66] { file.append(UInt8(127.5 + 127.5 * wave(part * 0.8 + shift))) }
    }
    file += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    for number in 0..<frames {
      let drift = Float(number) * 0.04
      var indices = [UInt8](repeating: 0, count: side * side)
      for y in 0..<side {
        for x in 0..<side {
          let (u, v) = (Float(x) / Float(side) * 4, Float(y) / Float(side) * 4)
          let (front, back) = (SIMD2(u + drift, v + drift * 0.7), SIMD2(u - drift * 0.8 + 20, v + 20))
          let value = near.value(front, octaves: 1) * 0.6 + far.value(back, octaves: 1) * 0.4
          let level = Int((value + Float(number) * 0.004) * Float(levels) * 1.5)
          indices[y * side + x] = UInt8(level % levels)
        }
      }
      file += [0x21, 0xf9, 4, 4] + little16(delay) + [0, 0, 0x2c, 0, 0, 0, 0] + little16(side) + little16(side) + [0]
      appendCodes(indices, to: &file)
    }
    return file + [0x3b]
  }

  /// LZW of 7-bit indices; the table begins anew when it is full.
  private static func appendCodes(_ indices: [UInt8], to file: inout [UInt8]) {
    let (clear, end) = (128, 129)
    var packed = BitWriter()
    var width = 8
    // What code follows a code and an index, 0 for none.
    var table = [UInt16](repeating: 0, count: 4096 * 128)
    var next = end + 1
    packed.put(clear, width)
    var code = Int(indices[0])
    for index in indices.dropFirst() {
      let known = Int(table[code * 128 + Int(index)])
      if known != 0 {
        code = known
        continue
      }
      packed.put(code, width)
      if next < 4096 {
        table[code * 128 + Int(index)] = UInt16(next)
        if next == 1 << width { width += 1 }
        next += 1
      } else {
        packed.put(clear, width)
        table = [UInt16](repeating: 0, count: table.count)
        (next, width) = (end + 1, 8)
      }
      code = Int(index)
    }
    packed.put(code, width)
    packed.put(end, width)
    file += [7] + GIFMaker.subBlocks(packed.finish())
  }
}
