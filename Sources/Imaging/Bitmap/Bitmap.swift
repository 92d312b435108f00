/// A finished picture: 8-bit RGBA, straight alpha, sRGB, row by row from the top.
public struct Bitmap: Hashable, Sendable {
  /// The picture's size.
  public let size: PixelSize
  /// `size.area * 4` samples in the order R, G, B, A.
  public var pixels: [UInt8]

  /// Wraps samples; their number must be `size.area * 4`.
  public init(size: PixelSize, pixels: [UInt8]) {
    precondition(pixels.count == size.area * 4, "a bitmap has four samples a pixel")
    self.size = size
    self.pixels = pixels
  }

  /// Makes a picture of one color, transparent black by default.
  public init(size: PixelSize, fill: RGBA8 = .clear) {
    self.size = size
    pixels = [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, count in
      for i in 0..<size.area {
        buffer[i * 4] = fill.red
        buffer[i * 4 + 1] = fill.green
        buffer[i * 4 + 2] = fill.blue
        buffer[i * 4 + 3] = fill.alpha
      }
      count = size.area * 4
    }
  }

  /// The color at a column and a row.
  @inlinable
  public subscript(x: Int, y: Int) -> RGBA8 {
    get {
      let i = (y * size.width + x) * 4
      return RGBA8(pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3])
    }
    set {
      let i = (y * size.width + x) * 4
      pixels[i] = newValue.red
      pixels[i + 1] = newValue.green
      pixels[i + 2] = newValue.blue
      pixels[i + 3] = newValue.alpha
    }
  }
}
