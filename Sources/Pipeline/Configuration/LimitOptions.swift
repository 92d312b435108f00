import AssetCatalog
public import Codecs

/// Bounds on what is decoded as they are set in `decal.json` or typed; nil takes the documented default.
public struct LimitOptions: Sendable, Hashable {
  /// Pixels of a picture.
  public var maxPixels: Int?
  /// Pixels of an animation's canvas.
  public var maxAnimationPixels: Int?
  /// Pixels of a side.
  public var maxSide: Int?
  /// Pixels of all frames of one source together.
  public var maxTotalPixels: Int?
  /// Pixels of a very long animation for each byte of its picture data.
  public var maxPixelsPerByte: Int?
  /// Frames of an animation.
  public var maxFrames: Int?
  /// Bytes of a file.
  public var maxFileBytes: Int?
  /// Chunks, blocks or segments of a file.
  public var maxChunks: Int?
  /// Bytes of one piece of metadata, decompressed.
  public var maxMetadataBytes: Int?
  /// Seconds that reading, scaling and encoding one source may take.
  public var timeLimit: Int?
  /// Whether a damaged animation is refused, where else its whole frames are kept.
  public var strict: Bool?

  /// Nothing set.
  public init() {}

  /// These limits, and another's where these say nothing.
  public func over(_ base: LimitOptions) -> LimitOptions {
    var result = base
    result.maxPixels = maxPixels ?? base.maxPixels
    result.maxAnimationPixels = maxAnimationPixels ?? base.maxAnimationPixels
    result.maxSide = maxSide ?? base.maxSide
    result.maxTotalPixels = maxTotalPixels ?? base.maxTotalPixels
    result.maxPixelsPerByte = maxPixelsPerByte ?? base.maxPixelsPerByte
    result.maxFrames = maxFrames ?? base.maxFrames
    result.maxFileBytes = maxFileBytes ?? base.maxFileBytes
    result.maxChunks = maxChunks ?? base.maxChunks
    result.maxMetadataBytes = maxMetadataBytes ?? base.maxMetadataBytes
    result.timeLimit = timeLimit ?? base.timeLimit
    result.strict = strict ?? base.strict
    return result
  }

  /// The limits as a decoder takes them; the clock is the system's.
  public var limits: DecodeLimits {
    var limits = DecodeLimits()
    limits.pixelsPerFrame = maxPixels ?? limits.pixelsPerFrame
    limits.pixelsPerAnimationFrame = maxAnimationPixels ?? limits.pixelsPerAnimationFrame
    limits.side = maxSide ?? limits.side
    limits.totalPixels = maxTotalPixels ?? limits.totalPixels
    limits.pixelsPerByte = maxPixelsPerByte ?? limits.pixelsPerByte
    limits.frames = maxFrames ?? limits.frames
    limits.fileBytes = maxFileBytes ?? limits.fileBytes
    limits.chunks = maxChunks ?? limits.chunks
    limits.metadataBytes = maxMetadataBytes ?? limits.metadataBytes
    limits.time = timeLimit.map { TimeLimit(seconds: $0) }
    limits.isStrict = strict ?? limits.isStrict
    return limits
  }
}

extension ValueReader where Value == Int {
  package static let count = integer(1...1_000_000_000_000, "a count")
  package static let seconds = integer(1...86_400, "a number of seconds")
}

extension ConfigurationKey where Target == LimitOptions {
  /// The keys of `limits`.
  package static let limits: [ConfigurationKey] = {
    let standard = DecodeLimits()
    return [
      .value(
        "maxPixels", .count, \.maxPixels, default: .int(standard.pixelsPerFrame), "The most pixels of a picture."),
      .value(
        "maxAnimationPixels", .count, \.maxAnimationPixels, default: .int(standard.pixelsPerAnimationFrame),
        "The most pixels of a frame of an animation."),
      .value("maxSide", .count, \.maxSide, default: .int(standard.side), "The most pixels of a side."),
      .value(
        "maxTotalPixels", .count, \.maxTotalPixels, default: .int(standard.totalPixels),
        "The most pixels of all frames of one source."),
      .value(
        "maxPixelsPerByte", .count, \.maxPixelsPerByte, default: .int(standard.pixelsPerByte),
        "The most pixels for each byte of an animation with more than 640,000,000 pixels."),
      .value("maxFrames", .count, \.maxFrames, default: .int(standard.frames), "The most frames of an animation."),
      .value("maxFileBytes", .count, \.maxFileBytes, default: .int(standard.fileBytes), "The most bytes of a file."),
      .value(
        "maxChunks", .count, \.maxChunks, default: .int(standard.chunks),
        "The most chunks, blocks or segments of a file."),
      .value(
        "maxMetadataBytes", .count, \.maxMetadataBytes, default: .int(standard.metadataBytes),
        "The most bytes of a color profile or other metadata; more is not used."),
      .value(
        "timeLimit", .seconds, \.timeLimit, "The most seconds that the work on one source takes; without it, no bound."),
      .value(
        "strict", .flag, \.strict, default: .bool(false),
        "Whether a damaged animation is refused, where else its whole frames are kept."),
    ]
  }()
}
