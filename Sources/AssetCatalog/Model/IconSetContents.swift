/// The `Contents.json` of a `.stickersiconset` or an `.appiconset`.
public struct IconSetContents: CatalogDocument {
  /// One entry: a slot and the file in it.
  public struct Image: Hashable, Sendable {
    /// The file's bare name, or nil for an empty slot.
    public var filename: String?
    /// The slot.
    public var slot: IconSlot

    /// Makes an entry.
    public init(filename: String?, slot: IconSlot) {
      self.filename = filename
      self.slot = slot
    }
  }

  /// The entries in order.
  public var images: [Image]

  /// Makes an icon set.
  public init(images: [Image]) { self.images = images }

  /// Makes the full set of a table, each slot with the file of its own name.
  public init(slots: [IconSlot]) { images = slots.map { Image(filename: $0.filename, slot: $0) } }

  /// Reads an icon set.
  public init(_ json: JSONValue) throws(CatalogError) {
    images = []
    for image in try CatalogReader(json).objects("images") {
      let slot = IconSlot(
        size: try image.pointSize("size"), scale: try image.optionalWord("scale", IconScale.self),
        idiom: try image.word("idiom", IconIdiom.self),
        platform: try image.optionalWord("platform", IconPlatform.self),
        appearance: try IconSetContents.appearance(image))
      images.append(Image(filename: try image.optionalString("filename"), slot: slot))
    }
  }

  private static func appearance(_ image: CatalogReader) throws(CatalogError) -> IconAppearance? {
    guard image.has("appearances"), let first = try image.objects("appearances").first else { return nil }
    return try first.word("value", IconAppearance.self)
  }

  /// See `CatalogDocument`.
  public var json: JSONValue { .object([catalogInfo, JSONValue.Member("images", .array(images.map(\.json)))]) }
}

extension IconSetContents.Image {
  fileprivate var json: JSONValue {
    var members = [
      JSONValue.Member("idiom", .string(slot.idiom.rawValue)),
      JSONValue.Member("size", .string(slot.size.description)),
    ]
    if let filename { members.append(JSONValue.Member("filename", .string(filename))) }
    if let scale = slot.scale { members.append(JSONValue.Member("scale", .string(scale.rawValue))) }
    if let platform = slot.platform { members.append(JSONValue.Member("platform", .string(platform.rawValue))) }
    if let appearance = slot.appearance {
      members.append(
        JSONValue.Member(
          "appearances",
          .array([
            .object([
              JSONValue.Member("appearance", .string("luminosity")),
              JSONValue.Member("value", .string(appearance.rawValue)),
            ])
          ])))
    }
    return .object(members)
  }
}
