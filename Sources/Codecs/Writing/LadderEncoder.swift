public import Imaging

/// Lossless first; then one shared palette over all frames, on a fixed ladder of colors and frame rates.
public struct LadderEncoder: BudgetEncoder {
  /// How hard to try.
  public var effort: Effort

  /// Makes an encoder.
  public init(effort: Effort = .normal) { self.effort = effort }

  /// See `BudgetEncoder`.
  public func encode(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset {
    precondition(animation.size.area > 0, "a picture has pixels")
    // No file is larger, and sums of it cannot overflow.
    let budget = min(budget, 1 << 40)
    let moments = mergedMoments(animation)
    var report = EncodingReport(
      method: .lossless, colors: nil, sourceFrames: animation.frames.count, keptFrames: moments.count,
      mergedFrames: animation.frames.count - moments.count)
    if let exact = try lossless(animation, moments, budget: budget, &report) { return exact }
    var search = LadderSearch(animation, moments, budget: budget, effort: effort)
    let best = try search.run()
    report.method = .palette
    report.colors = best.colors
    report.keptFrames = best.frames
    report.attempts += search.attempts
    return EncodedAsset(bytes: best.bytes, report: report)
  }

  private func lossless(
    _ animation: SizedAnimation, _ moments: [Moment], budget: Int, _ report: inout EncodingReport
  ) throws -> EncodedAsset? {
    if moments.count == 1 {
      let still = StillEncoder(effort: effort).encode(animation.frames[0].bitmap)
      report.colors = still.report.colors
      return still.bytes.count <= budget ? EncodedAsset(bytes: still.bytes, report: report) : nil
    }
    let exact = LosslessAnimation(animation, moments, effort: effort)
    let (bytes, attempts) = try exact.encode(budget: budget)
    report.attempts = attempts
    guard let bytes, bytes.count <= budget else { return nil }
    report.colors = exact.colors
    return EncodedAsset(bytes: bytes, report: report)
  }
}

/// The search for the best palette file: colors against frame rate, judged by what is seen.
struct LadderSearch {
  /// A finished file.
  struct Result {
    var bytes: [UInt8]
    var colors: Int
    var frames: Int
  }

  /// One step of the ladder: how many frames stay, how many colors.
  private struct Step: Hashable {
    var rate: Int
    var rung: Int
  }

  /// Palette sizes, in steps of about an eighth, so that little of a budget is left over.
  static let rungs = [
    256, 224, 192, 160, 128, 112, 96, 80, 64, 56, 48, 40, 32, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4,
  ]
  /// Where fewer frames are kept, motion must still look like motion.
  static let slowestRate = 8.0
  /// Encodings before the search stops with what it has.
  static let maximumAttempts = 40

  private let animation: SizedAnimation
  private let palettes: PaletteAnimation
  private let quantizer: Quantizer
  private let rates: [[ShownFrame]]
  private let budget: Int
  private let quick: StreamPlan
  private let final: StreamPlan
  /// The final size over the one expected from a quick look, as last seen.
  private var correction = 1.0
  /// Quick looks so far.
  private var looks: [Step: (size: Int, error: Double?)] = [:]
  private var madePalettes: [Int: Palette] = [:]
  private(set) var attempts = 0

  init(_ animation: SizedAnimation, _ moments: [Moment], budget: Int, effort: Effort) {
    self.animation = animation
    self.budget = budget
    palettes = PaletteAnimation(animation: animation, moments: moments)
    let histogram = ColorHistogram()
    for moment in moments { histogram.add(animation.frames[moment.frame].bitmap) }
    quantizer = Quantizer(histogram)
    rates = LadderSearch.rates(moments)
    // Filters predict samples, not indices; only a still's one stream is worth the tries.
    var (quick, final) = (StreamPlan.final(.fast), StreamPlan.final(effort))
    if moments.count > 1 {
      quick.filters = [.none]
      final.filters = [.none]
    }
    self.quick = quick
    self.final = final
  }

  /// Ways to thin the loop: all frames, then 2/3, 1/2, 1/3 and so on, as far as motion allows.
  private static func rates(_ moments: [Moment]) -> [[ShownFrame]] {
    let duration = moments.reduce(0) { $0 + $1.delay.value }
    var counts = [moments.count]
    for (part, whole) in [(2, 3), (1, 2), (1, 3), (1, 4), (1, 6), (1, 8)] {
      let count = (moments.count * part + whole - 1) / whole
      if count < counts[counts.count - 1], Double(count) >= slowestRate * duration { counts.append(count) }
    }
    return counts.map { thinned(moments, to: $0) }
  }

  /// The file that looks best of those that fit, else the smallest.
  mutating func run() throws -> Result {
    var best: (step: Step, error: Double)?
    for rate in rates.indices
    where attempts < Self.maximumAttempts && palettes.holdingError(rates[rate]) < best?.error ?? .infinity {
      if let found = try largestFitting(rate: rate), found.error < best?.error ?? .infinity { best = found }
    }
    return try settle(best?.step ?? Step(rate: rates.count - 1, rung: Self.rungs.count - 1))
  }

  /// The most colors at one frame rate that are expected to fit, and the error they leave; nil where none do.
  private mutating func largestFitting(rate: Int) throws -> (step: Step, error: Double)? {
    var (low, high) = (0, Self.rungs.count)
    var found: (step: Step, error: Double)?
    var guess = Self.rungs.count / 3
    while low < high, attempts < Self.maximumAttempts {
      let step = Step(rate: rate, rung: guess)
      let look = try look(step)
      let expected = expectedSize(step, look: look.size)
      if let error = look.error, expected <= Double(budget) {
        found = (step, error)
        high = guess
      } else {
        low = guess + 1
      }
      guess = Self.nextGuess(after: guess, excess: expected / Double(budget), low..<max(high, low + 1))
    }
    return found
  }

  /// The rung to try next: bytes grow about with the square root of the colors, and a rung is an eighth or so.
  private static func nextGuess(after rung: Int, excess: Double, _ range: Range<Int>) -> Int {
    let wanted = Double(rungs[rung]) / max(excess * excess, 1e-9)
    let near = rungs.firstIndex { Double($0) <= wanted } ?? rungs.count - 1
    return min(max(near, range.lowerBound), range.upperBound - 1)
  }

  /// Encodes for good, and walks the ladder up and down where the guess was off.
  private mutating func settle(_ start: Step) throws -> Result {
    var step = start
    var best = try finish(step)
    if best.bytes.count <= budget {
      while step.rung > 0, attempts < Self.maximumAttempts {
        step.rung -= 1
        if expectedSize(step, look: try look(step).size) > Double(budget) { break }
        let larger = try finish(step)
        if larger.bytes.count > budget { break }
        best = larger
      }
    }
    while best.bytes.count > budget {
      if step.rung + 1 < Self.rungs.count {
        step.rung += 1
      } else if step.rate + 1 < rates.count {
        step.rate += 1
      } else {
        break
      }
      best = try finish(step)
    }
    return best
  }

  /// Level 12 gains 10 % over level 6 on 256 colors and up to 20 % on few (five clips, each frame rate).
  private func expectedSize(_ step: Step, look size: Int) -> Double {
    guard final.finalLevel > quick.finalLevel else { return Double(size) }
    return Double(size) * (0.9 - 0.005 * Double(step.rung)) * correction
  }

  private mutating func look(_ step: Step) throws -> (size: Int, error: Double?) {
    if let known = looks[step] { return known }
    let attempt = try attempt(step, quick, limit: budget + budget / 2)
    let look = (attempt.size, attempt.isComplete ? attempt.error : nil)
    looks[step] = look
    return look
  }

  private mutating func finish(_ step: Step) throws -> Result {
    let attempt = try attempt(step, final, limit: .max)
    let bytes = attempt.sequence.file(size: animation.size, format: attempt.format, playCount: animation.playCount)
    guard case .indexed(let palette) = attempt.format.layout else { preconditionFailure("a palette was asked for") }
    if let look = looks[step], look.error != nil {
      correction *= Double(bytes.count) / expectedSize(step, look: look.size)
    }
    return Result(bytes: bytes, colors: palette.colors.count, frames: attempt.sequence.count)
  }

  private mutating func attempt(_ step: Step, _ plan: StreamPlan, limit: Int) throws -> PaletteAttempt {
    try Task.checkCancellation()
    attempts += 1
    let palette =
      madePalettes[step.rung] ?? quantizer.palette(Self.rungs[step.rung], reservesClear: animation.isAnimated)
    madePalettes[step.rung] = palette
    return try palettes.attempt(rates[step.rate], palette, plan, limit: limit)
  }
}
