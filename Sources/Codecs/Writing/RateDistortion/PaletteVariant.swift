import Imaging
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The kept frames of an animation at one frame rate.
final class FrameRate {
  let shown: [ShownFrame]
  /// The error of holding the shown frames, were they exact.
  let holdingError: Double
  private let animation: SizedAnimation
  private var made: PreparedAnimation?

  init(_ shown: [ShownFrame], _ animation: SizedAnimation, _ moments: [Moment]) throws {
    self.shown = shown
    self.animation = animation
    holdingError = try PaletteError.ofHolding(shown, animation, moments)
  }

  /// The frames made ready; made again after `rest()`.
  var prepared: PreparedAnimation {
    if let made { return made }
    let fresh = PreparedAnimation(frames: shown.map { animation.frames[$0.frame] })
    made = fresh
    return fresh
  }

  /// Frees what can be made again.
  func rest() { made = nil }
}

/// How much of an animation a pass codes.
enum PassExtent {
  /// The first frame and three runs of frames, about a quarter of a short animation together, that stand for all.
  case sample
  /// All frames, but the later half as if it began anew: to measure, not to be written.
  case halves
  /// All frames.
  case whole

  /// The frames of a run of a sample, at most: more would say no more of a long animation.
  private static let longestRun = 8

  /// The frames that are coded together.
  func parts(of count: Int) -> [Range<Int>] {
    switch self {
    case .whole: return [0..<count]
    case .halves:
      // The halves of a long animation would need twice its memory.
      return count < 8 || count > PreparedAnimation.heldFrames ? [0..<count] : [0..<count / 2, count / 2..<count]
    case .sample:
      let length = min(max(2, count / 12), Self.longestRun)
      guard count >= 6 * length + 2 else { return [0..<count] }
      return [0..<1]
        + [1, 3, 5].map { sixth in
          let start = max(2, count * sixth / 6 - length / 2)
          return start..<start + length
        }
    }
  }
}

/// How lambda goes over the frames of a whole pass.
enum LambdaCourse {
  /// It stays.
  case steady
  /// It is led to a size, by streams that are compressed on the way: those of some frames.
  case guided(RateGuide, _ compress: @Sendable (Int, CodedFrame) throws -> [UInt8]?)
  /// As in an earlier pass: the factor of each frame.
  case factors([Double])
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
  /// The palette moved to what it shows in the frames coded.
  var refitted: Palette
  /// The lambda that each frame was coded at.
  var lambdas: [Double]
  /// The numbers of the frames coded.
  var numbers: [Int]
  /// The streams that were compressed on the way, by number.
  var streams: [Int: [UInt8]]

  /// The mean of the lambdas of the frames.
  var lambda: Double { exp(lambdas.reduce(0) { $0 + log($1) } / Double(lambdas.count)) }

  /// How each lambda is to the mean.
  var factors: [Double] {
    let mean = lambda
    return lambdas.map { $0 / mean }
  }

  /// The bytes of each frame coded by its tokens, by number.
  var bytesByFrame: [Int: Double] {
    Dictionary(uniqueKeysWithValues: zip(numbers, frames.map(\.symbols.estimatedBytes)))
  }
}

/// One palette at one frame rate.
final class PaletteVariant {
  /// Planes are steadied anew where lambda has moved by more than this factor.
  private static let planeTolerance: Float = 1.1

  let rate: FrameRate
  var palette: Palette
  /// The bytes of the file beside its streams.
  var overhead: Double {
    let head = PNGWriter(size: rate.prepared.size, format: PixelFormat(palette: palette), animation: (1, 0))
    return Double(head.bytes.count + 12 + rate.shown.count * FrameSequence.overheadPerFrame)
  }

  private var wanted: WantedPlanes?
  /// What tokens cost at the end of the last pass.
  private var learned: [DeflateCosts]?
  /// Frames are made ready by one worker at a time.
  private let making = Mutex(())

  init(_ rate: FrameRate, _ palette: Palette) {
    self.rate = rate
    self.palette = palette
  }

  /// Frees what a later pass can make again: many variants wait, few are coded.
  func rest() { wanted = nil }

  /// Codes all frames, or a sample of them; the parts of the pass at once, where there are processors for it.
  ///
  /// A course of lambda is for all frames.
  func pass(
    _ lambda: Float, _ extent: PassExtent, _ settings: RateDistortionSettings, course: LambdaCourse = .steady
  ) throws -> PassOutcome {
    let points = palette.colors.map { PerceptualSpace.point($0.packed) }
    let count = rate.shown.count
    let parts = extent.parts(of: count)
    let wanted = wantedPlanes(parts, points, lambda)
    let expected = DeflateCosts(literalCounts: try wanted.runStarts())
    var settings = settings
    settings.lambda = lambda
    func code(_ part: Range<Int>, _ costs: [DeflateCosts]) throws -> CodedPart {
      let pass = RateDistortionPass(rate.prepared.size, palette, points: points, costs: costs, settings: settings)
      return try self.code(part, pass, wanted, points, extent == .whole ? course : .steady)
    }
    var coded: [CodedPart] = []
    if extent == .sample { coded.append(try code(parts[0], [expected, expected])) }
    let costs = coded.last?.costs ?? learned ?? [expected, expected]
    coded += try concurrently(parts.count - coded.count) { number in
      let part = parts[number + coded.count]
      return try code(part, part.lowerBound == 0 ? [expected, expected] : costs)
    }
    learned = coded.last?.costs
    return outcome(coded, parts, of: count)
  }

  /// What the frames of some parts are to show; what a pass at nearly the same lambda asked for still holds.
  private func wantedPlanes(_ parts: [Range<Int>], _ points: [SIMD4<Float>], _ lambda: Float) -> WantedPlanes {
    // Frames are coded over what loss has left: the one before a part is coded to get there, and does not count.
    let runs = WantedPlanes.joined(parts.map { max($0.lowerBound - 1, 0)..<$0.upperBound })
    if let wanted, wanted.runs == runs, max(lambda / wanted.lambda, wanted.lambda / lambda) <= Self.planeTolerance {
      return wanted
    }
    let fresh = WantedPlanes(rate.prepared, palette, points: points, lambda: lambda, runs: runs)
    wanted = fresh
    return fresh
  }

  /// What a part of a pass came to.
  private struct CodedPart {
    var frames: [CodedFrame] = []
    var corners: [UInt8] = []
    var error = 0.0
    var lambdas: [Double] = []
    var streams: [Int: [UInt8]] = [:]
    var refit: PaletteRefit
    var costs: [DeflateCosts]
  }

  private func code(
    _ part: Range<Int>, _ pass: RateDistortionPass, _ wanted: WantedPlanes, _ points: [SIMD4<Float>],
    _ course: LambdaCourse
  ) throws -> CodedPart {
    let start = pass.lambda
    var guided: (guide: RateGuide, compress: @Sendable (Int, CodedFrame) throws -> [UInt8]?)?
    if case .guided(let guide, let compress) = course { guided = (guide, compress) }
    var coded = CodedPart(refit: PaletteRefit(palette), costs: [])
    let isLong = rate.shown.count > PreparedAnimation.heldFrames
    if part.lowerBound > 0 { _ = pass.code(try ready(part.lowerBound - 1, wanted, isFirst: true)) }
    for t in part {
      try checkEncoding()
      let frame = try ready(t, wanted, isFirst: t == 0)
      if case .factors(let factors) = course { pass.lambda = start * Float(factors[t]) }
      coded.lambdas.append(Double(pass.lambda))
      coded.frames.append(pass.code(frame))
      let last = coded.frames.count - 1
      coded.streams[t] = try guided?.compress(t, coded.frames[last])
      let bytes = coded.frames[last].symbols.estimatedBytes
      let written = coded.streams[t]?.count
      if let next = guided?.guide.lambda(after: t, bytes: bytes, written: written, now: Double(pass.lambda)) {
        pass.lambda = Float(next)
      }
      if isLong { coded.frames[last].pack() }
      coded.corners.append(pass.shown[0])
      coded.error += PaletteError.mean(pass.shown, points, against: frame.bitmap)
      coded.refit.add(frame.bitmap, shown: pass.shown)
    }
    coded.costs = pass.costs
    return coded
  }

  private func ready(_ t: Int, _ wanted: WantedPlanes, isFirst: Bool) throws -> CodingFrame {
    try making.withLock { _ in
      let prepared = rate.prepared
      return CodingFrame(
        bitmap: prepared.bitmap(t), before: isFirst ? nil : prepared.bitmap(t - 1), weights: try prepared.weights(t),
        stays: try prepared.stays(t), wanted: try wanted.plane(t))
    }
  }

  private func outcome(_ parts: [CodedPart], _ ranges: [Range<Int>], of count: Int) -> PassOutcome {
    let frames = parts.flatMap(\.frames)
    let sizes = frames.map(\.symbols.estimatedBytes)
    let later = sizes.dropFirst().reduce(0, +)
    let scale = frames.count > 1 ? Double(count - 1) / Double(frames.count - 1) : 0
    var refit = parts[0].refit
    for part in parts.dropFirst() { refit.add(part.refit) }
    return PassOutcome(
      frames: frames, corners: parts.flatMap(\.corners), tokenBytes: sizes[0] + later * scale,
      error: parts.reduce(0) { $0 + $1.error } * PaletteError.paletteWeight / Double(frames.count),
      refitted: refit.refitted(),
      lambdas: parts.flatMap(\.lambdas), numbers: ranges.flatMap(Array.init),
      streams: parts.reduce(into: [:]) { $0.merge($1.streams) { old, _ in old } })
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
  /// Kept frames that stand for all, more or less.
  private static let heldLooks = 64

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

  /// The mean error of showing kept frames, exactly, in place of those that went; of many, some stand for all.
  static func ofHolding(_ shown: [ShownFrame], _ animation: SizedAnimation, _ moments: [Moment]) throws -> Double {
    var (error, time) = (0.0, 0.0)
    for entry in evenly(shown, heldLooks) {
      for moment in moments[entry.moments] {
        let weight = max(moment.delay.value, 1e-6)
        time += weight
        if moment.frame == entry.frame { continue }
        try checkEncoding()
        error += weight * meanSquaredError(animation.frames[entry.frame].bitmap, animation.frames[moment.frame].bitmap)
      }
    }
    return error / max(time, 1e-6)
  }
}

/// Items at even steps, fewer than twice as many as are wanted; all where there are so few.
func evenly<Item>(_ items: [Item], _ wanted: Int) -> [Item] {
  stride(from: 0, to: items.count, by: max(1, items.count / wanted)).map { items[$0] }
}
