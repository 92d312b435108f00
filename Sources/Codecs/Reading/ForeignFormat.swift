/// An art format that is known but not read.
package struct ForeignArt: Sendable, Hashable {
  /// The format's name.
  package var name: String
  /// What to export instead.
  package var export: String
  /// What it is to an artist.
  package var role = Role.finished

  /// What a file that is not read is to an artist.
  package enum Role: Sendable {
    /// Finished art.
    case finished
    /// A drawing program's own file, which often lies beside its export.
    case working
    /// No art; it matters only under a picture's name.
    case other
  }

  /// One line for people.
  package var message: String {
    switch role {
    case .finished: DecodeError.unsupportedFormat(name: name, export: export).message
    case .working: "a working file (\(name)), not an image; \(export)"
    case .other: "\(name), not an image; \(export)"
    }
  }
}

/// Art formats that are recognized by content, to be refused by name with the way out.
package enum ForeignFormat {
  /// What the first bytes of a file say it is; 4 KB are enough for most formats, and the whole is best.
  package static func art(in bytes: [UInt8]) -> ForeignArt? {
    brand(bytes) ?? atoms(bytes) ?? ForeignMagic.art(in: bytes) ?? archive(bytes) ?? ForeignText.art(in: bytes)
  }

  /// The refusal that fits the bytes, or `unrecognized`.
  static func refusal(of bytes: [UInt8]) -> DecodeError {
    guard let art = art(in: bytes) else { return .unrecognized }
    return .unsupportedFormat(name: art.name, export: art.export)
  }

  /// Files of boxes: the brand follows `ftyp`, then a version and the brands that it goes with.
  private static func brand(_ bytes: [UInt8]) -> ForeignArt? {
    guard bytes.count >= 12, bytes.holds("ftyp", at: 4) else { return nil }
    let end = min(bytes.big32(0), bytes.count, 256)
    let others = stride(from: 16, to: max(16, end - 3), by: 4).map { bytes.printable($0..<$0 + 4) }
    switch bytes.printable(8..<12) {
    case "avif", "avis": return .still("AVIF")
    case "mif1" where others.contains("avif") || others.contains("avis"),
      "msf1" where others.contains("avif") || others.contains("avis"):
      return .still("AVIF")
    case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1":
      return .photo("HEIC")
    case "qt  ": return .film("MOV video")
    case "crx ": return .photo("Canon raw")
    case "jxl ": return .still("JPEG XL")
    default: return .film("MP4 video")
    }
  }

  /// QuickTime files older than brands begin with any of these atoms.
  private static func atoms(_ bytes: [UInt8]) -> ForeignArt? {
    guard bytes.count >= 16,
      ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: { bytes.holds($0, at: 4) })
    else { return nil }
    // A size of 0 is the whole rest, 1 stands for one of 8 bytes behind the name.
    return bytes.big32(0) <= 1 || bytes.big32(0) >= 8 ? .film("MOV video") : nil
  }

  /// Zip archives of drawing programs, told apart by a name near the start, or in the directory at the end.
  private static func archive(_ bytes: [UInt8]) -> ForeignArt? {
    guard bytes.holds([0x50, 0x4b, 3, 4]) else { return nil }
    let names = String(decoding: bytes.prefix(4096) + bytes.suffix(16384), as: UTF8.self)
    if names.contains("application/x-krita") { return .working("Krita") }
    if names.contains("image/openraster") { return .working("OpenRaster") }
    if names.contains("Document.archive") || names.contains("QuickLook/Thumbnail.png") {
      return .working("Procreate", "share it from Procreate as PNG or Animated PNG")
    }
    if names.contains("canvas.fig") { return .working("Figma", "export the frames from Figma as PNG") }
    if names.contains("document.json"), names.contains("meta.json") || names.contains("pages/") {
      return .working("Sketch", "export it from Sketch as PNG")
    }
    if names.contains("manifest.json"), names.contains("animations/") || names.contains("a/") {
      return .working("dotLottie", ForeignArt.asAnimation)
    }
    if names.contains("document.json") { return .working("Sketch", "export it from Sketch as PNG") }
    return .working("a zip archive", "unpack it first")
  }
}

extension ForeignArt {
  static let asPNG = "export it as PNG"
  static let asPhoto = "export it as PNG or JPEG"
  static let asAnimation = "export it as APNG, GIF, animated WebP or numbered PNG files"

  static func still(_ name: String) -> ForeignArt { ForeignArt(name: name, export: asPNG) }
  static func photo(_ name: String) -> ForeignArt { ForeignArt(name: name, export: asPhoto) }
  static func film(_ name: String) -> ForeignArt { ForeignArt(name: name, export: asAnimation) }
  static func working(_ name: String, _ export: String = asPNG) -> ForeignArt {
    ForeignArt(name: name, export: export, role: .working)
  }
  static func other(_ name: String, _ instead: String) -> ForeignArt {
    ForeignArt(name: name, export: instead, role: .other)
  }
}
