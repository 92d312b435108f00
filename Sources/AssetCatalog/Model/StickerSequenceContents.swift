/// What the `duration` of a sticker sequence counts; the raw value is the word of `Contents.json`.
public enum DurationType: String, CaseIterable, Sendable {
  /// Seconds a cycle.
  case fixed
  /// Frames a second.
  case fps
}

/// The `Contents.json` of a `.stickersequence`: one image a frame, which Xcode makes into a 24-bit animation.
public struct StickerSequenceContents: CatalogDocument {
  /// Seconds a cycle, or frames a second.
  public var duration: Double
  /// What `duration` counts.
  public var durationType: DurationType
  /// Plays after the first, 0 = for ever.
  public var repetitions: Int
  /// What VoiceOver reads.
  public var accessibilityLabel: String?
  /// The bare names of the frames, in order.
  public var frames: [String]

  /// Makes a sequence.
  public init(
    duration: Double, durationType: DurationType, repetitions: Int = 0, accessibilityLabel: String?, frames: [String]
  ) {
    self.duration = duration
    self.durationType = durationType
    self.repetitions = repetitions
    self.accessibilityLabel = accessibilityLabel
    self.frames = frames
  }

  /// Times the animation plays, 0 = for ever, as APNG counts.
  public var playCount: Int { repetitions <= 0 ? 0 : min(repetitions, .max - 1) + 1 }

  /// Reads a sequence; without `repetitions` it plays for ever.
  public init(_ json: JSONValue) throws(CatalogError) {
    let root = try CatalogReader(json)
    let properties = try root.object("properties")
    duration = try properties.double("duration")
    durationType = try properties.word("duration-type", DurationType.self)
    repetitions = properties.has("repetitions") ? try properties.int("repetitions") : 0
    accessibilityLabel = try properties.optionalString("accessibility-label")
    frames = []
    for frame in try root.objects("frames") { frames.append(try frame.string("filename")) }
  }

  /// See `CatalogDocument`.
  public var json: JSONValue {
    var properties = [
      JSONValue.Member("duration", .double(duration)),
      JSONValue.Member("duration-type", .string(durationType.rawValue)),
      JSONValue.Member("repetitions", .int(repetitions)),
    ]
    if let accessibilityLabel {
      properties.append(JSONValue.Member("accessibility-label", .string(accessibilityLabel)))
    }
    return .object([
      catalogInfo, JSONValue.Member("properties", .object(properties)),
      JSONValue.Member("frames", .array(frames.map { .object([JSONValue.Member("filename", .string($0))]) })),
    ])
  }
}
