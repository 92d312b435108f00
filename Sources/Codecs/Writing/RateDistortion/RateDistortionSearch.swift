import Imaging

/// The search for the palette file that looks best within a budget.
final class RateDistortionSearch {
  /// A finished file.
  struct Result {
    var bytes: [UInt8]
    var colors: Int
    var frames: Int
  }

  /// No search takes more passes: seven frame rates, four palettes and the last resorts, and six candidates whole.
  static let maximumPasses = 7 * (4 + 5) * 3 + 3 * 3 + 6 * (3 + corrections)
  /// Where fewer frames are kept, motion must still look like motion.
  static let slowestRate = 8.0
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
  private static let corrections = 8
  private static let startLambda = 1.0
  /// Below, nothing more is gained than the palette allows; above, so little of the picture is left that it is better
  /// refused.
  private static let lambdaRange = 0.02...64.0
  /// Candidates that are coded whole before the search gives up.
  private static let promises = 3
  /// From here on fewer frames may look better than more error.
  private static let thinningLambda = 8.0

  private let animation: SizedAnimation
  private let moments: [Moment]
  private let budget: Int
  private let plan: SearchPlan
  private let quantizer: Quantizer
  /// The bytes of a stream over those that its tokens take: libdeflate finds copies that the trellis does not.
  private var ratio = 0.9
  /// How size and error follow lambda.
  private var slopes = LambdaAim.Slopes()
  private(set) var passes = 0

  init(_ animation: SizedAnimation, _ moments: [Moment], budget: Int, effort: Effort) {
    self.animation = animation
    self.moments = moments
    self.budget = budget
    plan = SearchPlan(effort)
    let histogram = ColorHistogram()
    for moment in moments { histogram.add(animation.frames[moment.frame].bitmap) }
    quantizer = Quantizer(histogram)
  }

  /// A palette at a frame rate, with the lambda that makes it fit.
  private struct Found {
    var variant: PaletteVariant
    var lambda: Double
    var error: Double
    /// The bytes expected at that lambda.
    var bytes: Double
    var fits: Bool

    /// The error as it is seen: 128 colors look a little better than their error says, steps of very few show more
    /// than what is lost to copies.
    var seenError: Double {
      let colors = variant.palette.colors.count
      return error * (colors > 128 ? 1 : colors > 64 ? 0.95 : 1.15)
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
      let result = try finish(found)
      if result.bytes.count < smallest?.bytes.count ?? .max { smallest = result }
      return result.bytes.count <= budget
    }
    // What a sample promises the whole may not keep; then the next best is tried, at last what needs the fewest bytes.
    for found in try candidates().prefix(Self.promises) where try isDone(found) { return smallest! }
    let slowest = FrameRate(rates()[rates().count - 1], animation, moments)
    for size in Self.lastResorts.suffix(3)
    where try isDone(settle(slowest, size, from: Self.hopelessLambda, givesUp: false)) { return smallest! }
    guard let smallest else { preconditionFailure("there is a rate and a palette") }
    return smallest
  }

  /// Palettes and frame rates, the best first: those that are expected to fit by what is seen, the others by size.
  private func candidates() throws -> [Found] {
    var all: [Found] = []
    var best: Found?
    let rates = rates()
    for (number, shown) in rates.enumerated() {
      let rate = FrameRate(shown, animation, moments)
      let isSlowest = number + 1 == rates.count
      if let best, best.fits, rate.holdingError >= best.error { continue }
      var ofRate: Found?
      for size in paletteSizes + Self.lastResorts {
        if let ofRate, !isWorthTrying(size, after: ofRate) || !ofRate.fits && !isSlowest { break }
        let start = ofRate?.lambda ?? best.map { min($0.lambda, Self.hopelessLambda / 2) } ?? Self.startLambda
        let found = try settle(rate, size, from: start, givesUp: !isSlowest)
        all.append(found)
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
    paletteSizes.contains(size) ? found.lambda > Self.fineLambda : found.lambda > Self.coarseLambda
  }

  /// The palette sizes to compare: none whose list of colors takes a large part of the budget.
  private var paletteSizes: [Int] {
    let affordable = plan.paletteSizes.filter { $0 * 3 < budget / 8 }
    return affordable.isEmpty ? [32] : affordable
  }

  /// Ways to thin the loop: all frames, then 2/3, 1/2, 1/3 and so on, as far as motion allows.
  private func rates() -> [[ShownFrame]] {
    let duration = moments.reduce(0) { $0 + $1.delay.value }
    var counts = [moments.count]
    for (part, whole) in [(2, 3), (1, 2), (1, 3), (1, 4), (1, 6), (1, 8)] {
      let count = (moments.count * part + whole - 1) / whole
      if count > 1, count < counts[counts.count - 1], Double(count) >= Self.slowestRate * duration {
        counts.append(count)
      }
    }
    return counts.map { thinned(moments, to: $0) }
  }

  /// Finds the lambda at which a palette is expected to fit, from passes over some of the frames; stops where that
  /// looks hopeless and it may give up.
  private func settle(_ rate: FrameRate, _ size: Int, from start: Double, givesUp: Bool) throws -> Found {
    let palette = quantizer.palette(size, reservesClear: true)
    let variant = PaletteVariant(rate, palette)
    var aim = LambdaAim(start: start, range: Self.lambdaRange, slopes)
    var outcome = try pass(variant, aim.lambda, sampled: true)
    if passes == 1 { try measureRatio(outcome.frames, palette) }
    for _ in 1..<plan.quickPasses {
      let expected = outcome.tokenBytes * ratio + variant.overhead
      if abs(expected / Double(budget) - 0.98) < Self.closeEnough { break }
      if !aim.move(size: expected, target: Double(budget) * 0.98, error: outcome.error) { break }
      if givesUp, aim.lambda > Self.hopelessLambda { break }
      outcome = try pass(variant, aim.lambda, sampled: true)
    }
    let expected = outcome.tokenBytes * ratio + variant.overhead
    aim.move(size: expected, target: Double(budget) * plan.aimedShare, error: outcome.error)
    slopes = aim.slopes
    variant.rest()
    let limit = givesUp ? Self.hopelessLambda : Self.lambdaRange.upperBound
    let fits = aim.lambda < limit || expected <= Double(budget)
    return Found(
      variant: variant, lambda: aim.lambda, error: aim.expectedError + rate.holdingError, bytes: expected, fits: fits)
  }

  /// Learns how much smaller than its tokens libdeflate makes a stream.
  private func measureRatio(_ frames: [CodedFrame], _ palette: Palette) throws {
    let written = try frames.reduce(0) { $0 + (try stream($1, palette).count) }
    let tokens = frames.reduce(0) { $0 + $1.symbols.estimatedBytes }
    if tokens > 0 { ratio = Double(written) / tokens }
  }

  /// The bytes of the streams of all frames, from the first and every sixth.
  private func expectedBytes(_ frames: [CodedFrame], _ palette: Palette) throws -> Double {
    let first = try stream(frames[0], palette).count
    var (written, tokens, all) = (0.0, 0.0, 0.0)
    for (number, frame) in frames.enumerated().dropFirst() {
      let bytes = frame.symbols.estimatedBytes
      all += bytes
      if number % 6 != 3 && frames.count > 8 { continue }
      written += Double(try stream(frame, palette).count)
      tokens += bytes
    }
    return Double(first) + (tokens > 0 ? written / tokens * all : 0)
  }

  /// Encodes for good: whole passes that refit the palette and correct lambda, then as many as it takes to fit.
  private func finish(_ found: Found) throws -> Result {
    let variant = found.variant
    var aim = LambdaAim(start: found.lambda, range: Self.lambdaRange, slopes)
    for _ in 0..<plan.refits {
      let outcome = try pass(variant, aim.lambda, sampled: false)
      let streams = try expectedBytes(outcome.frames, variant.palette)
      ratio = streams / outcome.tokenBytes
      variant.palette = outcome.refitted
      aim.move(size: streams + variant.overhead, target: plan.aimedShare * Double(budget))
    }
    var best: Result?
    var smallest: Result?
    for round in 0..<Self.corrections {
      let outcome = try pass(variant, aim.lambda, sampled: false)
      let expected = outcome.tokenBytes * ratio + variant.overhead
      if plan.refits > 0, round < 2, expected > 1.004 * Double(budget) {
        aim.move(size: expected, target: plan.aimedShare * Double(budget))
        continue
      }
      var file = try file(outcome, variant, level: plan.level)
      if let level = plan.lastLevel, file.bytes.count > budget, Double(file.bytes.count) < 1.012 * Double(budget) {
        file = try self.file(outcome, variant, level: level)
      }
      if file.bytes.count <= budget, file.bytes.count > best?.bytes.count ?? 0 { best = file }
      if file.bytes.count < smallest?.bytes.count ?? .max { smallest = file }
      let isFull = Double(file.bytes.count) >= plan.fullEnough * Double(budget)
      if best != nil, isFull && file.bytes.count <= budget || round > 0 { break }
      let target = round > 1 ? 0.97 : plan.aimedShare
      if !aim.move(size: Double(file.bytes.count), target: target * Double(budget)) { break }
    }
    guard let result = best ?? smallest else { preconditionFailure("a pass makes a file") }
    return result
  }

  private func pass(_ variant: PaletteVariant, _ lambda: Double, sampled: Bool) throws -> PassOutcome {
    passes += 1
    return try variant.pass(Float(lambda), sampled: sampled, plan.settings)
  }

  /// Compresses a frame, at the level of the plan unless told otherwise.
  private func stream(_ frame: CodedFrame, _ palette: Palette, level: Int? = nil) throws -> [UInt8] {
    try checkEncoding()
    let format = PixelFormat(palette: palette)
    let rows = format.pack(frame.indices, width: frame.rect.width, height: frame.rect.height)
    return Deflater(level: level ?? plan.level).zlib(rows.filtered(.none))
  }

  private func file(_ outcome: PassOutcome, _ variant: PaletteVariant, level: Int) throws -> Result {
    let palette = outcome.refitted
    let format = PixelFormat(palette: palette)
    var sequence = FrameSequence()
    for (number, frame) in outcome.frames.enumerated() {
      let corner = format.pack([outcome.corners[number]], width: 1, height: 1)
      let delay = variant.rate.shown[number].delay
      sequence.append(frame.rect, frame.blend, try stream(frame, palette, level: level), delay: delay, corner: corner)
    }
    let bytes = sequence.file(size: animation.size, format: format, playCount: animation.playCount)
    return Result(bytes: bytes, colors: palette.colors.count, frames: sequence.count)
  }
}
