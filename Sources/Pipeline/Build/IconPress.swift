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

  /// Makes icon sets for a pack, all or, where a master cannot be used, none; throws nothing but `CancellationError`.
  func press(_ options: IconOptions, _ kinds: [IconSetKind]) throws(CancellationError) -> IconOutcome {
    let drawn = try draw(options, kinds) { kind, files throws(DecodeError) in
      try PressedIconSet(kind, files, options)
    }
    var outcome = IconOutcome(sets: drawn.sets, diagnostics: drawn.diagnostics)
    for master in drawn.masters {
      // What cannot be read is the renderer's to say.
      guard let header = try? ImageReader(bytes: master.bytes, limits: limits).header else { continue }
      let size = header.orientation.swapsSides ? header.size.transposed : header.size
      outcome.masters[master.path] = SourceFacts(
        format: header.format, size: size, frames: header.frameCount, digest: Digest(of: master.bytes))
    }
    return outcome
  }

  /// Makes the files of one set, pictures first, without the digests that a manifest has of them.
  func files(
    _ options: IconOptions, _ kind: IconSetKind
  ) throws(CancellationError) -> (files: [IconFile], diagnostics: [Diagnostic]) {
    let drawn = try draw(options, [kind]) { _, files throws(DecodeError) in
      for file in files where file.size != nil { _ = try SizedAnimation(decoding: file.bytes) }
      return files
    }
    return (drawn.sets.first ?? [], drawn.diagnostics)
  }

  /// Reads the masters and draws the sets; `finish` decodes a set's files, of which none comes twice, again.
  private func draw<Set>(
    _ options: IconOptions, _ kinds: [IconSetKind], finish: (IconSetKind, [IconFile]) throws(DecodeError) -> Set
  ) throws(CancellationError) -> (sets: [Set], masters: [IconMaster], diagnostics: [Diagnostic]) {
    var read: [IconMaster] = []
    var diagnostics: [Diagnostic] = []
    do {
      func master(_ path: String?) throws -> IconMaster? {
        guard let path else { return nil }
        try disk.checkSize(of: Path.join(root, path), limits)
        let bytes = try StageTimes.measure(.read) { try disk.read(Path.join(root, path)) }
        read.append(IconMaster(path: path, bytes: bytes))
        return read.last
      }
      guard let icon = try master(options.master) else { return ([], [], []) }
      let masters = IconMasters(
        icon: icon, messages: try master(options.messages), dark: try master(options.dark),
        tinted: try master(options.tinted))
      let rendered = try IconRenderer(options: options, limits: limits)
        .render(masters, messages: kinds.contains(.messages))
      diagnostics += rendered.diagnostics
      guard !rendered.diagnostics.contains(where: { $0.severity == .error }) else { return ([], read, diagnostics) }
      let sets = try kinds.map { kind in
        let files = (kind == .messages ? rendered.messages : rendered.appIcon).withoutRepeats
        return try StageTimes.measure(.verify) { try finish(kind, files) }
      }
      return (sets, read, diagnostics)
    } catch let error as CancellationError {
      throw error
    } catch {
      diagnostics.append(Diagnostic(failure: error, path: options.master ?? ""))
    }
    return ([], read, diagnostics)
  }
}

extension [IconFile] {
  /// The files, each name once: several slots of an app's icons may show one file.
  fileprivate var withoutRepeats: [IconFile] {
    var seen: Set<String> = []
    return filter { seen.insert($0.name).inserted }
  }
}

extension PressedIconSet {
  /// Takes a rendered set; throws `DecodeError` where a file cannot be decoded again.
  fileprivate init(_ kind: IconSetKind, _ files: [IconFile], _ options: IconOptions) throws(DecodeError) {
    let slots = Dictionary(kind.slots(for: options).map { ($0.filename, $0) }, uniquingKeysWith: { first, _ in first })
    var icons: [PressedIcon] = []
    for file in files {
      guard let slot = slots[file.name] else { continue }
      icons.append(
        PressedIcon(
          filename: file.name, bytes: FileBytes(file.bytes), picture: try PictureFacts(decoding: file.bytes),
          master: options.master(of: slot)))
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
