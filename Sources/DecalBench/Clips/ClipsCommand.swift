import Codecs
import Foundation
import Imaging

/// Writes the made clips as lossless animated PNG.
enum ClipsCommand {
  /// The seed of the clips that the documents speak of.
  static let seed: UInt64 = 2026

  /// `clips DIR [SEED [both]]`: each at the size at which the bench shows it, or at 408 and 618 px.
  static func run(_ arguments: [String]) {
    guard let folder = arguments.first else { return print("usage: DecalBench clips DIR [SEED [both]]") }
    let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? seed
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for clip in Clip.all(seed: seed) {
        for side in arguments.count > 2 ? [408, 618] : [clip.side] {
          let animation = clip.animation(side: side)
          let asset = try RateDistortionEncoder(effort: .fast).encode(animation, budget: 1 << 40)
          guard asset.report.method == .lossless else { fatalError("a clip must be exact") }
          let path = "\(folder)/\(clip.name)\(side).png"
          try Data(asset.bytes).write(to: URL(filePath: path))
          print(path, asset.bytes.count, "bytes", animation.frames.count, "frames")
        }
      }
    } catch {
      print("the clips cannot be written: \(error)")
      exit(1)
    }
  }
}
