import Codecs
import Foundation
import Imaging
import Pipeline

/// Scores finished animations by `AnimationQuality`, for comparison with other measures.
enum QualityBench {
  /// `quality TARGET SHOWN...`: a line each: score, flicker, milliseconds, file.
  static func run(_ arguments: [String]) {
    guard let first = arguments.first, let target = read(first) else {
      return print("usage: DecalBench quality TARGET SHOWN...")
    }
    for path in arguments.dropFirst() {
      guard let shown = read(path), shown.size == target.size else {
        print("-", "-", "-", path, separator: "\t")
        continue
      }
      let clock = ContinuousClock()
      let start = clock.now
      let quality = AnimationQuality(of: shown, as: target)
      let time = clock.now - start
      print(
        Bench.fixed(quality.score, 2), Bench.fixed(quality.flicker, 3), Int(time / .milliseconds(1)), path,
        separator: "\t")
    }
  }

  /// `differences COUNT TARGET SHOWN...`: what the weights are fitted to: for so many frames of each, spread evenly, and over
  /// black and white, a line: file, frame, ground, all differences.
  static func differences(_ arguments: [String]) {
    guard arguments.count > 2, let count = Int(arguments[0]), let target = read(arguments[1]) else {
      return print("usage: DecalBench differences COUNT TARGET SHOWN...")
    }
    for path in arguments.dropFirst(2) {
      guard let shown = read(path), shown.size == target.size else { continue }
      let moments = AnimationQuality.moments(of: shown, for: target)
      let last = target.frames.count - 1
      let frames = Set((0..<count).map { count == 1 ? 0 : ($0 * last * 2 + count - 1) / (2 * (count - 1)) })
      for frame in frames.sorted() {
        for ground: UInt32 in [0, 255] {
          let values = FrameQuality.differences(
            shown.frames[moments[frame]].bitmap, target: target.frames[frame].bitmap, ground: ground)
          print(path, frame, ground, values.map { "\($0)" }.joined(separator: " "), separator: "\t")
        }
      }
    }
  }

  private static func read(_ path: String) -> SizedAnimation? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return try? SizedAnimation(decoding: [UInt8](data))
  }
}
