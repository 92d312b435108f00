/// Bounds on what is decoded, checked before memory is taken.
public struct DecodeLimits: Sendable, Hashable {
  /// Pixels of a canvas or frame.
  ///
  /// The largest art of the corpus has 25,000,000. At 8 bytes a pixel, and what a progressive JPEG takes beside its
  /// picture, this stays below 512 MB.
  public var pixelsPerFrame = 40_000_000
  /// Pixels of all composed frames together.
  public var totalPixels = 10_000_000_000
  /// Frames of an animation.
  public var frames = 10_000
  /// Bytes of the file.
  public var fileBytes = 512 * 1024 * 1024
  /// Bytes of one piece of metadata, decompressed; what is larger is not used, with a warning.
  public var metadataBytes = 4 * 1024 * 1024
  /// How long one source may take; nil for ever.
  public var time: TimeLimit?
  /// Whether a damaged animation is refused, where else its whole frames are kept with a warning.
  public var isStrict = false

  /// The documented defaults.
  public init() {}
}

/// How long a reader may take from its making to its last frame, the work between frames included.
///
/// It ends the reading with an error and never alters a result.
public struct TimeLimit: Sendable, Hashable {
  /// The most seconds.
  public let seconds: Int
  /// The time that has passed since some moment.
  let now: @Sendable () -> Duration

  /// Makes a limit; the clock is the system's, which does not go backward, or one of a test.
  public init(seconds: Int, now: @escaping @Sendable () -> Duration = TimeLimit.systemTime()) {
    self.seconds = seconds
    self.now = now
  }

  /// A function that gives the time since this call.
  public static func systemTime() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { start.duration(to: .now) }
  }

  /// Compares the seconds; clocks do not count.
  public static func == (a: TimeLimit, b: TimeLimit) -> Bool { a.seconds == b.seconds }

  /// Hashes the seconds.
  public func hash(into hasher: inout Hasher) { hasher.combine(seconds) }
}

/// The limits by name.
public enum DecodeLimit: String, CaseIterable, Sendable {
  /// `DecodeLimits.pixelsPerFrame`.
  case pixelsPerFrame = "--max-pixels"
  /// `DecodeLimits.totalPixels`.
  case totalPixels = "--max-total-pixels"
  /// `DecodeLimits.frames`.
  case frames = "--max-frames"
  /// `DecodeLimits.fileBytes`.
  case fileBytes = "--max-file-bytes"
  /// `DecodeLimits.time`.
  case time = "--time-limit"

  /// The option of the command line that sets it.
  public var option: String { rawValue }

  func message(value: Int, limit: Int) -> String {
    let much = value == .max ? "more than can be counted" : "\(value)"
    let what =
      switch self {
      case .pixelsPerFrame: "pixels in a frame: \(much)"
      case .totalPixels: "pixels in all frames: \(much)"
      case .frames: "frames: \(much)"
      case .fileBytes: "bytes in the file: \(much)"
      case .time: "seconds of work: \(much)"
      }
    return "\(what), the limit is \(limit); \(option) sets it"
  }
}
