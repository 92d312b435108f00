import Testing

@testable import AssetCatalog

private func parse(_ text: String, comments: Bool = false) throws(JSONSyntaxError) -> JSONValue {
  try JSONValue(parsing: Array(text.utf8), comments: comments)
}

private func failure(_ text: String, comments: Bool = false) -> JSONSyntaxError? {
  do throws(JSONSyntaxError) {
    _ = try parse(text, comments: comments)
    return nil
  } catch { return error }
}

@Suite struct JSONReading {
  @Test func `values of every kind are read and keep their order`() throws {
    let value = try parse(#" {"b":[1,-2.5,true,false,null,"x"],"a":{}} "#)
    #expect(
      value
        == .object([
          .init("b", .array([.int(1), .double(-2.5), .bool(true), .bool(false), .null, .string("x")])),
          .init("a", .object([])),
        ]))
    #expect(value["a"] == .object([]))
    #expect(value["c"] == nil)
  }

  @Test(arguments: [
    ("0", JSONValue.int(0)), ("-0", .int(0)), ("15.0", .int(15)), ("1e3", .int(1000)), ("1E+2", .int(100)),
    ("0.1", .double(0.1)), ("1e-2", .double(0.01)), ("9223372036854775807", .int(.max)),
    ("-9223372036854775808", .int(.min)), ("9223372036854775808", .double(0x1p63)), ("1e300", .double(1e300)),
  ])
  func `whole numbers are integers where they fit`(text: String, value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(arguments: ["01", "-", "1.", ".5", "+1", "1e", "0x1", "NaN", "Infinity", "1e999", "- 1"])
  func `what is no JSON number is refused`(text: String) { #expect(failure(text) != nil) }

  @Test func `escapes and surrogate pairs become characters`() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀"))
    #expect(try parse("\"é😀👍🏽\"") == .string("é😀👍🏽"))
  }

  @Test(arguments: [
    #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\u0041""#, #""\u12G4""#, #""\x""#, "\"a\nb\"",
    "\"open", "\"\\", "\"\\u12",
  ])
  func `broken texts are refused`(text: String) { #expect(failure(text) != nil) }

  @Test func `an error knows its line and column`() {
    #expect(failure("{\n  \"é😀\": tru\n}") == JSONSyntaxError(line: 2, column: 9, message: message("tru")))
    #expect(failure("[1,\r\n\r2,,]")?.line == 3)
    #expect(failure("[1,\r\n\r2,,]")?.column == 3)
    #expect(failure("\u{FEFF}x")?.column == 1)
    #expect(failure("")?.message == "expected a value, found the end of the file")
  }

  private func message(_ word: String) -> String { "expected a value, found \(word); text stands in double quotes" }

  @Test func `a key that comes twice is refused where it comes again`() {
    #expect(
      failure(#"{"a":1,"b":2,"a":3}"#) == JSONSyntaxError(line: 1, column: 14, message: "the key \"a\" comes twice"))
    #expect(failure("{\"\u{E9}\":1,\"e\u{301}\":2}") != nil)
  }

  @Test func `comments and trailing commas are read only when asked for`() throws {
    let text = "// head\n{ /* a */ \"a\" : [1, 2,], // b\n }\n/* end */"
    #expect(try parse(text, comments: true) == .object([.init("a", .array([.int(1), .int(2)]))]))
    #expect(failure(text) != nil)
    #expect(failure("[1,]") != nil)
    #expect(failure("{\"a\":1,}") != nil)
    #expect(failure("[,]", comments: true) != nil)
    #expect(failure("{,}", comments: true) != nil)
    #expect(failure("[1,,]", comments: true) != nil)
    #expect(failure("1 /* open", comments: true)?.column == 3)
    #expect(failure("1 /", comments: true) != nil)
    #expect(failure("1 /*/", comments: true) != nil)
    #expect(try parse("\"// no comment\"", comments: true) == .string("// no comment"))
  }

  @Test(arguments: ["{} x", "{a:1}", "{'a':1}", "[1 2]", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[", "{", "]", "{\"a\":"])
  func `broken documents are refused`(text: String) { #expect(failure(text) != nil) }

  @Test func `deep nesting is refused without a crash`() throws {
    let deep = { (n: Int) in String(repeating: "[", count: n) + String(repeating: "]", count: n) }
    _ = try parse(deep(200))
    #expect(failure(deep(201))?.column == 201)
    #expect(failure(String(repeating: "[{\"a\":", count: 100_000)) != nil)
  }

  @Test func `invalid UTF-8 is refused at its place`() {
    #expect(throws: JSONSyntaxError(line: 1, column: 3, message: "invalid UTF-8")) {
      _ = try JSONValue(parsing: [0x5B, 0x22, 0xFF, 0x22, 0x5D])
    }
  }
}

@Suite struct JSONWriting {
  private let value = JSONValue.object([
    .init("b", .array([.int(1), .object([.init("y", .null), .init("x", .bool(true))])])),
    .init("a", .string("é \"q\" \\ \n\u{1} / 😀")),
    .init("Z", .array([])),
    .init("é", .object([])),
  ])

  @Test func `Xcode's style has sorted keys and a space on both sides of the colon`() {
    #expect(
      value.serialized(.xcode) == """
        {
          "Z" : [

          ],
          "a" : "é \\"q\\" \\\\ \\n\\u0001 / 😀",
          "b" : [
            1,
            {
              "x" : true,
              "y" : null
            }
          ],
          "é" : {

          }
        }

        """)
  }

  @Test func `the pretty style has a space behind the colon`() {
    #expect(
      JSONValue.object([.init("b", .int(1)), .init("a", .array([]))]).serialized(.pretty)
        == "{\n  \"a\": [],\n  \"b\": 1\n}\n")
  }

  @Test func `the compact style is one line`() {
    #expect(
      value.serialized(.compact)
        == #"{"Z":[],"a":"é \"q\" \\ \n\u0001 / 😀","b":[1,{"x":true,"y":null}],"é":{}}"#)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (0.1, "0.1"), (-2.5, "-2.5"), (1e-5, "0.00001"), (1.5e-6, "0.0000015"),
    (1e-7, "1e-7"), (1.25e-10, "1.25e-10"), (1e16, "10000000000000000"),
    (123_456_789_012_345_683_968, "123456789012345680000"),
    (1e21, "1e21"), (1.7976931348623157e308, "1.7976931348623157e308"), (Double.leastNonzeroMagnitude, "5e-324"),
    (0.30000000000000004, "0.30000000000000004"),
    (1234.5, "1234.5"), (100, "100"),
  ])
  func `numbers are written with the fewest digits and plainly`(number: Double, text: String) {
    #expect(JSONValue.double(number).serialized(.compact) == text)
    #expect(Double(text) == number)
  }

  @Test(arguments: [JSONValue.Style.xcode, .pretty, .compact])
  func `what is written reads back equal`(style: JSONValue.Style) throws {
    let sorted = try parse(value.serialized(style))
    #expect(sorted.serialized(style) == value.serialized(style))
    #expect(sorted["b"] != nil && sorted["a"] == value["a"])
  }

  @Test(arguments: [JSONValue.Style.xcode, .pretty, .compact], [0, 1, 5000])
  func `a document in pieces is the text of the whole`(style: JSONValue.Style, count: Int) {
    let element = { @Sendable (place: Int) in
      JSONValue.object([.init("place", .int(place)), .init("list", .array([.string("é\"")]))])
    }
    let document = JSONDocument([
      .init("z", .value(.null)), .init("list", .list(count: count, element: element)), .init("a", .value(.array([]))),
    ])
    let whole = JSONValue.object([
      .init("z", .null), .init("list", .array((0..<count).map(element))), .init("a", .array([])),
    ])
    var pieces: [[UInt8]] = []
    document.write(style) { pieces.append($0) }
    #expect(Array(pieces.joined()) == whole.bytes(style))
    #expect(count < 5000 || pieces.count > 4)
    #expect(pieces.allSatisfy { $0.count < 2 * JSONDocument.pieceLength })
  }

  /// AC-04: names of every kind survive a real encoder.
  @Test(arguments: [
    "say \"hi\" \\ wow", "back\\slash", "new\nline", "tab\t", "😀👍🏽", "Icon\r", "\u{0}\u{1F}\u{7F}\u{2028}", "en\u{303}",
  ])
  func `awkward names round-trip scalar by scalar`(name: String) throws {
    let text = JSONValue.object([.init(name, .string(name))]).serialized(.xcode)
    guard case .object(let members) = try parse(text), case .string(let read)? = members.first?.value else {
      Issue.record("no object")
      return
    }
    #expect(Array(read.unicodeScalars) == Array(name.unicodeScalars))
    #expect(Array(members[0].key.unicodeScalars) == Array(name.unicodeScalars))
  }
}
