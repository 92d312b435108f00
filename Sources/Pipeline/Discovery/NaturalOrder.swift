/// The place of a name in natural order: numbers by value, letters without case, no locale.
///
/// Numbers come before other characters, so `cat2` < `cat10` < `catalog`; `1` comes before `01`, and names that differ
/// in nothing but case or Unicode normalization are told apart by their bytes: no two names have one place.
struct NaturalKey: Comparable {
  private enum Token: Equatable {
    /// The digits without leading zeros.
    case number([UInt8])
    /// One character in lower case.
    case character(String)
  }

  private let tokens: [Token]
  private let zeros: Int
  private let bytes: [UInt8]

  init(_ name: String) {
    var tokens: [Token] = []
    var digits: [UInt8] = []
    var zeros = 0
    func flush() {
      guard !digits.isEmpty else { return }
      let significant = digits.drop { $0 == UInt8(ascii: "0") }
      zeros += digits.count - significant.count
      tokens.append(.number(Array(significant)))
      digits = []
    }
    for character in name {
      if character.isASCII, character.isNumber, let digit = character.asciiValue {
        digits.append(digit)
      } else {
        flush()
        tokens.append(.character(character.lowercased()))
      }
    }
    flush()
    self.tokens = tokens
    self.zeros = zeros
    bytes = Array(name.utf8)
  }

  static func < (a: NaturalKey, b: NaturalKey) -> Bool {
    for (left, right) in zip(a.tokens, b.tokens) where left != right {
      switch (left, right) {
      case (.number(let x), .number(let y)):
        return x.count != y.count ? x.count < y.count : x.lexicographicallyPrecedes(y)
      case (.number, .character): return true
      case (.character, .number): return false
      case (.character(let x), .character(let y)): return x < y
      }
    }
    if a.tokens.count != b.tokens.count { return a.tokens.count < b.tokens.count }
    if a.zeros != b.zeros { return a.zeros < b.zeros }
    return a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}

/// A file's place: by the stem, then by the extension, so that `cat.png` comes before `cat 2.png`.
private struct NaturalNameKey: Comparable {
  let stem: NaturalKey
  let suffix: NaturalKey

  init(_ name: String) {
    let parts = Path.split(name)
    stem = NaturalKey(parts.stem)
    suffix = NaturalKey(parts.suffix)
  }

  static func < (a: NaturalNameKey, b: NaturalNameKey) -> Bool {
    a.stem == b.stem ? a.suffix < b.suffix : a.stem < b.stem
  }
}

extension Sequence {
  /// The elements in natural order of their file names.
  func naturallySorted(by name: (Element) -> String) -> [Element] {
    let keyed: [(key: NaturalNameKey, element: Element)] = map { (NaturalNameKey(name($0)), $0) }
    return keyed.sorted { $0.key < $1.key }.map(\.element)
  }
}
