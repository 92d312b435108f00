import AssetCatalog
import Codecs

/// One file that Decal made.
struct ManifestFile: Hashable, Sendable {
  /// The path, relative to the output folder.
  var path: String
  /// The size.
  var bytes: Int
  /// The SHA-256 of the bytes.
  var digest: Digest
}

/// What a build made and what it was made from: `manifest.json`.
///
/// Without times and absolute paths, and sorted: two builds of the same art have the same manifest.
struct Manifest: Sendable {
  /// The layout that this code writes; a greater one is not read.
  static let version = 1
  /// The file's name in the output folder.
  static let filename = "manifest.json"

  /// The options, as JSON.
  var options: JSONValue
  /// One entry an icon file, as JSON, sorted by path.
  var icons: [JSONValue]
  /// One entry a sticker, as JSON, in display order, made when it is written.
  var stickers: JSONDocument.Content
  /// What concerns no single sticker, as JSON.
  var diagnostics: [JSONValue]
  /// All files that Decal made and keeps, sorted by path.
  var files: [ManifestFile]

  /// The document.
  private var document: JSONDocument {
    let libraries = libraryVersions().map { JSONValue.Member($0.name, .string($0.version)) }
    let files = files
    return JSONDocument([
      .init("version", .value(.int(Manifest.version))),
      .init(
        "tool",
        .value(
          .object([
            .init("name", .string("decal")), .init("version", .string(decalVersion)),
            .init("libraries", .object(libraries)),
          ]))),
      .init("options", .value(options)),
      .init("icons", .value(.array(icons))),
      .init("stickers", stickers),
      .init("diagnostics", .value(.array(diagnostics))),
      .init("files", .list(count: files.count) { files[$0].json }),
    ])
  }

  /// The file's bytes.
  var bytes: FileBytes {
    let document = document
    return FileBytes { put in document.write(.pretty, to: put) }
  }
}

extension ManifestFile {
  /// The entry of the file list.
  var json: JSONValue {
    .object([.init("path", .string(path)), .init("bytes", .int(bytes)), .init("sha256", .string(digest.hex))])
  }

  /// Reads an entry; nil where it is none, or where its path leads out of the folder.
  init?(_ json: JSONValue) {
    guard case .string(let path)? = json["path"], case .string(let digest)? = json["sha256"],
      case .int(let bytes)? = json["bytes"], ManifestFile.isInside(path)
    else { return nil }
    // A digest that is none is that of no file: what stands there counts as edited.
    self.init(path: path, bytes: bytes, digest: Digest(hex: digest) ?? .none)
  }

  /// Whether a path names something below the folder that it is relative to.
  static func isInside(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
    return !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != Array(".".utf8) && $0 != Array("..".utf8) }
  }
}

/// What the last build left: whose the files in the output folder are.
struct PreviousBuild: Sendable {
  /// The files of the manifest.
  var files: [ManifestFile] = []
  /// The entries of stickers that were published, by name.
  var stickers: [String: JSONValue] = [:]
  /// The entries of icons.
  var icons: [JSONValue] = []

  /// No build before this one.
  init() {}

  /// Reads a manifest; nil where it is not one that this version of Decal can read.
  init?(manifest bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), json["tool"]?["name"] == .string("decal"),
      case .int(let version)? = json["version"], version <= Manifest.version, case .array(let files)? = json["files"]
    else { return nil }
    self.files = files.compactMap { ManifestFile($0) }
    if case .array(let entries)? = json["icons"] { icons = entries }
    if case .array(let entries)? = json["stickers"] {
      for entry in entries {
        guard case .string(let name)? = entry["name"], entry["output"] != nil else { continue }
        stickers[name] = entry
      }
    }
  }
}
