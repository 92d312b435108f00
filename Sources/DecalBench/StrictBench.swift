import Codecs
import Foundation
import Imaging
import TestSupport

/// Reads finished animations by the strict decoder of the tests, which shares no code with the product, and by libpng.
enum StrictBench {
  /// `strict FILE...`: ends with 1 where a rule is broken or readers differ.
  static func run(_ paths: [String]) {
    var isWrong = false
    for path in paths {
      do {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let strict = try StrictAPNG(bytes)
        let decal = try SizedAnimation(decoding: bytes)
        guard strict.frames.map(\.canvas) == decal.frames.map(\.bitmap),
          strict.playCount == nil || strict.frames.map(\.delay) == decal.frames.map(\.delay)
        else { throw Difference(what: "frames") }
        // Without the chunks of an animation, libpng reads the file alone.
        let still = try SizedAnimation(decoding: plain(bytes))
        guard still.frames.count == 1, still.frames[0].bitmap == strict.frames[0].canvas else {
          throw Difference(what: "the default image")
        }
        print("\(path): \(strict.frames.count) frames, the same in every reader")
      } catch {
        isWrong = true
        print("\(path): \(error)")
      }
    }
    if isWrong { exit(1) }
  }

  private struct Difference: Error, CustomStringConvertible {
    let what: String
    var description: String { "readers differ in \(what)" }
  }

  /// The chunks that a reader without APNG looks at.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes.prefix(8))
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
      if !["acTL", "fcTL", "fdAT"].contains(name) { result += bytes[at..<at + 12 + length] }
      at += 12 + length
    }
    return result
  }
}
