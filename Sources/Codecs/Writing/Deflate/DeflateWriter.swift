/// Writes tokens as a zlib stream: blocks, each with codes of its own, parted where that takes the fewest bits.
///
/// Source: RFC 1950 and RFC 1951.
struct DeflateWriter {
  /// Tokens between two of them, at least.
  private static let shortestSegment = 256

  private var bits = BitWriter()

  /// The zlib stream of tokens, and of the bytes that they yield.
  static func zlib(_ tokens: [DeflateToken], yielding bytes: [UInt8]) -> [UInt8] {
    var writer = DeflateWriter()
    // Deflate with a window of 32 KB, the best compression.
    writer.bits.append(0x78, 8)
    writer.bits.append(0xDA, 8)
    let blocks = Self.blocks(tokens)
    for (number, block) in blocks.enumerated() { writer.append(tokens[block], isLast: number + 1 == blocks.count) }
    writer.bits.align()
    let check = adler32(bytes)
    for shift in [24, 16, 8, 0] as [UInt32] { writer.bits.append(UInt64(check >> shift & 255), 8) }
    return writer.bits.bytes
  }

  /// Parts tokens so that their blocks take the fewest bits, by their entropy; each ends at one of so many places.
  static func blocks(_ tokens: [DeflateToken], segments: Int = 16) -> [Range<Int>] {
    let step = max(shortestSegment, (tokens.count + segments - 1) / segments)
    let starts = Array(stride(from: 0, to: tokens.count, by: step))
    guard starts.count > 1 else { return [0..<tokens.count] }
    let ends = Array(starts.dropFirst()) + [tokens.count]
    let counts = zip(starts, ends).map { SymbolCounts(tokens[$0..<$1]) }
    var best = [0.0] + [Double](repeating: .infinity, count: counts.count)
    var origin = [Int](repeating: 0, count: counts.count + 1)
    for first in counts.indices {
      var sum = counts[first]
      for last in first..<counts.count {
        if last > first { sum.add(counts[last]) }
        let total = best[first] + sum.bits
        if total < best[last + 1] { (best[last + 1], origin[last + 1]) = (total, first) }
      }
    }
    var blocks: [Range<Int>] = []
    var end = counts.count
    while end > 0 {
      blocks.append(starts[origin[end]]..<ends[end - 1])
      end = origin[end]
    }
    return blocks.reversed()
  }

  private mutating func append(_ tokens: ArraySlice<DeflateToken>, isLast: Bool) {
    let counts = SymbolCounts(tokens)
    let literals = HuffmanCode(counts: counts.literals, limit: 15)
    let distances = HuffmanCode(counts: counts.distances, limit: 15)
    let header = Header(literals, distances)
    let own = header.bits + counts.bits(literals, distances)
    let isFixed = counts.bits(Self.fixedLiterals, Self.fixedDistances) <= own
    bits.append(isLast ? 1 : 0, 1)
    bits.append(isFixed ? 1 : 2, 2)
    if isFixed { return append(tokens, Self.fixedLiterals, Self.fixedDistances) }
    header.write(to: &bits)
    append(tokens, literals, distances)
  }

  private mutating func append(
    _ tokens: ArraySlice<DeflateToken>, _ literals: HuffmanCode, _ distances: HuffmanCode
  ) {
    for token in tokens {
      if token.isLiteral {
        bits.append(Int(token.packed), literals)
        continue
      }
      let length = Int(DeflateAlphabet.codeOfLength[token.length])
      bits.append(257 + length, literals)
      bits.append(
        UInt64(token.length - DeflateAlphabet.lengthBase[length]), DeflateAlphabet.lengthExtraBits[length])
      let distance = DeflateAlphabet.code(ofDistance: token.distance)
      bits.append(distance, distances)
      bits.append(
        UInt64(token.distance - DeflateAlphabet.distanceBase[distance]), DeflateAlphabet.distanceExtraBits[distance])
    }
    bits.append(DeflateAlphabet.endOfBlock, literals)
  }

  /// RFC 1951, section 3.2.6.
  private static let fixedLiterals = HuffmanCode(
    lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = HuffmanCode(lengths: [UInt8](repeating: 5, count: 30))
}

/// What comes before a block of codes of its own: the lengths of these codes.
///
/// Source: RFC 1951, section 3.2.7.
private struct Header {
  /// The order in which the lengths of the lengths' own codes come.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let extraBits = [Int](repeating: 0, count: 16) + [2, 3, 7]

  private let literals: Int
  private let distances: Int
  /// A length, or a repeat with what its extra bits say.
  private let steps: [(symbol: Int, extra: Int)]
  private let code: HuffmanCode
  /// The lengths of the lengths' own codes that are told.
  private let told: Int

  init(_ literals: HuffmanCode, _ distances: HuffmanCode) {
    func used(_ lengths: [UInt8]) -> Int { (lengths.lastIndex { $0 > 0 } ?? 0) + 1 }
    self.literals = max(used(literals.lengths), 257)
    self.distances = used(distances.lengths)
    steps = Self.steps(literals.lengths[..<self.literals] + distances.lengths[..<self.distances])
    var counts = [Int](repeating: 0, count: 19)
    for step in steps { counts[step.symbol] += 1 }
    let code = HuffmanCode(counts: counts, limit: 7)
    self.code = code
    told = max(4, (Self.order.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
  }

  /// Runs of lengths taken together.
  private static func steps(_ lengths: ArraySlice<UInt8>) -> [(symbol: Int, extra: Int)] {
    var steps: [(symbol: Int, extra: Int)] = []
    var place = lengths.startIndex
    while place < lengths.endIndex {
      let length = lengths[place]
      var run = lengths[place...].prefix { $0 == length }.count
      place += run
      if length == 0 {
        while run >= 3 {
          let some = min(run, 138)
          steps.append(some < 11 ? (17, some - 3) : (18, some - 11))
          run -= some
        }
      } else {
        steps.append((Int(length), 0))
        run -= 1
        while run >= 3 {
          let some = min(run, 6)
          steps.append((16, some - 3))
          run -= some
        }
      }
      for _ in 0..<run { steps.append((Int(length), 0)) }
    }
    return steps
  }

  var bits: Int {
    14 + 3 * told + steps.reduce(0) { $0 + Int(code.lengths[$1.symbol]) + Self.extraBits[$1.symbol] }
  }

  func write(to bits: inout BitWriter) {
    bits.append(UInt64(literals - 257), 5)
    bits.append(UInt64(distances - 1), 5)
    bits.append(UInt64(told - 4), 4)
    for symbol in Self.order[..<told] { bits.append(UInt64(code.lengths[symbol]), 3) }
    for step in steps {
      bits.append(step.symbol, code)
      bits.append(UInt64(step.extra), Self.extraBits[step.symbol])
    }
  }
}

extension SymbolCounts {
  /// The bits of these symbols, once the end of the block, by codes.
  fileprivate func bits(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Int {
    zip(self.literals, literals.lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
      + zip(self.distances, distances.lengths).reduce(extraBits) { $0 + $1.0 * Int($1.1) }
  }
}

/// Bits put one after another, the first lowest in its byte.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var count = 0

  /// Appends the lowest bits of a value, at most 32.
  mutating func append(_ value: UInt64, _ width: Int) {
    pending |= value << UInt64(count)
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  mutating func append(_ symbol: Int, _ code: HuffmanCode) {
    append(UInt64(code.codes[symbol]), Int(code.lengths[symbol]))
  }

  /// Fills the last byte with zeros.
  mutating func align() { if count > 0 { append(0, 8 - count) } }
}
