/// A JSON document; objects keep the order in which their keys were read or given.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case int(Int)
  /// Any other number.
  case double(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Keys and values in order; a key comes once.
  case object([Member])

  /// One key and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value under a key, or nil where this is no object or has no such key.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}

/// Where and why a text is not JSON.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int
  /// What was expected, lower case.
  public var message: String
}

extension JSONValue {
  /// Parses JSON (RFC 8259) from UTF-8; with `comments`, `//` and `/* */` comments and trailing commas are read too.
  ///
  /// A number whose value is whole and exact is an `int` however it is written (`15.0`, `1e3`), any other a `double`.
  /// Refused: a key that comes twice (also in two normalization forms), unpaired surrogates, nesting beyond 200 levels,
  /// numbers beyond `Double`.
  public init(parsing bytes: [UInt8], comments: Bool = false) throws(JSONSyntaxError) {
    var parser = try JSONParser(bytes, comments: comments)
    self = try parser.parse()
  }

  /// The ways to lay JSON out.
  public enum Style: Sendable {
    /// Xcode's: two spaces, sorted keys, `"key" : value`, final newline.
    case xcode
    /// Two spaces, sorted keys, `"key": value`, final newline; for manifests.
    case pretty
    /// One line without spaces, sorted keys, no newline; for JSON lines.
    case compact
  }

  /// The document as UTF-8 text; text is written raw, only control characters, `"` and `\` are escaped.
  public func serialized(_ style: Style) -> String { String(decoding: bytes(style), as: UTF8.self) }

  /// The same as bytes.
  public func bytes(_ style: Style) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.write(self, depth: 0)
    writer.finish()
    return writer.bytes
  }
}
