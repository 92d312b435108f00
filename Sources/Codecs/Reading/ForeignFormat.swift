/// Art formats that are recognized by content, to be refused by name with the way out.
enum ForeignFormat {
  /// The refusal that fits the bytes, or `unrecognized`.
  static func refusal(of bytes: [UInt8]) -> DecodeError {
    if let name = boxName(bytes) ?? magicName(bytes) ?? archiveName(bytes) ?? textName(bytes) {
      return .unsupportedFormat(name: name.name, export: name.export)
    }
    return .unrecognized
  }

  private typealias Known = (name: String, export: String)

  private static let asPNG = "export it as PNG"
  private static let asAnimation = "export it as APNG, GIF, animated WebP or numbered PNG files"

  /// Files of boxes, whose brand follows `ftyp`.
  private static func boxName(_ bytes: [UInt8]) -> Known? {
    guard bytes.count >= 12, bytes.holds("ftyp", at: 4) else { return nil }
    switch bytes.printable(8..<12) {
    case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1": return ("HEIC", "export it as PNG or JPEG")
    case "avif", "avis": return ("AVIF", asPNG)
    case "qt  ": return ("MOV video", asAnimation)
    case "crx ": return ("Canon raw", "export it as PNG or JPEG")
    case "jxl ": return ("JPEG XL", asPNG)
    default: return ("MP4 video", asAnimation)
    }
  }

  private static func magicName(_ bytes: [UInt8]) -> Known? {
    let table: [(magic: [UInt8], offset: Int, known: Known)] = [
      ([0x38, 0x42, 0x50, 0x53], 0, ("PSD (Photoshop)", asPNG)),
      ([0x49, 0x49, 0x2a, 0], 0, ("TIFF", asPNG)),
      ([0x4d, 0x4d, 0, 0x2a], 0, ("TIFF", asPNG)),
      ([0x49, 0x49, 0x2b, 0], 0, ("BigTIFF", asPNG)),
      ([0x1a, 0x45, 0xdf, 0xa3], 0, ("WebM or Matroska video", asAnimation)),
      ([0x25, 0x50, 0x44, 0x46, 0x2d], 0, ("PDF", asPNG)),
      ([0x25, 0x21, 0x50, 0x53], 0, ("PostScript", asPNG)),
      ([0, 0, 1, 0], 0, ("ICO", asPNG)),
      ([0x69, 0x63, 0x6e, 0x73], 0, ("ICNS", asPNG)),
      ([0xff, 0x0a], 0, ("JPEG XL", asPNG)),
      ([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a], 0, ("JPEG XL", asPNG)),
      ([0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20], 0, ("JPEG 2000", asPNG)),
      ([0xe0, 0xa5], 4, ("Aseprite", "export it as GIF, APNG or numbered PNG files")),
      ([0x1f, 0x8b], 0, ("TGS (Telegram sticker) or another gzip file", asAnimation)),
      ([0x67, 0x69, 0x6d, 0x70, 0x20, 0x78, 0x63, 0x66], 0, ("XCF (GIMP)", asPNG)),
      ([0x8a, 0x4d, 0x4e, 0x47], 0, ("MNG", asAnimation)),
      ([0x46, 0x4c, 0x56, 1], 0, ("FLV video", asAnimation)),
      ([0x71, 0x6f, 0x69, 0x66], 0, ("QOI", asPNG)),
    ]
    if let found = table.first(where: { bytes.holds($0.magic, at: $0.offset) }) { return found.known }
    if bytes.holds("BM"), bytes.count >= 26, bytes.little32(6) == 0 { return ("BMP", asPNG) }
    if bytes.holds("RIFF"), bytes.holds("AVI ", at: 8) { return ("AVI video", asAnimation) }
    return nil
  }

  /// Zip archives of drawing programs, told apart by a name near the start.
  private static func archiveName(_ bytes: [UInt8]) -> Known? {
    guard bytes.holds([0x50, 0x4b, 3, 4]) else { return nil }
    let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
    // The directory of names stands at the end.
    let tail = String(decoding: bytes.suffix(16384), as: UTF8.self)
    if head.contains("application/x-krita") { return ("Krita", asPNG) }
    if head.contains("image/openraster") { return ("OpenRaster", asPNG) }
    if (head + tail).contains("Document.archive") {
      return ("Procreate", "share it from Procreate as PNG or Animated PNG")
    }
    if (head + tail).contains("document.json") { return ("Sketch", asPNG) }
    return ("a zip archive", "unpack it first")
  }

  private static func textName(_ bytes: [UInt8]) -> Known? {
    let start = bytes.holds([0xef, 0xbb, 0xbf]) ? 3 : 0
    guard let first = bytes[start...].first(where: { $0 > 0x20 }) else { return nil }
    guard first == UInt8(ascii: "<") || first == UInt8(ascii: "{") else { return nil }
    let text = String(decoding: bytes.prefix(65536), as: UTF8.self)
    if first == UInt8(ascii: "<"), text.contains("<svg") { return ("SVG", "export it as PNG, at 618 px or more") }
    if first == UInt8(ascii: "{"), text.contains("\"layers\""), text.contains("\"op\"") {
      return ("Lottie", asAnimation)
    }
    return nil
  }
}
