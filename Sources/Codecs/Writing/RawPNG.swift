public import Imaging

/// A plain PNG of 8-bit RGBA (color type 6): every sample as it is, color under alpha 0 too, and no word on what they mean.
///
/// For composed frames in a file's own numbers; a sticker is written by `StillEncoder`.
public func encodeRGBA8(_ bitmap: Bitmap) -> [UInt8] {
  let rows = PackedRows(
    bytes: bitmap.pixels, rowBytes: bitmap.size.width * 4, height: bitmap.size.height, filterUnit: 4)
  var file = PNGWriter(size: bitmap.size, format: PixelFormat(.rgba), isSRGB: false)
  // A fast level: these files are looked at, not shipped.
  file.append(stream: Deflater(level: 3).zlib(rows.filtered(.up)))
  file.finish()
  return file.bytes
}
