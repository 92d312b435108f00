import Synchronization

/// A part of the work of a build.
public enum Stage: String, CaseIterable, Sendable {
  /// Look at what is there: names, sizes, digests, headers, what earlier builds left.
  case look
  /// Read art and masters.
  case read
  /// Look through all frames before the first is made: margins, pixel art, rims.
  case survey
  /// Decode, with color management.
  case decode
  /// Compose and resize, to 8 bits.
  case render
  /// Encode, with the whole search for what fits.
  case encode
  /// Decode what was made, and compare it with the art.
  case verify
  /// Look for what a reader would object to.
  case check
  /// Write the pack and remove what goes.
  case write
  /// Make the page that shows the pack.
  case preview
}

/// How long the stages of a build take, added up over its jobs: jobs side by side count for each.
///
/// A build adds to the one that is `current` in its task, and measures nothing where none is.
public final class StageTimes: Sendable {
  /// The one that is added to.
  @TaskLocal public static var current: StageTimes?

  private let sums = Mutex<[Stage: Duration]>([:])

  /// Makes one without any time.
  public init() {}

  /// The stages that took any time, in the order of the work.
  public var stages: [(stage: Stage, time: Duration)] {
    let sums = sums.withLock { $0 }
    return Stage.allCases.compactMap { stage in sums[stage].map { (stage, $0) } }
  }

  /// Does a part of a stage's work, none of it that of another stage.
  static func measure<Result, Failure: Error>(
    _ stage: Stage, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let current else { return try work() }
    let start = ContinuousClock.now
    defer {
      let time = ContinuousClock.now - start
      current.sums.withLock { $0[stage, default: .zero] += time }
    }
    return try work()
  }
}
