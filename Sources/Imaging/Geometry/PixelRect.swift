/// A rectangle of whole pixels; the origin is the top left corner.
public struct PixelRect: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Makes a rectangle from its top left corner and its size.
  @inlinable
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The whole of a canvas.
  @inlinable
  public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// The column after the last.
  @inlinable
  public var maxX: Int { x + width }

  /// The row after the last.
  @inlinable
  public var maxY: Int { y + height }

  /// Whether the rectangle holds no pixel.
  @inlinable
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The size.
  @inlinable
  public var size: PixelSize { PixelSize(width: max(width, 0), height: max(height, 0)) }

  /// The part that both rectangles share; empty where they do not meet.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
  }

  /// The smallest rectangle that holds both; an empty one does not count.
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }
}
