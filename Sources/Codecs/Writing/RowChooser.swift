/// Tries all five filters on a row and keeps the one with the lowest score.
struct RowChooser {
  private let rowBytes: Int
  private let strategy: FilterStrategy
  private var trial: [UInt8]
  private var pairs: PairCounter
  /// x log2 x, in 1/1024, for the entropy of a row.
  private let cost: [Int]

  init(rowBytes: Int, strategy: FilterStrategy) {
    self.rowBytes = rowBytes
    self.strategy = strategy
    trial = [UInt8](repeating: 0, count: rowBytes + 1)
    pairs = PairCounter(isNeeded: strategy == .fewestPairs)
    cost = strategy == .leastEntropy ? (0...rowBytes).map(Self.entropyCost) : []
  }

  /// Writes the best line; `filter` writes the one of a filter.
  mutating func choose(
    into line: UnsafeMutablePointer<UInt8>, _ filter: (UInt8, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    var best = Int.max
    trial.withUnsafeMutableBufferPointer { trial in
      guard let scratch = trial.baseAddress else { return }
      for type in UInt8(0)...4 {
        filter(type, scratch)
        let score =
          switch strategy {
          case .fewestPairs: pairs.count(scratch, rowBytes + 1, limit: best)
          case .leastEntropy: Self.entropy(scratch + 1, rowBytes, cost)
          default: Self.sumOfDistances(scratch + 1, rowBytes)
          }
        if score < best {
          best = score
          line.update(from: scratch, count: rowBytes + 1)
        }
      }
    }
  }

  /// The entropy of some bytes, less what is the same for all filters.
  private static func entropy(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ cost: [Int]) -> Int {
    // Four tables by turns: where bytes repeat, one count would wait for the one before.
    withUnsafeTemporaryAllocation(of: SIMD4<Int32>.self, capacity: 256) { room in
      room.initialize(repeating: .zero)
      let counts = UnsafeMutableRawPointer(room.baseAddress!).assumingMemoryBound(to: Int32.self)
      var i = 0
      while i &+ 4 <= count {
        counts[Int(bytes[i]) &* 4] &+= 1
        counts[Int(bytes[i &+ 1]) &* 4 &+ 1] &+= 1
        counts[Int(bytes[i &+ 2]) &* 4 &+ 2] &+= 1
        counts[Int(bytes[i &+ 3]) &* 4 &+ 3] &+= 1
        i &+= 4
      }
      while i < count {
        counts[Int(bytes[i]) &* 4] &+= 1
        i &+= 1
      }
      return cost.withUnsafeBufferPointer { cost in -room.reduce(0) { $0 &+ cost[Int($1.wrappedSum())] } }
    }
  }

  /// The sum of the bytes' distances from 0, forwards or backwards, sixteen at a time.
  private static func sumOfDistances(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let raw = UnsafeRawPointer(bytes)
    var (sum, done) = (0, 0)
    while count - done >= 16 {
      var part = SIMD16<UInt16>.zero
      // No more than 512 distances of at most 128 fit a sum of 16 bits.
      let end = min(count - 15, done + 16 * 256)
      while done < end {
        let some = raw.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self)
        let back = 0 &- some
        part &+= SIMD16<UInt16>(truncatingIfNeeded: some.replacing(with: back, where: back .< some))
        done += 16
      }
      sum &+= Int(SIMD16<UInt32>(truncatingIfNeeded: part).wrappedSum())
    }
    for i in done..<count { sum &+= Int(min(bytes[i], 0 &- bytes[i])) }
    return sum
  }

  /// count * log2(count) * 1024 in whole numbers: the same on every platform.
  private static func entropyCost(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let bits = Int.bitWidth - 1 - count.leadingZeroBitCount
    // log2 between powers of two by repeated squaring, ten binary places.
    var mantissa = (UInt64(count) << 32) >> UInt64(bits)
    var fraction = 0
    for _ in 0..<10 {
      mantissa = (mantissa >> 1) * (mantissa >> 1) >> 30
      fraction <<= 1
      if mantissa >= 1 << 33 {
        mantissa >>= 1
        fraction |= 1
      }
    }
    return count * (bits << 10 | fraction)
  }
}

/// Counts different pairs of neighboring bytes.
private struct PairCounter {
  /// The turn in which each pair was seen last: nothing need be cleared or added up.
  private var turns: [UInt8]
  private var turn: UInt8 = 0

  init(isNeeded: Bool) { turns = isNeeded ? [UInt8](repeating: 0, count: 1 << 16) : [] }

  /// The pairs, or some number that reaches the limit where they do.
  mutating func count(_ bytes: UnsafePointer<UInt8>, _ count: Int, limit: Int) -> Int {
    if turn == .max {
      for pair in turns.indices { turns[pair] = 0 }
      turn = 0
    }
    turn += 1
    return turns.withUnsafeMutableBufferPointer { turns in
      var pairs = 0
      var pair = Int(bytes[0])
      var start = 1
      while start < count, pairs < limit {
        let end = min(start &+ 128, count)
        for i in start..<end {
          pair = (pair << 8 | Int(bytes[i])) & 0xffff
          pairs &+= turns[pair] == turn ? 0 : 1
          turns[pair] = turn
        }
        start = end
      }
      return pairs
    }
  }
}
