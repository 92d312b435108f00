import AssetCatalog
import Pipeline

/// The text of a starter pack's `decal.json`: every key with what it is, those that are not needed as comments.
struct StarterConfiguration {
  /// The pack's name.
  let name: String
  /// The grid size.
  let grid: GridSize
  /// Labels by sticker name; with them comes the order.
  let labels: [(name: String, label: String)]
  /// The master icon.
  let icon: String

  /// The name of the schema's copy beside it.
  static let schema = "decal.schema.json"

  /// The text, with comments.
  var text: String {
    let active: [String: JSONValue] = [
      "$schema": .string("./" + StarterConfiguration.schema), "name": .string(name), "grid": .string(grid.rawValue),
      "stickers": .string("art"), "output": .string("out"), "order": .array(labels.map { .string($0.name) }),
      "labels": .object(labels.map { .init($0.name, .string($0.label)) }),
    ]
    var lines = [
      "// What goes into the sticker pack, and how. \"decal build\" in this folder presses it.",
      "// A key in a comment has its default or an example: take the slashes away to set it.", "{",
    ]
    for key in ConfigurationKey<Configuration>.top {
      lines += StarterConfiguration.comment(key, indent: "  ")
      switch key.name {
      case "icon": lines += block("icon", ConfigurationKey<IconOptions>.icon, active: ["master": .string(icon)])
      case "limits":
        lines += block("limits", ConfigurationKey<LimitOptions>.limits, active: [:])
      default:
        let value = active[key.name] ?? StarterConfiguration.shown(key)
        lines.append("  \(active[key.name] == nil ? "// " : "")\(StarterConfiguration.member(key.name, value))")
      }
      lines.append("")
    }
    // No blank line before the end.
    return Help.text(lines.dropLast() + ["}"])
  }

  /// An object of keys; where none is active all of it is a comment.
  private func block<Target>(_ name: String, _ keys: [ConfigurationKey<Target>], active: [String: JSONValue])
    -> [String]
  {
    let lead = active.isEmpty ? "// " : ""
    let lines = keys.flatMap { key in
      let value = active[key.name] ?? StarterConfiguration.shown(key)
      let slashes = active[key.name] == nil && !active.isEmpty ? "// " : ""
      let member = StarterConfiguration.member(key.name, value)
      // What is all a comment keeps what its keys are on their own lines.
      return active.isEmpty
        ? ["  //   \(member) // \(key.help)"]
        : StarterConfiguration.comment(key, indent: "    ") + ["    \(slashes)\(member)"]
    }
    return ["  \(lead)\"\(name)\": {"] + lines + ["  \(lead)},"]
  }

  private static func member(_ name: String, _ value: JSONValue) -> String {
    "\(JSONValue.string(name).serialized(.compact)): \(spaced(value)),"
  }

  /// A value on one line, or an object with more than one member on several.
  private static func spaced(_ value: JSONValue) -> String {
    switch value {
    case .array(let items): "[\(items.map(spaced).joined(separator: ", "))]"
    case .object(let members) where members.isEmpty: "{}"
    case .object(let members):
      "{ "
        + members.map { "\(JSONValue.string($0.key).serialized(.compact)): \(spaced($0.value))" }
        .joined(separator: ", ") + " }"
    default: value.serialized(.compact)
    }
  }

  /// What a key is, and the words that it takes.
  private static func comment<Target>(_ key: ConfigurationKey<Target>, indent: String) -> [String] {
    var text = key.help
    if let words = key.words { text += " One of \(alternatives(words))." }
    return Help.wrap(text, to: 100 - indent.count).map { "\(indent)// \($0)" }
  }

  /// The default, or an example where there is none or it is empty.
  private static func shown<Target>(_ key: ConfigurationKey<Target>) -> JSONValue {
    if let standard = key.standard, standard != .object([]) { return standard }
    return example(key.name) ?? .null
  }

  private static func example(_ key: String) -> JSONValue? {
    let texts = [
      "kernel": "catmull-rom", "messages": "icon-4x3.png", "dark": "icon-dark.png", "tinted": "icon-tinted.png",
      "appIcon": "single", "background": "white", "fit": "cover",
    ]
    if key == "overrides" {
      return .object([.init("hello", .object([.init("padding", .int(12)), .init("plays", .int(3))]))])
    }
    let numbers = ["plays": 0, "timeLimit": 60]
    return numbers[key].map(JSONValue.int) ?? texts[key].map(JSONValue.string)
  }
}

extension ConfigurationKey {
  /// The words that the key takes, where it takes only words.
  var words: [String]? {
    guard case .array(let words)? = schema.first(where: { $0.key == "enum" })?.value else { return nil }
    return words.map { if case .string(let word) = $0 { word } else { $0.serialized(.compact) } }
  }
}
