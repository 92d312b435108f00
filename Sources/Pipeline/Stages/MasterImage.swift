public import Codecs
public import Imaging

/// Reads the picture that icons are made from.
public enum MasterImage {
  /// Decodes a file's first frame, upright, to the working space, at the size that a function makes of its own.
  ///
  /// The light is that of the gamut's primaries; `size` is what the file has, upright. The diagnostics name no path. Throws `DecodeError`.
  public static func decode(
    bytes: [UInt8], limits: DecodeLimits = DecodeLimits(), gamut: OutputGamut = .sRGB,
    kernel: Kernel = .default, size: (PixelSize) -> PixelSize = { $0 }
  ) throws(DecodeError) -> (image: LinearBitmap, size: PixelSize, diagnostics: [Diagnostic]) {
    let reader = try ImageReader(bytes: bytes, limits: limits)
    guard let frame = try reader.nextFrame() else {
      throw .damaged(format: reader.header.format, reason: "no frame")
    }
    let bands = UprightBands(frame.raster, reader.header.orientation)
    let converter = ColorConverter(reader.header.color, gamut: gamut)
    let image = convert(bands, converter, to: size(bands.size), kernel)
    var diagnostics = (reader.warnings + converter.warnings).map { $0.diagnostic(path: nil) }
    if let note = gamutNote(clipped: converter.clippedPixels, of: bands.size.area, gamut: gamut, path: nil) {
      diagnostics.append(note)
    }
    return (image, bands.size, diagnostics)
  }

  /// Row by row, so that a large picture is never in the working space as a whole.
  private static func convert(
    _ bands: UprightBands, _ converter: ColorConverter, to size: PixelSize, _ kernel: Kernel
  ) -> LinearBitmap {
    var bands = bands
    if size != bands.size {
      return Resampler(source: bands.size, target: size, kernel: kernel).resample { y, output in
        let (band, row) = bands.row(y)
        converter.convert(band, row: row, into: output)
      }
    }
    let length = size.width * 4
    return LinearBitmap(size: size) { pixels in
      let samples = UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: Float.self)
      for y in 0..<size.height {
        let (band, row) = bands.row(y)
        converter.convert(
          band, row: row, into: UnsafeMutableBufferPointer(start: samples + y * length, count: length))
      }
    }
  }
}
