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

  /// Makes a picture of memory that holds nothing yet, every pixel of which `fill` writes.
  ///
  /// What it throws is thrown on.
  package init<Failure: Error>(
    size: PixelSize, filling fill: (UnsafeMutablePointer<SIMD4<Float>>) throws(Failure) -> Void
  ) throws(Failure) {
    var outcome: Result<Void, Failure> = .success(())
    let samples = [Float](unsafeUninitializedCapacity: size.area * 4) { memory, count in
      guard let start = memory.baseAddress else { return }
      preferLargePages(start, count: size.area * 16)
      let pixels = UnsafeMutableRawPointer(start).assumingMemoryBound(to: SIMD4<Float>.self)
      do throws(Failure) {
        try fill(pixels)
        count = size.area * 4
      } catch {
        outcome = .failure(error)
      }
    }
    try outcome.get()
    self.init(size: size, samples: samples)
  }
}
