/// One run of `IndexTrellis` over a region; see there.
///
/// Costs are whole numbers in units of 1/64 bit, four copies a vector: Swift's vectors of integers select by shift and
/// mask at full speed, where those of floats compare lane by lane.
struct TrellisSearch {
  static let neighbors = 12
  /// Paths that compete agree this far back, in practice; older tokens are final.
  private static let lookback = 96
  private static let commitInterval = 64
  /// Squared errors from here on are not diffused.
  private static let largestShade: Float = 1600
  /// An error that is not priced, in 1/64 bit, is borne up to here.
  private static let bearable: Int32 = 32 * 64

  let request: IndexTrellis.Request
  let memory: TrellisMemory
  let slots: CopySlots
  let demands: DemandTables
  let prices: TrellisPrices
  let neighborTable: UnsafePointer<UInt8>
  /// How much of an error is made up for where the picture is flat, by the nearest entry.
  let diffusions: UnsafePointer<Float>
  let firstOpaque: Int
  let settings: RateDistortionSettings

  /// Runs the search; tokens are appended, the bytes lie in the content of the memory.
  func run(into tokens: inout [DeflateToken]) {
    let rowBytes = request.width + 1
    let count = rowBytes * request.height
    let (content, choice, nominal) = (memory.content, memory.choice, memory.nominal)
    memory.forget()
    slots.close()
    fillNominal(rowBytes)
    let fixed = [1, rowBytes, rowBytes - 1, rowBytes + 1]
    let cheapestLiteral = prices.cheapestLiteral
    var best: Int32 = 0
    var committed = 0
    var run: UInt8 = 0
    var column = 0
    var row = 0
    // Whether the best path is inside a copy that costs nothing: no other one need compete.
    var isSettled = false
    for i in 0..<count {
      let demand = demands.demand(request, column == 0 ? -1 : i &- row &- 1)
      if i <= rowBytes &+ 1 { open(fixed, at: i, best) }
      if !isSettled { offerFoundDistances(at: i, count, best) }
      if slots.beginsRun(best, prices.shortest) { run = content[i &- 1] }
      let copy = slots.step(content + i, at: i, run: run, demand, best, prices)
      var next = copy.cost
      var token = copy.token
      var byte: UInt8 = 0
      if token != 0 {
        let distance = Int(token & 0xFFFF)
        byte = distance == 1 ? run : content[i &- distance]
      }
      if best &+ cheapestLiteral < next {
        let literal = bestLiteral(demand, nominal[i])
        if best &+ literal.cost < next {
          next = best &+ literal.cost
          token = UInt32(literal.byte)
          byte = literal.byte
        }
      }
      demands.release(demand)
      isSettled = token > 255 && next &- best < 20
      choice[i &+ 1] = token
      content[i] = byte
      best = next
      memory.insert(i, count)
      column &+= 1
      if column == rowBytes {
        column = 0
        row &+= 1
        if settings.diffusion > 0, row < request.height { diffuse(to: row, content + (i &+ 1 &- request.width)) }
      }
      if i &+ 1 &- committed >= Self.lookback &+ Self.commitInterval || i &+ 1 == count {
        let keep = i &+ 1 == count ? 0 : Self.lookback
        committed = commit(from: committed, to: i &+ 1, keep: keep, rowBytes, into: &tokens)
        // Costs are relative: they stay small.
        slots.lower(by: best)
        best = 0
      }
    }
  }

  /// Opens the slots whose distances always make sense, as soon as there is enough behind.
  private func open(_ fixed: [Int], at i: Int, _ best: Int32) {
    for (slot, distance) in fixed.enumerated()
    where distance == i && distance <= DeflateAlphabet.maximumDistance && !fixed[..<slot].contains(distance) {
      slots.assign(slot, distance: distance, bits: prices.distance(distance), at: i, best)
    }
  }

  /// Lets a row make up for the errors of the row before it, whose bytes are given; the more, the busier the place is
  /// and the wider the palette's steps are.
  private func diffuse(to row: Int, _ bytes: UnsafeMutablePointer<UInt8>) {
    let width = request.width
    let errors = memory.rowErrors
    let strength = settings.diffusion / 255
    let strengths = diffusions
    errors.initialize(repeating: .zero, count: width + 2)
    for x in 0..<width {
      let pixel = (row - 1) * width + x
      let kind = request.kinds[pixel]
      if kind == .held || kind == .clear { continue }
      let demand = demands.demand(request, pixel)
      let error = demand.target - demand.table[Int(bytes[x])]
      // A larger one is an edge that was lost, no matter of shades.
      if squaredLength(error) < Self.largestShade {
        let ofBusyPlace = strength * Float(255 - request.masks[pixel])
        errors[x + 1] = error * max(ofBusyPlace, strengths[Int(demand.nominal)])
      }
    }
    for x in 0..<width {
      let pixel = row * width + x
      let kind = request.kinds[pixel]
      if kind == .held || kind == .clear { continue }
      request.targets[pixel] += errors[x] * 0.25 + errors[x + 1] * 0.5 + errors[x + 2] * 0.25
    }
  }

  private func fillNominal(_ rowBytes: Int) {
    let nominal = memory.nominal
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

  @inline(__always)
  private func bestLiteral(_ demand: Demand, _ wanted: UInt8) -> (byte: UInt8, cost: Int32) {
    var byte = wanted
    var cost = prices.literal[Int(wanted)] &+ demand.error(of: wanted)
    // Index 0 is always worth a look: over a canvas it keeps what is there.
    let kept = demand.kept
    if prices.literal[Int(kept)] < cost {
      let total = prices.literal[Int(kept)] &+ demand.error(of: kept)
      if total < cost { (byte, cost) = (kept, total) }
    }
    if demand.isHeld { return (byte, cost) }
    let near = neighborTable + Int(demand.nominal) &* Self.neighbors
    for n in 0..<Self.neighbors {
      let bits = prices.literal[Int(near[n])]
      if bits >= cost { continue }
      let total = bits &+ demand.error(of: near[n])
      if total < cost { (byte, cost) = (near[n], total) }
    }
    return (byte, cost)
  }

  /// Lets earlier places with the same wanted bytes compete: each takes the slot that is worst off.
  @inline(__always)
  private func offerFoundDistances(at i: Int, _ count: Int, _ best: Int32) {
    guard i &+ 2 < count else { return }
    let nominal = memory.nominal
    // Inside flat color the run and the row above are all that is needed.
    if nominal[i] == nominal[i &+ 1], nominal[i] == nominal[i &+ 2], i > 0, nominal[i &- 1] == nominal[i] { return }
    var place = Int(memory.head[memory.hash(i)])
    var hits = 0
    while place >= 0, hits < settings.hashHits, i &- place <= DeflateAlphabet.maximumDistance {
      hits &+= 1
      let back = i &- place
      place = Int(memory.chain[place])
      if slots.isOpen(back) { continue }
      slots.assign(slots.worst(), distance: back, bits: prices.distance(back), at: i, best)
    }
  }

  /// Makes the best path to `end` final up to `keep` bytes before it; answers where the final part ends.
  private func commit(
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
      if q - begin >= DeflateAlphabet.minimumLength {
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
