import Imaging

/// The nearest indices of some runs of frames, steadied over the time of each run; made in windows as they are asked for.
///
/// A run is one window as long as all runs together are `PreparedAnimation.heldFrames` at most. The windows of a longer one
/// go on from the indices of the window before and look a few frames ahead, so that memory does not grow with the frames.
final class WantedPlanes {
  /// Frames of a window of a long run, and of those after it that have a say in it.
  private static let window = 16
  private static let lookahead = 8

  /// The frames that may be asked for.
  let runs: [Range<Int>]
  /// The price of a change.
  let lambda: Float
  private let animation: PreparedAnimation
  private let remapper: Remapper
  private let smoother: TemporalSmoother
  private let isLong: Bool
  private var planes: [Int: [UInt8]] = [:]

  init(
    _ animation: PreparedAnimation, _ palette: Palette, points: [SIMD4<Float>], lambda: Float, runs: [Range<Int>]
  ) {
    self.animation = animation
    self.runs = runs
    self.lambda = lambda
    remapper = Remapper(palette)
    smoother = TemporalSmoother(points: points, firstOpaque: palette.translucentCount, lambda: lambda)
    isLong = runs.reduce(0) { $0 + $1.count } > PreparedAnimation.heldFrames
  }

  /// The indices of a frame of a run.
  ///
  /// Those of a long run are asked for in order. Throws where encoding is to end.
  func plane(_ t: Int) throws -> [UInt8] {
    if let plane = planes[t] { return plane }
    guard let run = runs.first(where: { $0.contains(t) }) else { preconditionFailure("the frame is of a run") }
    try make(isLong ? t..<min(t + Self.window, run.upperBound) : run, of: run)
    return planes[t]!
  }

  /// How often each index begins a run of pixels, a guess at what will be literals; of a long run, in its first window.
  func runStarts() throws -> [Float] {
    for run in isLong ? Array(runs.prefix(1)) : runs { _ = try plane(run.lowerBound) }
    var counts = [Float](repeating: 0, count: 256)
    for plane in planes.values {
      for i in stride(from: 1, to: plane.count, by: 7) where plane[i] != plane[i - 1] { counts[Int(plane[i])] += 1 }
    }
    return counts
  }

  /// Runs with those that touch or overlap taken together.
  static func joined(_ runs: [Range<Int>]) -> [Range<Int>] {
    runs.reduce(into: []) { joined, run in
      if let last = joined.last, run.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
      } else {
        joined.append(run)
      }
    }
  }

  private func make(_ window: Range<Int>, of run: Range<Int>) throws {
    let before = planes[window.lowerBound - 1]
    if isLong { planes = [:] }
    let start = before == nil ? window.lowerBound : window.lowerBound - 1
    let all = start..<(isLong ? min(window.upperBound + Self.lookahead, run.upperBound) : run.upperBound)
    var made: [[UInt8]] = []
    var bitmaps: [Bitmap] = []
    for t in all {
      try checkEncoding()
      bitmaps.append(animation.bitmap(t))
      made.append(t < window.lowerBound ? before! : remapper.remap(bitmaps[t - start]).indices)
    }
    let weights = try all.map { try animation.weights($0) }
    smoother.smooth(&made, frames: bitmaps[...], weights: weights[...], holdsFirst: before != nil)
    for t in window { planes[t] = made[t - start] }
  }
}
