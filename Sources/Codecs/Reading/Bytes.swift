/// Numbers inside a file's bytes; the caller has checked that they are there.
extension [UInt8] {
  func big16(_ at: Int) -> Int { Int(self[at]) << 8 | Int(self[at + 1]) }
  func big32(_ at: Int) -> Int { big16(at) << 16 | big16(at + 2) }
  func little16(_ at: Int) -> Int { Int(self[at + 1]) << 8 | Int(self[at]) }
  func little24(_ at: Int) -> Int { Int(self[at + 2]) << 16 | little16(at) }
  func little32(_ at: Int) -> Int { little16(at + 2) << 16 | little16(at) }

  /// Whether the ASCII text stands at an offset; false also where the bytes end before.
  func holds(_ text: StaticString, at offset: Int = 0) -> Bool {
    guard offset >= 0, offset <= count, count - offset >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in
      for i in 0..<wanted.count where self[offset + i] != wanted[i] { return false }
      return true
    }
  }

  /// Whether the bytes stand at an offset; false also where the file ends before.
  func holds(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
    offset >= 0 && count - offset >= wanted.count && self[offset..<offset + wanted.count].elementsEqual(wanted)
  }

  /// Bytes as text, each byte that is no letter, digit or mark replaced by a question mark.
  func printable(_ range: Range<Int>) -> String {
    String(decoding: self[range].map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}
