import Imaging

/// The kept frames of an animation at one frame rate.
final class FrameRate {
  let shown: [ShownFrame]
  /// The error of holding the shown frames, were they exact.
  let holdingError: Double
  private let animation: SizedAnimation
  private var made: PreparedAnimation?

  init(_ shown: [ShownFrame], _ animation: SizedAnimation, _ moments: [Moment]) {
    self.shown = shown
    self.animation = animation
    holdingError = PaletteError.ofHolding(shown, animation, moments)
  }

  /// The frames made ready; made again after `rest()`.
  var prepared: PreparedAnimation {
    if let made { return made }
    let fresh = PreparedAnimation(frames: shown.map { animation.frames[$0.frame].bitmap })
    made = fresh
    return fresh
  }

  /// Frees what can be made again.
  func rest() { made = nil }
}

/// What a pass came to.
struct PassOutcome {
  /// The frames that were coded.
  var frames: [CodedFrame]
  /// The canvas's first index after each.
  var corners: [UInt8]
  /// The bytes of all frames by their tokens; scaled up from a sample.
  var tokenBytes: Double
  /// The mean error of the frames coded, in the units of `PaletteError`.
  var error: Double
  /// The palette moved to what it shows; as it was after a sample, which would bend it to a few frames.
  var refitted: Palette
}

/// One palette at one frame rate.
final class PaletteVariant {
  /// Planes are steadied anew where lambda has moved by more than this factor.
  private static let planeTolerance: Float = 1.5

  let rate: FrameRate
  var palette: Palette
  /// The bytes of the file beside its streams.
  var overhead: Double {
    let head = PNGWriter(size: rate.prepared.size, format: PixelFormat(palette: palette), animation: (1, 0))
    return Double(head.bytes.count + 12 + rate.shown.count * FrameSequence.overheadPerFrame)
  }

  /// The wanted indices, of which frames, and for which lambda.
  private var planes: [[UInt8]] = []
  private var planesRuns: [Range<Int>] = []
  private var planesLambda: Float = 0

  init(_ rate: FrameRate, _ palette: Palette) {
    self.rate = rate
    self.palette = palette
  }

  /// Frees what a later pass can make again: many variants wait, few are coded.
  func rest() { planes = [] }

  /// The first frame and three runs of frames, about a quarter together, that stand for all.
  private static func sample(of count: Int) -> [Range<Int>] {
    let length = max(2, count / 12)
    guard count >= 6 * length + 2 else { return [0..<count] }
    return [0..<1]
      + [1, 3, 5].map { sixth in
        let start = max(2, count * sixth / 6 - length / 2)
        return start..<start + length
      }
  }

  /// Codes all frames, or a sample of them.
  func pass(_ lambda: Float, sampled: Bool, _ settings: RateDistortionSettings) throws -> PassOutcome {
    let points = palette.colors.map { PerceptualSpace.point($0.packed) }
    let prepared = rate.prepared
    let count = prepared.frames.count
    let parts = sampled ? PaletteVariant.sample(of: count) : [0..<count]
    // Frames are coded over what loss has left: the one before a part is coded to get there, and does not count.
    let runs = parts.map { max($0.lowerBound - 1, 0)..<$0.upperBound }
    if planes.isEmpty || planesRuns != runs
      || max(lambda / planesLambda, planesLambda / lambda) > Self.planeTolerance
    {
      planes = prepared.nominalPlanes(palette, points: points, lambda: lambda, of: runs)
      (planesRuns, planesLambda) = (runs, lambda)
    }
    var settings = settings
    settings.lambda = lambda
    let pass = RateDistortionPass(prepared, planes: planes, palette: palette, points: points, settings: settings)
    var outcome = PassOutcome(frames: [], corners: [], tokenBytes: 0, error: 0, refitted: palette)
    var refit = PaletteRefit(palette)
    var later = 0.0
    for part in parts {
      if part.lowerBound > 0 { _ = pass.code(part.lowerBound - 1, anew: true) }
      for t in part {
        try checkEncoding()
        let frame = pass.code(t)
        if t == 0 { outcome.tokenBytes = frame.symbols.estimatedBytes } else { later += frame.symbols.estimatedBytes }
        outcome.frames.append(frame)
        outcome.corners.append(pass.shown[0])
        outcome.error += PaletteError.mean(pass.shown, points, against: prepared.frames[t])
        if !sampled { refit.add(prepared.frames[t], shown: pass.shown) }
      }
    }
    let coded = outcome.frames.count
    if coded > 1 { outcome.tokenBytes += later * Double(count - 1) / Double(coded - 1) }
    outcome.error *= PaletteError.paletteWeight / Double(coded)
    if !sampled { outcome.refitted = refit.refitted() }
    return outcome
  }
}

/// The error on screen by which palettes and frame rates are compared.
///
/// Squared distance in `PerceptualSpace` between means of 2 x 2 pixels: steps and shifts count in full, fine noise a
/// quarter. It follows SSIMULACRA2 over palette sizes of one clip more closely than the plain error does, yet not always:
/// few colors on blurred shadows look better to it than they do. What a palette costs counts seven times what holding a
/// frame costs.
enum PaletteError {
  static let paletteWeight = 7.0
  private static let rowStep = 6

  /// The mean error of shown indices.
  static func mean(_ shown: [UInt8], _ points: [SIMD4<Float>], against bitmap: Bitmap) -> Double {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    guard width > 1, height > 1 else { return 0 }
    var sum = 0.0
    var seen = 0
    bitmap.withPackedPixels { pixels in
      shown.withUnsafeBufferPointer { shown in
        points.withUnsafeBufferPointer { points in
          @inline(__always) func error(_ i: Int) -> SIMD4<Float> {
            points[Int(shown[i])] - PerceptualSpace.point(pixels[i])
          }
          for y in stride(from: 0, to: height - 1, by: rowStep) {
            for x in stride(from: 0, to: width - 1, by: 2) {
              let i = y * width + x
              sum += Double(squaredLength(error(i) + error(i + 1) + error(i + width) + error(i + width + 1)))
              seen += 1
            }
          }
        }
      }
    }
    return sum / Double(max(seen, 1)) / 16
  }

  /// The mean error of showing kept frames, exactly, in place of those that went.
  static func ofHolding(_ shown: [ShownFrame], _ animation: SizedAnimation, _ moments: [Moment]) -> Double {
    var (error, time) = (0.0, 0.0)
    for entry in shown {
      for moment in moments[entry.moments] {
        let weight = max(moment.delay.value, 1e-6)
        time += weight
        if moment.frame == entry.frame { continue }
        error += weight * meanSquaredError(animation.frames[entry.frame].bitmap, animation.frames[moment.frame].bitmap)
      }
    }
    return error / max(time, 1e-6)
  }
}
