import Pipeline

/// One command: the parser, the help and the did-you-mean all come from it.
struct Command: Sendable {
  /// One line of the examples: what is typed and what it does.
  struct Example: Sendable {
    let line: String
    let note: String
  }

  /// Its name.
  let name: String
  /// What stands after its name in the usage line.
  let operands: String
  /// One line for the list of commands, without a final stop.
  let summary: String
  /// What its help says beside that; lines of at most 80 columns.
  let description: [String]
  /// Its options by topic.
  let groups: [OptionGroup]
  /// Examples for the end of its help.
  let examples: [Example]
  /// How many operands it takes.
  let operandCount: ClosedRange<Int>
  /// Does it.
  let perform: @Sendable (Arguments, Context) async throws -> ExitCode

  /// All options, those of every command included.
  var options: [Option] { groups.flatMap(\.options) + Command.common }

  /// The options of every command.
  static let common: [Option] = [.quiet, .json, .color, .help] + Option.limits
}

/// What a command works with.
struct Context: Sendable {
  let environment: [String: String]
  let io: IO
  let disk: any Disk
}

extension Command {
  /// The commands, in the order of the help.
  static let all: [Command] = [.initialize, .build, .watch, .convert, .icon, .check, .inspect, .clean, .completions]

  static let initialize = Command(
    name: "init", operands: "[DIR]", summary: "start a pack: configuration, art, icon, Makefile",
    description: [
      "Fills DIR (here by default) with a pack that builds at once: decal.json with",
      "every key explained, starter art, an icon, boards to draw on, a Makefile. With",
      "--xcode also a project for Xcode, around what \"decal build\" makes.",
      "Nothing is overwritten: other files of these names are kept and named, which is",
      "no error (exit code 0); with --werror it is (1).",
    ],
    groups: [OptionGroup(title: "pack", options: [.newName, .grid, .xcode, .werror])],
    examples: [
      Example(line: "decal init cats --name \"Cats & Friends\" --grid large", note: ""),
      Example(line: "decal init --xcode", note: "add a project to the pack here"),
    ],
    operandCount: 0...1, perform: performInit)

  static let build = Command(
    name: "build", operands: "[DIR]", summary: "press a whole sticker pack",
    description: [
      "DIR (here by default) has decal.json, or --stickers names the art. Options win."
    ],
    groups: [
      .pack, .icons, .rareIcons, .stickers, .rareStickers,
      OptionGroup(title: "run", options: [.jobs, .dryRun, .openPreview]),
      OptionGroup(
        title: "run, too",
        options: [
          .inlinePreview, .noPreview, .explain, .force, .adopt, .memory, .noWait, .cacheDir, .cacheSize, .depfile,
          .stamp, .xcfilelist, .timings, .werror, .allow,
        ],
        isBrief: true),
    ],
    examples: [
      Example(line: "decal build --icon icon.png --stickers art --grid large -o out", note: "")
    ],
    operandCount: 0...1, perform: performBuild)

  static let watch = Command(
    name: "watch", operands: "[DIR]", summary: "press a pack, then again what changes",
    description: [
      "Builds as \"decal build\" does, then whenever art, masters or decal.json change.",
      "Half-written art is waited for; while art is bad its last good sticker stays.",
    ],
    groups: [
      .pack, .icons, .rareIcons, .stickers, .rareStickers,
      OptionGroup(title: "run", options: [.jobs, .openPreview, .onChange]),
      OptionGroup(
        title: "run, too",
        options: [
          .inlinePreview, .noPreview, .polls, .memory, .explain, .force, .noWait, .cacheDir, .cacheSize, .allow,
        ],
        isBrief: true),
    ],
    examples: [Example(line: "decal watch --open --on-change ./send.sh", note: "")],
    operandCount: 0...1, perform: performWatch)

  static let clean = Command(
    name: "clean", operands: "[DIR]", summary: "forget what earlier builds left for later ones",
    description: [
      "Removes the log and the finished files that builds of the pack in DIR keep in",
      ".decal, or in --cache-dir. The output stays; the next build makes all again.",
    ],
    groups: [OptionGroup(title: "state", options: [.packOutput, .cacheDir])],
    examples: [
      Example(line: "decal clean", note: ""), Example(line: "decal clean --cache-dir ~/.cache/decal", note: ""),
    ],
    operandCount: 0...1, perform: performClean)

  static let convert = Command(
    name: "convert", operands: "INPUT... -o OUTPUT", summary: "make finished stickers from pictures or folders",
    description: [
      "One picture, animation or folder of numbered frames becomes the file OUTPUT,",
      "several of them, or a folder of art, fill the folder OUTPUT.",
    ],
    groups: [
      OptionGroup(title: "result", options: [.fileOutput, .grid]), .stickers, .rareStickers,
      OptionGroup(title: "run", options: [.jobs, .memory, .timings, .werror, .allow]),
    ],
    examples: [
      Example(line: "decal convert wave.gif -o wave.png --grid large", note: ""),
      Example(line: "decal convert art -o stickers --budget 300000", note: ""),
    ],
    operandCount: 1...Int.max, perform: performConvert)

  static let icon = Command(
    name: "icon", operands: "MASTER -o DIR", summary: "make an icon set alone",
    description: [
      "MASTER is 1024 x 1024 px or more. DIR becomes the icon set of Messages; one that",
      "ends in .appiconset, or --app-icon, makes the icons of an app instead.",
    ],
    groups: [
      OptionGroup(
        title: "icons",
        options: [
          .iconOutput, .messagesIcon, .onlyAppIcon, .iconDark, .iconTinted, .onlyIconBackground, .onlyIconFit,
          .iconColor,
        ]), OptionGroup(title: "run, too", options: [.timings, .werror, .allow], isBrief: true),
    ],
    examples: [
      Example(line: "decal icon master.png -o \"iMessage App Icon.stickersiconset\"", note: ""),
      Example(line: "decal icon master.png -o AppIcon.appiconset --icon-dark dark.png", note: ""),
    ],
    operandCount: 1...1, perform: performIcon)

  static let check = Command(
    name: "check", operands: "[PATH...]", summary: "tell what Apple or a reader would object to",
    description: [
      "PATH is a picture, a folder of art or of a pack, a built output, or a catalog or",
      "part of one from elsewhere: .xcstickers, .xcassets, .stickerpack, .sticker,",
      ".stickersequence, .stickersiconset, .appiconset. Without a PATH the pack of",
      "decal.json here is looked at. Art is looked at as it would be pressed.",
      "\"decal help findings\" lists what is looked for, \"decal help ID\" says why it",
      "matters and what to do. The exit code is 1 where there are errors.",
    ],
    groups: [
      OptionGroup(title: "subject", options: [.checkedIcon, .grid]),
      OptionGroup(title: "findings", options: [.fix, .werror, .allow, .raise]),
      OptionGroup(
        title: "as pressed", options: [.fit, .kernel, .padding, .trim, .noTrim, .background, .fps, .jobs, .memory],
        isBrief: true),
    ],
    examples: [
      Example(line: "decal check", note: "the pack here"),
      Example(line: "decal check art --grid large --raise unreadable-dark", note: ""),
      Example(line: "decal check Stickers.xcstickers --json", note: ""),
    ],
    operandCount: 0...Int.max, perform: performCheck)

  static let inspect = Command(
    name: "inspect", operands: "FILE...", summary: "tell what is in an image",
    description: ["Tells format, size, frames, delays, plays, colors, alpha, profile and chunks."],
    groups: [
      OptionGroup(title: "frames", options: [.frames])
    ],
    examples: [
      Example(line: "decal inspect wave.gif", note: ""),
      Example(line: "decal inspect wave.gif --frames frames", note: "0000.png ... and frames.json"),
    ],
    operandCount: 1...Int.max, perform: performInspect)

  static let completions = Command(
    name: "completions", operands: "SHELL", summary: "write a completion script for a shell",
    description: [
      "SHELL is bash, zsh or fish. \"make install\" puts the scripts in their places."
    ],
    groups: [], examples: [Example(line: "source <(decal completions bash)", note: "")],
    operandCount: 1...1, perform: performCompletions)
}
