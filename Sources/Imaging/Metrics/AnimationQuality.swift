/// How well a finished animation shows what it was made from.
public struct AnimationQuality: Sendable, Hashable {
  /// From 0 to 100: 90 looks the same, 70 good, 50 middling, 30 poor.
  ///
  /// Each frame that should be seen is compared with the one on screen at that moment, over black and over white, so that
  /// a frame left out costs; the score is the mean. It estimates SSIMULACRA2, which it follows within a few points.
  public let score: Double
  /// How much the output's brightness changes, in 8-bit levels (root of the mean square), where the target stands still.
  public let flicker: Double
  /// The part of the error, 0 to 1, that is there only because frames are held in place of others.
  public let holdingShare: Double

  /// Nothing was lost.
  public static let lossless = AnimationQuality(score: 100, flicker: 0)

  /// Makes a value.
  public init(score: Double, flicker: Double, holdingShare: Double = 0) {
    self.score = score
    self.flicker = flicker
    self.holdingShare = holdingShare
  }

  /// So many frames are compared closely; the others are known by a quick look.
  private static let closeLooks = 12

  /// Compares what is shown with what should be; both have one size.
  public init(of shown: SizedAnimation, as target: SizedAnimation) {
    precondition(shown.size == target.size, "animations that are compared have one size")
    let moments = AnimationQuality.moments(of: shown, for: target)
    let errors = moments.enumerated().map { frame, other in
      meanSquaredError(target.frames[frame].bitmap, shown.frames[other].bitmap, stride: 11)
    }
    // Frames in the order of their errors, in groups of one size: the middle one stands for its group.
    let order = errors.indices.sorted { (errors[$0], $0) < (errors[$1], $1) }
    let groups = min(order.count, AnimationQuality.closeLooks)
    var sum = 0.0
    for group in 0..<groups {
      let members = group * order.count / groups..<(group + 1) * order.count / groups
      let frame = order[(members.lowerBound + members.upperBound - 1) / 2]
      let score = FrameQuality.score(shown.frames[moments[frame]].bitmap, target: target.frames[frame].bitmap)
      sum += score * Double(members.count)
    }
    holdingShare = AnimationQuality.holdingShare(errors, moments)
    score = max(0, min(100, sum / Double(order.count)))
    flicker = AnimationQuality.flicker(of: shown, as: target, moments)
  }

  /// For each frame of the target, the number of the one that is on screen at the middle of its time.
  package static func moments(of shown: SizedAnimation, for target: SizedAnimation) -> [Int] {
    var (number, end, start) = (0, shown.frames[0].delay, Rational.zero)
    return target.frames.map { frame in
      let middle = start + frame.delay.half
      start += frame.delay
      while end <= middle, number + 1 < shown.frames.count {
        number += 1
        end += shown.frames[number].delay
      }
      return number
    }
  }

  /// Of the frames that one frame stands for, that with the least error is the one it was made from.
  private static func holdingShare(_ errors: [Double], _ moments: [Int]) -> Double {
    var own = [Int: Double]()
    for (error, moment) in zip(errors, moments) { own[moment] = min(own[moment] ?? error, error) }
    let all = errors.reduce(0, +)
    let kept = moments.reduce(0) { $0 + (own[$1] ?? 0) }
    return all > 0 ? 1 - kept / all : 0
  }

  private static func flicker(of shown: SizedAnimation, as target: SizedAnimation, _ moments: [Int]) -> Double {
    var sums = (still: 0, square: 0.0)
    var before = (target: target.frames[0].bitmap, shown: shown.frames[moments[0]].bitmap)
    for frame in target.frames.indices.dropFirst() {
      let isHeld = moments[frame] == moments[frame - 1]
      let after = (
        target: target.frames[frame].bitmap, shown: isHeld ? before.shown : shown.frames[moments[frame]].bitmap
      )
      addFlicker(from: before, to: after, &sums)
      before = after
    }
    return sums.still == 0 ? 0 : (sums.square / Double(sums.still)).squareRoot()
  }

  /// Adds the places at which the target stands still, within a level as seen, and what the output does there.
  private static func addFlicker(
    from before: (target: Bitmap, shown: Bitmap), to after: (target: Bitmap, shown: Bitmap),
    _ sums: inout (still: Int, square: Double)
  ) {
    var (still, square) = (0, Float(0))
    before.target.withPackedPixels { a in
      after.target.withPackedPixels { b in
        before.shown.withPackedPixels { x in
          after.shown.withPackedPixels { y in
            for i in 0..<a.count where (a[i] | b[i]) >> 24 != 0 && (a[i] == b[i] || looksAlike(a[i], b[i])) {
              still += 1
              if x[i] == y[i] { continue }
              let change = luma(x[i]) - luma(y[i])
              square += change * change
            }
          }
        }
      }
    }
    sums.still += still
    sums.square += Double(square)
  }

  /// Whether alpha and premultiplied samples are within a level of each other.
  @inline(__always)
  private static func looksAlike(_ a: UInt32, _ b: UInt32) -> Bool {
    let (alphaA, alphaB) = (Int32(a >> 24), Int32(b >> 24))
    guard abs(alphaA - alphaB) <= 1 else { return false }
    func differs(_ shift: UInt32) -> Bool {
      abs(Int32(a >> shift & 255) * alphaA - Int32(b >> shift & 255) * alphaB) > 255
    }
    return !differs(0) && !differs(8) && !differs(16)
  }

  /// The premultiplied luma, 0 to 255.
  private static func luma(_ color: UInt32) -> Float {
    let weighted = 0.299 * Float(color & 255) + 0.587 * Float(color >> 8 & 255) + 0.114 * Float(color >> 16 & 255)
    return weighted * Float(color >> 24) * (1 / 255)
  }
}
