package import AssetCatalog

extension Configuration {
  /// The text of a `decal.json` with keys put at its beginning, everything else left as it is; nil where the text is none.
  ///
  /// Without a text a new one is made.
  package static func text(_ text: [UInt8]?, adding members: [JSONValue.Member]) -> [UInt8]? {
    guard let text else { return Array(JSONValue.object(members).serialized(.pretty).utf8) }
    guard case .object(let old)? = try? JSONValue(parsing: text, comments: true), let brace = firstBrace(text) else {
      return nil
    }
    let lines = members.map { member in
      let value = member.value.serialized(.compact)
      return "\n  \(JSONValue.string(member.key).serialized(.compact)): \(value)"
    }
    let added = lines.joined(separator: ",") + (old.isEmpty || members.isEmpty ? "" : ",")
    let result = text[...brace] + Array(added.utf8) + text[(brace + 1)...]
    // What was added must be what is read.
    guard case .object(let new)? = try? JSONValue(parsing: Array(result), comments: true), new == members + old else {
      return nil
    }
    return Array(result)
  }

  /// The place of the first brace that is not in a comment.
  private static func firstBrace(_ text: [UInt8]) -> Int? {
    let (slash, star, newline) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\n"))
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "{") { return index }
      if text[index] == slash, index + 1 < text.count, text[index + 1] == slash {
        while index < text.count, text[index] != newline { index += 1 }
      } else if text[index] == slash, index + 1 < text.count, text[index + 1] == star {
        index += 2
        while index + 1 < text.count, !(text[index] == star && text[index + 1] == slash) { index += 1 }
        index += 1
      }
      index += 1
    }
    return nil
  }
}
