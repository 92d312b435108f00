import AssetCatalog
import Codecs
import Imaging

/// A finished icon.
struct PressedIcon: Sendable {
  /// The bare file name.
  var filename: String
  /// The file.
  var bytes: FileBytes
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

  /// Makes icon sets, all or, where a master cannot be used, none; throws nothing but `CancellationError`.
  func press(_ options: IconOptions, _ kinds: [IconSetKind]) throws(CancellationError) -> IconOutcome {
    var outcome = IconOutcome()
    do {
      guard let icon = try read(options.master, &outcome) else { return outcome }
      let masters = IconMasters(
        icon: icon, messages: try read(options.messages, &outcome), dark: try read(options.dark, &outcome),
        tinted: try read(options.tinted, &outcome))
      let rendered = try IconRenderer(options: options, limits: limits)
        .render(masters, messages: kinds.contains(.messages))
      outcome.diagnostics += rendered.diagnostics
      guard !rendered.diagnostics.contains(where: { $0.severity == .error }) else { return outcome }
      for kind in kinds {
        let files = kind == .messages ? rendered.messages : rendered.appIcon
        outcome.sets.append(try StageTimes.measure(.verify) { try PressedIconSet(kind, files, options) })
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      outcome.diagnostics.append(Diagnostic(failure: error, path: options.master ?? ""))
    }
    return outcome
  }

  private func read(_ path: String?, _ outcome: inout IconOutcome) throws -> IconMaster? {
    guard let path else { return nil }
    try disk.checkSize(of: Path.join(root, path), limits)
    let bytes = try StageTimes.measure(.read) { try disk.read(Path.join(root, path)) }
    // What cannot be read is the renderer's to say.
    if let header = try? ImageReader(bytes: bytes, limits: limits).header {
      let size = header.orientation.swapsSides ? header.size.transposed : header.size
      outcome.masters[path] = SourceFacts(
        format: header.format, size: size, frames: header.frameCount, digest: SHA256.hexDigest(bytes))
    }
    return IconMaster(path: path, bytes: bytes)
  }
}

extension PressedIconSet {
  /// Takes a rendered set; throws `DecodeError` where a file cannot be decoded again.
  fileprivate init(_ kind: IconSetKind, _ files: [IconFile], _ options: IconOptions) throws(DecodeError) {
    let slots = Dictionary(kind.slots(for: options).map { ($0.filename, $0) }, uniquingKeysWith: { first, _ in first })
    var icons: [PressedIcon] = []
    for file in files {
      guard let slot = slots[file.name], !icons.contains(where: { $0.filename == file.name }) else { continue }
      let master = options.master(of: slot)
      icons.append(
        PressedIcon(
          filename: file.name, bytes: FileBytes(file.bytes), picture: try PictureFacts(decoding: file.bytes),
          master: master))
    }
    self.init(
      folder: kind.folder, icons: icons,
      contents: files.last { $0.name == CatalogLayout.contents }?.bytes ?? [])
  }
}

extension IconOptions {
  /// The path of the master that a slot's icon is made from.
  fileprivate func master(of slot: IconSlot) -> String {
    let special: String? =
      switch slot.appearance {
      case .dark: dark
      case .tinted: tinted
      case nil: slot.size.width == slot.size.height ? nil : messages
      }
    return special ?? master ?? ""
  }
}
