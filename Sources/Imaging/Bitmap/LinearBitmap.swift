/// A picture in the working space: linear-light sRGB primaries, premultiplied alpha, 32-bit float, 1 = white.
public struct LinearBitmap: Sendable {
  /// The picture's size.
  public let size: PixelSize
  /// `size.area * 4` samples in the order R, G, B, A; R, G and B are premultiplied.
  public var samples: [Float]

  /// Wraps samples; their number must be `size.area * 4`.
  public init(size: PixelSize, samples: [Float]) {
    precondition(samples.count == size.area * 4, "a linear bitmap has four samples a pixel")
    self.size = size
    self.samples = samples
  }

  /// Makes a transparent picture.
  public init(size: PixelSize) {
    self.init(size: size, samples: [Float](repeating: 0, count: size.area * 4))
  }
}
