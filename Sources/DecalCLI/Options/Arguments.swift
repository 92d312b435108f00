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
  /// Where what spares later builds work is kept, relative to the working directory.
  var cacheDir: String?
  /// The most megabytes of finished files kept there.
  var cacheSize: Int?
  /// Tell why each sticker is made or not.
  var explain = false
  /// Tell what took how long.
  var timings = false
  /// Tell what would be done and do nothing.
  var dryRun = false
  /// Where make's rule goes, relative to the working directory, as the next two.
  var depfile: String?
  /// A file that is touched when all is well.
  var stamp: String?
  /// Where Xcode's lists go.
  var xcfilelist: String?
  /// Look again and again, whatever the system offers.
  var polls = false
  /// The page that shows the pack.
  var preview: PreviewKind?
  /// Open that page when the pack is made.
  var opensPreview = false
  /// What runs after each build that changed something.
  var onChange: String?
  /// Megabytes that jobs may take together.
  var memory: Int?
  /// Take over a catalog that stands in the output.
  var adopt = false
  /// Refuse instead of waiting for another build of the same output.
  var noWait = false
  /// Take warnings for errors.
  var werror = false
  /// Diagnostics that are not told.
  var allowed: [String] = []
  /// Also make an Xcode project.
  var xcode = false
  /// Findings that count as errors.
  var raised: [String] = []
  /// Put what would help into `decal.json`.
  var fix = false
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
