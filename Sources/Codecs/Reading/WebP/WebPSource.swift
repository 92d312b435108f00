import CCodecs
import Imaging

/// A WebP, still or animated; libwebp composes the frames, over transparency whatever the background color says.
final class WebPSource: FrameSource {
  let header: ImageHeader
  private(set) var warnings: [DecodeWarning] = []
  var parts: [ImageFacts.Chunk] { chunks.parts }
  private let bytes: [UInt8]
  private let chunks: WebPChunks
  private let isAnimated: Bool
  private let frameCount: Int
  private let animation: OpaquePointer?
  private var next = 0

  init(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) {
    self.bytes = bytes
    chunks = WebPChunks(bytes, limit: limits.chunks)
    try limits.check(chunks: chunks.parts.count)
    var said = decal_webp_header()
    guard decal_webp_read_header(bytes, bytes.count, &said) == DECAL_OK else {
      throw Self.damaged("its header is broken")
    }
    let size = try limits.check(width: Int(said.width), height: Int(said.height), format: .webp)
    isAnimated = said.is_animated != 0
    if isAnimated {
      let work = Self.work(chunks.frames, on: size)
      try limits.check(frames: chunks.frames.count, of: size, work: work)
      (animation, frameCount) = try Self.open(bytes, chunks, size)
    } else {
      (animation, frameCount) = (nil, 1)
    }
    var odd: [DecodeWarning] = []
    header = ImageHeader(
      format: .webp, size: size, frameCount: frameCount, playCount: isAnimated ? chunks.playCount : 1,
      orientation: Self.orientation(bytes, chunks.exif, limits),
      color: Self.color(bytes, chunks.profile, limits, &odd), bitDepth: 8,
      colorModel: said.has_alpha != 0 ? "rgba" : said.is_lossless != 0 ? "rgb" : "ycbcr",
      hasAlpha: said.has_alpha != 0)
    warnings = odd
    if chunks.trailingBytes > 0 {
      warn("trailing-bytes", "\(chunks.trailingBytes) bytes follow the end of the picture")
    }
    if isAnimated, frameCount < chunks.frames.count || chunks.defect != nil {
      let frames = frameCount == 1 ? "1 frame is" : "\(frameCount) frames are"
      let reason =
        frameCount < chunks.frames.count ? "frame \(frameCount + 1) contradicts its picture" : chunks.defect ?? ""
      warn("damaged-frames", "\(frames) whole: \(reason)")
    }
  }

  deinit { decal_webp_close(animation) }

  private static func damaged(_ reason: String) -> DecodeError { .damaged(format: .webp, reason: reason) }

  private func warn(_ id: String, _ message: String) { warnings.append(DecodeWarning(id: id, message: message)) }

  private static func orientation(_ bytes: [UInt8], _ range: Range<Int>?, _ limits: DecodeLimits) -> Orientation {
    guard let range, range.count <= limits.metadataBytes else { return .up }
    return exifOrientation(Array(bytes[range])) ?? .up
  }

  private static func color(
    _ bytes: [UInt8], _ range: Range<Int>?, _ limits: DecodeLimits, _ warnings: inout [DecodeWarning]
  ) -> ColorEncoding {
    guard let range else { return .sRGB }
    let profile = range.count <= limits.metadataBytes ? Array(bytes[range]) : []
    if ICCHeader(profile)?.fits(isGray: false, isCMYK: false) == true {
      return .icc(profile)
    }
    warnings.append(
      DecodeWarning(id: "bad-profile", message: "the color profile cannot be used; the colors count as sRGB"))
    return .sRGB
  }

  /// What the frames take; libwebp copies its canvas for each, which costs a quarter of decoding it.
  private static func work(_ frames: [WebPChunks.Frame], on size: PixelSize) -> DecodingWork {
    DecodingWork(
      pixels: frames.reduce(0) { $0 + max($1.region.width * $1.region.height, size.area / 4) },
      bytes: frames.reduce(0) { $0 + $1.length })
  }

  /// Opens the animation with as many frames as libwebp believes, shown without what follows them where that is damaged.
  private static func open(
    _ bytes: [UInt8], _ chunks: WebPChunks, _ size: PixelSize
  ) throws(DecodeError) -> (OpaquePointer, frames: Int) {
    let frames = chunks.frames
    guard !frames.isEmpty else { throw damaged(chunks.defect ?? "no frame is whole") }
    let canvas = PixelRect(size)
    if let outside = frames.firstIndex(where: { $0.region.intersection(canvas) != $0.region }) {
      throw damaged("frame \(outside + 1) lies outside its canvas")
    }
    if chunks.defect == nil, let animation = decal_webp_open(bytes, bytes.count) { return (animation, frames.count) }
    func open(_ count: Int) -> OpaquePointer? {
      var whole = Array(bytes[..<frames[count - 1].end])
      for i in 0..<4 { whole[4 + i] = UInt8(truncatingIfNeeded: (whole.count - 8) >> (8 * i)) }
      return decal_webp_open(whole, whole.count)
    }
    if let animation = open(frames.count) { return (animation, frames.count) }
    // The frames before the first that is not believed: found by halving.
    var (good, bad) = (0, frames.count)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      let animation = open(middle)
      if animation == nil { bad = middle } else { good = middle }
      decal_webp_close(animation)
    }
    guard good > 0, let animation = open(good) else { throw damaged("its first frame contradicts its picture") }
    return (animation, good)
  }

  func nextFrame() throws(DecodeError) -> DecodedFrame? {
    guard next < frameCount else { return nil }
    let pixels = isAnimated ? try nextComposed() : try decodeStill()
    guard let pixels else { return nil }
    let delay = isAnimated ? Rational(chunks.frames[next].delay, 1000) : .zero
    next += 1
    return DecodedFrame(
      raster: Raster(size: header.size, samples: .rgba8(pixels)), storedDelay: delay, isAnimated: frameCount > 1,
      changedRows: changedRows)
  }

  /// The rows that the frame before `next` and what went before it have touched.
  private var changedRows: Range<Int> {
    guard next > 1 else { return 0..<header.size.height }
    let (earlier, frame) = (chunks.frames[next - 2], chunks.frames[next - 1])
    return (earlier.clears ? frame.region.union(earlier.region) : frame.region).rows(of: header.size)
  }

  private func nextComposed() throws(DecodeError) -> [UInt8]? {
    var canvas: UnsafePointer<UInt8>?
    guard decal_webp_next(animation, &canvas) == DECAL_OK, let canvas else {
      guard next > 0 else { throw Self.damaged("its first frame cannot be decoded") }
      warn("damaged-frames", "\(next) of \(frameCount) frames are whole: frame \(next + 1) cannot be decoded")
      next = frameCount
      return nil
    }
    return Array(UnsafeBufferPointer(start: canvas, count: header.size.area * 4))
  }

  private func decodeStill() throws(DecodeError) -> [UInt8] {
    let size = header.size
    var status = DECAL_OK
    let pixels = [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, count in
      status = decal_webp_read(bytes, bytes.count, UInt32(size.width), UInt32(size.height), buffer.baseAddress!)
      count = size.area * 4
    }
    guard status == DECAL_OK else {
      throw Self.damaged(chunks.isTruncated ? "the file ends early" : "its picture data cannot be decoded")
    }
    return pixels
  }
}
