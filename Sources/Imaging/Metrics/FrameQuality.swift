/// How well a frame on screen shows the one that should be there.
///
/// The pictures are compared over black and over white at half their size, a quarter and so on, in a space of brightness and
/// two opponent colors (`ConePyramid`, `PlaneComparison`). The score is 100 less the root of a weighted sum of what differs.
/// The method is that of SSIMULACRA2, made quicker; the weights were fitted to it (`Tests/tools/quality_fit.py`), and those
/// of the full size came out as nothing.
package enum FrameQuality {
  /// The sides of the pictures that are compared, as parts of the whole: 1/2, 1/4 and so on.
  static let scales = 1...5
  /// Pictures smaller than this are not compared.
  private static let leastSide = 8

  /// The planes of a picture.
  enum Plane: Int, CaseIterable { case redGreen, brightness, blue }

  /// The ways in which planes differ; the worst are fourth-power means.
  enum Kind: Int, CaseIterable { case structure, added, lost, worstStructure, worstAdded, worstLost }

  /// What one difference is worth.
  struct Weight {
    let scale: Int
    let plane: Plane
    let kind: Kind
    let value: Double

    init(_ scale: Int, _ plane: Plane, _ kind: Kind, _ value: Double) {
      (self.scale, self.plane, self.kind, self.value) = (scale, plane, kind, value)
    }

    /// Its place among `differences`.
    var index: Int {
      ((scale - scales.lowerBound) * Plane.allCases.count + plane.rawValue) * Kind.allCases.count + kind.rawValue
    }
  }

  /// All that differs over one ground: by size, by plane, by kind.
  ///
  /// Where `isWeighted`, what has no weight is left at 0.
  package static func differences(
    _ shown: Bitmap, target: Bitmap, ground: UInt32, isWeighted: Bool = false
  ) -> [Double] {
    let part = seen(shown, target)
    let count = scales.count * Plane.allCases.count * Kind.allCases.count
    var values = [Double](repeating: 0, count: count)
    guard part.width > 0 else { return values }
    var a = ConePyramid(target, part, ground: ground)
    var b = ConePyramid(shown, part, ground: ground)
    let share = Double(part.width * part.height) / Double(target.size.area)
    for scale in scales {
      if scale > scales.lowerBound {
        a.halve()
        b.halve()
      }
      if min(a.size.width, a.size.height) < leastSide { break }
      let (before, after) = (a.opponents(), b.opponents())
      for plane in Plane.allCases {
        if isWeighted, !weights.contains(where: { $0.scale == scale && $0.plane == plane }) { continue }
        let comparison = PlaneComparison(
          target: before[plane.rawValue], shown: after[plane.rawValue], size: a.size, stride: a.stride)
        let start = Weight(scale, plane, .structure, 0).index
        values.replaceSubrange(start..<start + Kind.allCases.count, with: comparison.values(share: share))
      }
    }
    return values
  }

  /// The score of one frame; 100 where nothing differs, below 0 where little is alike.
  static func score(_ shown: Bitmap, target: Bitmap) -> Double {
    if shown == target { return 100 }
    let black = score(differences(shown, target: target, ground: 0, isWeighted: true))
    guard showsGround(shown) || showsGround(target) else { return black }
    return (black + score(differences(shown, target: target, ground: 255, isWeighted: true))) / 2
  }

  private static func score(_ differences: [Double]) -> Double {
    100 - weights.reduce(0) { $0 + $1.value * differences[$1.index] }.squareRoot()
  }

  /// Whether a picture has a pixel that is not opaque, so that the ground shows.
  private static func showsGround(_ bitmap: Bitmap) -> Bool {
    bitmap.withPackedPixels { pixels in pixels.contains { $0 < 0xFF00_0000 } }
  }

  /// The part of the canvas beyond which nothing is seen in either picture, with a margin; it begins at even places.
  private static func seen(_ a: Bitmap, _ b: Bitmap) -> PixelRect {
    let (width, height) = (a.size.width, a.size.height)
    var (left, right, top, bottom) = (width, -1, height, -1)
    a.withPackedPixels { a in
      b.withPackedPixels { b in
        for y in 0..<height {
          let row = y * width
          guard let first = (0..<width).first(where: { (a[row + $0] | b[row + $0]) >> 24 != 0 }) else { continue }
          let last = (first..<width).last { (a[row + $0] | b[row + $0]) >> 24 != 0 } ?? first
          (left, right) = (min(left, first), max(right, last))
          (top, bottom) = (min(top, y), y)
        }
      }
    }
    guard right >= 0 else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    let margin = 32
    let (x, y) = (max(0, left - margin) & ~1, max(0, top - margin) & ~1)
    return PixelRect(
      x: x, y: y, width: min(width, right + 1 + margin) - x, height: min(height, bottom + 1 + margin) - y)
  }
}
