import Codecs

/// What a file's first bytes say it is; names do not count.
enum ContentKind: Hashable {
  /// An image that Decal reads.
  case image
  /// Finished art in a format that is not read: its name, and what to do.
  case foreign(name: String, export: String)
  /// A working file of a drawing program, kept beside the art on purpose.
  case workingFile(name: String)
  /// Nothing at all.
  case empty
  /// Anything else.
  case other

  /// Bytes that are enough to tell.
  static let prefixLength = 32

  init(prefix: [UInt8]) {
    self = prefix.isEmpty ? .empty : ContentKind.signatures.first { $0.matches(prefix) }?.kind ?? .other
  }

  /// Whether it is finished art in a format that is not read.
  var isForeign: Bool { if case .foreign = self { true } else { false } }

  /// Why a file that was meant to be art is none; nil where it is.
  func problem(path: String) -> Diagnostic? {
    switch self {
    case .image: nil
    case .foreign(let name, let export):
      Diagnostic(
        .error, path: path, DecodeError.unsupportedFormat(name: name, export: export).message,
        id: "unsupported-format")
    case .workingFile(let name):
      Diagnostic(.error, path: path, "a working file (\(name)), not an image; export it as PNG", id: "not-an-image")
    case .empty: Diagnostic(.error, path: path, DecodeError.empty.message, id: "not-an-image")
    case .other: Diagnostic(.error, path: path, DecodeError.unrecognized.message, id: "not-an-image")
    }
  }

  /// Marks at the beginning of a format's files; all of them must be there.
  private struct Signature: Sendable {
    let kind: ContentKind
    let marks: [(offset: Int, bytes: [UInt8])]

    init(_ kind: ContentKind, _ marks: (Int, [UInt8])...) {
      self.kind = kind
      self.marks = marks.map { (offset: $0.0, bytes: $0.1) }
    }

    /// A mark that is text.
    init(_ kind: ContentKind, text: String, at offset: Int = 0) { self.init(kind, (offset, Array(text.utf8))) }

    /// An ISO base media file of one brand.
    init(_ kind: ContentKind, brand: String) { self.init(kind, (4, Array("ftyp\(brand)".utf8))) }

    func matches(_ prefix: [UInt8]) -> Bool {
      marks.allSatisfy { prefix.dropFirst($0.offset).starts(with: $0.bytes) }
    }
  }

  private static func still(_ name: String) -> ContentKind { .foreign(name: name, export: "export it as PNG") }

  private static func film(_ name: String) -> ContentKind {
    .foreign(name: name, export: "export it as APNG, GIF, WebP or a folder of numbered PNG frames")
  }

  /// In order: what comes first wins.
  private static let signatures: [Signature] =
    [
      Signature(.image, (0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
      Signature(.image, (0, [0xff, 0xd8, 0xff])),
      Signature(.image, text: "GIF87a"), Signature(.image, text: "GIF89a"),
      Signature(.image, (0, Array("RIFF".utf8)), (8, Array("WEBP".utf8))),
    ]
    + ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"].map { Signature(still("HEIC"), brand: $0) }
    + ["avif", "avis"].map { Signature(still("AVIF"), brand: $0) }
    + [
      Signature(film("QuickTime video"), brand: "qt  "), Signature(film("MP4 video"), text: "ftyp", at: 4),
      Signature(film("WebM or Matroska video"), (0, [0x1a, 0x45, 0xdf, 0xa3])),
      Signature(still("JPEG XL"), (0, [0xff, 0x0a])),
      Signature(still("JPEG XL"), (0, [0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20])),
      Signature(still("JPEG 2000"), (0, [0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20])),
      Signature(still("TIFF"), (0, [0x49, 0x49, 0x2a, 0])), Signature(still("TIFF"), (0, [0x4d, 0x4d, 0, 0x2a])),
      Signature(still("BMP"), (0, Array("BM".utf8)), (6, [0, 0, 0, 0])),
      Signature(still("QOI"), text: "qoif"),
      Signature(.workingFile(name: "Photoshop"), text: "8BPS"),
      Signature(.workingFile(name: "GIMP"), text: "gimp xcf"),
      Signature(.workingFile(name: "PDF or Illustrator"), text: "%PDF"),
      Signature(.workingFile(name: "PostScript"), text: "%!PS"),
      Signature(.workingFile(name: "Blender"), text: "BLENDER"),
      Signature(.workingFile(name: "Clip Studio"), text: "CSFCHUNK"),
      Signature(.workingFile(name: "Affinity"), (0, [0, 0xff, 0x4b, 0x41])),
    ]
}

/// Whether a name says that a file is an image of a format that Decal reads.
func hasImageSuffix(_ name: String) -> Bool {
  ["png", "apng", "gif", "jpg", "jpeg", "jpe", "jfif", "webp"].contains(Path.split(name).suffix.lowercased())
}
