import Codecs
import Foundation
import Imaging
import Pipeline

/// What libFuzzer calls with every input; the environment's `DECAL_FUZZ` names the part that is fed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  switch target {
  case "png", "apng": decode(withChecksums(bytes))
  case "gif", "jpeg", "webp": decode(bytes)
  case "facts": report(bytes)
  case "all":
    limits = DecodeLimits()
    decode(bytes)
    report(bytes)
  case "configuration": _ = Configuration.parse(bytes, file: "decal.json")
  default: fatalError("DECAL_FUZZ is png, apng, gif, jpeg, webp, facts, configuration or all")
  }
  return 0
}

private let target = ProcessInfo.processInfo.environment["DECAL_FUZZ"] ?? ""

/// Small enough that an input costs milliseconds.
nonisolated(unsafe) private var limits: DecodeLimits = {
  var limits = DecodeLimits()
  limits.pixelsPerFrame = 1 << 18
  limits.totalPixels = 1 << 22
  limits.frames = 64
  limits.metadataBytes = 1 << 16
  return limits
}()

/// Decodes every frame and converts its first and last rows.
private func decode(_ bytes: [UInt8]) {
  guard let reader = try? ImageReader(bytes: bytes, limits: limits) else { return }
  let converter = ColorConverter(reader.header.color)
  let isHalved = bytes.count % 2 == 0 && reader.halve()
  do {
    while let frame = try reader.nextFrame() {
      let size = frame.raster.size
      precondition(size == (isHalved ? reader.header.size.halved : reader.header.size), "a frame is its canvas")
      var row = [Float](repeating: .nan, count: size.width * 4)
      for y in [0, size.height - 1] {
        row.withUnsafeMutableBufferPointer { converter.convert(frame.raster, row: y, into: $0) }
        precondition(row.allSatisfy { $0 >= 0 && $0 <= 1 }, "light is from 0 to 1")
      }
      _ = frame.raster.upright(reader.header.orientation)
    }
  } catch {}
}

/// Walks chunks and decodes, or names another format.
private func report(_ bytes: [UInt8]) {
  guard let facts = try? ImageFacts(bytes: bytes, limits: limits) else { return }
  let time = facts.delays.reduce(.zero, +)
  precondition(time.milliseconds >= 0 && time.half <= time, "time goes forward")
  for chunk in facts.chunks {
    precondition(
      chunk.offset >= 0 && chunk.length >= 0 && chunk.offset + chunk.length <= bytes.count, "inside the file")
  }
}

/// A PNG with the right checksum on every chunk that fits, so that what lies behind them is reached.
private func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var at = 8
  while at + 12 <= bytes.count {
    let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - at - 12 else { break }
    var sum = UInt32.max
    for byte in bytes[at + 4..<at + 8 + length] {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    for i in 0..<4 { bytes[at + 8 + length + i] = UInt8(truncatingIfNeeded: ~sum >> (24 - 8 * UInt32(i))) }
    at += 12 + length
  }
  return bytes
}
