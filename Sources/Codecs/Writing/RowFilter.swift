/// Ways to choose PNG's row filters.
///
/// Source: PNG specification, third edition, sections 9 and 12.7; the two counting heuristics are common knowledge
/// among PNG optimizers: what repeats compresses.
enum FilterStrategy: Hashable, CaseIterable {
  case none, sub, up, average, paeth
  /// Each row by the least sum of differences, taken as signed.
  case leastSum
  /// Each row by the least entropy of its bytes.
  case leastEntropy
  /// Each row by the fewest different pairs of neighboring bytes.
  case fewestPairs
}

extension PackedRows {
  /// The rows with their filter bytes, ready to be compressed.
  func filtered(_ strategy: FilterStrategy) -> [UInt8] {
    let stride = rowBytes + 1
    return [UInt8](unsafeUninitializedCapacity: stride * height) { output, count in
      count = stride * height
      guard let target = output.baseAddress else { return }
      bytes.withUnsafeBufferPointer { source in
        guard let rows = source.baseAddress else { return }
        var chooser = RowChooser(rowBytes: rowBytes, strategy: strategy)
        for y in 0..<height {
          let row = rows + y * rowBytes
          let above = y > 0 ? row - rowBytes : nil
          let line = target + y * stride
          switch strategy {
          case .none: filter(0, row, above, into: line)
          case .sub: filter(1, row, above, into: line)
          case .up: filter(2, row, above, into: line)
          case .average: filter(3, row, above, into: line)
          case .paeth: filter(4, row, above, into: line)
          case .leastSum, .leastEntropy, .fewestPairs:
            chooser.choose(into: line) { filter($0, row, above, into: $1) }
          }
        }
      }
    }
  }

  /// Writes the filter's number and the filtered row.
  private func filter(
    _ type: UInt8, _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>?, into line: UnsafeMutablePointer<UInt8>
  ) {
    let unit = min(filterUnit, rowBytes)
    line[0] = type
    let output = line + 1
    switch type {
    case 1:
      for i in 0..<unit { output[i] = row[i] }
      for i in unit..<rowBytes { output[i] = row[i] &- row[i - unit] }
    case 2:
      if let above {
        for i in 0..<rowBytes { output[i] = row[i] &- above[i] }
      } else {
        output.update(from: row, count: rowBytes)
      }
    case 3:
      guard let above else {
        for i in 0..<unit { output[i] = row[i] }
        for i in unit..<rowBytes { output[i] = row[i] &- row[i - unit] >> 1 }
        return
      }
      for i in 0..<unit { output[i] = row[i] &- above[i] >> 1 }
      for i in unit..<rowBytes {
        output[i] = row[i] &- UInt8(truncatingIfNeeded: (UInt16(row[i - unit]) &+ UInt16(above[i])) >> 1)
      }
    case 4:
      guard let above else { return paethTop(row, output, unit) }
      for i in 0..<unit { output[i] = row[i] &- above[i] }
      for i in unit..<rowBytes {
        output[i] = row[i] &- paeth(row[i - unit], above[i], above[i - unit])
      }
    default:
      output.update(from: row, count: rowBytes)
    }
  }

  /// Without a row above, Paeth predicts from the left.
  private func paethTop(_ row: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ unit: Int) {
    for i in 0..<unit { output[i] = row[i] }
    for i in unit..<rowBytes { output[i] = row[i] &- row[i - unit] }
  }

  @inline(__always)
  private func paeth(_ left: UInt8, _ up: UInt8, _ upLeft: UInt8) -> UInt8 {
    let a = Int16(left)
    let b = Int16(up)
    let c = Int16(upLeft)
    let fromLeft = abs(b &- c)
    let fromUp = abs(a &- c)
    let fromUpLeft = abs(a &+ b &- c &- c)
    if fromLeft <= fromUp && fromLeft <= fromUpLeft { return left }
    return fromUp <= fromUpLeft ? up : upLeft
  }
}

/// Tries all five filters on a row and keeps the one with the lowest score.
private struct RowChooser {
  private let rowBytes: Int
  private let strategy: FilterStrategy
  private var trial: [UInt8]
  private var seen: [UInt64]
  /// x log2 x, in 1/1024, for the entropy of a row.
  private let cost: [Int]

  init(rowBytes: Int, strategy: FilterStrategy) {
    self.rowBytes = rowBytes
    self.strategy = strategy
    trial = [UInt8](repeating: 0, count: rowBytes + 1)
    seen = strategy == .fewestPairs ? [UInt64](repeating: 0, count: 1024) : []
    cost = strategy == .leastEntropy ? (0...rowBytes).map(Self.entropyCost) : []
  }

  mutating func choose(
    into line: UnsafeMutablePointer<UInt8>, _ filter: (UInt8, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    var best = Int.max
    trial.withUnsafeMutableBufferPointer { trial in
      guard let scratch = trial.baseAddress else { return }
      for type in UInt8(0)...4 {
        filter(type, scratch)
        let score = Self.score(scratch, rowBytes, strategy, &seen, cost)
        if score < best {
          best = score
          line.update(from: scratch, count: rowBytes + 1)
        }
      }
    }
  }

  private static func score(
    _ line: UnsafePointer<UInt8>, _ rowBytes: Int, _ strategy: FilterStrategy, _ seen: inout [UInt64], _ cost: [Int]
  ) -> Int {
    switch strategy {
    case .fewestPairs:
      seen.withUnsafeMutableBufferPointer { seen in
        seen.update(repeating: 0)
        for i in 0..<rowBytes {
          let pair = Int(line[i]) << 8 | Int(line[i + 1])
          seen[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        return seen.reduce(0) { $0 &+ $1.nonzeroBitCount }
      }
    case .leastEntropy:
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { counts in
        counts.initialize(repeating: 0)
        for i in 1...rowBytes { counts[Int(line[i])] &+= 1 }
        return cost.withUnsafeBufferPointer { cost in -counts.reduce(0) { $0 &+ cost[Int($1)] } }
      }
    default:
      sumOfDistances(line + 1, rowBytes)
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
