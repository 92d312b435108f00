/// A JSON object with lists that may be long: their elements are made when they are written, and none is kept.
public struct JSONDocument: Sendable {
  /// What stands under a key.
  public enum Content: Sendable {
    /// A value.
    case value(JSONValue)
    /// A list: how many elements, and each by its place.
    case list(count: Int, element: @Sendable (Int) -> JSONValue)
  }

  /// One key and what stands under it.
  public struct Member: Sendable {
    /// The key.
    public var key: String
    /// What stands under it.
    public var content: Content

    /// Makes a member.
    public init(_ key: String, _ content: Content) {
      self.key = key
      self.content = content
    }
  }

  /// Keys and what stands under them; a key comes once.
  public var members: [Member]

  /// Makes a document.
  public init(_ members: [Member]) { self.members = members }

  /// A piece is handed over as soon as it has so many bytes.
  static let pieceLength = 1 << 15

  /// Hands the UTF-8 text over piece by piece; it is what `JSONValue` has for the whole.
  public func write(_ style: JSONValue.Style, to put: ([UInt8]) -> Void) {
    var writer = JSONWriter(style)
    writer.write(self, to: put)
  }
}
