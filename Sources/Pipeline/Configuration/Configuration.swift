public import AssetCatalog
public import Codecs
public import Imaging

/// What a sticker may have of its own; nil takes the pack's.
///
/// The same keys stand at the top of `decal.json`.
public struct StickerOptions: Sendable, Hashable {
  /// How art meets its square.
  public var fit: Fit?
  /// The resampling kernel.
  public var kernel: Kernel?
  /// Empty border in pixels of the finished sticker, on each side.
  public var padding: Int?
  /// Whether transparent margins are cut off before fitting.
  public var trim: Bool?
  /// A color put under the whole sticker, or nil for transparency.
  public var background: RGBA8?
  /// A border around the art.
  public var outline: Outline?
  /// What is done about a rim of the color that the art was flattened over.
  public var defringe: Defringe?
  /// Frames a second of numbered frames.
  public var fps: Rational?
  /// The most bytes of the finished file.
  public var budget: Int?
  /// How hard the encoders try.
  public var effort: Effort?
  /// How files store pixels.
  public var encoding: PixelEncoding?
  /// Whether a sticker may have fewer pixels than its grid asks for where it looks poor otherwise.
  public var allowDownscale: Bool?
  /// What VoiceOver reads.
  public var label: String?
  /// Times the animation plays, 0 = for ever; nil keeps the file's.
  public var plays: Int?

  /// Nothing set.
  public init() {}
}

/// Which app icons are written beside the Messages icons.
public enum AppIconStyle: String, CaseIterable, Sendable {
  /// One 1024 px entry, Xcode 14 and later, with optional dark and tinted ones.
  case single
  /// The 18 sized entries of older Xcodes.
  case legacy
}

/// Which colors icons can show.
public enum IconColor: String, CaseIterable, Sendable {
  /// Those of sRGB.
  case srgb
  /// Those of Display P3, which the files say.
  case keepP3 = "keep-p3"
}

/// The masters of icons, and how icons are made of them.
public struct IconOptions: Sendable, Hashable {
  /// The master, a path relative to the configuration's folder; nil makes no icons.
  public var master: String?
  /// A master of its own for the 4:3 icons of Messages.
  public var messages: String?
  /// A dark master for iOS 18.
  public var dark: String?
  /// A tinted master for iOS 18.
  public var tinted: String?
  /// Which app icons to write, or none.
  public var appIcon: AppIconStyle?
  /// The color under transparency; nil warns and takes white where one is needed.
  public var background: RGBA8?
  /// How a master that is not square becomes square; nil refuses it.
  public var fit: Fit?
  /// Which colors the icons can show; sRGB by default.
  public var color: IconColor?

  /// Nothing set.
  public init() {}
}

/// The page that shows a pack before Xcode does.
public enum PreviewKind: String, CaseIterable, Sendable {
  /// No page.
  case none
  /// A page that shows the files of the pack where they lie.
  case linked
  /// A page that holds all it shows: one file to send.
  case inline
}

/// All that decides what a pack is: `decal.json`, overridden by the command line.
public struct Configuration: Sendable, Hashable {
  /// The name of the sticker pack folder.
  public var name = "Sticker Pack"
  /// The grid size.
  public var grid = GridSize.regular
  /// Icons.
  public var icon = IconOptions()
  /// Folders or files with art, relative to the configuration's folder.
  public var stickers: [String] = ["art"]
  /// The output folder, relative to the configuration's folder.
  public var output = "out"
  /// Options of every sticker, unless it has its own.
  public var defaults = StickerOptions()
  /// Options that every sticker has, whatever it says itself: what was typed.
  public var imposed = StickerOptions()
  /// Sticker names (source stems) in display order; those not listed follow in natural order.
  public var order: [String] = []
  /// Labels by sticker name.
  public var labels: [String: String] = [:]
  /// Options by sticker name.
  public var overrides: [String: StickerOptions] = [:]

  /// The page that shows the pack.
  public var preview = PreviewKind.linked
  /// Bounds on what is decoded.
  public var limits = LimitOptions()
  /// The most megabytes of finished files that are kept for later builds; nil takes the documented default.
  public var cacheSize: Int?

  /// The documented defaults.
  public init() {}
}
