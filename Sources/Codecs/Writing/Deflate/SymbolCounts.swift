#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How often each symbol of DEFLATE occurs in a run of tokens.
struct SymbolCounts {
  /// Literals, the end of the block and lengths.
  private(set) var literals = [Int](repeating: 0, count: DeflateAlphabet.literalCodes)
  /// Distances.
  private(set) var distances = [Int](repeating: 0, count: DeflateAlphabet.distanceCodes)

  init(_ tokens: [DeflateToken]) { self.init(tokens[...]) }

  init(_ tokens: ArraySlice<DeflateToken>) {
    literals[DeflateAlphabet.endOfBlock] = 1
    literals.withUnsafeMutableBufferPointer { literals in
      distances.withUnsafeMutableBufferPointer { distances in
        DeflateAlphabet.codeOfLength.withUnsafeBufferPointer { codeOfLength in
          for token in tokens {
            if token.isLiteral {
              literals[Int(token.packed)] += 1
            } else {
              literals[257 + Int(codeOfLength[token.length])] += 1
              distances[DeflateAlphabet.code(ofDistance: token.distance)] += 1
            }
          }
        }
      }
    }
  }

  /// Takes what follows into the same block.
  mutating func add(_ other: SymbolCounts) {
    for symbol in literals.indices where symbol != DeflateAlphabet.endOfBlock {
      literals[symbol] += other.literals[symbol]
    }
    for symbol in distances.indices { distances[symbol] += other.distances[symbol] }
  }

  /// The bits that tell lengths and distances beside their codes.
  var extraBits: Int {
    var bits = 0
    for (code, extra) in DeflateAlphabet.lengthExtraBits.enumerated() { bits += extra * literals[257 + code] }
    for (code, extra) in DeflateAlphabet.distanceExtraBits.enumerated() { bits += extra * distances[code] }
    return bits
  }

  /// The bits of a block of these symbols, by their entropy and a guess at its header.
  var bits: Double {
    let headerBits = 70.0
    let headerBitsPerSymbol = 3.5
    let symbols = literals.count { $0 > 0 } + distances.count { $0 > 0 }
    return headerBits + headerBitsPerSymbol * Double(symbols) + entropyBits(literals) + entropyBits(distances)
      + Double(extraBits)
  }

  /// The bytes of a zlib stream of these symbols in one block.
  var estimatedBytes: Double {
    let wrapperBytes = 6.0
    return wrapperBytes + bits / 8
  }
}

private func entropyBits(_ counts: [Int]) -> Double {
  var total = 0.0
  var sum = 0.0
  for count in counts where count > 0 {
    let value = Double(count)
    total += value
    sum += value * log2(value)
  }
  return total > 0 ? total * log2(total) - sum : 0
}
