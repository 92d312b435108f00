public import Imaging

/// Writes no palette: exact truecolor differences where they fit, else what a palette left of the art, in truecolor.
///
/// Colors are chosen by `RateDistortionEncoder`, within a smaller budget: it is moved until the same pixels fit in truecolor.
public struct TruecolorEncoder: BudgetEncoder {
  /// How hard to try.
  public var effort: Effort
  /// How long the work on the source may take that has begun with reading it; nil for ever.
  public var time: TimeLimit?

  /// Makes an encoder.
  public init(effort: Effort = .normal, time: TimeLimit? = nil) {
    self.effort = effort
    self.time = time
  }

  /// The part of a truecolor file that the same pixels take with a palette: 0.6 to 0.7 on shaded and filmed clips.
  private static let firstShare = 0.62
  private static let rounds = 8
  /// A file that uses this part of the budget ends the search.
  private static let fullEnough = 0.94

  /// See `BudgetEncoder`; throws `DecodeError.overLimit` where the time is up.
  public func encode(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset {
    try TimeLimit.$ofEncoding.withValue(time) { try search(animation, budget: budget) }
  }

  /// The bytes that the same pixels take without a palette, whatever the budget.
  ///
  /// Throws `DecodeError.overLimit` where the time is up.
  public func exactSize(of animation: SizedAnimation) throws -> Int {
    try TimeLimit.$ofEncoding.withValue(time) {
      guard let file = try exact(animation, limit: .max, plan: .final(effort)) else {
        preconditionFailure("no file passes such a budget")
      }
      return file.bytes.count
    }
  }

  private func search(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset {
    let budget = min(budget, 1 << 40)
    if let exact = try exact(animation, limit: budget, plan: .final(effort)) {
      let merged = animation.frames.count - exact.frames
      let report = EncodingReport(
        method: .lossless, colors: exact.colors, sourceFrames: animation.frames.count, keptFrames: exact.frames,
        mergedFrames: merged)
      if exact.bytes.count <= budget { return EncodedAsset(bytes: exact.bytes, report: report) }
    }
    return try reduced(animation, budget: budget)
  }

  private func reduced(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset {
    var share = TruecolorEncoder.firstShare
    var best: EncodedAsset?
    var smallest: EncodedAsset?
    var attempts = 0
    for round in 0..<TruecolorEncoder.rounds {
      let indexed = try RateDistortionEncoder(effort: effort, time: time).encode(
        animation, budget: Int(Double(budget) * share))
      attempts += indexed.report.attempts
      guard let shown = try? SizedAnimation(decoding: indexed.bytes),
        let file = try exact(shown, limit: .max, plan: plan)
      else { preconditionFailure("a written file can be read") }
      var asset = EncodedAsset(bytes: file.bytes, report: indexed.report)
      asset.report.method = .palette
      asset.report.attempts = attempts
      if asset.bytes.count < smallest?.bytes.count ?? .max { smallest = asset }
      if asset.bytes.count <= budget, asset.bytes.count > best?.bytes.count ?? 0 { best = asset }
      let use = Double(asset.bytes.count) / Double(budget)
      if best != nil, use <= 1, use >= TruecolorEncoder.fullEnough { break }
      // What no longer fits its own budget will not get smaller.
      if indexed.bytes.count > Int(Double(budget) * share), use > 1 { break }
      // Small files follow the share unevenly: each round aims a little lower.
      share *= (0.975 - 0.02 * Double(round)) / use
    }
    guard var result = best ?? smallest else { preconditionFailure("a round makes a file") }
    result.report.attempts = attempts
    return result
  }

  /// Filters do not help pixels that were chosen for their repetition.
  private var plan: StreamPlan {
    let level = effort == .fast ? 6 : effort == .normal ? 8 : 12
    return StreamPlan(trialLevel: 1, finalLevel: level, filters: [.none])
  }

  private func exact(
    _ animation: SizedAnimation, limit: Int, plan: StreamPlan
  ) throws -> (bytes: [UInt8], colors: Int?, frames: Int)? {
    let moments = try mergedMoments(animation)
    if moments.count == 1 {
      let still = StillEncoder(effort: effort, forcesRGB: true).encode(animation.frames[0].bitmap)
      return (still.bytes, still.report.colors, 1)
    }
    let lossless = try LosslessAnimation(animation, moments, effort: effort, encoding: .rgba)
    guard let bytes = try lossless.encode(budget: limit, plan: plan).bytes else { return nil }
    return (bytes, lossless.colors, moments.count)
  }
}
