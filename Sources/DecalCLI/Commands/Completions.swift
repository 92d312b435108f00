import Pipeline

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
