/// Formats that are told by fixed bytes.
enum ForeignMagic {
  private static let magics: [(magic: [UInt8], offset: Int, art: ForeignArt)] = [
    (Array("8BPS".utf8) + [0, 2], 0, .working("PSB (large Photoshop document)")),
    (Array("8BPS".utf8), 0, .working("PSD (Photoshop)")),
    (Array("gimp xcf".utf8), 0, .working("XCF (GIMP)")),
    (Array("BLENDER".utf8), 0, .working("Blender", "render it as PNG")),
    (Array("CSFCHUNK".utf8), 0, .working("Clip Studio")),
    ([0, 0xff, 0x4b, 0x41], 0, .working("Affinity")),
    (Array("fig-kiwi".utf8), 0, .working("Figma", "export the frames from Figma as PNG")),
    (Array("PDN3".utf8), 0, .working("Paint.NET")),
    (Array("RIVE".utf8), 0, .working("Rive", ForeignArt.asAnimation)),
    ([0xe0, 0xa5], 4, .working("Aseprite", "export it as GIF, APNG or numbered PNG files")),
    ([0xc5, 0xd0, 0xd3, 0xc6], 0, .working("EPS")),
    ([0x1f, 0x8b, 8], 0, .working("TGS (Telegram sticker) or another gzip file", ForeignArt.asAnimation)),
    ([0, 0, 1, 0], 0, .working("ICO")),
    ([0, 0, 2, 0], 0, .working("CUR (cursor)")),
    (Array("icns".utf8), 0, .working("ICNS")),
    ([0, 5, 0x16, 7], 0, .other("the second half of a Mac file (AppleDouble)", "use the file without ._ in its name")),
    (
      Array("bplist00".utf8), 0, .other("a property list or iCloud placeholder", "download the picture in Finder first")
    ),
    // Behind a signature whose line ends or first byte were changed.
    (Array("PNG".utf8), 1, .other("a PNG that was changed as if it were text", "copy it again as it is")),
    (Array("PNG".utf8), 2, .other("a PNG that was changed as if it were text", "copy it again as it is")),
    (Array("PNG".utf8), 3, .other("a PNG that was changed as if it were text", "copy it again as it is")),
    ([0x49, 0x49, 0x2a, 0], 0, .still("TIFF")),
    ([0x4d, 0x4d, 0, 0x2a], 0, .still("TIFF")),
    ([0x49, 0x49, 0x2b, 0], 0, .still("BigTIFF")),
    ([0x4d, 0x4d, 0, 0x2b], 0, .still("BigTIFF")),
    ([0xff, 0x0a], 0, .still("JPEG XL")),
    ([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a], 0, .still("JPEG XL")),
    ([0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20], 0, .still("JPEG 2000")),
    ([0xff, 0x4f, 0xff, 0x51], 0, .still("JPEG 2000")),
    (Array("qoif".utf8), 0, .still("QOI")),
    ([0x76, 0x2f, 0x31, 1], 0, .still("OpenEXR")),
    (Array("#?RADIANCE".utf8), 0, .still("Radiance HDR")),
    (Array("#?RGBE".utf8), 0, .still("Radiance HDR")),
    (Array("DDS ".utf8), 0, .still("DDS (texture)")),
    ([0xab, 0x4b, 0x54, 0x58, 0x20], 0, .still("KTX (texture)")),
    ([0x1a, 0x45, 0xdf, 0xa3], 0, .film("WebM or Matroska video")),
    ([0x8a, 0x4d, 0x4e, 0x47], 0, .film("MNG")),
    ([0x46, 0x4c, 0x56, 1], 0, .film("FLV video")),
    ([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11], 0, .film("WMV video")),
    (Array("OggS".utf8), 0, .film("Ogg video")),
    ([0, 0, 1, 0xba], 0, .film("MPEG video")),
  ]

  /// What fixed bytes near the start, or those of TGA at the end, say.
  static func art(in bytes: [UInt8]) -> ForeignArt? {
    // Before the cursors, which begin like a TGA of true colors.
    if isTGA(bytes) { return .still("TGA") }
    if let found = magics.first(where: { bytes.holds($0.magic, at: $0.offset) }) { return found.art }
    if bytes.holds("BM"), bytes.count >= 26, bytes.little32(6) == 0 { return .still("BMP") }
    if bytes.holds("RIFF") {
      if bytes.holds("AVI ", at: 8) { return .film("AVI video") }
      if bytes.holds("CDR", at: 8) { return .working("CorelDRAW") }
      if bytes.holds("ACON", at: 8) { return .working("ANI (cursor)") }
    }
    if bytes.count >= 6, ["FWS", "CWS", "ZWS"].contains(where: { bytes.holds($0) }), (1...60).contains(bytes[3]) {
      return .film("SWF (Flash)")
    }
    if bytes.count > 8, bytes[0] == 0x50, (0x31...0x36).contains(bytes[1]), [9, 10, 13, 32].contains(bytes[2]) {
      return .still("PNM")
    }
    return postScript(bytes)
  }

  private static func postScript(_ bytes: [UInt8]) -> ForeignArt? {
    let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
    let byAdobe = start.contains("Adobe Illustrator") || start.contains("%AI")
    if bytes.holds("%PDF-") { return .working(byAdobe ? "Illustrator" : "PDF or Illustrator") }
    guard bytes.holds("%!PS") else { return nil }
    if byAdobe { return .working("Illustrator") }
    return .working(start.prefix { $0 != "\n" && $0 != "\r" }.contains("EPSF") ? "EPS" : "PostScript")
  }

  /// TGA has a mark at its end only, and old files none: a header in which every field has a value that it may have.
  ///
  /// Source: Truevision TGA file format specification 2.0.
  private static func isTGA(_ bytes: [UInt8]) -> Bool {
    if bytes.count >= 44, bytes.holds("TRUEVISION-XFILE.", at: bytes.count - 18) { return true }
    guard bytes.count >= 18, bytes[1] <= 1, [1, 2, 3, 9, 10, 11].contains(bytes[2]) else { return false }
    let isMapped = bytes[2] & 7 == 1
    guard isMapped == (bytes[1] == 1), [8, 15, 16, 24, 32].contains(bytes[16]), bytes[17] & 0xc0 == 0 else {
      return false
    }
    if isMapped, bytes[16] != 8 || ![15, 16, 24, 32].contains(bytes[7]) || bytes.little16(5) == 0 { return false }
    if !isMapped, bytes[2] & 7 == 3, bytes[16] > 16 { return false }
    if !isMapped, bytes[2] & 7 == 2, bytes[16] == 8 { return false }
    if !isMapped, bytes[3..<8].contains(where: { $0 != 0 }) { return false }
    return bytes.little16(12) > 0 && bytes.little16(14) > 0
  }
}
