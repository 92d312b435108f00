/// How long the work on one source may take.
///
/// It ends the work with an error and never alters a result.
public struct TimeLimit: Sendable, Hashable {
  /// The most seconds.
  public let seconds: Int
  /// The time that has passed since some moment.
  private let now: @Sendable () -> Duration
  /// When the work began; nil until it does.
  private var start: Duration?

  /// The limit of the work that the encoders are at.
  @TaskLocal static var ofEncoding: TimeLimit?

  /// Makes a limit; the clock is the system's, which does not go backward, or one of a test.
  public init(seconds: Int, now: @escaping @Sendable () -> Duration = TimeLimit.systemTime()) {
    self.seconds = seconds
    self.now = now
  }

  /// A function that gives the time since this call.
  public static func systemTime() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { start.duration(to: .now) }
  }

  /// The same limit on work that begins now; one that is at work already goes on.
  public func started() -> TimeLimit {
    guard start == nil else { return self }
    var running = self
    running.start = now()
    return running
  }

  /// Ends work that has begun and takes too long.
  public func check() throws(DecodeError) {
    guard let start else { return }
    let passed = Int(clamping: (now() - start).components.seconds)
    if passed >= seconds { throw .overLimit(.time, value: passed, limit: seconds) }
  }

  /// Compares the seconds; clocks do not count.
  public static func == (a: TimeLimit, b: TimeLimit) -> Bool { a.seconds == b.seconds }

  /// Hashes the seconds.
  public func hash(into hasher: inout Hasher) { hasher.combine(seconds) }
}

/// Ends encoding that was canceled or takes too long; encoders call it between frames.
func checkEncoding() throws {
  try Task.checkCancellation()
  try Team.current?.check()
  try TimeLimit.ofEncoding?.check()
}
