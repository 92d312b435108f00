#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The cheapest way through a stream by literals and copies, where all prices are known.
///
/// Costs wrap around: they are compared only among the ends of what begins at one byte, which lie near each other.
struct CheapestPath: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let found: FoundCopies
  /// What the rest takes from each byte on, packed like prices, with no length.
  private let rest: UnsafeMutablePointer<UInt32>
  private let choice: UnsafeMutablePointer<DeflateToken>

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ found: consuming FoundCopies) {
    (self.bytes, self.found) = (bytes, found)
    rest = .allocate(capacity: bytes.count + 1)
    choice = .allocate(capacity: bytes.count + 1)
  }

  deinit {
    rest.deallocate()
    choice.deallocate()
  }

  /// The tokens of the cheapest path; each block, from the byte it starts at, has prices of its own.
  borrowing func tokens(_ blocks: [(start: Int, prices: PackedPrices)]) -> [DeflateToken] {
    rest[bytes.count] = 0
    var end = bytes.count
    for (start, prices) in blocks.reversed() {
      price(start..<end, prices)
      end = start
    }
    var tokens: [DeflateToken] = []
    var place = 0
    while place < bytes.count {
      tokens.append(choice[place])
      place += choice[place].span
    }
    return tokens
  }

  /// Finds the cheapest token for each byte of a block, the last byte first.
  private borrowing func price(_ block: Range<Int>, _ prices: PackedPrices) {
    prices.literal.withUnsafeBufferPointer { literals in
      prices.length.withUnsafeBufferPointer { lengths in
        prices.distance.withUnsafeBufferPointer { distances in
          for place in block.reversed() {
            let byte = bytes[place]
            var cheapest = rest[place &+ 1] &+ literals[Int(byte)]
            choice[place] = DeflateToken(literal: byte)
            let copies = Int(found.starts[place])..<Int(found.starts[place &+ 1])
            var shortest = DeflateAlphabet.minimumLength
            for number in copies {
              let copy = found.copies[number]
              // Where a run goes on and on, no shorter copy need be looked at.
              if copies.count == 1, copy.length == DeflateAlphabet.maximumLength { shortest = copy.length }
              let best = Self.cheapest(shortest...copy.length, rest + place, lengths)
              shortest = copy.length &+ 1
              let distance = distances[DeflateAlphabet.code(ofDistance: copy.distance)]
              let total = best.packed &+ distance
              if Self.isLess(total, cheapest) {
                cheapest = total
                choice[place] = DeflateToken(length: best.length, distance: copy.distance)
              }
            }
            rest[place] = cheapest & ~PackedPrices.lengthMask
          }
        }
      }
    }
  }

  /// Among copies of one distance, the length with which the whole takes least.
  @inline(__always)
  private static func cheapest(
    _ lengths: ClosedRange<Int>, _ rest: UnsafePointer<UInt32>, _ prices: UnsafeBufferPointer<UInt32>
  ) -> (packed: UInt32, length: Int) {
    let base = prices.baseAddress.unsafelyUnwrapped
    var length = lengths.lowerBound
    var best = rest[length] &+ base[length]
    length &+= 1
    if length &+ 8 <= lengths.upperBound {
      var lanes = SIMD8(repeating: Int32(bitPattern: best))
      while length &+ 7 <= lengths.upperBound {
        let totals =
          UnsafeRawPointer(rest + length).loadUnaligned(as: SIMD8<Int32>.self)
          &+ UnsafeRawPointer(base + length).loadUnaligned(as: SIMD8<Int32>.self)
        lanes ^= (lanes ^ totals) & ((totals &- lanes) &>> SIMD8(repeating: 31))
        length &+= 8
      }
      for lane in 0..<8 {
        let total = UInt32(bitPattern: lanes[lane])
        if isLess(total, best) { best = total }
      }
    }
    while length <= lengths.upperBound {
      let total = rest[length] &+ base[length]
      if isLess(total, best) { best = total }
      length &+= 1
    }
    return (best, Int(best & PackedPrices.lengthMask))
  }

  @inline(__always)
  private static func isLess(_ a: UInt32, _ b: UInt32) -> Bool { Int32(bitPattern: a &- b) < 0 }
}

/// What the symbols of a block cost, as `CheapestPath` adds it up: 1/64 bit from bit 9 on, below it a copy's length.
struct PackedPrices {
  static let lengthMask: UInt32 = 511
  private static let unit: Float = 64
  /// Bits of a symbol, at the least and at the most: those of a prefix code.
  private static let range: ClosedRange<Float> = 1...15
  /// What a symbol that does not occur counts for.
  private static let floor: Float = 0.3

  fileprivate let literal: [UInt32]
  fileprivate let length: [UInt32]
  fileprivate let distance: [UInt32]

  init(_ counts: SymbolCounts) {
    func bits(_ counts: [Int]) -> [Float] {
      let total = Float(counts.reduce(0, +)) + Self.floor * Float(counts.count)
      return counts.map { count in
        min(max(log2f(total / (Float(count) + Self.floor)), Self.range.lowerBound), Self.range.upperBound)
      }
    }
    func packed(_ bits: Float, _ extra: Int = 0) -> UInt32 {
      UInt32(((bits + Float(extra)) * Self.unit).rounded()) << 9
    }
    let symbols = bits(counts.literals)
    literal = symbols[..<256].map { packed($0) }
    length = (0...DeflateAlphabet.maximumLength).map { length in
      let code = Int(DeflateAlphabet.codeOfLength[length])
      return packed(symbols[257 + code], DeflateAlphabet.lengthExtraBits[code]) | UInt32(length)
    }
    distance = zip(bits(counts.distances), DeflateAlphabet.distanceExtraBits).map { packed($0, $1) }
  }
}
