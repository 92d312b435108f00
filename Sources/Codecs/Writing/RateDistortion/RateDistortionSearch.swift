import Imaging

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The search for the palette file that looks best within a budget.
final class RateDistortionSearch {
  /// A finished file.
  struct Result {
    var bytes: [UInt8]
    var colors: Int
    var frames: Int
  }

  /// No search takes more passes: seven frame rates, four palettes and the last resorts, and six candidates whole.
  static let maximumPasses = 7 * (4 + 5) * 4 + 3 * 4 + 6 * (3 + corrections)
  /// Where fewer frames are kept, motion must still look like motion.
  static let slowestRate = 8.0
  /// What a sample expects to pass the budget by this factor will not fit.
  private static let hopelessExcess = 1.3
  /// No size falls more steeply with lambda, as powers of both.
  private static let steepestSlope = -0.7
  /// Palette sizes for small budgets.
  private static let lastResorts = [64, 32, 16, 8, 4]
  /// Below, fewer colors than the most never look better.
  private static let fineLambda = 0.5
  /// From here on few colors may look better than more error.
  private static let coarseLambda = 4.0
  /// Where more than this is needed, a slower rate looks better.
  private static let hopelessLambda = 24.0
  /// A size this near to the one wanted, as a share of the budget, says enough about lambda and error.
  private static let closeEnough = 0.06
  /// Whole passes until a file fits, at most.
  static let corrections = 8
  /// Below, nothing more is gained than the palette allows; above, so little of the picture is left that it is better
  /// refused.
  static let lambdaRange = 0.02...64.0
  /// Candidates that are coded whole before the search gives up.
  private static let promises = 3
  /// From here on fewer frames may look better than more error.
  private static let thinningLambda = 10.0

  private let animation: SizedAnimation
  private let moments: [Moment]
  let budget: Int
  let plan: SearchPlan
  let writer: PaletteFileWriter
  private let quantizer: Quantizer
  /// The bytes of a stream over those that its tokens take: pressing finds copies that the trellis does not, and blocks
  /// have codes of their own.
  private var ratio = 0.9
  /// How size and error follow lambda.
  var slopes = LambdaAim.Slopes()
  /// How far each moment is from the one before it; empty until frames are to be left out.
  private var steps: [Double] = []
  private(set) var passes = 0

  /// Frames whose colors stand for all, more or less.
  private static let countedFrames = 128

  init(_ animation: SizedAnimation, _ moments: [Moment], budget: Int, effort: Effort) throws {
    self.animation = animation
    self.moments = moments
    self.budget = budget
    plan = SearchPlan(effort)
    writer = PaletteFileWriter(animation: animation, pressing: plan.pressing)
    let histogram = ColorHistogram()
    for moment in evenly(moments, Self.countedFrames) {
      try checkEncoding()
      histogram.add(animation.frames[moment.frame].bitmap)
    }
    quantizer = Quantizer(histogram)
  }

  /// A palette at a frame rate, with the lambda that makes it fit.
  struct Found {
    var variant: PaletteVariant
    var lambda: Double
    var error: Double
    /// The bytes of the last pass, at a lambda on the way to that one.
    var bytes: Double
    /// The bytes that the greatest lambda may leave, at the least.
    var leastBytes: Double
    var fits: Bool
    /// The bytes of a stream over those of its tokens.
    var ratio: Double
    /// The bytes of sampled frames by their tokens, by number.
    var sampled: [Int: Double]

    /// The error as it is seen: 128 colors look a little better than their error says, steps of very few show more
    /// than what is lost to copies.
    var seenError: Double { Self.seen(error, colors: variant.palette.colors.count) }

    static func seen(_ error: Double, colors: Int) -> Double {
      error * (colors > 128 ? 1 : colors > 64 ? 0.95 : 1.15)
    }

    func isBetter(than other: Found?) -> Bool {
      guard let other else { return true }
      if fits != other.fits { return fits }
      return fits ? seenError < other.seenError : bytes < other.bytes
    }
  }

  /// The file that looks best of those that fit, else the smallest.
  func run() throws -> Result {
    var smallest: Result?
    func isDone(_ found: Found) throws -> Bool {
      // What was made ready for one is not kept beside the next.
      defer {
        found.variant.rest()
        found.variant.rate.rest()
      }
      let result = try finish(found)
      if result.bytes.count < smallest?.bytes.count ?? .max { smallest = result }
      return result.bytes.count <= budget
    }
    // What a sample promises the whole may not keep; then the next best is tried, at last what needs the fewest bytes.
    for found in try candidates().prefix(Self.promises) where !isHopeless(found) {
      if try isDone(found) { return smallest! }
    }
    let slowest = try rate(rates()[rates().count - 1])
    for size in Self.lastResorts.suffix(3) {
      let found = try settle(slowest, size, from: Self.hopelessLambda, givesUp: false)
      if isHopeless(found), smallest != nil || size != Self.lastResorts.last { continue }
      if try isDone(found) { return smallest! }
    }
    guard let smallest else { preconditionFailure("there is a rate and a palette") }
    return smallest
  }

  /// Whether so much is too much that no pass over all frames need tell.
  func isHopeless(_ found: Found) -> Bool { found.leastBytes > Self.hopelessExcess * Double(budget) }

  /// Palettes and frame rates, the best first: those that are expected to fit by what is seen, the others by size.
  private func candidates() throws -> [Found] {
    var all: [Found] = []
    var best: Found?
    // The bytes of a frame that no lambda gets below, where that is known; of fewer frames each takes more.
    var leastFrame = 0.0
    let rates = rates()
    for (number, count) in rates.enumerated() {
      let rate = try rate(count)
      let isSlowest = number + 1 == rates.count
      if let best, best.fits, rate.holdingError >= best.error { continue }
      if !isSlowest, leastFrame * Double(count) > Double(budget) { continue }
      var ofRate: Found?
      for size in paletteSizes + Self.lastResorts {
        if let ofRate, !isWorthTrying(size, after: ofRate) || !ofRate.fits && !isSlowest { break }
        let start = ofRate?.lambda ?? best.map { min($0.lambda, Self.hopelessLambda / 2) } ?? plan.startLambda
        let found = try settle(rate, size, from: start, givesUp: !isSlowest, toBeat: best)
        all.append(found)
        if !found.fits { leastFrame = max(leastFrame, found.leastBytes / Double(count)) }
        if found.isBetter(than: best) { best = found }
        let isWorse = ofRate.map { !found.isBetter(than: $0) } ?? false
        if found.isBetter(than: ofRate) { ofRate = found }
        if isWorse && (size <= Self.lastResorts[0] || plan.paletteSizes.count < 3) { break }
      }
      rate.rest()
      if let best, best.fits, best.lambda < Self.thinningLambda { break }
    }
    return all.enumerated().sorted { a, b in
      if a.element.isBetter(than: b.element) { return true }
      return !b.element.isBetter(than: a.element) && a.offset < b.offset
    }.map(\.element)
  }

  /// Whether a smaller palette may look better than what was found for a larger one.
  private func isWorthTrying(_ size: Int, after found: Found) -> Bool {
    paletteSizes.contains(size)
      ? found.lambda > Self.fineLambda
      : found.lambda > Self.coarseLambda && (plan.paletteSizes.count > 1 || !found.fits)
  }

  /// The palette sizes to compare: none whose list of colors takes a large part of the budget.
  private var paletteSizes: [Int] {
    let affordable = plan.paletteSizes.filter { $0 * 3 < budget / 8 }
    return affordable.isEmpty ? [32] : affordable
  }

  /// Ways to thin the loop: all frames, then 2/3, 1/2, 1/3 and so on, as far as motion allows.
  private func rates() -> [Int] {
    let duration = moments.reduce(0) { $0 + $1.delay.value }
    var counts = [moments.count]
    for (part, whole) in [(2, 3), (1, 2), (1, 3), (1, 4), (1, 6), (1, 8)] {
      let count = (moments.count * part + whole - 1) / whole
      if count > 1, count < counts[counts.count - 1], Double(count) >= Self.slowestRate * duration {
        counts.append(count)
      }
    }
    return counts
  }

  /// The frames to show at a rate.
  private func rate(_ count: Int) throws -> FrameRate {
    if count < moments.count, steps.isEmpty { steps = try measureSteps() }
    return try FrameRate(thinned(moments, to: count, steps: count < moments.count ? steps : []), animation, moments)
  }

  /// How far each moment is from the one before it: by the root of the error, as small errors are seen sooner.
  private func measureSteps() throws -> [Double] {
    try moments.indices.map { number in
      try checkEncoding()
      if number == 0 { return 0 }
      let (before, after) = (moments[number - 1].frame, moments[number].frame)
      return meanSquaredError(animation.frames[before].bitmap, animation.frames[after].bitmap).squareRoot()
    }
  }

  /// Finds the lambda at which a palette is expected to fit, from passes over some of the frames; stops where that
  /// looks hopeless and it may give up.
  private func settle(
    _ rate: FrameRate, _ size: Int, from start: Double, givesUp: Bool, toBeat rival: Found? = nil
  ) throws -> Found {
    let palette = quantizer.palette(size, reservesClear: true)
    let variant = PaletteVariant(rate, palette)
    var aim = LambdaAim(start: start, range: Self.lambdaRange, slopes)
    var last = aim.lambda
    var outcome = try pass(variant, last, .sample)
    if passes == 1 { try measureRatio(outcome.frames) }
    for _ in 1..<plan.quickPasses {
      let expected = outcome.tokenBytes * ratio + variant.overhead
      if abs(expected / Double(budget) - 0.98) < Self.closeEnough { break }
      // The error only grows on the way to fewer bytes.
      let seen = Found.seen(outcome.error + rate.holdingError, colors: palette.colors.count)
      if expected > Double(budget), let rival, rival.fits, seen > rival.seenError { break }
      if !aim.move(size: expected, target: Double(budget) * 0.98, error: outcome.error) { break }
      if givesUp, aim.lambda > Self.hopelessLambda { break }
      last = aim.lambda
      outcome = try pass(variant, last, .sample)
    }
    // It falls as lambda rises; what was measured far from here would be off by some percent.
    if passes > 1 { try measureRatio(outcome.frames) }
    var expected = outcome.tokenBytes * ratio + variant.overhead
    let (target, coarsest) = (Double(budget) * plan.aimedShare, Self.lambdaRange.upperBound)
    aim.move(size: expected, target: target, error: outcome.error)
    if !givesUp, aim.lambda == coarsest, last < coarsest {
      // Whether it can fit at all is worth knowing before all frames are coded.
      outcome = try pass(variant, coarsest, .sample)
      expected = outcome.tokenBytes * ratio + variant.overhead
      last = coarsest
      aim.move(size: expected, target: target, error: outcome.error)
    }
    slopes = aim.slopes
    variant.palette = outcome.refitted
    variant.rest()
    let leastBytes = expected * min(1, exp(log(Self.lambdaRange.upperBound / last) * Self.steepestSlope))
    let limit = givesUp ? Self.hopelessLambda : Self.lambdaRange.upperBound
    let fits = aim.lambda < limit || expected <= Double(budget)
    return Found(
      variant: variant, lambda: aim.lambda, error: aim.expectedError + rate.holdingError, bytes: expected,
      leastBytes: leastBytes, fits: fits, ratio: ratio, sampled: outcome.bytesByFrame)
  }

  /// Learns how much smaller than its tokens a stream is.
  private func measureRatio(_ frames: [CodedFrame]) throws {
    let written = try writer.expectedSizes(frames).reduce(0, +)
    let tokens = frames.reduce(0) { $0 + $1.symbols.estimatedBytes }
    if tokens > 0 { ratio = written / tokens }
  }

  func pass(
    _ variant: PaletteVariant, _ lambda: Double, _ extent: PassExtent, _ course: LambdaCourse = .steady
  ) throws -> PassOutcome {
    passes += 1
    return try variant.pass(Float(lambda), extent, plan.settings(extent), course: course)
  }
}
