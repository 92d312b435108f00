import Pipeline

/// Writes what a run has to say: text for people or JSON for machines.
struct Reporter: Sendable {
  /// The streams.
  let io: IO
  /// Whether notes and reports are left out.
  let quiet: Bool
  /// Whether all goes into one JSON document on the standard output.
  let json: Bool
  /// Whether severities are colored.
  let colored: Bool

  /// Takes the typed wishes and the environment together.
  init(_ context: Context, _ arguments: Arguments) {
    io = context.io
    quiet = arguments.quiet
    json = arguments.json
    let dumb = context.environment["TERM"] == "dumb"
    let plain = !(context.environment["NO_COLOR"] ?? "").isEmpty
    colored =
      switch arguments.color {
      case .always: true
      case .never: false
      case .auto: context.io.errorIsTerminal && !dumb && !plain
      }
  }

  /// Writes one line for people on the standard output.
  func say(_ line: String) {
    if !quiet && !json { io.standardOutput(visible(line) + "\n") }
  }

  /// Writes a diagnostic on the standard error; notes are left out where only problems are wanted.
  func show(_ diagnostic: Diagnostic) {
    if json || (quiet && diagnostic.severity == .note) { return }
    io.standardError(text(diagnostic) + "\n")
  }

  /// Writes a diagnostic that is a result, on the standard output, with lines that explain it.
  func sayResult(_ diagnostic: Diagnostic, _ explanation: [String]) {
    if json || (quiet && diagnostic.severity == .note) { return }
    io.standardOutput(([text(diagnostic)] + explanation.map { "    " + visible($0) }).joined(separator: "\n") + "\n")
  }

  /// The line of a diagnostic, its severity colored where that is wanted.
  private func text(_ diagnostic: Diagnostic) -> String {
    guard colored else { return diagnostic.line }
    var plain = diagnostic
    plain.path = nil
    let word = plain.severity.rawValue
    let path = diagnostic.path.map { visible($0) + ": " } ?? ""
    return "\(path)\u{1B}[\(plain.severity.colorCode)m\(word)\u{1B}[0m\(plain.line.dropFirst(word.count))"
  }
}

extension Severity {
  /// The terminal's code: bold red, bold yellow, cyan.
  fileprivate var colorCode: String {
    switch self {
    case .error: "1;31"
    case .warning: "1;33"
    case .note: "36"
    }
  }
}

/// A line that cannot steer the terminal, whatever the names in it.
func visible(_ line: String) -> String { line.escapingControls }
