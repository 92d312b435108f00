/// A picture in palette indices, row by row from the top.
public struct IndexPlane: Hashable, Sendable {
  /// The picture's size.
  public let size: PixelSize
  /// `size.area` indices.
  public var indices: [UInt8]

  /// Wraps indices; their number must be `size.area`.
  public init(size: PixelSize, indices: [UInt8]) {
    precondition(indices.count == size.area, "an index plane has one index a pixel")
    self.size = size
    self.indices = indices
  }
}
