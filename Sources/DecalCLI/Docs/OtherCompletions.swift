/// For zsh: one call of `_arguments` a command.
var zshCompletion: String {
  let commands = Command.all.map { "    \(Shell.quoted("\($0.name):\(zshEscaped($0.summary))"))" }
  let cases = Command.all.flatMap { command in
    ["    \(command.name))", "      _arguments -s \\"]
      + command.options.flatMap(zshSpecs).map { "        \($0) \\" }
      + ["        \(zshOperands(command))", "      ;;"]
  }
  return Help.text(
    [
      "#compdef decal", "# \(Shell.zsh.head).", "", "_decal() {", "  local -a commands", "  commands=(",
    ] + commands + [
      "    'help:show help on a command or an option'", "  )", "  if (( CURRENT == 2 )); then",
      "    _describe -t commands command commands", "    return", "  fi", "  local command=$words[2]", "  shift words",
      "  (( CURRENT-- ))", "  case $command in",
    ] + cases + [
      "    help)", "      _values topic \(Shell.topics.joined(separator: " "))", "      ;;", "  esac", "}", "",
      "_decal \"$@\"",
    ])
}

private func zshEscaped(_ text: String) -> String {
  text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
}

/// One specification a name: `'(-g --grid)--grid=[help]:SIZE:(small regular large)'`.
private func zshSpecs(_ option: Option) -> [String] {
  let all = option.isList ? "*" : "(\(option.names.joined(separator: " ")))"
  return option.names.map { name in
    let isLong = name.hasPrefix("--")
    let help = "[\(zshEscaped(option.help))]"
    let words =
      option.choices.isEmpty ? " " : "(\(option.choices.map { $0.replacing(":", with: "\\:") }.joined(separator: " ")))"
    switch option.value {
    case .none: return Shell.quoted(all + name + help)
    case .required(let word):
      let action = option.takesPath ? "_files" : words
      return Shell.quoted("\(all)\(name)\(isLong ? "=" : "+")\(help):\(word):\(action)")
    case .optional(let word, _, _): return Shell.quoted("\(all)\(name)=-\(help)::\(word):\(words)")
    }
  }
}

private func zshOperands(_ command: Command) -> String {
  if let words = Shell.operands(of: command) { return Shell.quoted("1:shell:(\(words.joined(separator: " ")))") }
  return command.operandCount.upperBound == 1 && command.operandCount.lowerBound == 0
    ? "'1:folder:_files -/'" : "'*:file:_files'"
}

/// For fish: one line an option of a command.
var fishCompletion: String {
  let commands = Command.all.map {
    "complete -c decal -n __fish_use_subcommand -a \($0.name) -d \(fishQuoted($0.summary))"
  }
  let options = Command.all.flatMap { command in
    let seen = "complete -c decal -n '__fish_seen_subcommand_from \(command.name)'"
    let operands = Shell.operands(of: command).map { "\(seen) -f -a \(fishQuoted($0.joined(separator: " ")))" }
    return command.options.map { "\(seen)\(fishNames($0))\(fishValue($0)) -d \(fishQuoted($0.help))" }
      + [operands].compactMap { $0 }
  }
  return Help.text(
    ["# \(Shell.fish.head).", "", "complete -c decal -n __fish_use_subcommand -f"] + commands + [
      "complete -c decal -n __fish_use_subcommand -a help -d 'show help on a command or an option'",
      "complete -c decal -n __fish_use_subcommand -l help -s h -d 'show help'",
      "complete -c decal -n __fish_use_subcommand -l version -d 'show the version'",
      "complete -c decal -n '__fish_seen_subcommand_from help' -f -a \(fishQuoted(Shell.topics.joined(separator: " ")))",
    ] + options)
}

private func fishQuoted(_ text: String) -> String {
  "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
}

private func fishNames(_ option: Option) -> String {
  option.names.map { $0.hasPrefix("--") ? " -l \($0.dropFirst(2))" : " -s \($0.dropFirst(1))" }.joined()
}

private func fishValue(_ option: Option) -> String {
  let words = option.choices.isEmpty ? "" : " -a \(fishQuoted(option.choices.joined(separator: " ")))"
  switch option.value {
  case .none: return ""
  case .required: return option.takesPath ? " -r -F" : " -x" + words
  case .optional: return " -f" + words
  }
}
