/// Reads one JSON document, RFC 8259; a byte order mark at the start is skipped.
///
/// It works on Unicode scalars, so that a position is a column. Nesting is bounded, because it recurses.
struct JSONParser {
  /// Deeper documents are refused; Apple's catalogs nest five deep, our own files less than ten.
  static let depthLimit = 200

  private let scalars: [Unicode.Scalar]
  private let comments: Bool
  private var position = 0
  private var depth = 0

  init(_ bytes: [UInt8], comments: Bool) throws(JSONSyntaxError) {
    self.comments = comments
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(bytes.count)
    var codec = UTF8()
    var iterator = bytes.makeIterator()
    decoding: while true {
      switch codec.decode(&iterator) {
      case .scalarValue(let scalar): scalars.append(scalar)
      case .emptyInput: break decoding
      case .error: throw JSONSyntaxError("invalid UTF-8", after: scalars[...])
      }
    }
    self.scalars = scalars
    if scalars.first == "\u{FEFF}" { position = 1 }
  }

  mutating func parse() throws(JSONSyntaxError) -> JSONValue {
    let value = try value()
    try skipSpace()
    if let extra = peek { throw error("expected the end of the file, found \(quoted(extra))") }
    return value
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    try skipSpace()
    guard let next = peek else { throw error("expected a value, found the end of the file") }
    switch next {
    case "{": return try nested { parser throws(JSONSyntaxError) in try parser.object() }
    case "[": return try nested { parser throws(JSONSyntaxError) in try parser.array() }
    case "\"": return .string(try string())
    case "-", "0"..."9": return try number()
    case "a"..."z", "A"..."Z": return try word()
    default: throw error("expected a value, found \(quoted(next))")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    guard depth < JSONParser.depthLimit else { throw error("nested more than \(JSONParser.depthLimit) deep") }
    depth += 1
    defer { depth -= 1 }
    position += 1
    return try body(&self)
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONValue {
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    while true {
      try skipSpace()
      if peek == "}", members.isEmpty || comments {
        position += 1
        return .object(members)
      }
      let start = position
      guard peek == "\"" else { throw error("expected a key in double quotes\(found)") }
      let key = try string()
      guard keys.insert(key).inserted else { throw error("the key \"\(key)\" comes twice", at: start) }
      try skipSpace()
      guard take(":") else { throw error("expected ':' after the key \"\(key)\"\(found)") }
      members.append(JSONValue.Member(key, try value()))
      try skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("expected ',' or '}'\(found)") }
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> JSONValue {
    var elements: [JSONValue] = []
    while true {
      try skipSpace()
      if peek == "]", elements.isEmpty || comments {
        position += 1
        return .array(elements)
      }
      elements.append(try value())
      try skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw error("expected ',' or ']'\(found)") }
    }
  }

  private mutating func word() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    var text = ""
    while let next = peek, next.properties.isAlphabetic, next.isASCII {
      text.unicodeScalars.append(next)
      position += 1
    }
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: throw error("expected a value, found \(text); text stands in double quotes", at: start)
    }
  }
}

// Strings and numbers.
extension JSONParser {
  private mutating func string() throws(JSONSyntaxError) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let next = peek {
      switch next {
      case "\"":
        position += 1
        return String(text)
      case "\\":
        text.append(try escape())
      case _ where next.value < 0x20:
        throw error("a control character inside a text; write it as an escape such as \\n")
      default:
        text.append(next)
        position += 1
      }
    }
    throw error("a text that is not closed", at: start)
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    let plain: Unicode.Scalar
    switch peek {
    case "\"": plain = "\""
    case "\\": plain = "\\"
    case "/": plain = "/"
    case "b": plain = "\u{8}"
    case "f": plain = "\u{C}"
    case "n": plain = "\n"
    case "r": plain = "\r"
    case "t": plain = "\t"
    case "u": return try unicodeEscape(start)
    default: throw error("an unknown escape; a backslash is written \\\\", at: start)
    }
    position += 1
    return plain
  }

  private mutating func unicodeEscape(_ start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try hexUnit(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), take("\\"), peek == "u" else {
      throw error("an unpaired surrogate", at: start)
    }
    let second = try hexUnit(start)
    guard (0xDC00..<0xE000).contains(second) else { throw error("an unpaired surrogate", at: start) }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))!
  }

  /// Reads `uXXXX`.
  private mutating func hexUnit(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
    position += 1
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let next = peek, next.isASCII, let digit = Character(next).hexDigitValue else {
        throw error("expected four hexadecimal digits after \\u", at: start)
      }
      value = value << 4 + UInt32(digit)
      position += 1
    }
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    _ = take("-")
    if take("0") {
      if isDigit(peek) { throw error("a number with a leading zero", at: start) }
    } else {
      try digits()
    }
    var isPlain = true
    if take(".") {
      isPlain = false
      try digits()
    }
    if take("e") || take("E") {
      isPlain = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<position])
    let text = String(view)
    if isPlain, let whole = Int(text) { return .int(whole) }
    guard let value = Double(text), value.isFinite else { throw error("a number out of range", at: start) }
    // Beyond 2^53 a double no longer tells whole numbers apart, so it stays a double.
    if abs(value) <= 0x1p53, Double(Int(value)) == value { return .int(Int(value)) }
    return .double(value)
  }

  private mutating func digits() throws(JSONSyntaxError) {
    guard isDigit(peek) else { throw error("expected a digit\(found)") }
    while isDigit(peek) { position += 1 }
  }

  private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { ("0"..."9").contains($0) } ?? false }
}

// Space, comments and places.
extension JSONParser {
  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() throws(JSONSyntaxError) {
    while let next = peek {
      switch next {
      case " ", "\t", "\n", "\r": position += 1
      case "/": try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONSyntaxError) {
    guard comments else { throw error("expected a value, not '/'; comments are not allowed here") }
    let start = position
    position += 1
    if take("/") {
      while let next = peek, next != "\n", next != "\r" { position += 1 }
    } else if take("*") {
      while position + 1 < scalars.count {
        if scalars[position] == "*", scalars[position + 1] == "/" {
          position += 2
          return
        }
        position += 1
      }
      throw error("a comment that is not closed", at: start)
    } else {
      throw error("expected a comment after '/'", at: start)
    }
  }

  private var found: String { peek.map { ", found \(quoted($0))" } ?? ", found the end of the file" }

  private func quoted(_ scalar: Unicode.Scalar) -> String { "'\(scalar.escaped(asASCII: false))'" }

  private func error(_ message: String, at place: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(message, after: scalars[..<(place ?? position)])
  }
}

extension JSONSyntaxError {
  /// An error at the place behind the scalars read so far; CR, LF and CR LF end a line, a byte order mark has no column.
  init(_ message: String, after scalars: ArraySlice<Unicode.Scalar>) {
    var line = 1
    var column = 1
    var previous: Unicode.Scalar?
    for scalar in scalars {
      if scalar == "\r" || scalar == "\n" {
        if !(scalar == "\n" && previous == "\r") { line += 1 }
        column = 1
      } else if !(scalar == "\u{FEFF}" && previous == nil) {
        column += 1
      }
      previous = scalar
    }
    self.init(line: line, column: column, message: message)
  }
}
