/// A plate cut out of its margins, with its corners filled.
struct PlateCut {
  /// Pixels nearer than this to what is open, as a part of the side, are mixed with a shadow or belong to a bevel.
  static let rimDepth = 0.006

  /// The plate; holes in it are as they were.
  private(set) var art: LinearBitmap
  /// Whether there were corners to fill.
  let hasCorners: Bool

  /// Cuts a plate out of its master.
  ///
  /// Where it had margins its rim is cut off on all sides; in the corners the rim is made anew.
  init(_ master: LinearBitmap, _ plate: PixelRect) {
    let rim = max(2, Int((Double(min(plate.width, plate.height)) * PlateCut.rimDepth).rounded(.up)))
    let open = SolidMask(master).openPixels(in: plate)
    let widened = PlateCut.widen(open, plate.size, by: rim)
    let inset = plate == PixelRect(master.size) ? 0 : rim
    let kept = PixelRect(
      x: inset, y: inset, width: max(plate.width - 2 * inset, 1), height: max(plate.height - 2 * inset, 1))
    art = master.cropped(
      to: PixelRect(x: plate.x + kept.x, y: plate.y + kept.y, width: kept.width, height: kept.height))
    var missing: [UInt8] = []
    missing.reserveCapacity(kept.size.area)
    for y in kept.y..<kept.maxY {
      missing.append(contentsOf: widened[y * plate.width + kept.x..<y * plate.width + kept.maxX])
    }
    hasCorners = missing.contains(1)
    if hasCorners { CornerFill.fill(&art, missing: missing) }
  }

  /// The marked pixels and all within a number of columns and rows of one.
  static func widen(_ mask: [UInt8], _ size: PixelSize, by reach: Int) -> [UInt8] {
    let rows = widen(mask, lines: size.height, length: size.width, lineStride: size.width, step: 1, by: reach)
    return widen(rows, lines: size.width, length: size.height, lineStride: 1, step: size.width, by: reach)
  }

  private static func widen(
    _ mask: [UInt8], lines: Int, length: Int, lineStride: Int, step: Int, by reach: Int
  ) -> [UInt8] {
    var result = mask
    for line in 0..<lines {
      let start = line * lineStride
      var last = Int.min / 2
      for i in 0..<length {
        if mask[start + i * step] == 1 { last = i }
        if i - last <= reach { result[start + i * step] = 1 }
      }
      last = Int.max / 2
      for i in (0..<length).reversed() {
        if mask[start + i * step] == 1 { last = i }
        if last - i <= reach { result[start + i * step] = 1 }
      }
    }
    return result
  }
}
