/// Up to 256 colors that all frames of a file share, in the order in which they are stored.
///
/// Translucent entries come first, so that the list of alphas can end early.
public struct Palette: Hashable, Sendable {
  /// The entries; straight alpha.
  public let colors: [RGBA8]
  /// The entry that is transparent black, where there is one; always the first.
  public var clearIndex: UInt8? { colors.first == .clear ? 0 : nil }
  /// The number of leading entries that an alpha has to be stored for.
  public var translucentCount: Int { colors.lastIndex { $0.alpha < 255 }.map { $0 + 1 } ?? 0 }

  /// Puts colors in order: clear, translucent, opaque, each by luma; equal colors once.
  ///
  /// With `reservesClear` there is a clear entry though no color asks for it: a frame drawn over another needs one.
  public init(_ colors: [RGBA8], reservesClear: Bool = false) {
    var words = Set(colors.map { visibleColor($0.packed) })
    if reservesClear { words.insert(0) }
    self.colors = words.map { RGBA8(packed: $0) }.sorted { Palette.rank($0) < Palette.rank($1) }
    precondition(!self.colors.isEmpty && self.colors.count <= 256, "a palette has 1 to 256 entries")
  }

  /// Takes colors in exactly this order; translucent ones must come first, and each once.
  public init(ordered colors: [RGBA8]) {
    precondition(!colors.isEmpty && colors.count <= 256, "a palette has 1 to 256 entries")
    self.colors = colors
  }

  private static func rank(_ color: RGBA8) -> UInt64 {
    let kind: UInt64 = color.alpha == 0 ? 0 : color.alpha < 255 ? 1 : 2
    let luma = UInt64(color.red) * 299 + UInt64(color.green) * 587 + UInt64(color.blue) * 114
    return kind << 56 | luma << 32 | UInt64(color.packed)
  }
}

/// The exact colors of pictures, up to a limit; color under alpha 0 counts as transparent black.
public struct DistinctColors: Sendable {
  /// The most colors that are collected.
  public let limit: Int
  /// How often each was seen, by packed color; complete unless `isOverLimit`.
  public private(set) var counts: [UInt32: Int] = [:]
  /// The colors as they were first met, row by row.
  public private(set) var firstSeen: [RGBA8] = []
  /// Whether there were more than `limit` colors.
  public private(set) var isOverLimit = false

  /// Makes an empty collection.
  public init(limit: Int = 256) { self.limit = limit }

  /// Collects the colors of a picture; returns at once where the limit is passed.
  public mutating func add(_ bitmap: Bitmap) {
    guard !isOverLimit else { return }
    // A small direct-mapped cache keeps the dictionary out of the pixel loop.
    var cached = [UInt32](repeating: 0, count: 4096)
    var runs = [Int](repeating: 0, count: 4096)
    bitmap.withPackedPixels { pixels in
      var i = 0
      while i < pixels.count {
        let color = visibleColor(pixels[i])
        var end = i + 1
        while end < pixels.count, visibleColor(pixels[end]) == color { end += 1 }
        let slot = Int((color &* 2_654_435_761) >> 20)
        if cached[slot] != color || runs[slot] == 0 {
          if runs[slot] > 0 { counts[cached[slot], default: 0] += runs[slot] }
          cached[slot] = color
          runs[slot] = 0
          if counts[color] == nil {
            counts[color] = 0
            firstSeen.append(RGBA8(packed: color))
            if counts.count > limit { break }
          }
        }
        runs[slot] += end - i
        i = end
      }
    }
    for (slot, run) in runs.enumerated() where run > 0 { counts[cached[slot], default: 0] += run }
    isOverLimit = counts.count > limit
  }
}
