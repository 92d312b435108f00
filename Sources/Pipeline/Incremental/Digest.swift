/// A SHA-256 digest as a value.
struct Digest: Hashable, Sendable {
  private let a, b, c, d: UInt64

  /// Reads 64 hexadecimal digits; nil where they are none.
  init?(hex: String) {
    guard hex.utf8.count == 64 else { return nil }
    var words: [UInt64] = []
    var word: UInt64 = 0
    for (index, byte) in hex.utf8.enumerated() {
      switch byte {
      case 0x30...0x39: word = word << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: word = word << 4 | UInt64(byte - 0x57)
      default: return nil
      }
      if index % 16 == 15 {
        words.append(word)
        word = 0
      }
    }
    self.init(words[0], words[1], words[2], words[3])
  }

  /// Four words, the first one first.
  init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

  /// Nobody's digest.
  static let none = Digest(0, 0, 0, 0)

  /// The digest of bytes.
  init(of bytes: [UInt8]) {
    var hash = SHA256()
    hash.update(bytes)
    self = hash.digest()
  }

  /// The digest of a text.
  init(of text: String) { self.init(of: Array(text.utf8)) }

  /// See the initializer.
  var words: [UInt64] { [a, b, c, d] }

  /// 64 lower-case hexadecimal digits.
  var hex: String {
    String(unsafeUninitializedCapacity: 64) { text in
      for (index, word) in [a, b, c, d].enumerated() {
        for digit in 0..<16 {
          let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * digit)) & 15
          text[16 * index + digit] = value + (value < 10 ? 0x30 : 0x57)
        }
      }
      return 64
    }
  }
}

extension SHA256 {
  /// The digest of all that was taken.
  consuming func digest() -> Digest { Digest(hex: hexDigest())! }
}
