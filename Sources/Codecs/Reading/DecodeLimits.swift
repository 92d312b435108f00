/// Bounds on what is decoded, checked before memory is taken.
///
/// By default no file takes more than 512 MB to be read, but for a lossless WebP of very many code groups. The largest
/// picture takes 8 bytes a pixel (16 bits a sample) and a progressive JPEG of four inks 12; an animation has its canvas up
/// to four times (itself, a frame, what a frame hides and the canvas before), 32 bytes a pixel.
public struct DecodeLimits: Sendable, Hashable {
  /// Pixels of a picture.
  ///
  /// The largest art of the corpus has 25,000,000.
  public var pixelsPerFrame = 28_000_000
  /// Pixels of an animation's canvas.
  public var pixelsPerAnimationFrame = 10_000_000
  /// Pixels of a side; the most that JPEG and GIF can say.
  public var side = 65_535
  /// Pixels of all composed frames together.
  public var totalPixels = 2_000_000_000
  /// Pixels that an animation of more than `pixelsOfAnyFile` may have for each byte of its picture data.
  ///
  /// Full frames of flat art have up to 250 as PNG, but then few pixels in all; real clips have below 20, files made to do
  /// harm 250 to 8,000.
  public var pixelsPerByte = 100
  /// Pixels that an animation may have whatever its bytes: 300 frames of 1920x1080 px, read in about 5 s.
  public static let pixelsOfAnyFile = 640_000_000
  /// Frames of an animation.
  public var frames = 10_000
  /// Bytes of the file.
  public var fileBytes = 128 * 1024 * 1024
  /// Chunks, blocks or segments of the file.
  public var chunks = 200_000
  /// Bytes of one piece of metadata, decompressed; what is larger is not used, with a warning.
  public var metadataBytes = 4 * 1024 * 1024
  /// How long one source may take; nil for ever.
  public var time: TimeLimit?
  /// Whether a damaged animation is refused, where else its whole frames are kept with a warning.
  public var isStrict = false

  /// The documented defaults.
  public init() {}
}

/// The limits by name.
public enum DecodeLimit: String, CaseIterable, Sendable {
  /// `DecodeLimits.pixelsPerFrame`.
  case pixelsPerFrame = "--max-pixels"
  /// `DecodeLimits.pixelsPerAnimationFrame`.
  case pixelsPerAnimationFrame = "--max-animation-pixels"
  /// `DecodeLimits.side`.
  case side = "--max-side"
  /// `DecodeLimits.totalPixels`.
  case totalPixels = "--max-total-pixels"
  /// `DecodeLimits.pixelsPerByte`.
  case pixelsPerByte = "--max-pixels-per-byte"
  /// `DecodeLimits.frames`.
  case frames = "--max-frames"
  /// `DecodeLimits.fileBytes`.
  case fileBytes = "--max-file-bytes"
  /// `DecodeLimits.chunks`.
  case chunks = "--max-chunks"
  /// `DecodeLimits.time`.
  case time = "--time-limit"

  /// The option of the command line that sets it.
  public var option: String { rawValue }

  func message(value: Int, limit: Int) -> String {
    let much = value == .max ? "more than can be counted" : "\(value)"
    let what =
      switch self {
      case .pixelsPerFrame: "pixels in a picture: \(much)"
      case .pixelsPerAnimationFrame: "pixels in a frame of an animation: \(much)"
      case .side: "pixels on a side: \(much)"
      case .totalPixels: "pixels in all frames: \(much)"
      case .pixelsPerByte: "pixels for each byte of the animation's picture data: \(much)"
      case .frames: "frames: \(much)"
      case .fileBytes: "bytes in the file: \(much)"
      case .chunks: "chunks in the file: \(much) or more"
      case .time: "seconds of work: \(much)"
      }
    return "\(what), the limit is \(limit); \(option) sets it"
  }
}
