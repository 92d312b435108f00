/// A text that says everything of a value of structs, enums, numbers and texts: equal for equal values, in every process.
///
/// It is made from the value itself, so that an option added to a recipe cannot be forgotten in a fingerprint.
struct CanonicalText: Hashable, Sendable {
  /// `name=value`, one a line; nested names are joined by dots.
  let lines: [String]
  /// All lines.
  let text: String

  init(_ value: Any) {
    var lines: [String] = []
    CanonicalText.describe(value, "", &lines)
    self.lines = lines
    text = lines.joined(separator: "\n")
  }

  /// Reads the text back.
  init(text: String) {
    lines = text.split(separator: "\n").map(String.init)
    self.text = text
  }

  /// The lines of another text that this one has otherwise, as `name: before -> now`.
  func changes(since other: CanonicalText) -> [String] {
    let (old, new) = (other.values, values)
    return Set(old.keys).union(new.keys).sorted(by: Path.precedes).compactMap { name in
      guard old[name] != new[name] else { return nil }
      return "\(name) \(old[name] ?? "none") -> \(new[name] ?? "none")"
    }
  }

  private var values: [String: String] {
    Dictionary(
      lines.map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func describe(_ value: Any, _ name: String, _ lines: inout [String]) {
    let mirror = Mirror(reflecting: value)
    func below(_ label: String) -> String { name.isEmpty ? label : name + "." + label }
    switch mirror.displayStyle {
    case .optional:
      guard let wrapped = mirror.children.first?.value else { return lines.append("\(name)=none") }
      describe(wrapped, name, &lines)
    case .struct, .class, .tuple:
      if mirror.children.isEmpty { return lines.append("\(name)=\(escaped("\(value)"))") }
      for child in mirror.children { describe(child.value, below(child.label ?? "_"), &lines) }
    case .collection:
      lines.append("\(name).count=\(mirror.children.count)")
      for (index, child) in mirror.children.enumerated() { describe(child.value, below("\(index)"), &lines) }
    case .dictionary, .set:
      var entries: [[String]] = []
      for child in mirror.children {
        var entry: [String] = []
        describe(child.value, name, &entry)
        entries.append(entry)
      }
      entries.sort { $0.joined(separator: "\n").utf8.lexicographicallyPrecedes($1.joined(separator: "\n").utf8) }
      lines.append("\(name).count=\(entries.count)")
      lines += entries.flatMap { $0 }
    case .enum where !mirror.children.isEmpty:
      for child in mirror.children { describe(child.value, below(child.label ?? "_"), &lines) }
    default:
      lines.append("\(name)=\(escaped("\(value)"))")
    }
  }

  private static func escaped(_ text: String) -> String {
    text.contains(where: { $0 == "\n" || $0 == "\\" || $0 == "\r\n" })
      ? text.replacing("\\", with: "\\\\").replacing("\r", with: "\\r").replacing("\n", with: "\\n") : text
  }
}
