import Testing

@testable import Codecs

/// A zip archive's first entry.
private func zip(_ names: String...) -> [UInt8] { [0x50, 0x4b, 3, 4] + Array(names.joined(separator: "....").utf8) }
private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
private func utf16(_ text: String, isBig: Bool, hasMark: Bool = true) -> [UInt8] {
  ((hasMark ? [0xfeff] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
    let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
    return isBig ? bytes : bytes.reversed()
  }
}
private let svg = "<?xml version='1.0' encoding='UTF-16'?><svg xmlns='http://www.w3.org/2000/svg'/>"
/// A TGA header: map, kind, bits of the map's entries, bits of a pixel.
private func tga(_ map: UInt8, _ kind: UInt8, _ entry: UInt8, _ bits: UInt8) -> [UInt8] {
  [0, map, kind, 0, 0, map, 0, entry, 0, 0, 0, 0, 4, 0, 4, 0, bits, 0x20] + Array(repeating: 9, count: 64)
}

@Suite struct ReadingOtherFormats {
  @Test(
    arguments: [
      ("HEIC", [0, 0, 0, 24] + text("ftypheic")), ("AVIF", [0, 0, 0, 24] + text("ftypavif")),
      ("PSD", text("8BPS") + [0, 1]), ("PSB", text("8BPS") + [0, 2]), ("TIFF", [0x49, 0x49, 0x2a, 0]),
      ("BMP", text("BM") + Array(repeating: 0, count: 30)), ("TGS", [0x1f, 0x8b, 8]),
      ("MP4", [0, 0, 0, 24] + text("ftypisom")), ("MOV", [0, 0, 0, 24] + text("ftypqt  ")),
      ("WebM", [0x1a, 0x45, 0xdf, 0xa3]), ("ICO", [0, 0, 1, 0, 1, 0]), ("CUR", [0, 0, 2, 0, 1, 0]),
      ("ICNS", text("icns")), ("JPEG XL", [0xff, 0x0a, 1]), ("JPEG 2000", [0xff, 0x4f, 0xff, 0x51]),
      ("Aseprite", [1, 2, 3, 4, 0xe0, 0xa5]), ("OpenEXR", [0x76, 0x2f, 0x31, 1]),
      ("Radiance", text("#?RADIANCE")), ("Clip Studio", text("CSFCHUNK")), ("Affinity", [0, 0xff, 0x4b, 0x41]),
      ("XCF", text("gimp xcf v011")), ("Figma", text("fig-kiwi")), ("SWF", text("CWS") + [10, 0, 0, 0]),
      ("CorelDRAW", text("RIFF....CDRX")), ("the second half", [0, 5, 0x16, 7, 0, 2, 0, 0]),
      ("a property list", text("bplist00")),
      ("a PNG that was changed", [0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a, 0x0a]),
      ("a PNG that was changed", [0xef, 0xbf, 0xbd, 0x50, 0x4e, 0x47, 0x0d, 0x0a]),
    ] as [(String, [UInt8])])
  func areToldByTheirFirstBytes(name: String, bytes: [UInt8]) throws { try expectRefusal(bytes, naming: name) }

  @Test(
    arguments: [
      ("Procreate", zip("Document.archive")), ("Krita", zip("mimetypeapplication/x-krita")),
      ("OpenRaster", zip("mimetypeimage/openraster")), ("Figma", zip("canvas.fig", "meta.json")),
      ("Sketch", zip("document.json", "pages/1.json")), ("dotLottie", zip("manifest.json", "animations/a.json")),
      ("a zip archive", zip("readme.txt")),
    ] as [(String, [UInt8])])
  func areToldByWhatAnArchiveHolds(name: String, bytes: [UInt8]) throws { try expectRefusal(bytes, naming: name) }

  @Test(
    arguments: [
      ("SVG", text("<?xml version='1.0'?><svg>")), ("SVG", utf16(svg, isBig: true)), ("SVG", utf16(svg, isBig: false)),
      ("SVG", utf16(svg, isBig: false, hasMark: false)), ("Lottie", text(#"{"v":"5","op":60,"layers":[]}"#)),
      ("a web page", text("\r\n<!DOCTYPE HTML><title>Sign in</title><svg/>")), ("a web page", text("<html><body>")),
      ("a server's error", text("<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>")),
      ("a Git LFS pointer", text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")),
      ("PDF", text("%PDF-1.7")), ("Illustrator", text("%PDF-1.5\n/Creator (Adobe Illustrator 28)")),
      ("EPS", text("%!PS-Adobe-3.0 EPSF-3.0\n")), ("PostScript", text("%!PS-Adobe-3.0\nEPSF")),
      ("EPS", [0xc5, 0xd0, 0xd3, 0xc6]), ("PNM", text("P6\n1 1\n255\n...")),
    ] as [(String, [UInt8])])
  func areToldByTheirText(name: String, bytes: [UInt8]) throws { try expectRefusal(bytes, naming: name) }

  @Test(arguments: ["moov", "mdat", "wide", "free", "skip"])
  func moviesWithoutABrandAreToldByTheirFirstAtom(atom: String) throws {
    for size in [[0, 0, 0, 8], [0, 0, 0, 1], [0, 0, 0, 0], [0, 1, 2, 3]] as [[UInt8]] {
      try expectRefusal(size + text(atom) + Array(repeating: 0, count: 16), naming: "MOV")
    }
    #expect(throws: DecodeError.unrecognized) {
      try ImageReader(bytes: [0, 0, 0, 5] + text(atom) + Array(repeating: 0, count: 16))
    }
  }

  @Test func targaIsToldByItsFooterOrByAHeaderThatCanBeMeant() throws {
    for file in [tga(0, 2, 0, 24), tga(0, 10, 0, 32), tga(1, 1, 24, 8), tga(0, 3, 0, 8)] {
      try expectRefusal(file, naming: "TGA")
    }
    let footer = Array(repeating: 0, count: 8) + text("TRUEVISION-XFILE.") + [0]
    try expectRefusal(Array(repeating: 77, count: 40) + footer, naming: "TGA")
    for file in [tga(0, 2, 0, 25), tga(1, 2, 24, 24), tga(0, 1, 0, 8), tga(0, 2, 1, 24), tga(0, 4, 0, 24)] {
      #expect(ForeignFormat.art(in: file)?.name != "TGA")
    }
  }

  @Test func whatIsNoArtIsToldApartFromWorkingFiles() throws {
    let page = try #require(ForeignFormat.art(in: text("<html>")))
    #expect(
      page.role == .other && page.message == "a web page, not an image; open the link and save the picture itself")
    let psd = try #require(ForeignFormat.art(in: text("8BPS")))
    #expect(psd.role == .working && psd.message.hasPrefix("a working file (PSD (Photoshop)), not an image"))
    #expect(ForeignFormat.art(in: text("BM") + Array(repeating: 0, count: 30))?.role == .finished)
  }

  @Test func nothingAndTextAreToldApart() {
    #expect(throws: DecodeError.empty) { try ImageReader(bytes: []) }
    for file in [text("hello"), [0], [0xff, 0xfe], [0, 0x3c], text("<xml/>"), text("{}"), text("P7 is a size")] {
      #expect(throws: DecodeError.unrecognized) { try ImageReader(bytes: file) }
    }
  }

  private func expectRefusal(_ bytes: [UInt8], naming name: String) throws {
    let error = try #require(throws: DecodeError.self) { try ImageReader(bytes: bytes) }
    guard case .unsupportedFormat(let found, let export) = error else { throw error }
    #expect(found.hasPrefix(name) && !export.isEmpty, "\(found)")
  }
}
