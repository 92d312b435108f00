import Pipeline

extension Command {
  static let completions = Command(
    name: "completions", operands: "SHELL", summary: "write a completion script for a shell",
    description: [
      "SHELL is bash, zsh or fish. \"make install\" puts the scripts in their places."
    ],
    groups: [], examples: [Example(line: "source <(decal completions bash)", note: "")],
    operandCount: 1...1, perform: performCompletions)
}

/// `decal completions`.
func performCompletions(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  let word = arguments.operands[0]
  guard let shell = Shell(rawValue: word) else {
    throw UsageError(
      message: "no completions for \"\(word)\"; use \(alternatives(Shell.allCases.map(\.rawValue)))",
      id: "unknown-shell")
  }
  context.io.standardOutput(shell.script)
  return .success
}
