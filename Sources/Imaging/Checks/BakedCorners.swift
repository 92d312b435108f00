/// Rounded corners that are drawn into an icon.
public struct BakedCorners: Hashable, Sendable {
  /// Their radius as a part of the plate's side.
  public var radius: Double
  /// The plate.
  public var plate: PixelRect
  /// Whether they are transparent; else one color fills them.
  public var isTransparent: Bool

  /// Radii of icons: less is a bevel, more a round badge.
  static let radii = 0.08...0.42
  /// The area that a corner of radius 1 lacks.
  private static let lacking = 1 - Double.pi / 4

  /// Looks for them; nil where the corners are the art's own.
  ///
  /// An opaque picture whose four corners have one color is looked at as if that color, as far as it reaches from the
  /// corners, were clear.
  public static func find(in icon: Bitmap) -> BakedCorners? {
    let solid = SolidMask(icon.linear)
    if !solid.isOpaque { return find(solid, isTransparent: true) }
    guard let filled = withoutCorners(icon) else { return nil }
    return find(SolidMask(filled.linear), isTransparent: false)
  }

  private static func find(_ solid: SolidMask, isTransparent: Bool) -> BakedCorners? {
    guard !solid.isOpaque, let plate = solid.plate(square: true) else { return nil }
    let open = solid.openPixels(in: plate)
    let (halfWidth, halfHeight) = (plate.width / 2, plate.height / 2)
    var areas = [0, 0, 0, 0]
    for y in 0..<plate.height {
      for x in 0..<plate.width where open[y * plate.width + x] == 1 {
        areas[(y < halfHeight ? 0 : 2) + (x < halfWidth ? 0 : 1)] += 1
      }
    }
    let side = Double(min(plate.width, plate.height))
    let parts = areas.map { (Double($0) / lacking).squareRoot() / side }
    guard let least = parts.min(), let most = parts.max(), radii.contains(least), radii.contains(most),
      most <= least * 1.35
    else { return nil }
    let radius = parts.reduce(0, +) / 4
    guard (0..<4).allSatisfy({ isArc(open, plate, corner: $0, radius: radius * side) }) else { return nil }
    return BakedCorners(radius: radius, plate: plate, isTransparent: isTransparent)
  }

  /// Whether what is open in a corner ends along an arc.
  private static func isArc(_ open: [UInt8], _ plate: PixelRect, corner: Int, radius: Double) -> Bool {
    let tolerance = max(3, radius * 0.2)
    return [0.15, 0.3, 0.5, 0.7].allSatisfy { part in
      let depth = Int(radius * part)
      let rest = radius - Double(depth)
      let expected = radius - (radius * radius - rest * rest).squareRoot()
      var length = 0
      while length < plate.width / 2 {
        let x = corner % 2 == 0 ? length : plate.width - 1 - length
        let y = corner < 2 ? depth : plate.height - 1 - depth
        if open[y * plate.width + x] == 0 { break }
        length += 1
      }
      return abs(Double(length) - expected) <= tolerance
    }
  }

  /// The picture with the one color of its corners made clear as far as it hangs together; nil where they differ.
  private static func withoutCorners(_ icon: Bitmap) -> Bitmap? {
    let (width, height) = (icon.size.width, icon.size.height)
    guard width >= 32, height >= 32 else { return nil }
    let places = [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)]
    let color = icon[1, 1]
    guard places.allSatisfy({ icon[$0.0, $0.1].isNear(color, 20) }) else { return nil }
    var result = icon
    var stack = places.map { $0.1 * width + $0.0 }
    func visit(_ x: Int, _ y: Int) {
      guard x >= 0, y >= 0, x < width, y < height, result[x, y].alpha == 255, icon[x, y].isNear(color, 32) else {
        return
      }
      result[x, y] = .clear
      stack.append(y * width + x)
    }
    while let at = stack.popLast() {
      let (x, y) = (at % width, at / width)
      visit(x - 1, y)
      visit(x + 1, y)
      visit(x, y - 1)
      visit(x, y + 1)
    }
    return result
  }
}
