import AssetCatalog
import Codecs
import Imaging

/// A finished icon.
struct PressedIcon: Sendable {
  /// The bare file name.
  var filename: String
  /// The file.
  var bytes: [UInt8]
  /// What is in it, by decoding it again.
  var picture: PictureFacts
  /// The path of the master that it was made from, as the user knows it.
  var master: String
}

/// A finished icon set.
struct PressedIconSet: Sendable {
  /// The folder, relative to the output folder.
  var folder: String
  /// The icons, in the order of the slots.
  var icons: [PressedIcon]
  /// The `Contents.json`.
  var contents: [UInt8]

  /// The files, to be published together.
  func group(source: String) -> OutputGroup {
    OutputGroup(
      source: source, folder: folder, pictures: icons.map { OutputFile(folder + "/" + $0.filename, $0.bytes) },
      contents: OutputFile(folder + "/" + CatalogLayout.contents, contents))
  }
}

/// What became of the icons.
struct IconOutcome: Sendable {
  /// The sets, none where they failed.
  var sets: [PressedIconSet] = []
  /// What is known of the masters, by their paths.
  var masters: [String: SourceFacts] = [:]
  /// What to tell.
  var diagnostics: [Diagnostic] = []
}

/// The icon sets that Decal makes.
enum IconSetKind: Hashable, Sendable {
  /// The 13 icons of Messages.
  case messages
  /// The icons of an app.
  case app(AppIconStyle)

  /// The sets that options ask for in a pack.
  static func all(for options: IconOptions) -> [IconSetKind] {
    [.messages] + (options.appIcon.map { [.app($0)] } ?? [])
  }

  /// The folder in a pack, relative to the output folder.
  var folder: String {
    switch self {
    case .messages: CatalogLayout.messagesIconSet
    case .app: CatalogLayout.appIconSet
    }
  }

  /// The slots, in the order of the catalog.
  func slots(for options: IconOptions) -> [IconSlot] {
    switch self {
    case .messages: IconSlot.messages
    case .app(.legacy): IconSlot.legacyAppIcon
    case .app(.single):
      IconSlot.singleAppIcon((options.dark == nil ? [] : [.dark]) + (options.tinted == nil ? [] : [.tinted]))
    }
  }
}

/// Makes icons: read the masters, compose, encode, decode again.
struct IconPress: Sendable {
  /// The disk.
  var disk: any Disk
  /// What the masters' paths are relative to.
  var root: String
  /// Bounds on what is decoded.
  var limits: DecodeLimits

  /// Makes the icon sets; throws nothing but `CancellationError`.
  func press(_ options: IconOptions, _ kinds: [IconSetKind]) throws(CancellationError) -> IconOutcome {
    var outcome = IconOutcome()
    outcome.diagnostics = [Diagnostic(.error, path: options.master, "icons are not made yet", id: "failed")]
    return outcome
  }
}
