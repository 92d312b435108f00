/// Where the visible pixels of an animation lie on their canvas.
public struct AlphaGeometry: Sendable {
  /// The canvas.
  public let size: PixelSize
  /// The smallest rectangle of what is seen in any frame; empty where nothing is.
  public private(set) var box = PixelRect(x: 0, y: 0, width: 0, height: 0)
  /// Whether every pixel that was looked at is opaque in every frame.
  public private(set) var isOpaque = true
  /// The part of what was looked at that each frame covers, weighed by alpha.
  public private(set) var coverage: [Double] = []

  /// Alpha from which a pixel counts as seen: what is fainter does not place art.
  static let leastAlpha: UInt8 = 16

  /// Looks at all frames, or at a rectangle of them.
  public init(of animation: SizedAnimation, inside rect: PixelRect? = nil) {
    size = animation.size
    let rect = (rect ?? PixelRect(size)).intersection(PixelRect(size))
    for frame in animation.frames { add(frame.bitmap, rect) }
  }

  private mutating func add(_ frame: Bitmap, _ rect: PixelRect) {
    var (left, top, right, bottom, sum, lowest) = (Int.max, Int.max, -1, -1, 0, UInt8.max)
    frame.pixels.withUnsafeBufferPointer { pixels in
      for y in rect.y..<rect.maxY {
        for x in rect.x..<rect.maxX {
          let alpha = pixels[(y * size.width + x) * 4 + 3]
          sum += Int(alpha)
          lowest = min(lowest, alpha)
          guard alpha >= Self.leastAlpha else { continue }
          (left, right, bottom) = (min(left, x), max(right, x), y)
          if top > y { top = y }
        }
      }
    }
    if lowest < 255 { isOpaque = false }
    coverage.append(Double(sum) / Double(max(rect.size.area, 1) * 255))
    if right >= 0 {
      box = box.union(PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1))
    }
  }

  /// The longer side of what is seen as a part of the room inside a padding.
  public func extent(padding: Int) -> Double {
    let room = max(min(size.width, size.height) - 2 * padding, 1)
    return Double(max(box.width, box.height)) / Double(room)
  }

  /// How far the middle of what is seen lies from the canvas's, as a part of its sides: right and down are positive.
  public var offset: (x: Double, y: Double) {
    guard !box.isEmpty else { return (0, 0) }
    return (
      (Double(box.x) + Double(box.width) / 2) / Double(size.width) - 0.5,
      (Double(box.y) + Double(box.height) / 2) / Double(size.height) - 0.5
    )
  }
}
