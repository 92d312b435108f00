/// Remembers which art was called bad, and when to look again at art that may be half-written: a program that saves slowly, or
/// pauses, is no mistake.
package struct ProvisionalErrors: Sendable {
  /// How long damaged art must have stood still to be called damaged.
  package static let patience = Duration.seconds(2)
  /// How long it takes to the first look; twice as long each time, up to the last.
  package static let (firstRetry, lastRetry) = (Duration.milliseconds(200), Duration.milliseconds(800))

  private var bad: Set<String> = []
  private var delay = ProvisionalErrors.firstRetry

  /// Nothing failed yet.
  package init() {}

  /// What a build came to.
  package struct Verdict: Sendable, Equatable {
    /// Sources that were called bad and are well again.
    package var cleared: [String] = []
    /// When to look again.
    package var retry: Duration?
  }

  /// Takes the sources that failed in a build and those that may be half-written.
  package mutating func judge(failed: [String], provisional: [String], at time: Duration) -> Verdict {
    var verdict = Verdict()
    verdict.cleared = bad.subtracting(failed).subtracting(provisional).sorted(by: Path.precedes)
    bad = bad.intersection(provisional).union(failed)
    if provisional.isEmpty {
      delay = ProvisionalErrors.firstRetry
    } else {
      verdict.retry = time + delay
      delay = min(delay * 2, ProvisionalErrors.lastRetry)
    }
    return verdict
  }
}
