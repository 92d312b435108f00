/// The `Contents.json` of a `.sticker`: one finished image file.
public struct StickerContents: CatalogDocument {
  /// The image's bare name inside the folder.
  public var filename: String
  /// What VoiceOver reads, at most `StickerLabel.limit` characters; without it the file's name is read.
  public var accessibilityLabel: String?

  /// Makes a sticker.
  public init(filename: String, accessibilityLabel: String?) {
    self.filename = filename
    self.accessibilityLabel = accessibilityLabel
  }

  /// Reads a sticker.
  public init(_ json: JSONValue) throws(CatalogError) {
    let properties = try CatalogReader(json).object("properties")
    filename = try properties.string("filename")
    accessibilityLabel = try properties.optionalString("accessibility-label")
  }

  /// See `CatalogDocument`.
  public var json: JSONValue {
    var properties = [JSONValue.Member("filename", .string(filename))]
    if let accessibilityLabel {
      properties.append(JSONValue.Member("accessibility-label", .string(accessibilityLabel)))
    }
    return .object([catalogInfo, JSONValue.Member("properties", .object(properties))])
  }
}
