/// A decoded picture in the file's own numbers: no color management, orientation not applied, straight alpha.
public struct Raster: Sendable {
  /// The sample layouts that decoders produce.
  public enum Samples: Sendable {
    /// R, G, B, A, 8 bits each.
    case rgba8([UInt8])
    /// R, G, B, A, 16 bits each, native byte order.
    case rgba16([UInt16])
    /// C, M, Y, K, 8 bits each, 255 = full ink.
    case cmyk8([UInt8])
  }

  /// The picture's size as stored.
  public let size: PixelSize
  /// `size.area * 4` samples.
  public let samples: Samples

  /// Wraps samples; their number must be `size.area * 4`.
  public init(size: PixelSize, samples: Samples) {
    switch samples {
    case .rgba8(let s), .cmyk8(let s): precondition(s.count == size.area * 4, "a raster has four samples a pixel")
    case .rgba16(let s): precondition(s.count == size.area * 4, "a raster has four samples a pixel")
    }
    self.size = size
    self.samples = samples
  }

  /// Whether every pixel is wholly transparent.
  public var isClear: Bool {
    switch samples {
    case .rgba8(let samples): !stride(from: 3, to: samples.count, by: 4).contains { samples[$0] != 0 }
    case .rgba16(let samples): !stride(from: 3, to: samples.count, by: 4).contains { samples[$0] != 0 }
    case .cmyk8: false
    }
  }
}

extension Bitmap {
  /// The picture as a decoder would give it.
  public var raster: Raster { Raster(size: size, samples: .rgba8(pixels)) }
}
