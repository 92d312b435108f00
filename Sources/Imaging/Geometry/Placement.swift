/// Which part of the art meets which part of the canvas.
public struct Placement: Hashable, Sendable {
  /// The canvas.
  public let canvas: PixelSize
  /// The part of the art that is looked at, in source pixels.
  public let bounds: PixelRect
  /// The part of the art that is seen, inside `bounds`.
  public let region: PixelRegion
  /// Where on the canvas `region` is seen.
  public let target: PixelRect

  /// Fits art inside the padding of a canvas.
  ///
  /// Where the margins of centered art are odd, the smaller half is on the left and at the top. Contained art is scaled
  /// to the nearest whole pixel on its shorter side, at least 1. Padding that leaves no room counts as the most that
  /// leaves one pixel.
  public init(art bounds: PixelRect, canvas: PixelSize, fit: Fit, padding: Int = 0) {
    precondition(!bounds.isEmpty && canvas.area > 0 && padding >= 0, "art and canvas have pixels")
    self.canvas = canvas
    self.bounds = bounds
    let room = Placement.room(canvas, padding)
    let (width, height) = (Double(bounds.width), Double(bounds.height))
    let across = Double(room.width) / width
    let down = Double(room.height) / height
    switch fit {
    case .fill:
      region = PixelRegion(bounds)
      target = Placement.center(room, on: canvas)
    case .contain:
      region = PixelRegion(bounds)
      let scale = min(across, down)
      let size = PixelSize(
        width: across <= down ? room.width : max(1, Int((width * scale).rounded())),
        height: down <= across ? room.height : max(1, Int((height * scale).rounded())))
      target = Placement.center(size, on: canvas)
    case .cover:
      let scale = max(across, down)
      let seenWidth = across >= down ? width : Double(room.width) / scale
      let seenHeight = down >= across ? height : Double(room.height) / scale
      region = PixelRegion(
        x: Double(bounds.x) + (width - seenWidth) / 2, y: Double(bounds.y) + (height - seenHeight) / 2,
        width: seenWidth, height: seenHeight)
      target = Placement.center(room, on: canvas)
    }
  }

  /// Enlarges art by the greatest whole factor that fits, or answers nil where that is below 2.
  public init?(enlargingByWholeFactor bounds: PixelRect, canvas: PixelSize, padding: Int = 0) {
    precondition(!bounds.isEmpty && canvas.area > 0 && padding >= 0, "art and canvas have pixels")
    let room = Placement.room(canvas, padding)
    let factor = min(room.width / bounds.width, room.height / bounds.height)
    guard factor >= 2 else { return nil }
    self.canvas = canvas
    self.bounds = bounds
    region = PixelRegion(bounds)
    target = Placement.center(
      PixelSize(width: bounds.width * factor, height: bounds.height * factor), on: canvas)
  }

  private init(canvas: PixelSize, bounds: PixelRect, region: PixelRegion, target: PixelRect) {
    self.canvas = canvas
    self.bounds = bounds
    self.region = region
    self.target = target
  }

  /// The same placement where the whole of the art, its sides at least 2, is stored at half its size, rounded up.
  ///
  /// Of an odd side, half a pixel at the end of what is stored shows nothing: its pixel is not looked at.
  public func halved(_ orientation: Orientation) -> Placement {
    precondition(bounds.x == 0 && bounds.y == 0 && min(bounds.width, bounds.height) >= 2, "the whole art, in halves")
    let left = orientation.reversesColumns ? bounds.width % 2 : 0
    let top = orientation.reversesRows ? bounds.height % 2 : 0
    return Placement(
      canvas: canvas, bounds: PixelRect(x: left, y: top, width: bounds.width / 2, height: bounds.height / 2),
      region: PixelRegion(
        x: (region.x + Double(left)) / 2, y: (region.y + Double(top)) / 2, width: region.width / 2,
        height: region.height / 2), target: target)
  }

  /// Where the art is copied pixel by pixel, the art's rectangle; nil where it is scaled or falls between pixels.
  public var exactSource: PixelRect? {
    let source = PixelRect(x: Int(region.x), y: Int(region.y), width: target.width, height: target.height)
    return PixelRegion(source) == region ? source : nil
  }

  /// Where the whole of a source would lie on the canvas, what is not seen of it included.
  public func extent(of source: PixelSize) -> PixelRegion {
    let across = Double(target.width) / region.width
    let down = Double(target.height) / region.height
    return PixelRegion(
      x: Double(target.x) - region.x * across, y: Double(target.y) - region.y * down,
      width: Double(source.width) * across, height: Double(source.height) * down)
  }

  /// Whether the art is enlarged in either direction.
  public var enlarges: Bool { Double(target.width) > region.width || Double(target.height) > region.height }

  private static func room(_ canvas: PixelSize, _ padding: Int) -> PixelSize {
    let border = min(padding, (min(canvas.width, canvas.height) - 1) / 2)
    return PixelSize(width: canvas.width - 2 * border, height: canvas.height - 2 * border)
  }

  private static func center(_ size: PixelSize, on canvas: PixelSize) -> PixelRect {
    PixelRect(
      x: (canvas.width - size.width) / 2, y: (canvas.height - size.height) / 2, width: size.width, height: size.height)
  }
}

extension Resampler {
  /// Weighs both axes for the target part of a placement.
  public init(source: PixelSize, placement: Placement, kernel: Kernel = .default, overshoot: Overshoot = .limited) {
    self.init(
      source: source, bounds: placement.bounds, region: placement.region, target: placement.target.size,
      kernel: kernel, overshoot: overshoot)
  }
}
