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
  /// Pixels of all frames whose color lies outside sRGB.
  public var pixelsOutsideSRGB: Int
  /// The container's parts.
  public var chunks: [Chunk]
  /// What was odd.
  public var warnings: [DecodeWarning]

  /// Decodes a file wholly and reports it; throws `DecodeError`.
  ///
  /// Colors are counted up to 2,097,152; a file with more says that number.
  public init(bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
    let reader = try ImageReader(bytes: bytes, limits: limits)
    header = reader.header
    self.bytes = bytes.count
    chunks = reader.source.parts
    delays = []
    var look = PixelLook(header)
    var shortDelays = 0
    var frames = 0
    while let frame = try reader.nextFrame() {
      frames += 1
      look.add(frame)
      guard header.frameCount > 1 else { continue }
      delays.append(frame.storedDelay)
      if frame.storedDelay != frame.delay { shortDelays += 1 }
    }
    header.frameCount = frames
    colors = look.colors
    alpha = !header.hasAlpha ? "none" : look.alpha
    warnings = reader.warnings
    if shortDelays > 0 {
      warnings.append(
        DecodeWarning(
          id: "short-delay",
          message: "\(shortDelays) frames say 10 ms or less; they are played at 100 ms, as in browsers"))
    }
    if case .icc(let stored) = header.color { profile = ICCTransform(stored)?.description ?? "without a name" }
    warnings += look.warnings
    pixelsOutsideSRGB = look.pixelsOutsideSRGB
  }
}
