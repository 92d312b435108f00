import Imaging

/// Reads an image of any supported format, one composed frame at a time.
///
/// Not `Sendable`: a reader stays in the task that made it.
public final class ImageReader {
  /// What the file says before its pixels are decoded.
  public var header: ImageHeader { source.header }
  /// What was odd so far; complete once `nextFrame()` has returned nil.
  public var warnings: [DecodeWarning] { source.warnings }

  /// Warnings of pictures that are not whole; a GIF may have fewer pixels than it says, which browsers show.
  private static let damages: Set = ["damaged-frames", "missing-pixels"]

  let source: any FrameSource
  private let limits: DecodeLimits

  /// Recognizes the format and reads the header; throws `DecodeError`.
  public init(bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
    var limits = limits
    limits.time = limits.time?.started()
    self.limits = limits
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limits.fileBytes else {
      throw .overLimit(.fileBytes, value: bytes.count, limit: limits.fileBytes)
    }
    if bytes.holds(PNGChunks.signature) {
      source = try pngSource(bytes, limits: limits)
    } else if bytes.holds("GIF87a") || bytes.holds("GIF89a") {
      source = try GIFSource(bytes, limits: limits)
    } else if bytes.holds([0xff, 0xd8, 0xff]) {
      source = try JPEGSource(bytes, limits: limits)
    } else if bytes.holds("RIFF"), bytes.holds("WEBP", at: 8) {
      source = try WebPSource(bytes, limits: limits)
    } else {
      throw ForeignFormat.refusal(of: bytes)
    }
  }

  /// Asks for the picture at half its width and height, rounded up, before its first frame; says whether it will come so.
  ///
  /// It does where that takes much less time and colors stay what they are: for a JPEG of one scan without fine detail of
  /// strong contrast. Pixel x then covers those from 2x on, and half a pixel may lie beyond the right and lower sides.
  public func halve() -> Bool { source.halve() }

  /// The next displayed frame, or nil after the last; throws `DecodeError`.
  ///
  /// A damaged animation ends after its last whole frame with a warning `damaged-frames`; it throws where there is none.
  /// Strict limits refuse it, and images with fewer pixels than they say.
  public func nextFrame() throws(DecodeError) -> DecodedFrame? {
    let frame = try source.nextFrame()
    try limits.time?.check()
    if limits.isStrict, let damage = warnings.first(where: { Self.damages.contains($0.id) }) {
      throw .damaged(format: header.format, reason: damage.message)
    }
    return frame
  }
}
