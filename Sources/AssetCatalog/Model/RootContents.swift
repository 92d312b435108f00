/// The `Contents.json` of a catalog itself: nothing but `info`.
public struct RootContents: CatalogDocument {
  /// The only value.
  public init() {}

  /// Takes any object.
  public init(_ json: JSONValue) throws(CatalogError) { _ = try CatalogReader(json) }

  /// See `CatalogDocument`.
  public var json: JSONValue { .object([catalogInfo]) }
}
