import AssetCatalog
package import Imaging

extension ValueReader where Value == RGBA8 {
  /// A color as CSS writes it: three, six or eight hexadecimal digits, or a name.
  package static let color = ValueReader(
    noun: "a color",
    accepted: "#rgb, #rrggbb, #rrggbbaa or a name: " + alternatives(namedColors.map(\.name)),
    schema: schema("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$", namedColors)
  ) {
    guard case .string(let text) = $0 else { return nil }
    return color(named: text.lowercased()) ?? color(hexadecimal: text)
  }

  /// A color without transparency, for icons.
  package static let opaqueColor = ValueReader(
    noun: "an opaque color", accepted: "#rgb, #rrggbb or a name: " + alternatives(opaqueColors.map(\.name)),
    schema: schema("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", opaqueColors)
  ) {
    color.read($0).flatMap { $0.alpha == 255 ? $0 : nil }
  }

  private static let opaqueColors = namedColors.filter { $0.color.alpha == 255 }

  private static func schema(_ pattern: String, _ names: [(name: String, color: RGBA8)]) -> [JSONValue.Member] {
    let digits = [JSONValue.Member("type", .string("string")), .init("pattern", .string(pattern))]
    return [
      .init("anyOf", .array([.object(digits), .object([.init("enum", .array(names.map { .string($0.name) }))])]))
    ]
  }

  private static func color(named name: String) -> RGBA8? { namedColors.first { $0.name == name }?.color }

  private static func color(hexadecimal text: String) -> RGBA8? {
    guard text.hasPrefix("#") else { return nil }
    let digits = text.dropFirst().compactMap { $0.isASCII ? $0.hexDigitValue.map(UInt8.init) : nil }
    guard digits.count == text.count - 1 else { return nil }
    func pair(_ i: Int) -> UInt8 { digits[i] * 16 + digits[i + 1] }
    switch digits.count {
    case 3: return RGBA8(digits[0] * 17, digits[1] * 17, digits[2] * 17)
    case 6: return RGBA8(pair(0), pair(2), pair(4))
    case 8: return RGBA8(pair(0), pair(2), pair(4), pair(6))
    default: return nil
    }
  }
}

/// The basic color names of CSS Color 4, section 6.1, and the few that art is often put on.
let namedColors: [(name: String, color: RGBA8)] = [
  ("transparent", .clear), ("white", .white), ("black", .black), ("gray", RGBA8(128, 128, 128)),
  ("silver", RGBA8(192, 192, 192)), ("red", RGBA8(255, 0, 0)), ("orange", RGBA8(255, 165, 0)),
  ("yellow", RGBA8(255, 255, 0)), ("green", RGBA8(0, 128, 0)), ("blue", RGBA8(0, 0, 255)),
  ("purple", RGBA8(128, 0, 128)), ("pink", RGBA8(255, 192, 203)),
]

extension RGBA8 {
  /// `#rrggbbaa`.
  package var hexadecimal: String {
    "#" + [red, green, blue, alpha].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension ValueReader where Value == Rational {
  /// Frames a second: a number, or a fraction as a text; its parts must fit the two 16-bit numbers of an APNG delay.
  package static let rate = ValueReader(
    noun: "a frame rate",
    accepted: "a number from 0.1 to 120 with at most 3 decimals, or a fraction such as \"24000/1001\"",
    schema: [
      .init(
        "anyOf",
        .array([
          .object([.init("type", .string("number")), .init("minimum", .double(0.1)), .init("maximum", .int(120))]),
          .object([.init("type", .string("string")), .init("pattern", .string("^[0-9]+(/[0-9]+|[.][0-9]{1,3})?$"))]),
        ]))
    ]
  ) {
    let rate: Rational? =
      switch $0 {
      case .int(let number): 0...120 ~= number ? Rational(number) : nil
      case .double(let number): decimal("\(number)")
      case .string(let text): fraction(text) ?? decimal(text)
      default: nil
      }
    guard let rate, rate >= Rational(1, 10), rate <= Rational(120), rate.numerator <= 65535, rate.denominator <= 65535
    else { return nil }
    return rate
  }

  private static func fraction(_ text: String) -> Rational? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = digits(parts[0]), let denominator = digits(parts[1]), denominator > 0 else {
      return nil
    }
    return Rational(numerator, denominator)
  }

  /// The exact value of decimal digits, so that 29.97 is 2997/100.
  private static func decimal(_ text: String) -> Rational? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, let whole = digits(parts[0]) else { return nil }
    guard parts.count == 2 else { return Rational(whole) }
    guard parts[1].count <= 3, let decimals = digits(parts[1]) else { return nil }
    let scale = [1, 10, 100, 1000][parts[1].count]
    return Rational(whole * scale + decimals, scale)
  }

  /// Up to six decimal digits, so that no arithmetic on them overflows.
  private static func digits(_ text: Substring) -> Int? {
    1...6 ~= text.count && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}
