import CCodecs
import CDeflate

/// The codec libraries and their versions as they run, by name; part of `--version`, the manifest and every cache key.
public func libraryVersions() -> [(name: String, version: String)] {
  let webp = decal_webp_version()
  let lcms = decal_lcms_version()
  return [
    ("lcms2", "\(lcms / 1000).\(lcms % 1000 / 10)"),
    ("libdeflate", LIBDEFLATE_VERSION_STRING),
    ("libjpeg-turbo", String(cString: decal_jpeg_version())),
    ("libpng", String(cString: decal_png_version())),
    ("libwebp", "\(webp >> 16).\(webp >> 8 & 255).\(webp & 255)"),
  ]
}
