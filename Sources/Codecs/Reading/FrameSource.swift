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
    return PixelSize(width: width, height: height)
  }

  /// Refuses an animation of too many frames, or too many pixels in all.
  func check(frames count: Int, of size: PixelSize) throws(DecodeError) {
    guard count <= frames else { throw .overLimit(.frames, value: count, limit: frames) }
    let (total, overflow) = size.area.multipliedReportingOverflow(by: count)
    guard !overflow, total <= totalPixels else {
      throw .overLimit(.totalPixels, value: overflow ? .max : total, limit: totalPixels)
    }
  }
}
