import Imaging

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What an effort stands for in the search.
struct SearchPlan {
  /// libdeflate's level of what is written.
  var level: Int
  /// Palette sizes that are compared, the usual best first.
  var paletteSizes: [Int]
  /// Quick passes to find lambda for each palette.
  var quickPasses: Int
  /// Whole passes at most; each but the last refits the palette and corrects lambda.
  var wholePasses: Int
  /// A whole pass that uses this share of the budget ends the search.
  var fullEnough: Double

  init(_ effort: Effort) {
    switch effort {
    case .fast:
      self.init(level: 8, paletteSizes: [128], quickPasses: 2, wholePasses: 2, fullEnough: 0.9)
    case .normal:
      self.init(level: 11, paletteSizes: [256, 128], quickPasses: 3, wholePasses: 4, fullEnough: 0.965)
    case .max:
      self.init(level: 12, paletteSizes: [256, 192, 128, 64], quickPasses: 3, wholePasses: 6, fullEnough: 0.99)
    }
  }

  private init(level: Int, paletteSizes: [Int], quickPasses: Int, wholePasses: Int, fullEnough: Double) {
    self.level = level
    self.paletteSizes = paletteSizes
    self.quickPasses = quickPasses
    self.wholePasses = wholePasses
    self.fullEnough = fullEnough
  }
}

/// The search for the palette file that looks best within a budget.
final class RateDistortionSearch {
  /// A finished file.
  struct Result {
    var bytes: [UInt8]
    var colors: Int
    var frames: Int
  }

  /// No search takes more passes: seven frame rates, four palettes and the last resorts, and six candidates whole.
  static let maximumPasses = 7 * (4 + 5) * 3 + 3 * 3 + 6 * 12
  /// Where fewer frames are kept, motion must still look like motion.
  static let slowestRate = 8.0
  /// Palette sizes for small budgets.
  private static let lastResorts = [64, 32, 16, 8, 4]
  /// From here on fewer colors may look better than more error.
  private static let coarseLambda = 4.0
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

    func isBetter(than other: Found?) -> Bool {
      guard let other else { return true }
      if fits != other.fits { return fits }
      return fits ? error < other.error : bytes < other.bytes
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
    for size in Self.lastResorts.suffix(3) where try isDone(settle(slowest, size)) { return smallest! }
    guard let smallest else { preconditionFailure("there is a rate and a palette") }
    return smallest
  }

  /// Palettes and frame rates, the best first: those that are expected to fit by what is seen, the others by size.
  private func candidates() throws -> [Found] {
    var all: [Found] = []
    var best: Found?
    func consider(_ rate: FrameRate, _ size: Int) throws {
      let found = try settle(rate, size)
      all.append(found)
      if found.isBetter(than: best) { best = found }
    }
    for shown in rates() {
      let rate = FrameRate(shown, animation, moments)
      if let best, best.fits, rate.holdingError >= best.error { continue }
      for size in paletteSizes { try consider(rate, size) }
      for size in Self.lastResorts where best.map({ !$0.fits || $0.lambda > Self.coarseLambda }) ?? true {
        let before = best?.error
        try consider(rate, size)
        if best?.fits == true, best?.error == before { break }
      }
      rate.rest()
      if let best, best.fits, best.lambda < Self.thinningLambda { break }
    }
    return all.enumerated().sorted { a, b in
      if a.element.isBetter(than: b.element) { return true }
      return !b.element.isBetter(than: a.element) && a.offset < b.offset
    }.map(\.element)
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

  /// Finds the lambda at which a palette is expected to fit, from passes over some of the frames.
  private func settle(_ rate: FrameRate, _ size: Int) throws -> Found {
    let palette = quantizer.palette(size, reservesClear: true)
    let variant = PaletteVariant(rate, palette)
    var aim = LambdaAim(start: Self.startLambda, range: Self.lambdaRange)
    var outcome = try pass(variant, aim.lambda, sampled: true)
    for _ in 1..<plan.quickPasses {
      let expected = outcome.tokenBytes * ratio + variant.overhead
      if abs(expected / Double(budget) - 0.98) < 0.02 { break }
      if !aim.move(size: expected, target: Double(budget) * 0.98) { break }
      outcome = try pass(variant, aim.lambda, sampled: true)
    }
    let sampled = try outcome.frames.reduce(0) { $0 + (try stream($1, variant.palette).count) }
    let tokens = outcome.frames.reduce(0) { $0 + $1.symbols.estimatedBytes }
    if tokens > 0 { ratio = Double(sampled) / tokens }
    let expected = outcome.tokenBytes * ratio + variant.overhead
    aim.move(size: expected, target: Double(budget) * 0.985)
    variant.rest()
    let fits = aim.lambda < Self.lambdaRange.upperBound || expected <= Double(budget)
    return Found(
      variant: variant, lambda: aim.lambda, error: outcome.error + rate.holdingError, bytes: expected, fits: fits)
  }

  /// Encodes for good, correcting lambda by what each whole pass came to.
  private func finish(_ found: Found) throws -> Result {
    let variant = found.variant
    var aim = LambdaAim(start: found.lambda, range: Self.lambdaRange)
    var best: Result?
    var smallest: Result?
    // A file that is too large is corrected more often than one that could be larger.
    for round in 0..<plan.wholePasses + 6 {
      let outcome = try pass(variant, aim.lambda, sampled: false)
      let file = try file(outcome, variant)
      if file.bytes.count <= budget, file.bytes.count > best?.bytes.count ?? 0 { best = file }
      if file.bytes.count < smallest?.bytes.count ?? .max { smallest = file }
      let isFull = Double(file.bytes.count) >= plan.fullEnough * Double(budget)
      if best != nil, isFull && file.bytes.count <= budget || round + 1 >= plan.wholePasses { break }
      let target = best == nil && round > 1 ? 0.97 : 0.99
      if !aim.move(size: Double(file.bytes.count), target: target * Double(budget)) { break }
      if round < 2 { variant.palette = outcome.refitted }
    }
    guard let result = best ?? smallest else { preconditionFailure("a pass makes a file") }
    return result
  }

  private func pass(_ variant: PaletteVariant, _ lambda: Double, sampled: Bool) throws -> PassOutcome {
    passes += 1
    return try variant.pass(Float(lambda), sampled: sampled)
  }

  private func stream(_ frame: CodedFrame, _ palette: Palette) throws -> [UInt8] {
    try checkEncoding()
    let format = PixelFormat(palette: palette)
    let rows = format.pack(frame.indices, width: frame.rect.width, height: frame.rect.height)
    return Deflater(level: plan.level).zlib(rows.filtered(.none))
  }

  private func file(_ outcome: PassOutcome, _ variant: PaletteVariant) throws -> Result {
    let palette = outcome.refitted
    let format = PixelFormat(palette: palette)
    var sequence = FrameSequence()
    for (number, frame) in outcome.frames.enumerated() {
      let corner = format.pack([outcome.corners[number]], width: 1, height: 1)
      let delay = variant.rate.shown[number].delay
      sequence.append(frame.rect, frame.blend, try stream(frame, palette), delay: delay, corner: corner)
    }
    let bytes = sequence.file(size: animation.size, format: format, playCount: animation.playCount)
    return Result(bytes: bytes, colors: palette.colors.count, frames: sequence.count)
  }
}

/// Steers lambda towards a size: log of size against log of lambda is close to a line.
private struct LambdaAim {
  private(set) var lambda: Double
  private let range: ClosedRange<Double>
  private var last: (lambda: Double, size: Double)?
  private var slope = -0.33

  init(start: Double, range: ClosedRange<Double>) {
    lambda = min(max(start, range.lowerBound), range.upperBound)
    self.range = range
  }

  /// Moves lambda after a size was seen; false where there is nowhere to go.
  @discardableResult
  mutating func move(size: Double, target: Double) -> Bool {
    if let last, abs(log(lambda / last.lambda)) > 0.02 {
      slope = min(max(log(size / last.size) / log(lambda / last.lambda), -0.9), -0.12)
    }
    last = (lambda, size)
    let step = min(max(log(target / size) / slope, -2.5), 2.5)
    let next = min(max(lambda * exp(step), range.lowerBound), range.upperBound)
    if next == lambda { return false }
    lambda = next
    return true
  }
}
