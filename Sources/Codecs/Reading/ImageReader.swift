import Imaging

/// Reads an image of any supported format, one composed frame at a time.
///
/// Not `Sendable`: a reader stays in the task that made it.
public final class ImageReader {
  /// What the file says before its pixels are decoded.
  public let header: ImageHeader
  /// What was odd so far; complete once `nextFrame()` has returned nil.
  public var warnings: [DecodeWarning] { [] }

  /// Recognizes the format and reads the header; throws `DecodeError`.
  public init(bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
    throw .unrecognized
  }

  /// The next displayed frame, or nil after the last; throws `DecodeError`.
  public func nextFrame() throws(DecodeError) -> DecodedFrame? {
    nil
  }
}
