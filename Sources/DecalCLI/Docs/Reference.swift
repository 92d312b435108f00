import AssetCatalog
import Pipeline

/// `REFERENCE.md`, made from the lists of commands, options and keys.
enum Reference {
  /// The whole text.
  static var markdown: String {
    let commands = Command.all.flatMap(section)
    return Help.text(
      [
        "# Reference", "",
        "Made from the program's own tables by `DECAL_UPDATE=1 make test FILTER=DocumentsTests`; "
          + "a test keeps it current. The same is in `decal help` and `man decal`.", "", "## Commands", "",
        "| command | |", "|---|---|",
      ] + Command.all.map { "| [`\($0.name)`](#decal-\($0.name)) | \(cell($0.summary)) |" } + [
        "| `help` | show help on a command, an option or `limits` |", "",
        "Exit codes: \(exitCodes.map { "**\($0.code)** \($0.meaning)" }.joined(separator: "; ")).", "",
        "A diagnostic has the form `path: severity: message [id]`. Environment: `NO_COLOR` turns colors off.", "",
        "### Options of every command", "",
      ] + table([.quiet, .json, .color, .help]) + [""] + commands + ["## Limits", "", limits, ""] + table(Option.limits)
        + [""] + configuration)
  }

  /// The exit codes, as they are told everywhere.
  static let exitCodes = [
    (code: "0", meaning: "done"), (code: "1", meaning: "some art failed or is over its budget"),
    (code: "2", meaning: "wrong use or configuration"), (code: "130", meaning: "interrupted"),
    (code: "143", meaning: "terminated"),
  ]

  /// What the limits are.
  static let limits =
    "Bounds on what is decoded, against files that do harm. Every command takes them; in `decal.json` they stand under "
    + "`limits`."

  private static func section(_ command: Command) -> [String] {
    ["### decal \(command.name)", "", "`decal \(command.name) \(command.operands) [options]`", ""]
      + [sentence(command.summary), "", command.description.joined(separator: " "), ""]
      + (command.groups.isEmpty ? [] : table(command.groups.flatMap(\.options)) + [""])
      + ["```sh"] + command.examples.map(\.line) + ["```", ""]
  }

  private static func table(_ options: [Option]) -> [String] {
    ["| option | default | |", "|---|---|---|"]
      + options.map { option in
        let text = [option.help + ".", option.details].filter { !$0.isEmpty }.joined(separator: " ")
        return "| `\(cell(option.synopsis))` | \(cell(option.defaultText ?? "")) | \(cell(text)) |"
      }
  }

  /// A line of help as a sentence.
  static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|").replacing("<", with: "&lt;") }
}

// MARK: - The configuration

extension Reference {
  /// What counts before what.
  static let precedence =
    "The command line comes first, then a sticker's sidecar, then its entry in `overrides`, then the keys at the top, then "
    + "the defaults."

  /// What a sidecar is.
  static let sidecar =
    "A file `wave.json` beside `wave.gif`, or beside the folder `wave.frames`, sets options of this one sticker, with the "
    + "keys of an entry in `overrides`. Comments are allowed. A wrong value is an error of its sticker; JSON of other "
    + "programs (Lottie, sheets of frames) is passed over."

  private static var configuration: [String] {
    [
      "## decal.json", "",
      "JSON; comments and commas at the end of a list are allowed. Paths are relative to the file's folder. "
        + "[templates/decal.schema.json](templates/decal.schema.json) is its JSON Schema, `decal init` writes one with all "
        + "keys explained.", "", precedence, "",
    ] + table(ConfigurationKey<Configuration>.top) + ["", "### icon", ""] + table(ConfigurationKey<IconOptions>.icon)
      + [
        "", "### An entry in overrides, or a sidecar", "", sidecar, "", "The keys from `fit` to `plays` above, and:",
        "",
      ]
      + table(ConfigurationKey<StickerOptions>.override.filter { $0.name == "label" })
      + ["", "### limits", ""] + table(ConfigurationKey<LimitOptions>.limits)
  }

  private static func table<Target>(_ keys: [ConfigurationKey<Target>]) -> [String] {
    ["| key | value | default | |", "|---|---|---|---|"]
      + keys.map { key in
        let standard = key.standard.map { "`\($0.serialized(.compact))`" } ?? ""
        return "| `\(key.name)` | \(cell(key.kind)) | \(standard) | \(cell(key.help)) |"
      }
  }
}

extension ConfigurationKey {
  /// What its value is, in a few words, by its schema.
  var kind: String { Self.kind(schema) }

  private static func kind(_ schema: [JSONValue.Member]) -> String {
    func find(_ key: String) -> JSONValue? { schema.first { $0.key == key }?.value }
    if case .array(let words)? = find("enum") {
      return words.map { if case .string(let word) = $0 { "`\(word)`" } else { "`\($0.serialized(.compact))`" } }
        .joined(separator: ", ")
    }
    if case .array(let forms)? = find("anyOf") {
      return forms.map { if case .object(let members) = $0 { kind(members) } else { "" } }.joined(separator: " or ")
    }
    guard case .string(let type)? = find("type") else { return "" }
    switch (type, find("minimum"), find("maximum")) {
    case ("integer", .int(let low)?, .int(let high)?): return "\(low) to \(high)"
    case ("number", .double(let low)?, .int(let high)?):
      return "\(JSONValue.double(low).serialized(.compact)) to \(high)"
    case ("boolean", _, _): return "`true`, `false`"
    case ("string", _, _) where find("pattern") != nil && name(of: find("pattern")) == "color":
      return "`#rgb`, `#rrggbb`"
    case ("string", _, _): return "text"
    case ("array", _, _): return "list of texts"
    default: return type
    }
  }

  /// What texts of a pattern are.
  private static func name(of pattern: JSONValue?) -> String? {
    if case .string(let text)? = pattern, text.hasPrefix("^#") { "color" } else { nil }
  }
}
