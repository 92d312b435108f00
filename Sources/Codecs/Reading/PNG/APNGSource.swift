import Imaging

/// An animated PNG, one composed canvas at a time.
final class APNGSource<Sample: FixedWidthInteger & UnsignedInteger & Sendable>: FrameSource {
  let header: ImageHeader
  private(set) var warnings: [DecodeWarning]
  var parts: [ImageFacts.Chunk] { file.parts }
  private let file: PNGFile
  private let frames: [APNGFrame]
  private var canvas: Canvas<Sample>
  private var picture: [Sample] = []
  private var next = 0
  private let wrap: ([Sample]) -> Raster.Samples

  init(
    _ file: PNGFile, _ animation: APNGFrames, limits: DecodeLimits, wrap: @escaping ([Sample]) -> Raster.Samples
  ) throws(DecodeError) {
    try limits.check(frames: animation.frames.count, of: file.size, work: animation.work(file.header))
    var animation = animation
    animation.dropPart(file)
    guard !animation.frames.isEmpty else { throw APNGFrames.damaged(animation.defect ?? "no frame is whole") }
    self.file = file
    self.wrap = wrap
    frames = animation.frames
    header = file.imageHeader(format: .apng, frameCount: frames.count, playCount: animation.playCount)
    canvas = Canvas(size: file.size)
    warnings = file.warnings
    if let defect = animation.defect {
      warnings.append(
        DecodeWarning(
          id: "damaged-frames", message: "\(frames.count) of \(animation.announced) frames are whole: \(defect)"))
    }
    if animation.hidesDefaultImage {
      warnings.append(
        DecodeWarning(id: "hidden-image", message: "the default image is not part of the animation"))
    }
  }

  func nextFrame() throws(DecodeError) -> DecodedFrame? {
    guard next < frames.count else { return nil }
    let changedRows = changedRows
    if next > 0 { dispose(of: next - 1) }
    let frame = frames[next]
    do throws(DecodeError) {
      try decode(frame)
    } catch {
      guard next > 0, case .damaged(_, let reason) = error else { throw error }
      warnings.append(
        DecodeWarning(
          id: "damaged-frames", message: "\(next) of \(frames.count) frames are whole: frame \(next + 1): \(reason)"))
      next = frames.count
      return nil
    }
    if frame.disposal == .previous, next > 0 { canvas.save(frame.region) }
    let isOver = frame.isOver && next > 0
    let samples = frame.region.width * frame.region.height * 4
    picture.withUnsafeBufferPointer {
      canvas.paint(UnsafeBufferPointer(rebasing: $0[..<samples]), at: frame.region, isOver: isOver)
    }
    next += 1
    let raster = Raster(size: file.size, samples: wrap(canvas.pixels))
    return DecodedFrame(
      raster: raster, storedDelay: frame.delay, isAnimated: frames.count > 1, changedRows: changedRows)
  }

  /// The rows that the next frame, and what goes before it, may touch.
  private var changedRows: Range<Int> {
    guard next > 0 else { return 0..<file.size.height }
    let (earlier, own) = (frames[next - 1], frames[next].region)
    return (earlier.disposal == .none ? own : own.union(earlier.region)).rows(of: file.size)
  }

  /// Clears or restores after a frame was seen; the first frame has nothing before it, so it is cleared.
  private func dispose(of index: Int) {
    let frame = frames[index]
    switch frame.disposal {
    case .none: break
    case .previous where index > 0: canvas.restore(frame.region)
    case .background, .previous: canvas.clear(frame.region)
    }
  }

  private func decode(_ frame: APNGFrame) throws(DecodeError) {
    let room = PNGDecoder.room(width: frame.region.width, height: frame.region.height, depth: file.header.depth)
    let count = room / MemoryLayout<Sample>.size
    if picture.count < count { picture = [Sample](repeating: 0, count: count) }
    var warning: String?
    var failure: DecodeError?
    picture.withUnsafeMutableBytes { raw in
      do throws(DecodeError) {
        warning = try PNGDecoder(file: file).decode(
          width: frame.region.width, height: frame.region.height, data: frame.data, into: raw.baseAddress!)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    // A still may carry more rows than it shows; a frame that does is not what its fcTL says.
    if let warning, warning.contains("Too much image data") {
      throw APNGFrames.damaged("more picture data than its size")
    }
    if let warning { warnings.append(DecodeWarning(id: "odd-data", message: "frame \(next + 1): \(warning)")) }
  }
}

/// Chooses between a still PNG and an APNG.
func pngSource(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) -> any FrameSource {
  let file = try PNGFile(bytes, limits: limits)
  guard file.isAnimated else { return try PNGSource(file) }
  let animation = try APNGFrames(file)
  if file.header.depth == 16 {
    return try APNGSource<UInt16>(file, animation, limits: limits) { .rgba16($0) }
  }
  return try APNGSource<UInt8>(file, animation, limits: limits) { .rgba8($0) }
}
