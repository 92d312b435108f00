public import Imaging

/// All that `decal inspect` says of one file.
public struct ImageFacts: Sendable {
  /// One chunk, block or segment of the container, in file order.
  public struct Chunk: Sendable, Hashable {
    /// The container's own word for it, such as `IHDR`, `APP1`, `VP8X` or `graphic control`.
    public var name: String
    /// The offset of its first byte in the file.
    public var offset: Int
    /// The bytes it takes in the file, its frame included.
    public var length: Int
  }

  /// What the header says.
  public var header: ImageHeader
  /// The file's size.
  public var bytes: Int
  /// Delays as stored, one a frame, in seconds; empty for a still.
  public var delays: [Rational]
  /// Distinct RGBA values over all composed frames, in the file's own numbers.
  public var colors: Int
  /// `none`, `opaque` (a channel, all 255), `binary` or `soft`.
  public var alpha: String
  /// The profile's description, where there is a profile.
  public var profile: String?
  /// The container's parts.
  public var chunks: [Chunk]
  /// What was odd.
  public var warnings: [DecodeWarning]

  /// Decodes a file wholly and reports it; throws `DecodeError`.
  public init(bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
    throw .unrecognized
  }
}
