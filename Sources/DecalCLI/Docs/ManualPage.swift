import AssetCatalog
import Pipeline

/// `decal.1`, made from the same lists as the help.
enum ManualPage {
  /// The page in the macros of `man`.
  static var text: String {
    let commands = Command.all.flatMap(section)
    return Help.text(
      [
        ".\\\" Made from the program's own tables by \"decal help --man\".",
        ".TH DECAL 1 \"\" \"decal \(roff(decalVersion))\" \"User Commands\"", ".SH NAME",
        "decal \\- press art into an iMessage sticker pack", ".SH SYNOPSIS",
      ] + Command.all.flatMap { [".B decal \($0.name)", "[options] \(roff($0.operands))", ".br"] }.dropLast()
        + [".SH DESCRIPTION"] + paragraph(about) + [".SH COMMANDS"] + commands + [".SH \"OPTIONS OF EVERY COMMAND\""]
        + [Option.quiet, .json, .color, .help].flatMap(entry) + [".SH LIMITS"] + paragraph(plain(Reference.limits))
        + Option.limits.flatMap(entry) + [".SH CONFIGURATION"] + paragraph(plain(Reference.precedence))
        + ConfigurationKey<Configuration>.top.flatMap { key in
          [
            ".TP", ".B \(roff(key.name))",
            roff(key.help + (key.standard.map { " Default: \($0.serialized(.compact))." } ?? "")),
          ]
        }
        + [".SH FILES", ".TP", ".B decal.json"]
        + [roff("What goes into a pack, and how. \"decal init\" writes one with all keys explained."), ".TP"]
        + [".B wave.json", roff(plain(Reference.sidecar)), ".TP", ".B .decal/"]
        + [roff("What is known of earlier builds. It may be deleted at any time."), ".SH \"EXIT STATUS\""]
        + Reference.exitCodes.flatMap { [".TP", ".B \($0.code)", roff(Reference.sentence($0.meaning))] }
        + [
          ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", roff("Where it is set diagnostics are not colored."), ".SH EXAMPLES",
        ]
        + Command.all.flatMap(\.examples).flatMap { [".PP", ".nf", roff($0.line), ".fi"] })
  }

  private static let about =
    "Decal presses a folder of art and one master icon into a finished sticker pack: every icon size, every sticker at its "
    + "grid size, every animation under 500 KB, in an asset catalog that Xcode opens."

  private static func section(_ command: Command) -> [String] {
    [".SS \"decal \(command.name)\""]
      + paragraph(Reference.sentence(command.summary) + " " + command.description.joined(separator: " "))
      + command.groups.flatMap(\.options).flatMap(entry)
  }

  private static func entry(_ option: Option) -> [String] {
    let standard = option.defaultText.map { "Default: \($0)." } ?? ""
    let texts = [option.help + ".", option.details, standard].filter { !$0.isEmpty }
    return [".TP", ".B \(roff(option.synopsis))", roff(texts.joined(separator: " "))]
  }

  private static func paragraph(_ text: String) -> [String] { [".PP", roff(text)] }

  /// A text without the marks of Markdown.
  private static func plain(_ text: String) -> String { text.replacing("`", with: "") }

  /// A text that no macro or escape is found in.
  private static func roff(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
