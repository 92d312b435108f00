import Imaging

/// What the search has found becomes a file.
extension RateDistortionSearch {
  /// What the whole takes of the bytes of halves, whose frames are coded once.
  private static let wholeOfHalves = 0.97

  /// Encodes for good: whole passes that refit the palette and correct lambda, then as many as it takes to fit.
  func finish(_ found: Found) throws -> Result {
    let variant = found.variant
    var aim = LambdaAim(start: found.lambda, range: Self.lambdaRange, slopes)
    if isHopeless(found) { return try writer.roughFile(pass(variant, aim.lambda, .whole), variant) }
    for number in 0..<plan.refits {
      let isMeasured = number + 1 < plan.refits
      let outcome = try pass(variant, aim.lambda, isMeasured ? .halves : .whole)
      var streams = writer.expectedBytes(outcome.frames, try writer.look(outcome.frames))
      if isMeasured { streams *= Self.wholeOfHalves }
      variant.palette = outcome.refitted
      aim.move(size: streams + variant.overhead, target: plan.correctedShare * Double(budget))
    }
    var course = LambdaCourse.steady
    // Where whole passes have corrected lambda, a sample knows less.
    if plan.refits == 0 {
      let lowest = max(Self.lambdaRange.lowerBound, aim.lambda / plan.leash)
      let (count, writer) = (variant.rate.shown.count, writer)
      let guide = RateGuide(
        sampled: found.sampled, ratio: found.ratio, count: count,
        target: Double(budget) * plan.aimedShare - variant.overhead, slope: slopes.size,
        range: lowest...max(lowest, min(Self.lambdaRange.upperBound, aim.lambda * plan.leash)))
      course = .guided(guide) { number, frame in
        count > PaletteFileWriter.fewFrames && PaletteFileWriter.tells(number, of: count)
          ? try writer.stream(frame, writer.pressing) : nil
      }
    }
    var best: (file: Result, error: Double)?
    var smallest: Result?
    for round in 0..<Self.corrections {
      let outcome = try pass(variant, aim.lambda, .whole, course)
      aim.take(outcome.lambda)
      course = .factors(outcome.factors)
      var looks = outcome.streams
      if plan.looksFirst {
        // Pressing all frames takes longer than coding them anew: what misses the budget is told from a few.
        if looks.isEmpty { looks = try writer.look(outcome.frames) }
        let expected = writer.expectedBytes(outcome.frames, looks) + variant.overhead
        let misses = expected > writer.pressable * Double(budget) || expected < plan.fullEnough * Double(budget)
        if round < 2, misses, aim.move(size: expected, target: plan.correctedShare * Double(budget)) {
          variant.palette = outcome.refitted
          continue
        }
      }
      let file = try writer.file(outcome, variant, budget: budget, looks)
      if file.bytes.count <= budget, outcome.error < best?.error ?? .infinity { best = (file, outcome.error) }
      if file.bytes.count < smallest?.bytes.count ?? .max { smallest = file }
      let isFull = Double(file.bytes.count) >= plan.fullEnough * Double(budget)
      let isFinest = aim.lambda == Self.lambdaRange.lowerBound
      if best != nil, (isFull || isFinest) && file.bytes.count <= budget || round >= plan.rounds { break }
      let share = round > 1 ? 0.97 : plan.correctedShare
      if !aim.move(size: Double(file.bytes.count), target: share * Double(budget)) { break }
    }
    guard let result = best?.file ?? smallest else { preconditionFailure("a pass makes a file") }
    return result
  }
}
