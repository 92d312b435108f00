public import Imaging

extension SizedAnimation {
  /// The composed frames of a finished file, with its delays as they are stored; throws `DecodeError`.
  ///
  /// Samples must have 8 bits; they are taken as they are, wholly transparent pixels as transparent black. What memory
  /// shall not hold goes to a store.
  public init(decoding bytes: [UInt8], store: (any BandStore)? = nil) throws(DecodeError) {
    let reader = try ImageReader(bytes: bytes)
    var frames: [SizedFrame] = []
    while let frame = try reader.nextFrame() {
      guard case .rgba8(var samples) = frame.raster.samples else {
        throw .unsupported(format: reader.header.format, reason: "a finished file has 8-bit samples")
      }
      samples.withUnsafeMutableBufferPointer { pixels in
        for i in stride(from: 0, to: pixels.count, by: 4) where pixels[i + 3] == 0 {
          (pixels[i], pixels[i + 1], pixels[i + 2]) = (0, 0, 0)
        }
      }
      let bitmap = Bitmap(size: reader.header.size, pixels: samples)
      frames.append(
        frames.last.map { SizedFrame(bitmap: bitmap, delay: frame.storedDelay, after: $0, store: store) }
          ?? SizedFrame(bitmap: bitmap, delay: frame.storedDelay))
    }
    guard !frames.isEmpty else { throw .damaged(format: reader.header.format, reason: "no frame") }
    self.init(frames: frames, playCount: reader.header.playCount)
  }
}
