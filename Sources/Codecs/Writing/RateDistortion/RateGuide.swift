#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps a pass over all frames on its way to a size: by what frames of a sample took it tells what is still to come.
///
/// A sample starts anew in each run of its frames, and stands for the frames between them, so that the whole may take some
/// percent more or less; that shows in the frames already coded, and how small they become in those already compressed.
struct RateGuide {
  /// Frames, beside the first, that tell how this pass compares with the sample.
  private static let tellingFrames = 4
  /// How far lambda moves from a frame to the next, at most, as a factor: what follows each other should look alike.
  private static let largestStep = 1.06
  /// Compressed frames, beside the first, after which what the sample said of them no longer counts.
  private static let tellingStreams = 3

  /// The bytes that each frame is expected to take, by its tokens; the first is known when it is coded.
  private let expected: [Double]
  /// The bytes that all streams together are to take.
  private let target: Double
  /// How the log of size follows that of lambda.
  private let slope: Double
  /// How far lambda may be led.
  private let range: ClosedRange<Double>
  /// The bytes of the first stream, and those of the frames after it by their tokens.
  private var (first, spent) = (0.0, 0.0)
  /// What these frames would have taken at a lambda of 1, and the bytes that were expected of them.
  private var (told, foretold) = (0.0, 0.0)
  /// The bytes of streams over those of their tokens, by the sample.
  private let sampledRatio: Double
  /// The bytes of later streams that were compressed, the bytes of their tokens, and how many they are.
  private var (written, tokens, streams) = (0.0, 0.0, 0)

  /// Prepares for a pass over `count` frames; the bytes of sampled frames are given by number, and the bytes of streams
  /// over those of their tokens.
  init(
    sampled: [Int: Double], ratio: Double, count: Int, target: Double, slope: Double, range: ClosedRange<Double>
  ) {
    (self.target, self.slope, self.range) = (target, slope, range)
    let known = sampled.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    expected = (0..<count).map { frame in
      guard let after = known.first(where: { $0.key >= frame }) else { return known.last?.value ?? 0 }
      guard let before = known.last(where: { $0.key <= frame }), before.key < after.key else { return after.value }
      let way = Double(frame - before.key) / Double(after.key - before.key)
      return before.value + way * (after.value - before.value)
    }
    sampledRatio = ratio
  }

  /// The bytes of streams over those of their tokens, the sample trusted less with each one compressed.
  private var ratio: Double {
    guard tokens > 0 else { return sampledRatio }
    let trust = max(0, 1 - Double(streams) / Double(Self.tellingStreams))
    return trust * sampledRatio + (1 - trust) * written / tokens
  }

  /// Counts a frame that was coded at the lambda of `now`, with the bytes of its stream where it was compressed, and
  /// answers the lambda of the next one.
  mutating func lambda(after frame: Int, bytes: Double, written stream: Int? = nil, now: Double) -> Double {
    if frame == 0 {
      first = stream.map(Double.init) ?? bytes * ratio
      return now
    }
    if let stream { (written, tokens, streams) = (written + Double(stream), tokens + bytes, streams + 1) }
    spent += bytes
    told += bytes * exp(-log(now) * slope)
    foretold += expected[frame]
    let rest = expected[(frame + 1)...].reduce(0, +)
    guard frame >= Self.tellingFrames, told > 0, foretold > 0, rest > 0 else { return now }
    let likely = rest * told / foretold * exp(log(now) * slope)
    let wanted = max((target - first) / ratio - spent, likely / 4)
    let next = now * exp(log(wanted / likely) / slope)
    let step = min(max(next, now / Self.largestStep), now * Self.largestStep)
    return min(max(step, range.lowerBound), range.upperBound)
  }
}
