/// How hard `press` looks for the fewest bits.
struct PressingEffort: Hashable {
  /// Earlier places that are compared with each byte, at most.
  var depth: Int
  /// A copy of this length is not improved on.
  var niceLength: Int
  /// How often the cheapest path is looked for: each time by the prices that the last one led to.
  var passes: Int

  /// Where the likely symbols are known, mostly smaller than libdeflate's last level.
  static let quick = PressingEffort(depth: 100, niceLength: 100, passes: 2)
  /// Near the smallest that is possible.
  static let thorough = PressingEffort(depth: 300, niceLength: DeflateAlphabet.maximumLength, passes: 4)
}

/// Bytes as a zlib stream of nearly the fewest bits: the cheapest path by the prices of each block's own codes, found
/// anew as the blocks and prices settle.
///
/// The first prices are those of symbols that are known to be likely. Source: the iterations of Zopfli (J. Alakuijala
/// and L. Vandevenne, "Data compression using Zopfli", 2013).
func press(_ bytes: [UInt8], likely: SymbolCounts, _ effort: PressingEffort) -> [UInt8] {
  let tokens = bytes.withUnsafeBufferPointer { bytes in
    let path = CheapestPath(bytes, CopyFinder.find(bytes, effort))
    var blocks = [(start: 0, prices: PackedPrices(likely))]
    var tokens: [DeflateToken] = []
    for pass in 1...effort.passes {
      tokens = path.tokens(blocks)
      if pass < effort.passes { blocks = pricedBlocks(tokens) }
    }
    return tokens
  }
  return DeflateWriter.zlib(tokens, yielding: bytes)
}

/// Where blocks start, and what symbols cost in them.
private func pricedBlocks(_ tokens: [DeflateToken]) -> [(start: Int, prices: PackedPrices)] {
  var start = 0
  return DeflateWriter.blocks(tokens, segments: 8).map { block in
    defer { start += tokens[block].reduce(0) { $0 + $1.span } }
    return (start, PackedPrices(SymbolCounts(tokens[block])))
  }
}
