import AssetCatalog

extension Configuration {
  /// The text of a `decal.json` with edits made, everything else left as it is, and those of the edits that were made.
  ///
  /// What stands there already stays: such edits are left out, and so are those that cannot be put in. Without a text
  /// nothing is made.
  public static func text(_ text: [UInt8], applying edits: [ConfigurationEdit]) -> (
    text: [UInt8], made: [ConfigurationEdit]
  ) {
    var (text, made) = (text, [ConfigurationEdit]())
    for edit in edits {
      guard let new = Configuration.text(text, applying: edit) else { continue }
      text = new
      made.append(edit)
    }
    return (text, made)
  }

  private static func text(_ text: [UInt8], applying edit: ConfigurationEdit) -> [UInt8]? {
    guard let old = try? JSONValue(parsing: text, comments: true),
      let wanted = old.inserting(edit.value, at: edit.path[...])
    else { return nil }
    let objects = KeyLines(text).objects
    let depth = (0..<edit.path.count).last { objects[Array(edit.path[..<$0])] != nil } ?? 0
    guard let place = objects[Array(edit.path[..<depth])] else { return nil }
    let value = edit.path[(depth + 1)...].reversed().reduce(edit.value) { .object([.init($1, $0)]) }
    let member = "\(JSONValue.string(edit.path[depth]).serialized(.compact)): \(value.oneLine)"
    let isEmpty = old.members(at: edit.path[..<depth])?.isEmpty ?? true
    // An object on one line stays on it.
    let rest = text[place...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let begins = rest.first != UInt8(ascii: "\n") && rest.first != UInt8(ascii: "\r") && rest.first != UInt8(ascii: "/")
    let isLine = begins && (depth > 0 || !isEmpty)
    let newline = text.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    let indent = newline + String(repeating: "  ", count: depth)
    let before = isLine ? " " : Configuration.indentation(after: rest).map { newline + $0 } ?? indent + "  "
    let after = !isEmpty ? "," : isLine ? " " : rest.first == UInt8(ascii: "}") ? indent : ""
    let result = text[..<place] + Array((before + member + after).utf8) + text[place...]
    // What was added must be what is read.
    guard (try? JSONValue(parsing: Array(result), comments: true)) == wanted else { return nil }
    return Array(result)
  }

  /// What the first line with something on it begins with, after the rest of the line of a brace; nil where that is the
  /// closing brace.
  private static func indentation(after rest: ArraySlice<UInt8>) -> String? {
    for line in rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst() {
      let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard let first = text.first, first != UInt8(ascii: "\r") else { continue }
      return first == UInt8(ascii: "}") ? nil : String(decoding: line[..<text.startIndex], as: UTF8.self)
    }
    return nil
  }
}

extension JSONValue {
  /// The value on one line, with spaces as people write them.
  package var oneLine: String {
    guard case .object(let members) = self else { return serialized(.compact) }
    let parts = members.map { "\(JSONValue.string($0.key).serialized(.compact)): \($0.value.oneLine)" }
    return parts.isEmpty ? "{}" : "{ " + parts.joined(separator: ", ") + " }"
  }

  /// The members of the object that keys lead to, or nil.
  fileprivate func members(at path: ArraySlice<String>) -> [Member]? {
    guard case .object(let members) = self else { return nil }
    guard let key = path.first else { return members }
    return members.first { $0.key == key }?.value.members(at: path.dropFirst())
  }

  /// The document with a value put first into the deepest object that keys lead to; nil where a value stands there.
  fileprivate func inserting(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue? {
    guard case .object(var members) = self, let key = path.first else { return nil }
    let rest = path.dropFirst()
    if let index = members.firstIndex(where: { $0.key == key }) {
      guard let new = members[index].value.inserting(value, at: rest) else { return nil }
      members[index].value = new
    } else {
      members.insert(Member(key, rest.reversed().reduce(value) { .object([Member($1, $0)]) }), at: 0)
    }
    return .object(members)
  }
}
