/// One run of `IndexTrellis` over a region; see there.
struct TrellisSearch {
  static let neighbors = 12
  /// Copies that compete at once: some at distances that always make sense, the others found by content.
  private static let slots = 8
  private static let fixedSlots = 4
  /// Paths that compete agree this far back, in practice; older tokens are final.
  private static let lookback = 96
  private static let commitInterval = 64
  fileprivate static let impossible: Float = 1e9

  let request: IndexTrellis.Request
  /// The wanted bytes.
  let nominal: UnsafeMutablePointer<UInt8>
  /// The chosen bytes; what is not final yet is the best guess.
  let content: UnsafeMutablePointer<UInt8>
  /// The best token that ends at each place.
  let choice: UnsafeMutablePointer<UInt32>
  let path: UnsafeMutablePointer<UInt32>
  /// Earlier places with the same three wanted bytes.
  let chain: UnsafeMutablePointer<Int32>
  let head: UnsafeMutablePointer<Int32>
  /// The error of each byte at the place that `errorPlaces` names.
  let errors: UnsafeMutablePointer<Float>
  let errorPlaces: UnsafeMutablePointer<Int32>
  let points: UnsafePointer<SIMD4<Float>>
  let neighborTable: UnsafePointer<UInt8>
  let firstOpaque: Int
  let hashHits: Int
  let literalBits: UnsafePointer<Float>
  let lengthBits: UnsafePointer<Float>
  let distanceBits: UnsafePointer<Float>
  let cheapestLiteral: Float

  /// Runs the search; tokens are appended, the bytes lie in `content`.
  func run(into tokens: inout [DeflateToken]) {
    fillNominal(request.width + 1)
    for code in 0..<256 { errorPlaces[code] = -1 }
    for slot in 0..<1 << TrellisBuffers.hashBits { head[slot] = -1 }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * Self.slots) { floats in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * Self.slots) { numbers in
        let costs = floats.baseAddress!
        let places = numbers.baseAddress!
        let slots = Slots(
          cost: costs, entry: costs + Self.slots, lengthCost: costs + 2 * Self.slots, start: places,
          distance: places + Self.slots)
        for slot in 0..<Self.slots { slots.assign(slot, distance: 0, bits: Self.impossible, at: 0) }
        search(slots, into: &tokens)
      }
    }
  }

  /// The copies that compete; scalars, since vectors of Swift compare and blend lane by lane.
  private struct Slots {
    let cost: UnsafeMutablePointer<Float>
    /// The bits of each distance; `impossible` where the slot is empty.
    let entry: UnsafeMutablePointer<Float>
    /// The bits of each length so far.
    let lengthCost: UnsafeMutablePointer<Float>
    let start: UnsafeMutablePointer<Int32>
    let distance: UnsafeMutablePointer<Int32>

    /// Gives a slot a distance; it begins empty.
    @inline(__always)
    func assign(_ slot: Int, distance: Int, bits: Float, at i: Int) {
      self.distance[slot] = Int32(truncatingIfNeeded: distance)
      entry[slot] = bits
      cost[slot] = TrellisSearch.impossible
      lengthCost[slot] = 0
      start[slot] = Int32(truncatingIfNeeded: i)
    }
  }

  private func search(_ slots: Slots, into tokens: inout [DeflateToken]) {
    let rowBytes = request.width + 1
    let count = rowBytes * request.height
    let fixed = [1, rowBytes, rowBytes - 1, rowBytes + 1]
    let shortest = lengthBits[DeflateAlphabet.minimumLength]
    let (costLanes, entryLanes, lengthCostLanes) = (slots.cost, slots.entry, slots.lengthCost)
    let (startLanes, distanceLanes) = (slots.start, slots.distance)
    var best: Float = 0
    var committed = 0
    var runByte: UInt8 = 0
    var column = 0
    var row = 0
    // Whether the best path is inside a copy that costs nothing: no other one need compete.
    var isSettled = false
    for i in 0..<count {
      let pixel = column == 0 ? -1 : i &- row &- 1
      if i <= rowBytes + 1 { open(fixed, slots, at: i) }
      if !isSettled { offerFoundDistances(slots, at: i, count) }
      var next = Self.impossible * 2
      var token: UInt32 = 0
      var byte: UInt8 = 0
      for slot in 0..<Self.slots where distanceLanes[slot] > 0 {
        // A copy begins here where that is cheaper than going on with the one at the same distance.
        let begun = best + entryLanes[slot]
        var cost = costLanes[slot]
        if begun + shortest < cost + lengthCostLanes[slot] {
          cost = begun
          startLanes[slot] = Int32(truncatingIfNeeded: i)
          if slot == 0 { runByte = content[i &- 1] }
        }
        let copied = slot == 0 ? runByte : content[i &- Int(distanceLanes[slot])]
        cost += error(of: copied, at: i, pixel)
        let length = i &+ 1 &- Int(startLanes[slot])
        if length < DeflateAlphabet.minimumLength {
          lengthCostLanes[slot] = shortest
          costLanes[slot] = cost
          continue
        }
        let bits = lengthBits[length]
        lengthCostLanes[slot] = bits
        if cost + bits < next {
          next = cost + bits
          token = UInt32(truncatingIfNeeded: length << 16 | Int(distanceLanes[slot]))
          byte = copied
        }
        costLanes[slot] = length == DeflateAlphabet.maximumLength ? Self.impossible : cost
      }
      if best + cheapestLiteral < next {
        let literal = bestLiteral(at: i, pixel)
        if best + literal.cost < next {
          next = best + literal.cost
          token = UInt32(literal.byte)
          byte = literal.byte
        }
      }
      isSettled = token > 255 && next - best < 0.3
      choice[i &+ 1] = token
      content[i] = byte
      best = next
      insert(i, count)
      column &+= 1
      if column == rowBytes {
        column = 0
        row &+= 1
      }
      if i &+ 1 &- committed >= Self.lookback + Self.commitInterval || i &+ 1 == count {
        let keep = i &+ 1 == count ? 0 : Self.lookback
        committed = commit(from: committed, to: i + 1, keep: keep, rowBytes, into: &tokens)
        // Costs are relative: they stay small enough for exact floats.
        for slot in 0..<Self.slots where costLanes[slot] < Self.impossible { costLanes[slot] -= best }
        best = 0
      }
    }
  }

  /// Opens the slots whose distances always make sense, as soon as there is enough behind.
  private func open(_ fixed: [Int], _ slots: Slots, at i: Int) {
    for (slot, distance) in fixed.enumerated()
    where distance == i && distance <= DeflateAlphabet.maximumDistance && !fixed[..<slot].contains(distance) {
      slots.assign(
        slot, distance: distance, bits: distanceBits[DeflateAlphabet.code(ofDistance: distance)], at: i)
    }
  }

  private func fillNominal(_ rowBytes: Int) {
    for y in 0..<request.height {
      nominal[y * rowBytes] = 0
      for x in 0..<request.width {
        let pixel = y * request.width + x
        var index = request.nominal[pixel]
        if request.blend == .over, index == request.shown[pixel] || Int(index) < firstOpaque { index = 0 }
        nominal[y * rowBytes + 1 + x] = index
      }
    }
  }

  /// The visible error of a byte in bits; `impossible` where the byte may not stand.
  @inline(__always)
  private func error(of byte: UInt8, at i: Int, _ pixel: Int) -> Float {
    let code = Int(byte)
    let place = Int32(truncatingIfNeeded: i)
    if errorPlaces[code] == place { return errors[code] }
    let value = computedError(of: byte, pixel)
    errorPlaces[code] = place
    errors[code] = value
    return value
  }

  @inline(__always)
  private func computedError(of byte: UInt8, _ pixel: Int) -> Float {
    if pixel < 0 { return byte == 0 ? 0 : Self.impossible }
    var index = Int(byte)
    let shown = Int(request.shown[pixel])
    if request.blend == .over {
      if index == 0 { index = shown } else if index < firstOpaque { return Self.impossible }
    }
    if !request.kinds[pixel].allows(index, firstOpaque: firstOpaque) { return Self.impossible }
    let point = points[index]
    var value = request.weights[pixel] * squaredLength(point - request.targets[pixel])
    if index != shown {
      let stillness = request.stillness[pixel]
      if stillness == .infinity { return Self.impossible }
      if stillness > 0 { value += stillness * squaredLength(point - points[shown]) }
    }
    return value
  }

  @inline(__always)
  private func bestLiteral(at i: Int, _ pixel: Int) -> (byte: UInt8, cost: Float) {
    guard pixel >= 0 else { return (0, literalBits[0]) }
    let wanted = nominal[i]
    var byte = wanted
    var cost = literalBits[Int(wanted)] + error(of: wanted, at: i, pixel)
    let near = neighborTable + Int(request.nominal[pixel]) * Self.neighbors
    for n in -1..<Self.neighbors {
      // Index 0 is always worth a look: over a canvas it keeps what is there.
      let candidate = n < 0 ? (request.blend == .over ? 0 : request.shown[pixel]) : near[n]
      let bits = literalBits[Int(candidate)]
      if bits >= cost { continue }
      let total = bits + error(of: candidate, at: i, pixel)
      if total < cost {
        cost = total
        byte = candidate
      }
    }
    return (byte, cost)
  }

  @inline(__always)
  private func hash(_ i: Int) -> Int {
    let key = UInt32(nominal[i]) | UInt32(nominal[i + 1]) << 8 | UInt32(nominal[i + 2]) << 16
    return Int((key &* 2_654_435_761) >> (32 - UInt32(TrellisBuffers.hashBits)))
  }

  @inline(__always)
  private func insert(_ i: Int, _ count: Int) {
    guard i + 2 < count else { return }
    let slot = hash(i)
    chain[i] = head[slot]
    head[slot] = Int32(truncatingIfNeeded: i)
  }

  /// Lets earlier places with the same wanted bytes compete: each takes the slot that is worst off.
  @inline(__always)
  private func offerFoundDistances(_ slots: Slots, at i: Int, _ count: Int) {
    guard i + 2 < count else { return }
    // Inside flat color the run and the row above are all that is needed.
    if nominal[i] == nominal[i &+ 1], nominal[i] == nominal[i &+ 2], i > 0, nominal[i &- 1] == nominal[i] { return }
    var place = Int(head[hash(i)])
    var hits = 0
    while place >= 0, hits < hashHits, i &- place <= DeflateAlphabet.maximumDistance {
      hits &+= 1
      let back = i &- place
      place = Int(chain[place])
      var worst = Self.fixedSlots
      var isKnown = false
      for slot in 0..<Self.slots {
        if Int(slots.distance[slot]) == back { isKnown = true }
        if slot > Self.fixedSlots, slots.cost[slot] > slots.cost[worst] { worst = slot }
      }
      if isKnown { continue }
      slots.assign(worst, distance: back, bits: distanceBits[DeflateAlphabet.code(ofDistance: back)], at: i)
    }
  }

  /// Makes the best path to `end` final up to `keep` bytes before it; answers where the final part ends.
  private func commit(
    from committed: Int, to end: Int, keep: Int, _ rowBytes: Int, into tokens: inout [DeflateToken]
  ) -> Int {
    var steps = 0
    var node = end
    while node > committed {
      let token = DeflateToken(packed: choice[node])
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
    // What follows is provisional, but later copies may read it.
    var ahead = place
    while steps > 0 {
      steps -= 1
      let token = DeflateToken(packed: path[steps])
      if token.isLiteral {
        content[ahead] = UInt8(token.packed)
      } else {
        for q in ahead..<ahead + token.length { content[q] = content[q - token.distance] }
      }
      ahead += token.span
    }
    return place
  }

  /// Appends a copy, or what is left of it where the bytes it now reads may not stand.
  private func appendCopy(
    at place: Int, length: Int, distance: Int, _ rowBytes: Int, into tokens: inout [DeflateToken]
  ) -> Int {
    let end = place + length
    var q = place
    while q < end {
      let begin = q
      while q < end {
        let column = q % rowBytes
        let pixel = column == 0 ? -1 : q - q / rowBytes - 1
        let byte = content[q - distance]
        if computedError(of: byte, pixel) >= Self.impossible { break }
        content[q] = byte
        q += 1
      }
      if q - begin >= DeflateAlphabet.minimumLength {
        tokens.append(DeflateToken(length: q - begin, distance: distance))
      } else {
        for literal in begin..<q { tokens.append(DeflateToken(literal: content[literal])) }
      }
      if q < end {
        let column = q % rowBytes
        let literal = bestLiteral(at: q, column == 0 ? -1 : q - q / rowBytes - 1)
        content[q] = literal.byte
        tokens.append(DeflateToken(literal: literal.byte))
        q += 1
      }
    }
    return q
  }
}
