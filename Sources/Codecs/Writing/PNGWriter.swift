import Imaging

/// The bytes of a PNG or APNG, chunk by chunk.
///
/// Source: PNG specification, third edition, sections 5.3 to 5.6 and 11.3.
struct PNGWriter {
  private(set) var bytes: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
  /// Numbers fcTL and fdAT chunks together, from 0 without gaps.
  private var sequence: UInt32 = 0

  /// Starts a file: IHDR, acTL for an animation, sRGB, PLTE, tRNS.
  ///
  /// No gAMA: beside sRGB, some readers apply it too.
  init(size: PixelSize, format: PixelFormat, animation: (frames: Int, playCount: Int)? = nil, isSRGB: Bool = true) {
    append("IHDR") {
      $0.append(bigEndian: UInt32(size.width))
      $0.append(bigEndian: UInt32(size.height))
      $0 += [UInt8(format.bitDepth), format.colorType, 0, 0, 0]
    }
    if let animation {
      append("acTL") {
        $0.append(bigEndian: UInt32(animation.frames))
        $0.append(bigEndian: UInt32(clamping: animation.playCount))
      }
    }
    // Rendering intent 0, perceptual.
    if isSRGB { append("sRGB") { $0.append(0) } }
    appendColors(format)
  }

  private mutating func appendColors(_ format: PixelFormat) {
    switch format.layout {
    case .indexed(let palette):
      append("PLTE") { chunk in
        for color in palette.colors { chunk += [color.red, color.green, color.blue] }
      }
      if palette.translucentCount > 0 {
        append("tRNS") { $0 += palette.colors.prefix(palette.translucentCount).map(\.alpha) }
      }
    case .gray(let clear?):
      append("tRNS") { $0 += [0, clear >> UInt8(8 - format.bitDepth)] }
    case .rgb(let clear?):
      let color = RGBA8(packed: clear)
      append("tRNS") { $0 += [0, color.red, 0, color.green, 0, color.blue] }
    case .gray, .rgb, .grayAlpha, .rgba:
      break
    }
  }

  /// Adds the one picture of a still.
  mutating func append(stream: [UInt8]) { append("IDAT") { $0 += stream } }

  /// Adds a frame: fcTL, then IDAT for the first and fdAT for every other.
  mutating func append(_ frame: EncodedFrame) {
    let isFirst = sequence == 0
    append("fcTL") { [sequence] in
      $0.append(bigEndian: sequence)
      for value in [frame.rect.width, frame.rect.height, frame.rect.x, frame.rect.y] {
        $0.append(bigEndian: UInt32(value))
      }
      $0.append(bigEndian: frame.delay.numerator)
      $0.append(bigEndian: frame.delay.denominator)
      // Dispose to nothing: the canvas stays as it is.
      $0 += [0, frame.blend.rawValue]
    }
    sequence += 1
    if isFirst { return append(stream: frame.stream) }
    append("fdAT") { [sequence] in
      $0.append(bigEndian: sequence)
      $0 += frame.stream
    }
    sequence += 1
  }

  /// Ends the file.
  mutating func finish() { append("IEND") { _ in } }

  private mutating func append(_ name: StaticString, _ fill: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes += [0, 0, 0, 0]
    name.withUTF8Buffer { bytes += $0 }
    fill(&bytes)
    let length = UInt32(bytes.count - start - 8)
    for i in 0..<4 { bytes[start + i] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * i)) }
    bytes.append(bigEndian: crc32(bytes[(start + 4)...]))
  }
}

/// How a frame meets the canvas; the raw value is APNG's.
enum Blend: UInt8 {
  /// Replaces what was there, alpha and all.
  case source = 0
  /// Is drawn over it.
  case over = 1
}

/// One frame, compressed.
struct EncodedFrame {
  var rect: PixelRect
  var blend: Blend
  var delay: StoredDelay
  /// A zlib stream of its own.
  var stream: [UInt8]
}

extension [UInt8] {
  mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
    Swift.withUnsafeBytes(of: value.bigEndian) { self += $0 }
  }
}
