/// Where a run writes and what it may know of its surroundings.
public struct IO: Sendable {
  /// Receives what was asked for: reports, JSON, help.
  public var standardOutput: @Sendable (String) -> Void
  /// Receives diagnostics and progress.
  public var standardError: @Sendable (String) -> Void
  /// Whether a person sees the diagnostics: progress and color.
  public var errorIsTerminal: Bool
  /// Columns of the terminal.
  public var width: Int
  /// The folder that typed paths are relative to; empty for the process's own.
  public var workingDirectory: String
  /// Processors that may be used, at least 1.
  public var processors: Int

  /// Bytes of memory that the machine has; nil where that is not known.
  public var memory: Int?
  /// The processor time that the process has taken, and the most bytes of memory it has had.
  public var usage: @Sendable () -> (processor: Duration, memory: Int) = { (.zero, 0) }
  /// Runs a command of the shell with a text on its standard input, to its end; gives its exit code.
  ///
  /// Where the task is canceled the command is ended.
  public var shell: @Sendable (_ command: String, _ input: String) async -> Int32 = { _, _ in 127 }

  /// Makes one that writes to closures; by default to no terminal.
  public init(
    standardOutput: @escaping @Sendable (String) -> Void, standardError: @escaping @Sendable (String) -> Void,
    errorIsTerminal: Bool = false, width: Int = 80, workingDirectory: String = "", processors: Int = 2
  ) {
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.errorIsTerminal = errorIsTerminal
    self.width = width
    self.workingDirectory = workingDirectory
    self.processors = processors
  }
}
