/// Lays a document out as text.
struct JSONWriter {
  let style: JSONValue.Style
  var text = ""

  init(_ style: JSONValue.Style) { self.style = style }

  mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .int(let number): text += String(number)
    case .double(let number): text += JSONWriter.decimal(number)
    case .string(let string): write(string)
    case .array(let elements):
      list("[", "]", depth, elements) { writer, element in writer.write(element, depth: depth + 1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      list("{", "}", depth, sorted) { writer, member in
        writer.write(member.key)
        writer.text += writer.style == .xcode ? " : " : writer.style == .pretty ? ": " : ":"
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func list<Element>(
    _ open: String, _ close: String, _ depth: Int, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    text += open
    // Xcode leaves a blank line inside an empty list.
    if elements.isEmpty, style == .xcode { text += "\n" }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      newLine(depth + 1)
      body(&self, element)
    }
    if !elements.isEmpty || style == .xcode { newLine(depth) }
    text += close
  }

  private mutating func newLine(_ depth: Int) {
    guard style != .compact else { return }
    text += "\n"
    for _ in 0..<depth { text += "  " }
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// The shortest digits that read back as the same number, in plain notation from 1e-7 up to 1e21.
  ///
  /// These are the bounds of ECMAScript's `Number.prototype.toString`. JSON has no word for NaN and infinity: they trap.
  static func decimal(_ number: Double) -> String {
    precondition(number.isFinite, "JSON holds finite numbers only")
    if number == 0 { return "0" }
    let parts = number.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa[0] + (mantissa.count > 1 ? mantissa[1] : "")
    // The number is 0.DIGITS times ten to the power of `point`.
    var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1])! : 0)
    while digits.first == "0" {
      digits.removeFirst()
      point -= 1
    }
    while digits.last == "0" { digits.removeLast() }
    let sign = number < 0 ? "-" : ""
    return sign + place(String(digits), point)
  }

  private static func place(_ digits: String, _ point: Int) -> String {
    switch point {
    case -5...0: return "0." + String(repeating: "0", count: -point) + digits
    case 1...21:
      if digits.count <= point { return digits + String(repeating: "0", count: point - digits.count) }
      return digits.prefix(point) + "." + digits.dropFirst(point)
    default:
      let fraction = digits.dropFirst()
      return digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e" + String(point - 1)
    }
  }
}
