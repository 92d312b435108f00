import Codecs
import Pipeline

/// Options that belong together under one title of the help.
struct OptionGroup: Sendable {
  /// The title.
  let title: String
  /// Them.
  let options: [Option]
  /// Whether the help names them in one line only, as most people never need them.
  var isBrief = false
}

extension ValueReader where Value == ColorChoice {
  static let colorChoice = choice("a time for color")
}

extension ValueReader where Value == Int {
  static let jobs = integer(1...256, "a number of jobs")
}

private let path = ValueReader.text("a path")

/// Every option there is; commands choose from them.
extension Option {
  static let icon = Option.value(
    "--icon", as: "FILE", path, into: \.icon.master, "the master icon, 1024 x 1024 px or more",
    "All icon sizes are made from it. Without it, and without an icon in decal.json, no icons are made.")
  static let messagesIcon = Option.value(
    "--messages-icon", as: "FILE", path, into: \.icon.messages, "a master of its own for the 4:3 icons",
    "Messages shows some icons wider than high. Without a master of their own they show the square icon whole, its edges "
      + "continued to both sides.")
  static let iconDark = Option.value(
    "--icon-dark", as: "FILE", path, into: \.icon.dark, "a dark master for the app icon",
    "For iOS 18; with an app icon of the style single.")
  static let iconTinted = Option.value(
    "--icon-tinted", as: "FILE", path, into: \.icon.tinted, "a tinted master for the app icon",
    "For iOS 18; with an app icon of the style single.")
  static let appIcon = Option.reading(
    ["--app-icon"], .optional("STYLE", words: AppIconStyle.allCases.map(\.rawValue), meant: "single"), .appIconStyle,
    nil,
    "also write an app icon: single or legacy",
    "\"single\", which is meant where no style is given, is one icon of 1024 px for Xcode 14 and later; \"legacy\" is the "
      + "18 sizes of older Xcodes."
  ) { $0.icon.appIcon = $1 }
  static let iconBackground = Option.value(
    "--icon-background", as: "COLOR", .opaqueColor, into: \.icon.background, "color under a transparent master",
    "An icon has no transparency. Without it an opaque --background is taken, else white with a warning.")
  static let iconFit = Option.value(
    "--icon-fit", as: "FIT", .fit, into: \.icon.fit, "how a master that is not square becomes square",
    "contain, cover or fill. Without it --fit is taken; without either such a master is refused.")

  static let iconColor = Option.value(
    "--icon-color", as: "COLOR", .iconColor, into: \.icon.color, default: "srgb", "srgb, or keep-p3 for wide colors",
    "keep-p3 keeps the colors of a master that lie outside sRGB and tags the icons as Display P3.")

  // The same three where an icon is all that is made.
  static let onlyAppIcon = Option.reading(
    ["--app-icon"], .optional("STYLE", words: AppIconStyle.allCases.map(\.rawValue), meant: "single"), .appIconStyle,
    nil,
    "make an app icon: single or legacy",
    "\"single\", which is meant where no style is given, is one icon of 1024 px for Xcode 14 and later; \"legacy\" is the "
      + "18 sizes of older Xcodes. A DIR that ends in .appiconset means single."
  ) { $0.icon.appIcon = $1 }
  static let onlyIconBackground = Option.value(
    "--background", as: "COLOR", .opaqueColor, into: \.icon.background, "color under a transparent master",
    "An icon has no transparency. Without it white is taken, with a warning. Quote the # of \"#rrggbb\" for the shell.")
  static let onlyIconFit = Option.value(
    "--fit", as: "FIT", .fit, into: \.icon.fit, "how a master that is not square becomes square",
    "contain, cover or fill. Without it such a master is refused.")

  static let stickers = Option.list(
    "--stickers", as: "PATH", path, into: \.stickers, default: "art", "a folder of art; may be given again",
    "A folder is searched with all folders below it. Replaces the list in decal.json.")
  static let grid = Option.value(
    "-g", "--grid", as: "SIZE", .grid, into: \.grid, default: "regular", "small, regular or large: 300, 408, 618 px")
  static let output = Option.value(
    "-o", "--output", as: "OUT", path, into: \.output, default: "out", "the folder to write to",
    "Decal replaces and removes there only what it wrote itself.")
  static let name = Option.value(
    "--name", as: "NAME", .folderName, into: \.name, default: "Sticker Pack", "the name of the sticker pack")

  static let newName = Option.value(
    "--name", as: "NAME", .folderName, into: \.name, default: "the folder's name", "the name of the sticker pack",
    "Where DIR has a decal.json its name counts.")
  static let xcode = Option.flag(
    "--xcode", sets: \.xcode, to: true, "also make an Xcode project",
    "An app and its sticker pack extension, without code, and a project.yml for XcodeGen. Set your team and put your own "
      + "bundle ids in Xcode. Never tried on a Mac by the authors.")

  static let fit = Option.value(
    "--fit", as: "FIT", .fit, into: \.sticker.fit, default: "contain", "contain, cover or fill the square",
    "contain shows all of the art with transparent sides; cover fills the square and crops; fill stretches.")
  static let kernel = Option.value(
    "--kernel", as: "KERNEL", .kernel, into: \.sticker.kernel, "the resampling kernel",
    "The default suits art on transparency; nearest keeps pixel art crisp.")
  static let padding = Option.value(
    "--padding", as: "N", .padding, into: \.sticker.padding, default: "0", "empty border on each side, in pixels")
  static let trim = Option.flag("--trim", sets: \.sticker.trim, to: true, "cut transparent margins off first")
  static let noTrim = Option.flag("--no-trim", sets: \.sticker.trim, to: false, "keep them, whatever decal.json says")
  static let background = Option.value(
    "--background", as: "COLOR", .color, into: \.sticker.background, default: "transparent",
    "a color under the stickers", "\"#rrggbb\", \"#rrggbbaa\" or a name such as white. Quote the # for the shell.")
  static let outline = Option.value(
    "--outline", as: "N[,COLOR]", .outline, into: \.sticker.outline, default: "0", "a border around the art",
    "N pixels wide and white, or of that color, as die-cut stickers have it. The art is made smaller by as much.")
  static let defringe = Option.value(
    "--defringe", as: "WORD", .defringe, into: \.sticker.defringe, default: "off", "off, auto or the color to take out",
    "Art that was cut out of a white page has a white rim. auto takes such a color out of the edges where it finds one."
  )
  static let fps = Option.value(
    "--fps", as: "RATE", .rate, into: \.sticker.fps, default: "15", "frames a second of numbered frame files",
    "A number, or a fraction such as 24000/1001. Files that hold their own delays keep them.")
  static let budget = Option.value(
    "--budget", as: "BYTES", .budget, into: \.sticker.budget, default: "499999", "the most bytes of a sticker",
    "Apple takes less than 500 KB. A sticker that cannot fit is not made and named.")
  static let effort = Option.value(
    "--effort", as: "EFFORT", .effort, into: \.sticker.effort, default: "normal", "fast, normal or max")
  static let encoding = Option.value(
    "--encoding", as: "WORD", .encoding, into: \.sticker.encoding, default: "auto", "auto, or rgba for no palettes",
    "Palettes look better within the budget; rgba is for readers that draw them wrongly. Its files are truecolor, exact "
      + "where that fits.")
  static let allowDownscale = Option.flag(
    "--allow-downscale", sets: \.sticker.allowDownscale, to: true, "fewer pixels where a sticker looks poor",
    "Where the quality is under 50 of 100, or nothing fits, the sizes of smaller grids are tried too, and the one that "
      + "looks best on the grid asked for is taken. Never happens unasked.")
  static let plays = Option.value(
    "--plays", as: "N", .plays, into: \.sticker.plays, "times an animation plays, 0 = for ever",
    "Without it each animation keeps its own.")

  static let jobs = Option.value(
    "-j", "--jobs", as: "N", .jobs, into: \.jobs, default: "the processors", "stickers made at once",
    "The result is the same whatever it is.")
  static let force = Option.flag(
    "--force", sets: \.force, to: true, "make all again, replace even edited files",
    "Nothing of earlier builds is used. Files that somebody edited since Decal wrote them are replaced, too; without it "
      + "they are kept and named.")
  static let memory = Option.value(
    "--memory", as: "MB", .megabytes, into: \.memory, default: "half of it", "memory that jobs may take together",
    "By estimate from the headers of the art. Where a job is expected to take more than is left it waits; one always "
      + "runs. The result is the same whatever it is.")
  static let explain = Option.flag(
    "--explain", sets: \.explain, to: true, "tell why each sticker is made or not",
    "One line a sticker: up to date, or what changed, and whether an earlier build's work was found in the cache.")
  static let timings = Option.flag(
    "--timings", sets: \.timings, to: true, "tell how long each stage took",
    "look, read, survey, decode, render, encode, verify, check, write, preview; added up over jobs, so that two side by side "
      + "count for both. Then the whole in wall time and processor time, and the most memory.")
  static let dryRun = Option.flag(
    "-n", "--dry-run", sets: \.dryRun, to: true, "tell what would be made; write nothing",
    "The reasons are told as by --explain.")
  static let depfile = Option.value(
    "--depfile", as: "FILE", path, into: \.depfile, "write what was read as a rule of make",
    "The rule's target is the --stamp file, or OUT/manifest.json, which is newer only where the result is another one. "
      + "Read templates/decal.mk for a Makefile.")
  static let stamp = Option.value(
    "--stamp", as: "FILE", path, into: \.stamp, "touch FILE when all went well",
    "For make: its time is that of the build's beginning, so that it is older than what was changed since. With --werror, "
      + "warnings count.")
  static let xcfilelist = Option.value(
    "--xcfilelist", as: "DIR", path, into: \.xcfilelist, "write Xcode's lists of files",
    "inputs.xcfilelist and outputs.xcfilelist for a build phase that runs in the project's folder. Never tried on a Mac "
      + "by the authors.")
  static let polls = Option.flag(
    "--poll", sets: \.polls, to: true, "look at all folders again and again",
    "For file systems that tell of no changes. It is done by itself where the folder lies on another machine.")
  static let inlinePreview = Option.flag(
    "--inline", sets: \.preview, to: .inline, "make preview.html one file to send",
    "It holds the pack's pictures, and the sources of at most 1 MB to compare with. Without it the page shows the files "
      + "where they lie.")
  static let noPreview = Option.flag(
    "--no-preview", sets: \.preview, to: PreviewKind.none, "write no preview.html", "One that Decal wrote is removed.")
  static let openPreview = Option.flag(
    "--open", sets: \.opensPreview, to: true, "open the preview in the browser",
    "By open or xdg-open, once the pack is made.")
  static let onChange = Option.value(
    "--on-change", as: "COMMAND", ValueReader.text("a command"), into: \.onChange,
    "run it after each change of the pack",
    "The shell runs it, with what the last line of --json says on its standard input.")
  static let cacheDir = Option.value(
    "--cache-dir", as: "DIR", path, into: \.cacheDir, default: ".decal", "where earlier work is kept",
    "By default .decal beside decal.json, or in OUT where there is none. Checkouts and machines may share one. It may be "
      + "deleted at any time: the next build makes the same files again. \"decal clean\" does so.")
  static let cacheSize = Option.value(
    "--cache-size", as: "MB", .megabytes, into: \.cacheSize, default: "1000", "megabytes kept of it",
    "What was not used for the longest time goes first.")
  static let adopt = Option.flag(
    "--adopt", sets: \.adopt, to: true, "take over an Xcode catalog that stands in OUT",
    "What is replaced is listed first; --dry-run only lists it. Stickers of the catalog without a source stay in the pack. "
      + "Its order and labels, and its name and grid size where nothing else is said, are put into decal.json.")
  static let noWait = Option.flag(
    "--no-wait", sets: \.noWait, to: true, "fail where another build of OUT runs",
    "Without it the build waits until the other one is over, and says so. It fails with exit code 2.")
  static let frames = Option.value(
    "--frames", as: "DIR", path, into: \.frames, "write each composed frame there as a PNG",
    "0000.png and so on are 8-bit RGBA in the file's own numbers: no color management, orientation not applied. frames.json "
      + "has the exact delays in seconds as [numerator, denominator]. With several files each has its own folder in DIR."
  )

  static let werror = Option.flag(
    "--werror", sets: \.werror, to: true, "exit with 1 where there are warnings",
    "What was made stays; --allow ID takes a warning out.")
  static let allow = Option.list(
    "--allow", as: "ID", ValueReader.text("an id"), into: \.allowed, "do not tell notes and warnings of this ID",
    "The ID is the word in brackets at the end of a diagnostic. Errors are always told. May be given again.")
  static let raise = Option.list(
    "--raise", as: "ID", ValueReader.text("an id"), into: \.raised, "take findings of this ID for errors",
    "The ID is the word in brackets at the end of a finding. May be given again.")
  static let fix = Option.flag(
    "--fix", sets: \.fix, to: true, "put what would help into decal.json",
    "Options of single stickers are added where decal.json says nothing of them; its other lines stay, and art is never "
      + "changed. Each one is told.")
  static let quiet = Option.flag("-q", "--quiet", sets: \.quiet, to: true, "only warnings and errors")
  static let json = Option.flag(
    "--json", sets: \.json, to: true, "JSON instead of text",
    "build, convert and icon write a line an event: planned, waiting, adopting, started, finished, diagnostic; the last is done, with "
      + "command, version, ok, output, icons, stickers, jobs, written, unchanged, removed and diagnostics. inspect "
      + "gives one document: command, version, files and diagnostics; check one with command, version, ok, findings and "
      + "fixed. Times are in milliseconds, exact delays in "
      + "seconds as [numerator, denominator]. Keys are never renamed; new ones may come. Mistakes on the command line are "
      + "told on the standard error.")
  static let color = Option.value(
    "--color", as: "WHEN", .colorChoice, into: \.color, default: "auto", "auto, always or never",
    "auto is on a terminal, unless NO_COLOR is set.")
  static let help = Option.flag("-h", "--help", sets: \.help, to: true, "show this help")
}

extension OptionGroup {
  static let pack = OptionGroup(title: "pack", options: [.stickers, .grid, .output, .name])
  static let icons = OptionGroup(
    title: "icons",
    options: [.icon, .messagesIcon, .appIcon, .iconBackground, .iconFit])
  static let rareIcons = OptionGroup(
    title: "icons, too", options: [.iconDark, .iconTinted, .iconColor], isBrief: true)
  static let stickers = OptionGroup(
    title: "stickers",
    options: [
      .fit, .kernel, .padding, .trim, .background, .outline, .defringe, .fps, .budget, .effort, .allowDownscale,
    ])
  static let rareStickers = OptionGroup(
    title: "stickers, too", options: [.noTrim, .encoding, .plays], isBrief: true)
}

extension Option {
  static let checkedIcon = Option.value(
    "--icon", as: "FILE", path, into: \.icon.master, "a master icon to look at",
    "Without it the icon of decal.json is looked at, where there is one.")
  static let packOutput = Option.value(
    "-o", "--output", as: "OUT", path, into: \.output, default: "out", "the output folder, where no decal.json is")
  static let fileOutput = Option.value(
    "-o", "--output", as: "OUT", path, into: \.output, "the file or the folder to write",
    "A file of this name is overwritten, an input never.")
  static let iconOutput = Option.value(
    "-o", "--output", as: "DIR", path, into: \.output, "the folder to write",
    "Files named like icons of the set are overwritten there, a master never; nothing is removed.")
}
