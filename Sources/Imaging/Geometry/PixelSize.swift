/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Makes a size; neither side may be negative.
  @inlinable
  public init(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0, "a size is not negative")
    self.width = width
    self.height = height
  }

  /// Makes a square.
  @inlinable
  public init(square side: Int) { self.init(width: side, height: side) }

  /// The number of pixels.
  @inlinable
  public var area: Int { width * height }

  /// Whether width and height are equal.
  @inlinable
  public var isSquare: Bool { width == height }

  /// Half the width and height, rounded up.
  public var halved: PixelSize { PixelSize(width: (width + 1) / 2, height: (height + 1) / 2) }

  /// The size with width and height exchanged.
  @inlinable
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
  /// The size as people write it, `618x618`.
  public var description: String { "\(width)x\(height)" }
}
