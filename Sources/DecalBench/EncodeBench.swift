import Codecs
import Foundation
import Imaging

/// Encodes pictures at their own size, to compare with PNG optimizers.
enum EncodeBench {
  /// `encode DIR FILE...`: writes each picture's first frame there under its own name.
  static func run(_ words: [String]) {
    guard let folder = words.first else { return }
    for path in words.dropFirst() {
      do {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let picture = try SizedAnimation(decoding: bytes)
        let encoded = StillEncoder().encode(picture.frames[0].bitmap)
        let name = URL(filePath: path).lastPathComponent
        try Data(encoded.bytes).write(to: URL(filePath: folder).appending(path: name))
      } catch {
        print("\(path): \(error)")
        exit(1)
      }
    }
  }
}
