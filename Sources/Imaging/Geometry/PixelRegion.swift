/// A rectangle in a picture whose sides may fall inside pixels; column 0 begins at 0.0 and ends at 1.0.
public struct PixelRegion: Hashable, Sendable {
  /// The left side.
  public var x: Double
  /// The top side.
  public var y: Double
  /// The width, above 0.
  public var width: Double
  /// The height, above 0.
  public var height: Double

  /// Makes a region from its top left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The region of whole pixels.
  public init(_ rect: PixelRect) {
    self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
  }
}
