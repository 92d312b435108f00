/// An art format that is known but not read.
package struct ForeignArt: Sendable, Hashable {
  /// The format's name.
  package var name: String
  /// What to export instead.
  package var export: String
  /// Whether it is a drawing program's own file, which often lies beside its export, and no finished art.
  package var isWorkingFile = false

  /// One line for people.
  package var message: String {
    isWorkingFile
      ? "a working file (\(name)), not an image; \(export)"
      : DecodeError.unsupportedFormat(name: name, export: export).message
  }
}

/// Art formats that are recognized by content, to be refused by name with the way out.
package enum ForeignFormat {
  /// What the first bytes of a file say it is; 4 KB are enough for most formats, and the whole is best.
  package static func art(in bytes: [UInt8]) -> ForeignArt? {
    brand(bytes) ?? magic(bytes) ?? archive(bytes) ?? text(bytes)
  }

  /// The refusal that fits the bytes, or `unrecognized`.
  static func refusal(of bytes: [UInt8]) -> DecodeError {
    guard let art = art(in: bytes) else { return .unrecognized }
    return .unsupportedFormat(name: art.name, export: art.export)
  }

  private static let asPNG = "export it as PNG"
  private static let asPhoto = "export it as PNG or JPEG"
  private static let asAnimation = "export it as APNG, GIF, animated WebP or numbered PNG files"

  private static func still(_ name: String) -> ForeignArt { ForeignArt(name: name, export: asPNG) }
  private static func film(_ name: String) -> ForeignArt { ForeignArt(name: name, export: asAnimation) }
  private static func working(_ name: String, _ export: String = asPNG) -> ForeignArt {
    ForeignArt(name: name, export: export, isWorkingFile: true)
  }

  /// Files of boxes: the brand follows `ftyp`, then a version and the brands that it goes with.
  private static func brand(_ bytes: [UInt8]) -> ForeignArt? {
    guard bytes.count >= 12, bytes.holds("ftyp", at: 4) else { return nil }
    let end = min(bytes.big32(0), bytes.count, 256)
    let others = stride(from: 16, to: max(16, end - 3), by: 4).map { bytes.printable($0..<$0 + 4) }
    switch bytes.printable(8..<12) {
    case "avif", "avis": return still("AVIF")
    case "mif1" where others.contains("avif") || others.contains("avis"),
      "msf1" where others.contains("avif") || others.contains("avis"):
      return still("AVIF")
    case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1":
      return ForeignArt(name: "HEIC", export: asPhoto)
    case "qt  ": return film("MOV video")
    case "crx ": return ForeignArt(name: "Canon raw", export: asPhoto)
    case "jxl ": return still("JPEG XL")
    default: return film("MP4 video")
    }
  }

  private static let magics: [(magic: [UInt8], offset: Int, art: ForeignArt)] = [
    (Array("8BPS".utf8), 0, working("PSD (Photoshop)")),
    (Array("gimp xcf".utf8), 0, working("XCF (GIMP)")),
    (Array("%PDF-".utf8), 0, working("PDF or Illustrator")),
    (Array("%!PS".utf8), 0, working("PostScript")),
    (Array("BLENDER".utf8), 0, working("Blender", "render it as PNG")),
    (Array("CSFCHUNK".utf8), 0, working("Clip Studio")),
    ([0, 0xff, 0x4b, 0x41], 0, working("Affinity")),
    ([0xe0, 0xa5], 4, working("Aseprite", "export it as GIF, APNG or numbered PNG files")),
    ([0x1f, 0x8b, 8], 0, working("TGS (Telegram sticker) or another gzip file", asAnimation)),
    ([0, 0, 1, 0], 0, working("ICO")),
    (Array("icns".utf8), 0, working("ICNS")),
    ([0x49, 0x49, 0x2a, 0], 0, still("TIFF")),
    ([0x4d, 0x4d, 0, 0x2a], 0, still("TIFF")),
    ([0x49, 0x49, 0x2b, 0], 0, still("BigTIFF")),
    ([0xff, 0x0a], 0, still("JPEG XL")),
    ([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a], 0, still("JPEG XL")),
    ([0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20], 0, still("JPEG 2000")),
    (Array("qoif".utf8), 0, still("QOI")),
    ([0x1a, 0x45, 0xdf, 0xa3], 0, film("WebM or Matroska video")),
    ([0x8a, 0x4d, 0x4e, 0x47], 0, film("MNG")),
    ([0x46, 0x4c, 0x56, 1], 0, film("FLV video")),
  ]

  private static func magic(_ bytes: [UInt8]) -> ForeignArt? {
    if let found = magics.first(where: { bytes.holds($0.magic, at: $0.offset) }) { return found.art }
    if bytes.holds("BM"), bytes.count >= 26, bytes.little32(6) == 0 { return still("BMP") }
    if bytes.holds("RIFF"), bytes.holds("AVI ", at: 8) { return film("AVI video") }
    return nil
  }

  /// Zip archives of drawing programs, told apart by a name near the start, or in the directory at the end.
  private static func archive(_ bytes: [UInt8]) -> ForeignArt? {
    guard bytes.holds([0x50, 0x4b, 3, 4]) else { return nil }
    let names = String(decoding: bytes.prefix(4096) + bytes.suffix(16384), as: UTF8.self)
    if names.contains("application/x-krita") { return working("Krita") }
    if names.contains("image/openraster") { return working("OpenRaster") }
    if names.contains("Document.archive") || names.contains("QuickLook/Thumbnail.png") {
      return working("Procreate", "share it from Procreate as PNG or Animated PNG")
    }
    if names.contains("document.json") { return working("Sketch") }
    return working("a zip archive", "unpack it first")
  }

  private static func text(_ bytes: [UInt8]) -> ForeignArt? {
    let start = bytes.holds([0xef, 0xbb, 0xbf]) ? 3 : 0
    guard let first = bytes[start...].first(where: { $0 > 0x20 }) else { return nil }
    guard first == UInt8(ascii: "<") || first == UInt8(ascii: "{") else { return nil }
    let text = String(decoding: bytes.prefix(65536), as: UTF8.self)
    if first == UInt8(ascii: "<") {
      return text.contains("<svg") ? ForeignArt(name: "SVG", export: "export it as PNG, at 618 px or more") : nil
    }
    // First and last frame; the layers may come late.
    let isLottie = text.contains("\"op\"") && (text.contains("\"layers\"") || text.contains("\"ip\""))
    return isLottie ? film("Lottie") : nil
  }
}
