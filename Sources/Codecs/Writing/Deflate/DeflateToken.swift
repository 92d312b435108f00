/// One step of a DEFLATE stream: a literal byte, or a copy of earlier bytes.
///
/// Source: RFC 1951, section 3.2.5.
struct DeflateToken: Hashable, Sendable {
  /// A literal's value, or `length << 16 | distance`; a copy's length is at least 3, so the two cannot be confused.
  var packed: UInt32

  @inline(__always)
  init(packed: UInt32) { self.packed = packed }

  @inline(__always)
  init(literal: UInt8) { packed = UInt32(literal) }

  @inline(__always)
  init(length: Int, distance: Int) { packed = UInt32(truncatingIfNeeded: length << 16 | distance) }

  @inline(__always)
  var isLiteral: Bool { packed < 1 << 16 }

  /// The bytes that a copy yields, 3 to 258.
  @inline(__always)
  var length: Int { Int(packed >> 16) }

  /// How far back a copy reads, 1 to 32,768; 32,768 is stored as it is, since a length occupies the upper bits.
  @inline(__always)
  var distance: Int { Int(packed & 0xFFFF) }

  /// This copy and the next bytes at the same distance as one; nil where it is no such copy, or would be too long.
  func extended(by length: Int, distance: Int) -> DeflateToken? {
    let isOne = !isLiteral && self.distance == distance && self.length + length <= DeflateAlphabet.maximumLength
    return isOne ? DeflateToken(length: self.length + length, distance: distance) : nil
  }

  /// The bytes that the token yields.
  @inline(__always)
  var span: Int { isLiteral ? 1 : length }
}

/// The alphabets of DEFLATE: which code stands for a length or a distance, and how many extra bits follow it.
enum DeflateAlphabet {
  static let minimumLength = 3
  static let maximumLength = 258
  static let maximumDistance = 32_768
  static let endOfBlock = 256
  /// Literals, end of block and 29 length codes.
  static let literalCodes = 286
  static let distanceCodes = 30

  static let lengthBase: [Int] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  static let lengthExtraBits: [Int] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  static let distanceBase: [Int] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]
  static let distanceExtraBits: [Int] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]

  /// The length code, 0 to 28, of each length; entries 0 to 2 are unused.
  static let codeOfLength: [UInt8] = {
    var table = [UInt8](repeating: 0, count: maximumLength + 1)
    for (code, base) in lengthBase.enumerated() {
      for length in base...maximumLength { table[length] = UInt8(code) }
    }
    return table
  }()

  /// The distance code, 0 to 29.
  @inline(__always)
  static func code(ofDistance distance: Int) -> Int {
    guard distance > 4 else { return distance - 1 }
    let last = distance - 1
    let top = Int.bitWidth - 1 - last.leadingZeroBitCount
    return top * 2 + (last >> (top - 1) & 1)
  }
}
