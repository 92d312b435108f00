import Codecs
import Imaging

/// One way to press a sticker: the file, and how well it shows the art.
struct PressAttempt {
  /// The file; over the budget where nothing fits.
  var asset: EncodedAsset
  /// What is in it; nil where it is over the budget.
  var picture: PictureFacts?
  /// What is seen on the grid that was asked for; 0 where the file is over the budget.
  var quality: AnimationQuality
  /// The art at its full size.
  let target: SizedAnimation

  /// Below this quality the user is told; midway between what is called middling and what is called poor or good.
  static let leastQuality = 50.0
  /// A smaller picture must look better by this much: the measure is not finer.
  private static let plainly = 3.0

  /// Encodes an animation and decodes it again; `target` is what should be seen, at this size or a larger one.
  init(_ animation: SizedAnimation, on target: SizedAnimation, _ recipe: StickerRecipe) throws {
    self.target = target
    let asset = try StageTimes.measure(.encode) { try PressAttempt.encode(animation, recipe) }
    self.asset = asset
    quality = AnimationQuality(score: 0, flicker: 0)
    guard asset.bytes.count <= recipe.budget else { return }
    (picture, quality) = try StageTimes.measure(.verify) { () throws(EncoderFault) in
      let shown = try PressAttempt.readBack(asset, of: animation)
      return (PictureFacts(of: shown), PressAttempt.quality(asset, shown, as: target))
    }
  }

  private static func quality(_ asset: EncodedAsset, _ shown: SizedAnimation, as target: SizedAnimation)
    -> AnimationQuality
  {
    if shown.size != target.size { return AnimationQuality(of: shown.enlarged(to: target.size), as: target) }
    return asset.report.method == .lossless ? .lossless : AnimationQuality(of: shown, as: target)
  }

  /// Whether nothing need be said.
  var looksGood: Bool { picture != nil && quality.score >= PressAttempt.leastQuality }

  func isPlainlyBetter(than other: PressAttempt) -> Bool {
    guard picture != nil else { return false }
    return other.picture == nil || quality.score >= other.quality.score + PressAttempt.plainly
  }

  /// A still is lossless where that fits; all else is the search's.
  private static func encode(_ animation: SizedAnimation, _ recipe: StickerRecipe) throws -> EncodedAsset {
    let time = recipe.render.limits.time
    if recipe.encoding == .rgba {
      return try TruecolorEncoder(effort: recipe.effort, time: time).encode(animation, budget: recipe.budget)
    }
    if !animation.isAnimated {
      // A file that fits is not pressed further, but with the greatest effort.
      let still = StillEncoder(effort: recipe.effort, favorsTime: true).encode(animation.frames[0].bitmap)
      try time?.check()
      if still.bytes.count <= recipe.budget { return still }
    }
    var asset = try RateDistortionEncoder(effort: recipe.effort, time: time).encode(animation, budget: recipe.budget)
    if !animation.isAnimated { asset.report.attempts += 1 }
    return asset
  }

  /// Decodes a finished file, which must show what it was made of.
  private static func readBack(_ asset: EncodedAsset, of animation: SizedAnimation) throws(EncoderFault)
    -> SizedAnimation
  {
    let shown: SizedAnimation
    do throws(DecodeError) {
      let store = TemporaryBands(memory: TemporaryBands.finishedMemory)
      shown = try SizedAnimation(decoding: asset.bytes, store: store)
    } catch { throw EncoderFault(reason: error.message) }
    // Frames that all look the same are one still.
    let isStill = asset.report.mergedFrames == animation.frames.count - 1
    let duration = isStill ? Rational.zero : animation.duration
    // Sums of fractions that pass 64 bits, and delays that APNG cannot store, are rounded.
    let drift = shown.duration.milliseconds - duration.milliseconds
    guard shown.size == animation.size, abs(drift) <= 1 else {
      throw EncoderFault(reason: "it is \(shown.size) px and \(shown.duration.milliseconds) ms long")
    }
    return shown
  }
}

// MARK: - What to tell

extension PressAttempt {
  /// What was given up for the budget, and whether that was enough.
  func diagnostics(_ job: StickerJob) -> [Diagnostic] {
    let (report, budget) = (asset.report, job.recipe.budget)
    func tell(_ severity: Severity, _ message: String, _ id: String) -> Diagnostic {
      Diagnostic(severity, path: job.source.path, message, id: id)
    }
    guard let picture else {
      let step =
        report.sourceFrames > 1 ? "fewer frames, a smaller grid or simpler art" : "a smaller grid or simpler art"
      return [
        tell(.error, "\(asset.bytes.count) bytes at best, the budget is \(budget); it takes \(step)", "over-budget")
      ]
    }
    var diagnostics: [Diagnostic] = []
    if picture.size != target.size {
      let message = "pressed at \(picture.size) px, not \(target.size), to look better in \(budget) bytes"
      diagnostics.append(tell(.warning, message, "downscaled"))
    }
    if report.method == .palette {
      let colors = report.colors.map { "\($0) colors" } ?? "a palette"
      diagnostics.append(tell(.note, "reduced to \(colors) to fit \(budget) bytes", "palette"))
    }
    let thinned = report.sourceFrames - report.mergedFrames - report.keptFrames
    if thinned > 0 {
      let message =
        "\(report.keptFrames) of \(report.sourceFrames - report.mergedFrames) frames kept to fit \(budget) bytes"
      diagnostics.append(tell(.warning, message + "; the time stays the same", "frames-thinned"))
    }
    if !looksGood {
      let message =
        "quality \(Int(quality.score.rounded(.down))) of 100, poor under \(Int(PressAttempt.leastQuality)): \(advice(job.recipe))"
      diagnostics.append(tell(.warning, message, "low-quality"))
    }
    return diagnostics
  }

  /// What costs most, and what the artist can do about it.
  private func advice(_ recipe: StickerRecipe) -> String {
    let grid = recipe.render.side > 300 ? ", or a smaller grid" : ""
    let report = asset.report
    if report.keptFrames + report.mergedFrames < report.sourceFrames, quality.holdingShare > 0.5 {
      return "most is lost to frames left out; draw fewer frames or a calmer motion\(grid)"
    }
    if target.isRichlyShaded {
      return "its shading takes many colors; flatter shading helps"
        + (target.isAnimated ? ", or fewer frames" : "") + grid
    }
    return target.isAnimated
      ? "it changes much from frame to frame; fewer frames help\(grid)" : "simpler art helps\(grid)"
  }
}

extension SizedAnimation {
  /// More colors than flat art has with its smooth edges, in the first frame and the middle one.
  fileprivate var isRichlyShaded: Bool {
    var colors: Set<UInt32> = []
    for number in Set([0, frames.count / 2]) {
      frames[number].bitmap.withPackedPixels { pixels in
        for color in pixels where colors.count <= 8192 { colors.insert(color) }
      }
    }
    return colors.count > 8192
  }

  /// The frames as a larger grid shows them.
  fileprivate func enlarged(to size: PixelSize) -> SizedAnimation {
    let resampler = Resampler(source: self.size, target: size)
    let frames = frames.map { frame in
      let linear = frame.bitmap.linear
      let length = self.size.width * 4
      let bitmap = resampler.resample { row, output in
        for i in 0..<length { output[i] = linear.samples[row * length + i] }
      }.bitmap()
      return SizedFrame(bitmap: bitmap, delay: frame.delay)
    }
    return SizedAnimation(frames: frames, playCount: playCount)
  }
}
