/// Lays a document out as UTF-8.
struct JSONWriter {
  let style: JSONValue.Style
  private(set) var bytes: [UInt8] = []

  init(_ style: JSONValue.Style) { self.style = style }

  mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .int(let number): put(String(number))
    case .double(let number): put(JSONWriter.decimal(number))
    case .string(let string): write(string)
    case .array(let elements):
      list("[", "]", depth, elements.count) { writer, index in writer.write(elements[index], depth: depth + 1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      list("{", "}", depth, sorted.count) { writer, index in
        writer.write(key: sorted[index].key)
        writer.write(sorted[index].value, depth: depth + 1)
      }
    }
  }

  /// An object whose lists are handed over piece by piece.
  mutating func write(_ document: JSONDocument, to put: ([UInt8]) -> Void) {
    let sorted = document.members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    list("{", "}", 0, sorted.count) { writer, index in
      writer.write(key: sorted[index].key)
      switch sorted[index].content {
      case .value(let value): writer.write(value, depth: 1)
      case .list(let count, let element):
        writer.list("[", "]", 1, count) { writer, index in
          writer.write(element(index), depth: 2)
          if writer.bytes.count >= JSONDocument.pieceLength { writer.flush(to: put) }
        }
      }
    }
    finish()
    flush(to: put)
  }

  /// The line's end where the style has one.
  mutating func finish() { if style != .compact { put("\n") } }

  private mutating func flush(to put: ([UInt8]) -> Void) {
    put(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func write(key: String) {
    write(key)
    put(style == .xcode ? " : " : style == .pretty ? ": " : ":")
  }

  private mutating func list(
    _ open: String, _ close: String, _ depth: Int, _ count: Int, _ body: (inout JSONWriter, Int) -> Void
  ) {
    put(open)
    // Xcode leaves a blank line inside an empty list.
    if count == 0, style == .xcode { put("\n") }
    for index in 0..<count {
      if index > 0 { put(",") }
      newLine(depth + 1)
      body(&self, index)
    }
    if count > 0 || style == .xcode { newLine(depth) }
    put(close)
  }

  private mutating func newLine(_ depth: Int) {
    guard style != .compact else { return }
    put("\n")
    for _ in 0..<depth { put("  ") }
  }

  private mutating func write(_ string: String) {
    put("\"")
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): put("\\\"")
      case UInt8(ascii: "\\"): put("\\\\")
      case UInt8(ascii: "\n"): put("\\n")
      case UInt8(ascii: "\r"): put("\\r")
      case UInt8(ascii: "\t"): put("\\t")
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        put("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      default: bytes.append(byte)
      }
    }
    put("\"")
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
