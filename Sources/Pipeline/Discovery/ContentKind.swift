import Codecs

/// What a file's first bytes say it is; names do not count.
enum ContentKind: Hashable {
  /// An image that Decal reads.
  case image
  /// Art in a format that is not read, finished or a drawing program's working file.
  case foreign(ForeignArt)
  /// Nothing at all.
  case empty
  /// Anything else.
  case other

  /// Bytes that are enough to tell; texts and archives need more than a few.
  static let prefixLength = 4096

  init(prefix: [UInt8]) {
    if prefix.isEmpty {
      self = .empty
    } else if ContentKind.signatures.contains(where: { $0.allSatisfy { prefix.dropFirst($0.0).starts(with: $0.1) } }) {
      self = .image
    } else {
      self = ForeignFormat.art(in: prefix).map { .foreign($0) } ?? .other
    }
  }

  /// The first bytes, no more than are needed to tell the same; of images, few.
  static func telling(_ prefix: [UInt8]) -> [UInt8] {
    let start = Array(prefix.prefix(markLength))
    return ContentKind(prefix: start) == .image ? start : prefix
  }

  /// The format, where it is finished art that is not read.
  var finishedArt: ForeignArt? { if case .foreign(let art) = self, art.role == .finished { art } else { nil } }
  /// The format, where it is a working file, kept beside the art on purpose.
  var workingFile: ForeignArt? { if case .foreign(let art) = self, art.role == .working { art } else { nil } }

  /// Why a file that was meant to be art is none; nil where it is.
  func problem(path: String) -> Diagnostic? {
    switch self {
    case .image: nil
    case .foreign(let art): Diagnostic(.error, path: path, art.message, id: "unsupported-format")
    case .empty: Diagnostic(.error, path: path, DecodeError.empty.message, id: "not-an-image")
    case .other: Diagnostic(.error, path: path, DecodeError.unrecognized.message, id: "not-an-image")
    }
  }

  /// The longest mark of an image ends here.
  private static let markLength = 12

  /// Marks at the beginning of the formats that are read, each with its offset; all of them must be there.
  private static let signatures: [[(Int, [UInt8])]] = [
    [(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    [(0, [0xff, 0xd8, 0xff])],
    [(0, Array("GIF87a".utf8))],
    [(0, Array("GIF89a".utf8))],
    [(0, Array("RIFF".utf8)), (8, Array("WEBP".utf8))],
  ]
}

/// Whether a name says that a file is an image of a format that Decal reads.
func hasImageSuffix(_ name: String) -> Bool {
  ["png", "apng", "gif", "jpg", "jpeg", "jpe", "jfif", "webp"].contains(Path.split(name).suffix.lowercased())
}
