import Imaging

/// One format's decoder as `ImageReader` sees it.
protocol FrameSource: AnyObject {
  var header: ImageHeader { get }
  var warnings: [DecodeWarning] { get }
  /// The container's parts, for reports.
  var parts: [ImageFacts.Chunk] { get }
  func nextFrame() throws(DecodeError) -> DecodedFrame?
  /// Asks for half the width and height, before the first frame; says whether that is what will come.
  func halve() -> Bool
}

extension FrameSource {
  func halve() -> Bool { false }
}

/// What the frames of an animation take to be decoded, known before they are.
struct DecodingWork {
  /// Pixels of all frames' own regions.
  var pixels: Int
  /// Bytes of picture data.
  var bytes: Int
  /// How much a pixel takes: 2 where samples have 16 bits.
  var weight = 1
}

extension DecodeLimits {
  /// Refuses a canvas that is too large, and one without pixels.
  func check(width: Int, height: Int, format: ImageFormat) throws(DecodeError) -> PixelSize {
    guard width > 0, height > 0 else {
      throw .damaged(format: format, reason: "the picture is \(width)x\(height) px")
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= pixelsPerFrame else {
      throw .overLimit(.pixelsPerFrame, value: overflow ? .max : area, limit: pixelsPerFrame)
    }
    guard max(width, height) <= side else { throw .overLimit(.side, value: max(width, height), limit: side) }
    return PixelSize(width: width, height: height)
  }

  /// Refuses an animation of too many frames, of too large ones, of too many pixels in all, or of very many for its bytes.
  ///
  /// `work` is what is decoded: the pixels of all frames' own regions, and the bytes of picture data that hold them.
  func check(frames count: Int, of size: PixelSize, work: DecodingWork) throws(DecodeError) {
    guard count <= frames else { throw .overLimit(.frames, value: count, limit: frames) }
    guard size.area <= pixelsPerAnimationFrame else {
      throw .overLimit(.pixelsPerAnimationFrame, value: size.area, limit: pixelsPerAnimationFrame)
    }
    let (total, overflow) = size.area.multipliedReportingOverflow(by: count)
    guard !overflow, max(total, work.pixels) <= totalPixels else {
      throw .overLimit(.totalPixels, value: overflow ? .max : max(total, work.pixels), limit: totalPixels)
    }
    guard work.pixels * work.weight > Self.pixelsOfAnyFile else { return }
    let rate = work.pixels / max(work.bytes, 1)
    if rate > pixelsPerByte { throw .overLimit(.pixelsPerByte, value: rate, limit: pixelsPerByte) }
  }

  /// Refuses a file of too many parts.
  func check(chunks count: Int) throws(DecodeError) {
    guard count <= chunks else { throw .overLimit(.chunks, value: count, limit: chunks) }
  }
}

extension PixelRect {
  /// The rows that it covers on a canvas.
  func rows(of canvas: PixelSize) -> Range<Int> {
    let part = intersection(PixelRect(canvas))
    return part.isEmpty ? 0..<0 : part.y..<part.maxY
  }
}
