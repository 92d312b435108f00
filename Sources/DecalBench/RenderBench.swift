import Codecs
import Foundation
import Imaging
import Pipeline

/// Renders art files and says what was decided and how long it took.
enum RenderBench {
  static func run(side: Int, files: [String]) {
    let clock = ContinuousClock()
    var total = Duration.zero
    for file in files {
      guard let data = FileManager.default.contents(atPath: file) else { continue }
      let start = clock.now
      let outcome = Result {
        try StickerRenderer(RenderOptions(side: side)).render(bytes: [UInt8](data), path: nil)
      }
      let time = clock.now - start
      total += time
      switch outcome {
      case .success(let sticker):
        let said = sticker.diagnostics.map { "\($0.id): \($0.message)" }.joined(separator: "; ")
        print(milliseconds(time), sticker.animation.frames.count, sticker.sourceSize, file, said, separator: "\t")
      case .failure(let error):
        print(milliseconds(time), "-", "-", file, "\((error as? DecodeError)?.message ?? "\(error)")", separator: "\t")
      }
    }
    print(milliseconds(total), "in all", separator: "\t")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    Bench.fixed(Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1000, 1)
  }
}
