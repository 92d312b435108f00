import AssetCatalog
import Pipeline

/// When diagnostics are colored.
enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless NO_COLOR is set.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// What was typed, checked by itself; no file was looked at.
struct Arguments: Sendable, Equatable {
  /// What is not an option, in order.
  var operands: [String] = []
  /// The pack's name.
  var name: String?
  /// The grid size.
  var grid: GridSize?
  /// Icon options; paths relative to the working directory.
  var icon = IconOptions()
  /// Folders with art, relative to the working directory.
  var stickers: [String] = []
  /// Where the result goes, relative to the working directory.
  var output: String?
  /// Options of every sticker.
  var sticker = StickerOptions()
  /// Jobs that run at once.
  var jobs: Int?
  /// Bounds on what is decoded.
  var limits = LimitOptions()
  /// Where `inspect` writes frames.
  var frames: String?
  /// When diagnostics are colored.
  var color = ColorChoice.auto
  /// Replace files that somebody edited.
  var force = false
  /// Refuse instead of waiting for another build of the same output.
  var noWait = false
  /// Only warnings and errors.
  var quiet = false
  /// One JSON document instead of text.
  var json = false
  /// Show help and do nothing.
  var help = false
}

/// Why the arguments make no sense; exit code 2.
struct UsageError: Error, Hashable {
  /// One line, lower case.
  var message: String
  /// A stable word.
  var id: String
}
