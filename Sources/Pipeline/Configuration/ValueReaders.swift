package import AssetCatalog
package import Codecs
package import Imaging

// One reader a key, used by `decal.json` and by the command line alike.

extension ValueReader where Value == GridSize {
  package static let grid = choice("a grid size")
}

extension ValueReader where Value == Fit {
  package static let fit = choice("a fit")
}

extension ValueReader where Value == Kernel {
  package static let kernel = choice("a kernel")
}

extension ValueReader where Value == Effort {
  package static let effort = choice("an effort")
}

extension ValueReader where Value == PixelEncoding {
  package static let encoding = choice("an encoding")
}

extension ValueReader where Value == AppIconStyle {
  package static let appIconStyle = choice("an app icon style")
}

extension ValueReader where Value == IconColor {
  package static let iconColor = choice("an icon color")
}

extension ValueReader where Value == PreviewKind {
  package static let preview = ValueReader(
    noun: "a kind of preview", accepted: "true, false or \"inline\"",
    schema: [.init("enum", .array([.bool(true), .bool(false), .string("inline")]))]
  ) {
    switch $0 {
    case .bool(let isWanted): isWanted ? .linked : PreviewKind.none
    case .string("inline"): .inline
    default: nil
    }
  }
}

extension ValueReader where Value == Int {
  /// Less than half of the largest grid; the grid's own bound is checked when the grid is known.
  package static let padding = integer(0...308, "a padding in pixels")
  /// Bytes of a file; the top is above any sticker and far from overflow.
  package static let budget = integer(1...100_000_000, "a number of bytes")
  /// Of the cache.
  package static let megabytes = integer(0...1_000_000, "a number of megabytes")
  /// What an APNG and a WebP can both say.
  package static let plays = integer(0...65535, "a play count")
}
