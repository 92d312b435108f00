import Imaging

/// A number with its thousands set apart: `499,999`.
func grouped(_ number: Int) -> String {
  let digits = Array(String(number.magnitude))
  var text = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return text
}

/// A number and its word: `1 sticker`, `12 stickers`.
func counted(_ number: Int, _ word: String) -> String { "\(grouped(number)) \(word)\(number == 1 ? "" : "s")" }

/// Seconds for people, to hundredths: `1.6 s`, `0.08 s`.
func seconds(_ time: Rational) -> String {
  let hundredths = (time.milliseconds + 5) / 10
  var decimals = String(hundredths % 100)
  if decimals.count == 1 { decimals = "0" + decimals }
  while decimals.hasSuffix("0") { decimals.removeLast() }
  return "\(hundredths / 100)" + (decimals.isEmpty ? "" : "." + decimals) + " s"
}

/// A number that is not negative, to tenths: `0.6`.
func tenths(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// How often something plays.
func playsText(_ plays: Int) -> String {
  switch plays {
  case 0: "plays for ever"
  case 1: "plays once"
  default: "plays \(grouped(plays)) times"
  }
}

extension String {
  /// Columns that a terminal gives the text: emoji and East Asian wide characters take two.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text with spaces after it up to a column.
  func filled(to column: Int) -> String { self + String(repeating: " ", count: max(0, column - columns)) }

  /// The text with spaces before it up to a column.
  func aligned(to column: Int) -> String { String(repeating: " ", count: max(0, column - columns)) + self }
}

extension Character {
  fileprivate var columns: Int {
    let isWide = unicodeScalars.contains { scalar in
      scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F
        || wideRanges.contains { $0.contains(scalar.value) }
    }
    return isWide ? 2 : 1
  }
}

/// The large blocks that are Wide or Fullwidth in Unicode's EastAsianWidth.txt; emoji are known by their property.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
  0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
]
