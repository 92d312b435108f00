public import Codecs
public import Imaging

/// Reads the picture that icons are made from.
public enum MasterImage {
  /// Decodes a file's first frame, upright, to the working space at its full size.
  ///
  /// The diagnostics name no path. Throws `DecodeError`.
  public static func decode(
    bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) throws(DecodeError) -> (image: LinearBitmap, diagnostics: [Diagnostic]) {
    let reader = try ImageReader(bytes: bytes, limits: limits)
    guard let frame = try reader.nextFrame() else {
      throw .damaged(format: reader.header.format, reason: "no frame")
    }
    let raster = frame.raster.upright(reader.header.orientation)
    let converter = ColorConverter(reader.header.color)
    var image = LinearBitmap(size: raster.size)
    let length = raster.size.width * 4
    image.samples.withUnsafeMutableBufferPointer { samples in
      for y in 0..<raster.size.height {
        converter.convert(
          raster, row: y, into: UnsafeMutableBufferPointer(rebasing: samples[y * length..<(y + 1) * length]))
      }
    }
    var diagnostics = (reader.warnings + converter.warnings).map { $0.diagnostic(path: nil) }
    if let note = gamutNote(clipped: converter.clippedPixels, of: raster.size.area, path: nil) {
      diagnostics.append(note)
    }
    return (image, diagnostics)
  }
}
