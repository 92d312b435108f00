/// A value of a property list, in the two notations that an Xcode project needs.
indirect enum PropertyValue {
  /// A text.
  case string(String)
  /// True or false.
  case bool(Bool)
  /// A list.
  case array([PropertyValue])
  /// Keys and values in their order.
  case dictionary([(key: String, value: PropertyValue)])
  /// The id of an object of the project, and a name for people.
  case reference(String, String)
}

extension PropertyValue {
  /// The XML notation, as an `Info.plist` has it; tabs indent.
  var xml: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(xml(indent: ""))
    </plist>

    """
  }

  private func xml(indent: String) -> String {
    let inner = indent + "\t"
    switch self {
    case .string(let text), .reference(let text, _):
      return "\(indent)<string>\(PropertyValue.xmlEscaped(text))</string>"
    case .bool(let flag): return indent + (flag ? "<true/>" : "<false/>")
    case .array(let items):
      return "\(indent)<array>\n" + items.map { $0.xml(indent: inner) + "\n" }.joined() + "\(indent)</array>"
    case .dictionary(let entries):
      let lines = entries.map { key, value in
        "\(inner)<key>\(PropertyValue.xmlEscaped(key))</key>\n\(value.xml(indent: inner))\n"
      }
      return "\(indent)<dict>\n" + lines.joined() + "\(indent)</dict>"
    }
  }

  private static func xmlEscaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension PropertyValue {
  /// The older notation, as a `project.pbxproj` has it; objects that Xcode writes on one line stand on one.
  func openStep(indent: String = "", onOneLine: Bool = false) -> String {
    let (inner, end) = onOneLine ? ("", " ") : (indent + "\t", "\n")
    func list(_ open: String, _ items: [String], _ close: String) -> String {
      open + (onOneLine ? "" : "\n") + items.map { inner + $0 + end }.joined() + (onOneLine ? "" : indent) + close
    }
    switch self {
    case .string(let text): return PropertyValue.quoted(text)
    case .bool(let flag): return flag ? "YES" : "NO"
    case .reference(let id, let name): return id + PropertyValue.comment(name)
    case .array(let items):
      return list("(", items.map { $0.openStep(indent: inner, onOneLine: onOneLine) + "," }, ")")
    case .dictionary(let entries):
      let lines = entries.map { key, value in
        "\(PropertyValue.quoted(key)) = \(value.openStep(indent: inner, onOneLine: onOneLine));"
      }
      return list("{", lines, "}")
    }
  }

  /// A comment after an id, one that nothing in the name can end.
  static func comment(_ name: String) -> String { " /* \(name.replacing("*/", with: "* /")) */" }

  /// A text as it stands, where it is a plain word, else in quotes.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    if isPlain, !text.isEmpty, !text.contains("//") { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }
}
