import Imaging

/// What the pixels of one or more pictures ask of a file format.
struct PictureFacts {
  /// Whether a pixel has alpha 0.
  private(set) var hasClear = false
  /// Whether a pixel has alpha 1 to 254.
  private(set) var hasTranslucent = false
  /// Whether red, green and blue are equal in every visible pixel.
  private(set) var isGray = true
  /// The gray levels that visible pixels have.
  private(set) var grays = [Bool](repeating: false, count: 256)
  private(set) var distinct = DistinctColors(limit: 256)

  var isOpaque: Bool { !hasClear && !hasTranslucent }

  mutating func add(_ bitmap: Bitmap) {
    distinct.add(bitmap)
    bitmap.withPackedPixels { pixels in
      var last: UInt32?
      for color in pixels where color != last {
        last = color
        let alpha = color >> 24
        if alpha == 0 {
          hasClear = true
          continue
        }
        if alpha < 255 { hasTranslucent = true }
        let gray = color & 255
        if gray == color >> 8 & 255, gray == color >> 16 & 255 { grays[Int(gray)] = true } else { isGray = false }
      }
    }
  }

  /// The fewest bits that hold all gray levels exactly, and one more level for clear pixels where there are any.
  private func grayFormat() -> PixelFormat? {
    guard isGray, !hasTranslucent else { return nil }
    for depth in [1, 2, 4, 8] {
      let step = 255 / (1 << depth - 1)
      guard grays.indices.allSatisfy({ !grays[$0] || $0 % step == 0 }) else { continue }
      if !hasClear { return PixelFormat(.gray(clear: nil), bitDepth: depth) }
      if let free = stride(from: 0, through: 255, by: step).first(where: { !grays[$0] }) {
        return PixelFormat(.gray(clear: UInt8(free)), bitDepth: depth)
      }
    }
    return nil
  }

  /// The formats without a palette that can hold the pixels and are worth a try, for a still.
  var directFormats: [PixelFormat] {
    var formats: [PixelFormat] = []
    if let gray = grayFormat() { formats.append(gray) }
    if isGray, !isOpaque { formats.append(PixelFormat(.grayAlpha)) }
    if isGray { return formats }
    if isOpaque { return [PixelFormat(.rgb(clear: nil))] }
    formats.append(PixelFormat(.rgba))
    // A gray that no pixel has can mark the clear ones.
    if !hasTranslucent, let free = grays.firstIndex(of: false) {
      formats.append(PixelFormat(.rgb(clear: RGBA8(UInt8(free), UInt8(free), UInt8(free)).packed)))
    }
    return formats
  }

  /// The exact palettes worth a try, in different orders; none where there are more than 256 colors.
  ///
  /// What follows what decides which order compresses best: by luma suits shading, by use and by place flat art.
  var palettes: [Palette] {
    guard !distinct.isOverLimit else { return [] }
    let byUse = distinct.firstSeen.enumerated().sorted { a, b in
      let (aCount, bCount) = (
        distinct.counts[a.element.packed, default: 0], distinct.counts[b.element.packed, default: 0]
      )
      return aCount == bCount ? a.offset < b.offset : aCount > bCount
    }
    return [
      Palette(distinct.firstSeen), Palette(ordered: translucentFirst(byUse.map(\.element))),
      Palette(ordered: translucentFirst(distinct.firstSeen)),
    ]
  }

  private func translucentFirst(_ colors: [RGBA8]) -> [RGBA8] {
    colors.filter { $0.alpha < 255 } + colors.filter { $0.alpha == 255 }
  }
}

extension Bitmap {
  /// The packed pixels with transparent black wherever alpha is 0.
  func visiblePixels() -> [UInt32] {
    withPackedPixels { pixels in
      [UInt32](unsafeUninitializedCapacity: pixels.count) { output, count in
        for i in 0..<pixels.count { output[i] = visibleColor(pixels[i]) }
        count = pixels.count
      }
    }
  }

  /// Whether two pictures of one size look the same: color under alpha 0 does not count.
  func looksEqual(to other: Bitmap) -> Bool {
    withPackedPixels { a in
      other.withPackedPixels { b in
        a.count == b.count && (0..<a.count).allSatisfy { a[$0] == b[$0] || visibleColor(a[$0]) == visibleColor(b[$0]) }
      }
    }
  }
}
