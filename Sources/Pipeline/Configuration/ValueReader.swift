package import AssetCatalog

/// Reads one kind of value, of `decal.json` or of the command line; says what it takes and describes it as JSON Schema.
package struct ValueReader<Value: Sendable>: Sendable {
  /// What a value is, as in "is not a grid size".
  package let noun: String
  /// What is taken, as in "use small, regular or large".
  package let accepted: String
  /// The members of the JSON Schema.
  package let schema: [JSONValue.Member]
  /// The value, or nil where it is not taken.
  package let read: @Sendable (JSONValue) -> Value?

  /// The value of a word of the command line: a whole number where that is what is taken, a text otherwise.
  package func read(text: String) -> Value? {
    if let value = read(.string(text)) { return value }
    guard !text.hasPrefix("+"), let number = Int(text) else { return nil }
    return read(.int(number))
  }

  /// `grid "medium" is not a grid size; use small, regular or large`.
  package func complaint(of name: String, about shown: String) -> String {
    "\(name) \(shown) is not \(noun); use \(accepted)"
  }
}

extension ValueReader where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words of an enum.
  package static func choice(_ noun: String) -> ValueReader {
    let words = Value.allCases.map(\.rawValue)
    return ValueReader(
      noun: noun, accepted: alternatives(words), schema: [.init("enum", .array(words.map(JSONValue.string)))]
    ) {
      guard case .string(let word) = $0 else { return nil }
      return Value(rawValue: word)
    }
  }
}

extension ValueReader where Value == Int {
  /// A whole number in a range.
  package static func integer(_ range: ClosedRange<Int>, _ noun: String) -> ValueReader {
    ValueReader(
      noun: noun, accepted: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      schema: [
        .init("type", .string("integer")), .init("minimum", .int(range.lowerBound)),
        .init("maximum", .int(range.upperBound)),
      ]
    ) {
      guard case .int(let number) = $0, range.contains(number) else { return nil }
      return number
    }
  }
}

extension ValueReader where Value == Bool {
  /// True or false.
  package static let flag = ValueReader(
    noun: "a switch", accepted: "true or false", schema: [.init("type", .string("boolean"))]
  ) {
    guard case .bool(let value) = $0 else { return nil }
    return value
  }
}

extension ValueReader where Value == String {
  /// A text with at least one visible character.
  package static func text(_ noun: String) -> ValueReader {
    ValueReader(
      noun: noun, accepted: "a text in quotes",
      schema: [.init("type", .string("string")), .init("minLength", .int(1))]
    ) {
      guard case .string(let text) = $0, text.contains(where: { !$0.isWhitespace }),
        !text.unicodeScalars.contains("\0")
      else { return nil }
      return text
    }
  }

  /// A name that a folder can have on every file system that takes Unicode.
  package static let folderName = ValueReader(
    noun: "a name for a folder",
    accepted: "at most 60 characters and \(CatalogName.byteLimit) bytes, none of them / \\ : or a control character",
    schema: [
      .init("type", .string("string")), .init("minLength", .int(1)), .init("maxLength", .int(60)),
      .init("pattern", .string("^[^./\\\\:\\u0000-\\u001f][^/\\\\:\\u0000-\\u001f]*$")),
    ]
  ) {
    guard case .string(let name) = $0, 1...60 ~= name.unicodeScalars.count,
      name.utf8.count <= CatalogName.byteLimit, !name.hasPrefix("."),
      name.contains(where: { !$0.isWhitespace }),
      !name.unicodeScalars.contains(where: { $0.value < 0x20 || "/\\:".unicodeScalars.contains($0) })
    else { return nil }
    return name
  }
}

extension ValueReader where Value == [String] {
  /// One text or a list of them.
  package static func texts(_ noun: String, orOne: Bool) -> ValueReader {
    let one = ValueReader<String>.text(noun)
    let list = [
      JSONValue.Member("type", .string("array")), .init("items", .object(one.schema)),
      .init("uniqueItems", .bool(true)),
    ]
    return ValueReader(
      noun: noun, accepted: orOne ? "a text in quotes, or a list of them in [ ]" : "a list of texts in [ ]",
      schema: orOne
        ? [.init("anyOf", .array([.object(one.schema), .object(list + [.init("minItems", .int(1))])]))] : list
    ) {
      if orOne, let text = one.read($0) { return [text] }
      guard case .array(let items) = $0, !(orOne && items.isEmpty) else { return nil }
      let texts = items.compactMap(one.read)
      return texts.count == items.count ? texts : nil
    }
  }
}
