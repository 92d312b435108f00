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
  /// The profile's description, where there is a profile, or what the code points of a PNG say.
  public var profile: String?
  /// Pixels of all frames whose color lies outside sRGB.
  public var pixelsOutsideSRGB: Int
  /// The container's parts.
  public var chunks: [Chunk]
  /// What was odd.
  public var warnings: [DecodeWarning]

  /// What is longer is hardly meant in a sticker.
  private static let longDelay = Rational(60)

  /// The name of the primaries that a PNG's cICP chunk says; nil where it has none.
  ///
  /// Source: ITU-T H.273, table 2.
  private static func codePointsName(_ bytes: [UInt8], _ chunks: [Chunk]) -> String? {
    guard let chunk = chunks.first(where: { $0.name == "cICP" }), chunk.length == 16 else { return nil }
    let names: [UInt8: String] = [1: "BT.709", 9: "BT.2020", 11: "DCI-P3", 12: "Display P3"]
    let primaries = bytes[chunk.offset + 8]
    return (names[primaries] ?? "primaries \(primaries)") + ", by code points"
  }

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
    // One whole frame is a still, whatever was lost.
    if frames == 1 { (delays, shortDelays) = ([], 0) }
    colors = look.colors
    alpha = !header.hasAlpha ? "none" : look.alpha
    warnings = reader.warnings
    if shortDelays > 0 {
      warnings.append(
        DecodeWarning(
          id: "short-delay",
          message: shortDelays == 1
            ? "1 frame says 10 ms or less; it is played at 100 ms, as in browsers"
            : "\(shortDelays) frames say 10 ms or less; they are played at 100 ms, as in browsers"))
    }
    if let longest = delays.max(), longest > Self.longDelay {
      warnings.append(
        DecodeWarning(
          id: "long-delay", message: "a frame is seen for \(longest.milliseconds / 1000) seconds; is that meant?"))
    }
    if case .gamma = header.color { profile = Self.codePointsName(bytes, chunks) }
    if case .icc(let stored) = header.color { profile = ICCTransform(stored)?.description ?? "without a name" }
    warnings += look.warnings
    pixelsOutsideSRGB = look.pixelsOutsideSRGB
  }
}
