/// Exit codes: 0 done, 1 some asset failed or is over its budget, 2 usage or configuration, 130 interrupted.
public enum ExitCode: Int32, Sendable {
  /// All done.
  case success = 0
  /// Some asset failed or is over its budget.
  case assetFailed = 1
  /// Wrong use or configuration.
  case usage = 2
  /// Interrupted by SIGINT.
  case interrupted = 130
  /// Terminated by SIGTERM.
  case terminated = 143
}
