/// A canonical prefix code.
///
/// Source: RFC 1951, section 3.2.2; lengths by Larmore and Hirschberg, "A fast algorithm for optimal length-limited
/// Huffman codes" (1990).
struct HuffmanCode {
  /// Bits of each symbol's code; 0 where it has none.
  let lengths: [UInt8]
  /// Each symbol's code, its first bit lowest.
  let codes: [UInt16]

  /// The code of given lengths.
  init(lengths: [UInt8]) {
    self.lengths = lengths
    var counts = [UInt16](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [UInt16](repeating: 0, count: 16)
    for length in 1..<next.count { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    codes = lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[Int(length)] += 1 }
      return next[Int(length)].reversedBits >> (16 - UInt16(length))
    }
  }

  /// The shortest code for symbols that occur so often, none longer than `limit` bits.
  ///
  /// Some readers want two codes at least: unused symbols get what is missing.
  init(counts: [Int], limit: Int) {
    var counts = counts
    for symbol in 0..<2 where counts.count(where: { $0 > 0 }) < 2 { counts[symbol] = max(counts[symbol], 1) }
    let leaves = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$0], $0) < (counts[$1], $1) }
    let weights = leaves.map { counts[$0] }
    // Of each number of bits, the leaves and the pairs of what is one bit shorter, the lightest first.
    var levels: [[Bool]] = []
    var items: [Int] = []
    for _ in 0..<limit {
      let pairs = stride(from: 0, to: items.count - 1, by: 2).map { items[$0] + items[$0 + 1] }
      var (merged, isLeaf): ([Int], [Bool]) = ([], [])
      var (leaf, pair) = (0, 0)
      while leaf < weights.count || pair < pairs.count {
        let takesLeaf = pair == pairs.count || leaf < weights.count && weights[leaf] <= pairs[pair]
        merged.append(takesLeaf ? weights[leaf] : pairs[pair])
        isLeaf.append(takesLeaf)
        if takesLeaf { leaf += 1 } else { pair += 1 }
      }
      items = merged
      levels.append(isLeaf)
    }
    var lengths = [UInt8](repeating: 0, count: counts.count)
    var taken = 2 * leaves.count - 2
    for level in levels.reversed() {
      let lightest = level[..<taken].count { $0 }
      for leaf in leaves[..<lightest] { lengths[leaf] += 1 }
      taken = 2 * (taken - lightest)
    }
    self.init(lengths: lengths)
  }
}

extension UInt16 {
  /// The bits in the opposite order.
  fileprivate var reversedBits: UInt16 {
    var bits = self
    bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
    bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
    bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
    return bits.byteSwapped
  }
}
