#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What each token is expected to cost in bits, learned from the frames already coded.
struct DeflateCosts {
  /// Bits of a literal byte.
  private(set) var literal = [Float](repeating: 6, count: 256)
  /// Bits of a copy's length, extra bits included, by length; entries 0 to 2 are unused.
  private(set) var length = [Float](repeating: 0, count: DeflateAlphabet.maximumLength + 1)
  /// Bits of a copy's distance by code, extra bits included.
  private(set) var distance = [Float](repeating: 0, count: DeflateAlphabet.distanceCodes)
  /// The cheapest literal.
  private(set) var cheapestLiteral: Float = 1

  private var literalWeights: [Float]
  private var distanceWeights: [Float]

  /// Expectations before anything was coded: literals by how often each index begins a run, copies by habit.
  init(literalCounts: [Float]) {
    let total = max(literalCounts.reduce(0, +), 1)
    // About half of the symbols are literals at the rates that matter; short copies are commoner than long ones.
    literalWeights = literalCounts.map { $0 / total * 500 + 0.05 } + [1]
    literalWeights += (0..<29).map { 500 / Float(3 + $0) / 8 }
    distanceWeights = [60, 5, 5, 5] + [Float](repeating: 8, count: 26)
    update()
  }

  /// Learns from what a frame used; older frames fade.
  mutating func learn(_ counts: SymbolCounts) {
    let fade: Float = 0.5
    for (symbol, count) in counts.literals.enumerated() {
      literalWeights[symbol] = literalWeights[symbol] * fade + Float(count)
    }
    for (symbol, count) in counts.distances.enumerated() {
      distanceWeights[symbol] = distanceWeights[symbol] * fade + Float(count)
    }
    update()
  }

  private mutating func update() {
    func bits(_ weights: [Float]) -> [Float] {
      let floor: Float = 0.3
      let total = weights.reduce(0) { $0 + $1 + floor }
      return weights.map { min(max(log2f(total / ($0 + floor)), 1), 14) }
    }
    let symbols = bits(literalWeights)
    literal = Array(symbols[..<256])
    cheapestLiteral = literal.min() ?? 1
    for value in DeflateAlphabet.minimumLength...DeflateAlphabet.maximumLength {
      let code = Int(DeflateAlphabet.codeOfLength[value])
      length[value] = symbols[257 + code] + Float(DeflateAlphabet.lengthExtraBits[code])
    }
    let distances = bits(distanceWeights)
    for code in 0..<DeflateAlphabet.distanceCodes {
      distance[code] = distances[code] + Float(DeflateAlphabet.distanceExtraBits[code])
    }
  }
}
