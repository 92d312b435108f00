import Imaging

/// One format's decoder as `ImageReader` sees it.
protocol FrameSource: AnyObject {
  var header: ImageHeader { get }
  var warnings: [DecodeWarning] { get }
  /// The container's parts, for reports.
  var parts: [ImageFacts.Chunk] { get }
  func nextFrame() throws(DecodeError) -> DecodedFrame?
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

  /// Refuses an animation of too many frames, of too large ones, or of too many pixels in all.
  ///
  /// `pixels` is what is decoded, where that is more than the canvas for each frame.
  func check(frames count: Int, of size: PixelSize, pixels: Int = 0) throws(DecodeError) {
    guard count <= frames else { throw .overLimit(.frames, value: count, limit: frames) }
    guard size.area <= pixelsPerAnimationFrame else {
      throw .overLimit(.pixelsPerAnimationFrame, value: size.area, limit: pixelsPerAnimationFrame)
    }
    let (total, overflow) = size.area.multipliedReportingOverflow(by: count)
    guard !overflow, max(total, pixels) <= totalPixels else {
      throw .overLimit(.totalPixels, value: overflow ? .max : max(total, pixels), limit: totalPixels)
    }
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
