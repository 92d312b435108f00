import Codecs
import Pipeline

/// The texts of `decal help`, made from the lists of commands and options.
enum Help {
  /// No line of help is wider.
  static let width = 80

  /// `decal --help`.
  static var overview: String {
    let column = (Command.all.map(\.name.count).max() ?? 0) + 4
    let commands = Command.all.map { "  " + $0.name.padded(to: column) + $0.summary }
    let lines =
      ["decal presses art into an iMessage sticker pack", "", "usage: decal COMMAND [options]", ""] + commands + [
        "  " + "help".padded(to: column) + "show this, or help on a command or an option", "",
        "options:", "  " + "-h, --help".padded(to: 14) + "show this help",
        "  " + "--version".padded(to: 14) + "show the version and those of the libraries", "",
        "exit codes: 0 done; 1 some art failed or is over its budget; 2 wrong use or",
        "configuration; 130 interrupted; 143 terminated", "", "examples:",
        "  decal build --icon icon.png --stickers art --grid regular --output out",
        "  decal convert wave.gif -o wave.png", "  decal help build", "  decal help --fit", "  decal help limits",
      ]
    return text(lines)
  }

  /// `decal`, alone.
  static var short: String {
    text(
      ["usage: decal COMMAND [options]"] + Command.all.map { "  decal \($0.name) \($0.operands)" } + [
        "\"decal help\" says more"
      ])
  }

  /// `decal help build`.
  static func command(_ command: Command) -> String {
    var lines = ["decal \(command.name): \(command.summary)"]
    lines += ["usage: decal \(command.name) \(command.operands) [options]", ""] + command.description
    for group in command.groups where !group.isBrief {
      lines += ["\(group.title):"] + group.options.map(line)
    }
    for group in command.groups where group.isBrief {
      // A name and its value stay on one line.
      let names = group.options.map { $0.synopsis.replacing(" ", with: "\u{A0}") }
      lines += wrap("\(group.title): " + names.joined(separator: "; "), to: width)
        .map { $0.replacing("\u{A0}", with: " ") }
    }
    if command.name == Command.check.name { lines += findingIDs }
    let common = (Command.common.prefix { $0.name != Option.limits[0].name }).map(\.synopsis).joined(separator: "; ")
    lines += wrap("Every command also takes \(common) and limits: see \"decal help limits\".", to: width)
    lines += ["examples:"]
    for example in command.examples {
      lines.append("  " + (example.note.isEmpty ? example.line : example.line.padded(to: 46) + example.note))
    }
    return text(lines)
  }

  /// `decal help --grid`: one section a different option of this name.
  static func option(named name: String) -> String? {
    var sections: [String] = []
    for command in Command.all {
      for option in command.options where option.isNamed(name) || option.isNamed("--" + name) {
        let commands = Command.all.filter { $0.options.contains { $0.isSame(as: option) } }.map(\.name)
        let section = text(describe(option, commands: commands))
        if !sections.contains(section) { sections.append(section) }
      }
    }
    return sections.isEmpty ? nil : sections.joined(separator: "\n")
  }

  /// The ids of all findings, by topic.
  private static var findingIDs: [String] {
    CheckRule.Topic.allCases.flatMap { topic in
      let ids = CheckRule.all.filter { $0.topic == topic }.map(\.id)
      return wrap("findings, \(topic.rawValue): \(ids.joined(separator: " "))", to: width)
    }
  }

  /// `decal help findings`.
  static var findings: String {
    let column = (CheckRule.all.map(\.id.count).max() ?? 0) + 2
    let sections = CheckRule.Topic.allCases.flatMap { topic in
      ["\(topic.rawValue):"]
        + CheckRule.all.filter { $0.topic == topic }.map { rule in
          "  " + rule.severity.rawValue.padded(to: 9) + rule.id.padded(to: column) + rule.title
        }
    }
    return text(
      ["what decal check looks for; \"decal help ID\" says why it matters and what to do", ""] + sections)
  }

  /// `decal help unreadable-dark`.
  static func finding(_ id: String) -> String? {
    guard let rule = CheckRule.named(id) else { return nil }
    return text(
      ["\(rule.id): \(rule.title)"] + wrap(rule.why, to: width - 2).map { "  " + $0 }
        + wrap(rule.advice, to: width - 2).map { "  " + $0 } + ["  severity: \(rule.severity.rawValue)"])
  }

  /// `decal --version`.
  static var version: String {
    text(["decal \(decalVersion)"] + libraryVersions().map { "  \($0.name) \($0.version)" })
  }

  private static func describe(_ option: Option, commands: [String]) -> [String] {
    var lines = [option.synopsis, "  " + option.help]
    lines += wrap(option.details, to: width - 2).map { "  " + $0 }
    if let defaultText = option.defaultText { lines.append("  default: \(defaultText)") }
    return lines + wrap("commands: " + commands.joined(separator: ", "), to: width - 2).map { "  " + $0 }
  }

  /// One line of a command's help; a short form's place is kept where there is none.
  private static func line(_ option: Option) -> String {
    let indent = option.names[0].hasPrefix("--") ? "      " : "  "
    let start = (indent + option.synopsis).padded(to: 31)
    let defaultText = option.defaultText.map { " (\($0))" } ?? ""
    return start + option.help + ((start + option.help + defaultText).count <= width ? defaultText : "")
  }

  static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}

extension Option {
  /// Whether both are one option, which several commands have.
  func isSame(as other: Option) -> Bool { names == other.names && help == other.help && details == other.details }
}

extension String {
  /// The text with spaces after it, at least one.
  func padded(to column: Int) -> String { self + String(repeating: " ", count: max(1, column - count)) }
}
