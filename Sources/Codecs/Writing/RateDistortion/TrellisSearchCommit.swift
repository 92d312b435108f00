/// What a search has found becomes final.
extension TrellisSearch {
  /// Makes the best path to `end` final up to `keep` bytes before it; answers where the final part ends.
  func commit(
    from committed: Int, to end: Int, keep: Int, _ rowBytes: Int, into tokens: inout [DeflateToken]
  ) -> Int {
    let (content, path) = (memory.content, memory.path)
    var steps = 0
    var node = end
    while node > committed {
      let token = DeflateToken(packed: memory.choice[node])
      path[steps] = token.packed
      steps += 1
      node -= token.span
    }
    // A path that parted from the final one inside a copy takes over in the middle of it.
    var place = committed
    var surplus = committed - node
    while steps > 0, place < end - keep {
      steps -= 1
      let token = DeflateToken(packed: path[steps])
      if token.isLiteral {
        content[place] = UInt8(token.packed)
        tokens.append(token)
        place += 1
        continue
      }
      place = appendCopy(
        at: place, length: token.length - surplus, distance: token.distance, rowBytes, into: &tokens)
      surplus = 0
    }
    expect(path, steps, from: place)
    return place
  }

  /// Spells what is not final yet, as later copies may read it.
  private func expect(_ path: UnsafePointer<UInt32>, _ steps: Int, from place: Int) {
    let content = memory.content
    var place = place
    for step in (0..<steps).reversed() {
      let token = DeflateToken(packed: path[step])
      if token.isLiteral {
        content[place] = UInt8(token.packed)
      } else {
        for q in place..<place + token.length { content[q] = content[q - token.distance] }
      }
      place += token.span
    }
  }

  /// Appends a copy, or what is left of it where the bytes it now reads may not stand.
  private func appendCopy(
    at place: Int, length: Int, distance: Int, _ rowBytes: Int, into tokens: inout [DeflateToken]
  ) -> Int {
    let content = memory.content
    let end = place + length
    var q = place
    var (row, column) = (q / rowBytes, q % rowBytes)
    // The filter byte before a row is no pixel.
    func pixel() -> Int { column == 0 ? -1 : q &- row &- 1 }
    func advance() {
      q &+= 1
      column &+= 1
      if column == rowBytes { (row, column) = (row &+ 1, 0) }
    }
    while q < end {
      let begin = q
      while q < end {
        let byte = content[q &- distance]
        if !mayStand(byte, at: q, pixel()) { break }
        content[q] = byte
        advance()
      }
      if let longer = tokens.last?.extended(by: q - begin, distance: distance) {
        // One copy that was made final in parts.
        tokens[tokens.count - 1] = longer
      } else if q - begin >= DeflateAlphabet.minimumLength {
        tokens.append(DeflateToken(length: q - begin, distance: distance))
      } else {
        for literal in begin..<q { tokens.append(DeflateToken(literal: content[literal])) }
      }
      if q < end {
        let demand = demands.demand(request, pixel())
        let literal = bestLiteral(demand, memory.nominal[q])
        demands.release(demand)
        content[q] = literal.byte
        tokens.append(DeflateToken(literal: literal.byte))
        advance()
      }
    }
    return q
  }

  /// Whether a byte that was not priced here may stand: the source of a copy may have been another one then.
  @inline(__always)
  private func mayStand(_ byte: UInt8, at q: Int, _ pixel: Int) -> Bool {
    let demand = demands.demand(request, pixel)
    defer { demands.release(demand) }
    let error = demand.error(of: byte)
    return error < Self.bearable || error < TrellisPrices.largestError && byte == memory.nominal[q]
  }
}
