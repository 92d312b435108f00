#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps a pass over all frames on its way to a size: by what frames of a sample took it tells what is still to come.
///
/// A sample starts anew in each run of its frames, and stands for the frames between them, so that the whole may take some
/// percent more or less; that shows in the frames already coded.
struct RateGuide {
  /// Frames, beside the first, that tell how this pass compares with the sample.
  private static let tellingFrames = 4
  /// How far lambda moves from a frame to the next, at most, as a factor: what follows each other should look alike.
  private static let largestStep = 1.06

  /// The bytes that each frame is expected to take, by its tokens; the first is known when it is coded.
  private let expected: [Double]
  /// The bytes that all frames together are to take, by their tokens.
  private let target: Double
  /// How the log of size follows that of lambda.
  private let slope: Double
  /// How far lambda may be led.
  private let range: ClosedRange<Double>
  private var spent = 0.0
  private var told = 0.0
  private var foretold = 0.0

  /// Prepares for a pass over `count` frames; the bytes of sampled frames are given by number.
  init(sampled: [Int: Double], count: Int, target: Double, slope: Double, range: ClosedRange<Double>) {
    (self.target, self.slope, self.range) = (target, slope, range)
    let known = sampled.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    expected = (0..<count).map { frame in
      guard let after = known.first(where: { $0.key >= frame }) else { return known.last?.value ?? 0 }
      guard let before = known.last(where: { $0.key <= frame }), before.key < after.key else { return after.value }
      let way = Double(frame - before.key) / Double(after.key - before.key)
      return before.value + way * (after.value - before.value)
    }
  }

  /// Counts a frame that was coded, and answers the lambda of the next one.
  mutating func lambda(after frame: Int, bytes: Double, now: Double) -> Double {
    spent += bytes
    guard frame > 0 else { return now }
    told += bytes
    foretold += expected[frame]
    let rest = expected[(frame + 1)...].reduce(0, +)
    guard frame >= Self.tellingFrames, told > 0, foretold > 0, rest > 0 else { return now }
    let likely = rest * told / foretold
    let wanted = max(target - spent, likely / 4)
    let next = now * exp(log(wanted / likely) / slope)
    let step = min(max(next, now / Self.largestStep), now * Self.largestStep)
    return min(max(step, range.lowerBound), range.upperBound)
  }
}
