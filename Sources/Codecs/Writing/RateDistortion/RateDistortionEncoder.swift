public import Imaging

/// Lossless first; then one palette for the whole animation, its indices chosen by rate and distortion together.
///
/// One number, lambda, says how much visible error a bit may cost. It is raised until the file fits; palette size and,
/// when motion allows, frame rate are chosen by what is then seen on screen, not by size.
public struct RateDistortionEncoder: BudgetEncoder {
  /// How hard to try.
  public var effort: Effort
  /// How long the work on the source may take that has begun with reading it; nil for ever.
  public var time: TimeLimit?

  /// Makes an encoder.
  public init(effort: Effort = .normal, time: TimeLimit? = nil) {
    self.effort = effort
    self.time = time
  }

  /// See `BudgetEncoder`; throws `DecodeError.overLimit` where the time is up.
  public func encode(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset {
    try TimeLimit.$ofEncoding.withValue(time) { try search(animation, budget: budget) }
  }

  private func search(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset {
    precondition(animation.size.area > 0, "a picture has pixels")
    // No file is larger, and sums of it cannot overflow.
    let budget = min(budget, 1 << 40)
    let moments = try mergedMoments(animation)
    var report = EncodingReport(
      method: .lossless, colors: nil, sourceFrames: animation.frames.count, keptFrames: moments.count,
      mergedFrames: animation.frames.count - moments.count)
    if let exact = try lossless(animation, moments, budget: budget, &report) { return exact }
    let search = try RateDistortionSearch(animation, moments, budget: budget, effort: effort)
    let best = try search.run()
    report.method = .palette
    report.colors = best.colors
    report.keptFrames = best.frames
    report.attempts += search.passes
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
    let exact = try LosslessAnimation(animation, moments, effort: effort)
    let (bytes, attempts) = try exact.encode(budget: budget)
    report.attempts = attempts
    guard let bytes, bytes.count <= budget else { return nil }
    report.colors = exact.colors
    return EncodedAsset(bytes: bytes, report: report)
  }
}
