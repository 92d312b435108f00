/// A `Contents.json`: typed, read from and written to Xcode's own layout.
///
/// Source: Apple's Asset Catalog Format Reference, corrected by what Xcode itself writes.
public protocol CatalogDocument: Hashable, Sendable {
  /// Reads a parsed document; keys that are not known are skipped. Throws `CatalogError`.
  init(_ json: JSONValue) throws(CatalogError)

  /// The document, `info` included.
  var json: JSONValue { get }
}

extension CatalogDocument {
  /// Reads a file's bytes; throws `CatalogError`.
  public init(parsing bytes: [UInt8]) throws(CatalogError) {
    let json: JSONValue
    do throws(JSONSyntaxError) { json = try JSONValue(parsing: bytes) } catch { throw .syntax(error) }
    try self.init(json)
  }

  /// The file's bytes, as Xcode lays them out.
  public var bytes: [UInt8] { json.bytes(.xcode) }
}

/// Why a `Contents.json` cannot be read.
public enum CatalogError: Error, Hashable, Sendable {
  /// It is no JSON.
  case syntax(JSONSyntaxError)
  /// A key that must be there is not; its path, such as `properties.grid-size`.
  case missingKey(String)
  /// A value has the wrong kind: the key's path, and what was expected.
  case wrongKind(key: String, expected: String)
  /// A value is no word of the vocabulary.
  case unknownWord(key: String, value: String, accepted: [String])

  /// One line for people, lower case.
  public var message: String {
    switch self {
    case .syntax(let error): "line \(error.line), column \(error.column): \(error.message)"
    case .missingKey(let key): "the key \(key) is missing"
    case .wrongKind(let key, let expected): "\(key) is not \(expected)"
    case .unknownWord(let key, let value, let accepted):
      "\(key) is \"\(value)\", not one of \(accepted.joined(separator: ", "))"
    }
  }
}

/// The `info` that every `Contents.json` carries.
let catalogInfo = JSONValue.Member(
  "info", .object([JSONValue.Member("author", .string("xcode")), JSONValue.Member("version", .int(1))]))

/// An object being read, with its place in the document for messages.
struct CatalogReader {
  private let value: JSONValue
  private let place: String

  init(_ value: JSONValue, place: String = "") throws(CatalogError) {
    guard case .object = value else {
      throw .wrongKind(key: place.isEmpty ? "the document" : place, expected: "an object")
    }
    self.value = value
    self.place = place
  }

  private func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  func required(_ key: String) throws(CatalogError) -> JSONValue {
    guard let value = value[key] else { throw .missingKey(path(key)) }
    return value
  }

  func object(_ key: String) throws(CatalogError) -> CatalogReader {
    try CatalogReader(try required(key), place: path(key))
  }

  func objects(_ key: String) throws(CatalogError) -> [CatalogReader] {
    guard case .array(let elements) = try required(key) else { throw .wrongKind(key: path(key), expected: "a list") }
    var readers: [CatalogReader] = []
    for (index, element) in elements.enumerated() {
      readers.append(try CatalogReader(element, place: "\(path(key))[\(index)]"))
    }
    return readers
  }

  func has(_ key: String) -> Bool { value[key] != nil }

  func string(_ key: String) throws(CatalogError) -> String {
    guard case .string(let text) = try required(key) else { throw .wrongKind(key: path(key), expected: "a text") }
    return text
  }

  func optionalString(_ key: String) throws(CatalogError) -> String? { has(key) ? try string(key) : nil }

  func int(_ key: String) throws(CatalogError) -> Int {
    guard case .int(let number) = try required(key) else {
      throw .wrongKind(key: path(key), expected: "a whole number")
    }
    return number
  }

  func double(_ key: String) throws(CatalogError) -> Double {
    switch try required(key) {
    case .int(let number): return Double(number)
    case .double(let number): return number
    default: throw .wrongKind(key: path(key), expected: "a number")
    }
  }

  func word<Word: RawRepresentable & CaseIterable>(_ key: String, _: Word.Type) throws(CatalogError) -> Word
  where Word.RawValue == String {
    let text = try string(key)
    guard let word = Word(rawValue: text) else {
      throw .unknownWord(key: path(key), value: text, accepted: Word.allCases.map(\.rawValue))
    }
    return word
  }

  func optionalWord<Word: RawRepresentable & CaseIterable>(_ key: String, _ type: Word.Type) throws(CatalogError)
    -> Word?
  where Word.RawValue == String { has(key) ? try word(key, type) : nil }

  func pointSize(_ key: String) throws(CatalogError) -> PointSize {
    let text = try string(key)
    guard let size = PointSize(text) else { throw .wrongKind(key: path(key), expected: "a size such as 60x45") }
    return size
  }
}
