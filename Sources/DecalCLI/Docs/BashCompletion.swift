/// The shells that there are completions for.
enum Shell: String, CaseIterable, Sendable {
  /// Bash 3.2 and later.
  case bash
  /// Zsh.
  case zsh
  /// Fish.
  case fish

  /// The completion script, made from the lists of commands and options.
  var script: String {
    switch self {
    case .bash: bashCompletion
    case .zsh: zshCompletion
    case .fish: fishCompletion
    }
  }
}

extension Shell {
  /// What stands first in each script.
  var head: String { "\(rawValue) completion for decal, written by \"decal completions \(rawValue)\"" }

  /// The words that may follow the name of a command that does not work on files; nil where files do.
  static func operands(of command: Command) -> [String]? {
    command.name == Command.completions.name ? Shell.allCases.map(\.rawValue) : nil
  }

  /// The words that may follow `help`.
  static var topics: [String] { Command.all.map(\.name) + ["limits"] }

  /// A text in single quotes.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}

extension Option {
  /// Whether its value is a file or a folder.
  var takesPath: Bool { if case .required(let word) = value { Option.pathWords.contains(word) } else { false } }

  private static let pathWords: Set = ["FILE", "DIR", "PATH", "OUT"]

  /// Whether the word after it is its value.
  var takesNextWord: Bool { if case .required = value { true } else { false } }
}

private var bashCompletion: String {
  let commands = Command.all.map { command in
    let operands = Shell.operands(of: command).map { "operands=\(Shell.quoted($0.joined(separator: " ")))" }
    return "    \(command.name)) options=\(Shell.quoted(command.options.flatMap(\.names).joined(separator: " ")))"
      + (operands.map { "; \($0)" } ?? "") + " ;;"
  }
  return Help.text(
    [
      "# \(Shell.bash.head).", "", "_decal() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
      "  local command=${COMP_WORDS[1]} options= operands=", "  COMPREPLY=()",
      "  # Bash takes \"--grid=small\" apart at the sign.",
      "  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
      "  if (( COMP_CWORD == 1 )); then",
      "    COMPREPLY=($(compgen -W \(Shell.quoted(words)) -- \"$cur\"))", "    return", "  fi", "  case $command in",
    ] + commands + ["    help) operands=\(Shell.quoted(Shell.topics.joined(separator: " "))) ;;", "  esac"]
      + ["  case $command:$prev in"] + values + [
        "  esac", "  if [[ $cur == -* ]]; then", "    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))",
        "  elif [[ -n $operands ]]; then", "    COMPREPLY=($(compgen -W \"$operands\" -- \"$cur\"))", "  fi",
        "  # Where nothing is said readline completes file names.", "}", "", "complete -o default -F _decal decal",
      ])
}

private var words: String {
  (Command.all.map(\.name) + ["help", "--help", "--version"]).joined(separator: " ")
}

/// One line a set of values; options of one name may take others in another command.
private var values: [String] {
  Command.all.flatMap { command in
    command.options.filter { $0.takesNextWord || !$0.choices.isEmpty }.compactMap { option in
      let pattern = option.names.map { "\(command.name):\($0)" }.joined(separator: "|")
      if option.takesPath { return "    \(pattern)) return ;;" }
      if option.choices.isEmpty { return "    \(pattern)) compopt +o default 2>/dev/null; return ;;" }
      let words = Shell.quoted(option.choices.joined(separator: " "))
      return "    \(pattern)) COMPREPLY=($(compgen -W \(words) -- \"$cur\")); return ;;"
    }
  }
}
