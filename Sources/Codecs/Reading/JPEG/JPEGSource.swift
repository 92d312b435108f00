import CCodecs
import Imaging

/// A JPEG.
final class JPEGSource: FrameSource {
  let header: ImageHeader
  private(set) var warnings: [DecodeWarning] = []
  var parts: [ImageFacts.Chunk] { segments.parts }
  private let bytes: [UInt8]
  private let segments: JPEGSegments
  private let isInk: Bool
  /// Whether libjpeg reads it in one pass, as it does most files.
  private let isOneScan: Bool
  private var isHalved = false
  private var isDone = false

  init(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) {
    self.bytes = bytes
    segments = JPEGSegments(bytes, limit: limits.chunks)
    try limits.check(chunks: segments.parts.count)
    var said = decal_jpeg_header()
    var report = decal_report()
    try Self.check(decal_jpeg_read_header(bytes, bytes.count, &said, &report), report)
    let size = try limits.check(width: Int(said.width), height: Int(said.height), format: .jpeg)
    isInk = said.space == DECAL_JPEG_CMYK || said.space == DECAL_JPEG_YCCK
    isOneScan = said.has_many_scans == 0 && said.is_arithmetic == 0
    var color = ColorEncoding.sRGB
    if segments.hasProfile {
      if let profile = segments.assembleProfile(bytes, limit: limits.metadataBytes),
        ICCHeader(profile)?.fits(isGray: said.space == DECAL_JPEG_GRAY, isCMYK: isInk) == true
      {
        color = .icc(profile)
      } else {
        let instead = isInk ? "the plain ink formula is used" : "the colors count as sRGB"
        warnings.append(
          DecodeWarning(id: "bad-profile", message: "the color profile cannot be used; \(instead)"))
      }
    }
    header = ImageHeader(
      format: .jpeg, size: size, orientation: segments.orientation, color: color, bitDepth: 8,
      colorModel: Self.model(said.space), hasAlpha: false)
    if segments.trailingBytes > 0 {
      warnings.append(
        DecodeWarning(
          id: "trailing-bytes", message: "\(segments.trailingBytes) bytes follow the end of the picture"))
    }
  }

  private static func check(_ status: decal_status, _ report: decal_report) throws(DecodeError) {
    switch status {
    case DECAL_OK: return
    case DECAL_UNSUPPORTED: throw .unsupported(format: .jpeg, reason: report.errorText)
    default: throw .damaged(format: .jpeg, reason: report.errorText)
    }
  }

  private static func model(_ space: decal_jpeg_space) -> String {
    switch space {
    case DECAL_JPEG_GRAY: "gray"
    case DECAL_JPEG_RGB: "rgb"
    case DECAL_JPEG_CMYK: "cmyk"
    case DECAL_JPEG_YCCK: "ycck"
    default: "ycbcr"
    }
  }

  /// Files of several scans, whose coefficients are all held anyway, and ink are decoded whole.
  func halve() -> Bool {
    isHalved =
      !isDone && isOneScan && !isInk && JPEGFineDetail(bytes, size: header.size)?.isHarmless == true
    return isHalved
  }

  func nextFrame() throws(DecodeError) -> DecodedFrame? {
    if isDone { return nil }
    isDone = true
    let size = isHalved ? header.size.halved : header.size
    var report = decal_report()
    var status = DECAL_OK
    let pixels = [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, count in
      preferLargePages(buffer.baseAddress!, count: size.area * 4)
      status = decal_jpeg_read(
        bytes, bytes.count, UInt32(header.size.width), UInt32(header.size.height), isHalved ? 2 : 1,
        buffer.baseAddress!, &report)
      count = size.area * 4
    }
    try Self.check(status, report)
    if let warning = report.warningText { warnings.append(DecodeWarning(id: "odd-data", message: warning)) }
    let raster = Raster(size: size, samples: isInk ? .cmyk8(pixels) : .rgba8(pixels))
    return DecodedFrame(raster: raster, storedDelay: .zero, isAnimated: false)
  }
}
