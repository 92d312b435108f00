import AssetCatalog
public import Codecs
public import Imaging

/// A master picture of icons: a file's bytes, and its name for diagnostics.
public struct IconMaster: Sendable {
  /// The path as the user wrote it.
  public var path: String
  /// The file's bytes.
  public var bytes: [UInt8]

  /// Makes a master.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// The masters of a pack's icons.
public struct IconMasters: Sendable {
  /// The master of all icons that have none of their own.
  public var icon: IconMaster
  /// The master of the 4:3 icons of Messages.
  public var messages: IconMaster?
  /// The master of the dark app icon.
  public var dark: IconMaster?
  /// The master of the tinted app icon.
  public var tinted: IconMaster?

  /// Makes a set of masters.
  public init(
    icon: IconMaster, messages: IconMaster? = nil, dark: IconMaster? = nil, tinted: IconMaster? = nil
  ) {
    self.icon = icon
    self.messages = messages
    self.dark = dark
    self.tinted = tinted
  }
}

/// One file of an icon set.
public struct IconFile: Sendable, Hashable {
  /// The name inside the icon set's folder.
  public var name: String
  /// The file's bytes.
  public var bytes: [UInt8]
  /// The size in pixels, or nil for `Contents.json`.
  public var size: PixelSize?
  /// The path of the master that it shows, or nil for `Contents.json`.
  public var master: String?

  /// Makes a file.
  public init(name: String, bytes: [UInt8], size: PixelSize?, master: String?) {
    self.name = name
    self.bytes = bytes
    self.size = size
    self.master = master
  }
}

/// The finished icon sets; pictures stand before the `Contents.json` that names them.
public struct IconSets: Sendable {
  /// The files of `iMessage App Icon.stickersiconset`; none where there was an error.
  public var messages: [IconFile] = []
  /// The files of `AppIcon.appiconset`; none where it was not asked for, or there was an error.
  public var appIcon: [IconFile] = []
  /// What was done to the masters, and what stopped them.
  public var diagnostics: [Diagnostic] = []
}

/// Makes icon sets from masters.
public struct IconRenderer: Sendable {
  /// Which sets to make, the background and the fit; its paths are not read.
  public var options: IconOptions
  /// The resampling kernel.
  public var kernel: Kernel
  /// How hard the encoder tries.
  ///
  /// `fast` by default: Xcode's catalog compiler stores icons anew, and it takes a seventh of the time of `normal` for 10
  /// to 20 % more bytes (three masters of real apps).
  public var effort: Effort
  /// Bounds on what is decoded.
  public var limits: DecodeLimits

  /// Makes a renderer.
  public init(
    options: IconOptions, kernel: Kernel = .default, effort: Effort = .fast, limits: DecodeLimits = DecodeLimits()
  ) {
    self.options = options
    self.kernel = kernel
    self.effort = effort
    self.limits = limits
  }

  /// The side that the App Store's icons need.
  static let fullSide = 1024
  /// A master that would be composed larger than this is reduced first: nothing of it could be seen at 1024 px.
  static let compositionLimit = 2048

  /// Makes the sets.
  ///
  /// Square icons show the master, 4:3 icons the Messages master or else the whole square with its sides continued. A
  /// master that cannot be used is an error among the diagnostics, and then no files are made. The Messages set is left
  /// out where `messages` is false. Throws `CancellationError`, and `DecodeError.overLimit` where the time is up.
  public func render(_ masters: IconMasters, messages: Bool = true) throws -> IconSets {
    var renderer = self
    renderer.limits.time = limits.time?.started()
    return try renderer.make(masters, messages: messages)
  }

  private func make(_ masters: IconMasters, messages: Bool) throws -> IconSets {
    var sets = IconSets()
    var art = IconArt()
    art.square = square(masters.icon, &sets.diagnostics)
    if messages { art.wide = masters.messages.map { wide($0, &sets.diagnostics) } ?? art.square }
    if options.appIcon == .single {
      if let dark = masters.dark { art.variants[.dark] = variant(dark, .dark, &sets.diagnostics) }
      if let tinted = masters.tinted { art.variants[.tinted] = variant(tinted, .tinted, &sets.diagnostics) }
    }
    if sets.diagnostics.contains(where: { $0.severity == .error }) { return sets }
    var drawn: [IconKey: [UInt8]] = [:]
    if messages {
      StageTimes.measure(.render) { art.widen(for: IconSlot.messages) }
      sets.messages = try files(IconSlot.messages, art, masters, &drawn)
    }
    if let style = options.appIcon { sets.appIcon = try files(style.slots(art.variants), art, masters, &drawn) }
    return sets
  }

  private func files(
    _ slots: [IconSlot], _ art: IconArt, _ masters: IconMasters, _ drawn: inout [IconKey: [UInt8]]
  ) throws -> [IconFile] {
    var files: [IconFile] = []
    for slot in slots {
      let key = IconKey(slot)
      if drawn[key] == nil {
        try Task.checkCancellation()
        try limits.time?.check()
        let icon = StageTimes.measure(.render) { art.render(key, kernel) }
        let png = StageTimes.measure(.encode) { StillEncoder(effort: effort, forcesRGB: true).encode(icon).bytes }
        drawn[key] = gamut == .displayP3 ? DisplayP3.tagged(png: png) : png
      }
      let master = masters.master(of: key).path
      files.append(IconFile(name: slot.filename, bytes: drawn[key]!, size: key.size, master: master))
    }
    files.append(IconFile(name: "Contents.json", bytes: IconSetContents(slots: slots).bytes, size: nil, master: nil))
    return files
  }
}

extension IconMasters {
  /// The master that an icon shows.
  fileprivate func master(of key: IconKey) -> IconMaster {
    switch key.appearance {
    case .dark: dark ?? icon
    case .tinted: tinted ?? icon
    case nil: key.size.isSquare ? icon : messages ?? icon
    }
  }
}

/// What makes two slots the same picture.
private struct IconKey: Hashable {
  let size: PixelSize
  let appearance: IconAppearance?

  init(_ slot: IconSlot) {
    guard let pixels = slot.pixels else { preconditionFailure("the tables hold whole pixels") }
    size = PixelSize(width: pixels.width, height: pixels.height)
    appearance = slot.appearance
  }
}

/// The composed masters.
private struct IconArt {
  var square: IconComposition?
  var wide: IconComposition?
  var variants: [IconAppearance: LinearBitmap] = [:]

  /// Gives the wide art the width that the widest slot needs.
  mutating func widen(for slots: [IconSlot]) {
    guard let art = wide else { return }
    let aspect = slots.map { $0.size.width / $0.size.height }.max() ?? 1
    wide = art.widened(to: Int((Double(art.size.height) * aspect).rounded(.up)))
  }

  func render(_ key: IconKey, _ kernel: Kernel) -> Bitmap {
    if let appearance = key.appearance, let art = variants[appearance] {
      return Resampler.resample(art, to: key.size, kernel: kernel).bitmap()
    }
    guard let art = key.size.isSquare ? square : wide else {
      preconditionFailure("masters without errors are composed")
    }
    return art.render(key.size, kernel: kernel)
  }
}

extension AppIconStyle {
  /// The slots; the single style has one for each appearance that has a master.
  fileprivate func slots(_ variants: [IconAppearance: LinearBitmap]) -> [IconSlot] {
    switch self {
    case .single: IconSlot.singleAppIcon(IconAppearance.allCases.filter { variants[$0] != nil })
    case .legacy: IconSlot.legacyAppIcon
    }
  }
}
