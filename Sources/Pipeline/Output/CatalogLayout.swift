import AssetCatalog

/// Where the files of a pack are, relative to the output folder.
struct CatalogLayout: Sendable {
  /// The sticker catalog.
  static let catalog = "Stickers.xcstickers"
  /// The catalog of app icons.
  static let appCatalog = "Assets.xcassets"
  /// The icon set of the app itself.
  static let appIconSet = appCatalog + "/AppIcon.appiconset"
  /// The icon set of Messages.
  static let messagesIconSet = catalog + "/" + IconSlot.messagesIconSetName + ".stickersiconset"
  /// A folder's own description.
  static let contents = "Contents.json"

  /// The name of the sticker pack.
  let pack: String

  /// The folder of the sticker pack.
  var packFolder: String { CatalogLayout.catalog + "/" + CatalogName.packFolder(pack) }

  /// The folder of a sticker.
  func stickerFolder(_ name: String) -> String { Path.join(packFolder, CatalogName.stickerFolder(name)) }

  /// The finished file of a sticker.
  func stickerFile(_ name: String) -> String { Path.join(stickerFolder(name), CatalogName.stickerFile(name)) }

  /// The description of a sticker.
  func stickerContents(_ name: String) -> String { Path.join(stickerFolder(name), CatalogLayout.contents) }
}

/// One file to be published.
struct OutputFile: Sendable {
  /// The path, relative to the output folder.
  let path: String
  /// The bytes.
  let bytes: FileBytes

  /// Makes a file.
  init(_ path: String, _ bytes: [UInt8]) { self.init(path, FileBytes(bytes)) }

  /// Makes a file of bytes that may be elsewhere.
  init(_ path: String, _ bytes: FileBytes) { (self.path, self.bytes) = (path, bytes) }

  /// Their SHA-256.
  var digest: Digest { bytes.digest }

  /// The manifest's entry.
  var entry: ManifestFile { ManifestFile(path: path, bytes: bytes.count, digest: digest) }
}

/// Files that are published together or not at all: a picture and its description, or an icon set.
struct OutputGroup: Sendable {
  /// What diagnostics name: the source.
  var source: String
  /// The folder, relative to the output folder.
  var folder: String
  /// The pictures.
  var pictures: [OutputFile]
  /// The `Contents.json` that names them, written after them.
  var contents: OutputFile

  /// Everything.
  var files: [OutputFile] { pictures + [contents] }
}

/// Groups that are made when they are asked for, as most of what they say is known without them.
struct OutputGroups: RandomAccessCollection, Sendable {
  let startIndex = 0
  let endIndex: Int
  private let make: @Sendable (Int) -> OutputGroup

  init(count: Int, make: @escaping @Sendable (Int) -> OutputGroup) { (endIndex, self.make) = (count, make) }

  subscript(index: Int) -> OutputGroup { make(index) }
}
