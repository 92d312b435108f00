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

  /// Palette sizes, steps of a third to a half: finer ones differ by less than a point of SSIMULACRA2.
  static let rungs = [256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4]
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
  /// The size at the final level over that of a quick look; a first guess, then what was seen.
  private var gain = 0.95
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
    var startRung = 0
    for rate in rates.indices where attempts < Self.maximumAttempts {
      guard let found = try largestFitting(rate: rate, from: startRung) else { continue }
      if found.error < best?.error ?? .infinity { best = found }
      startRung = 0
    }
    guard let best else { return try finish(Step(rate: rates.count - 1, rung: Self.rungs.count - 1)) }
    return try settle(best.step)
  }

  /// The most colors at one frame rate that are expected to fit, and the error they leave; nil where none do.
  private mutating func largestFitting(rate: Int, from start: Int) throws -> (step: Step, error: Double)? {
    var (low, high) = (start, Self.rungs.count)
    var found: (step: Step, error: Double)?
    while low < high {
      let middle = (low + high) / 2
      let step = Step(rate: rate, rung: middle)
      let attempt = try attempt(step, quick, limit: Int(Double(budget) / gain) + 1)
      if Double(attempt.size) * gain <= Double(budget), attempt.isComplete {
        found = (step, attempt.error)
        high = middle
      } else {
        low = middle + 1
      }
    }
    return found
  }

  /// Encodes for good, and walks the ladder where the guess was off.
  private mutating func settle(_ start: Step) throws -> Result {
    var step = start
    var result = try finish(step)
    while result.bytes.count > budget, step.rung + 1 < Self.rungs.count {
      step.rung += 1
      result = try finish(step)
    }
    return result
  }

  private mutating func finish(_ step: Step) throws -> Result {
    let attempt = try attempt(step, final, limit: .max)
    let bytes = attempt.sequence.file(size: animation.size, format: attempt.format, playCount: animation.playCount)
    guard case .indexed(let palette) = attempt.format.layout else { preconditionFailure("a palette was asked for") }
    return Result(bytes: bytes, colors: palette.colors.count, frames: attempt.sequence.count)
  }

  private mutating func attempt(_ step: Step, _ plan: StreamPlan, limit: Int) throws -> PaletteAttempt {
    try Task.checkCancellation()
    attempts += 1
    let palette = quantizer.palette(Self.rungs[step.rung], reservesClear: animation.isAnimated)
    return try palettes.attempt(rates[step.rate], palette, plan, limit: limit)
  }
}
