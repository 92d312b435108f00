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
  static let bearable: Int32 = 32 * 64
  /// How far before the place where its distance was found a copy may have begun.
  private static let headStart = 24

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
  func run(into tokens: inout [DeflateToken], anew: Bool) {
    let rowBytes = request.width + 1
    let count = rowBytes * request.height
    let content = memory.content
    fillNominal(rowBytes)
    memory.begin(count, anew: anew)
    slots.close()
    let fixed = [1, rowBytes, rowBytes - 1, rowBytes + 1]
    var committed = 0
    var run: UInt8 = 0
    var spot = Spot()
    // Whether the best path is inside a copy that costs nothing: no other one need compete.
    var isSettled = false
    for i in 0..<count {
      let best = spot.best
      memory.cost[i] = spot.base &+ best
      if i <= rowBytes &+ 1 { open(fixed, at: i, best) }
      if !isSettled { offerFoundDistances(at: i, count, spot) }
      let demand = demands.demand(request, spot.pixel(of: i))
      if slots.beginsRun(best, prices.shortest) { run = content[i &- 1] }
      let copy = slots.step(content + i, at: i, run: run, demand, best, prices)
      let (next, token, byte) = cheaper(copy, at: i, run: run, demand, best)
      demands.release(demand)
      isSettled = token > 255 && next &- best < 20
      memory.choice[i &+ 1] = token
      content[i] = byte
      spot.best = next
      if i &+ HashChains.keyLength <= count { memory.expectedPlaces.insert(i, memory.expected + i) }
      if spot.advance(rowBytes), settings.diffusion > 0, spot.row < request.height {
        diffuse(to: spot.row, content + (i &+ 1 &- request.width))
      }
      if i &+ 1 &- committed >= Self.lookback &+ Self.commitInterval || i &+ 1 == count {
        let keep = i &+ 1 == count ? 0 : Self.lookback
        let final = commit(from: committed, to: i &+ 1, keep: keep, rowBytes, into: &tokens)
        remember(committed, final)
        committed = final
        // Costs are relative: they stay small.
        slots.lower(by: spot.best)
        spot.base = spot.base &+ spot.best
        spot.best = 0
      }
    }
  }

  /// A copy, or the literal that is cheaper: what it costs in total, its token and its byte.
  @inline(__always)
  private func cheaper(
    _ copy: (cost: Int32, token: UInt32), at i: Int, run: UInt8, _ demand: Demand, _ best: Int32
  ) -> (cost: Int32, token: UInt32, byte: UInt8) {
    if best &+ prices.cheapestLiteral < copy.cost {
      let literal = bestLiteral(demand, memory.nominal[i])
      if best &+ literal.cost < copy.cost { return (best &+ literal.cost, UInt32(literal.byte), literal.byte) }
    }
    if copy.token == 0 { return (copy.cost, 0, 0) }
    let distance = Int(copy.token & 0xFFFF)
    return (copy.cost, copy.token, distance == 1 ? run : memory.content[i &- distance])
  }

  /// Lets places be found by the bytes that have become final.
  private func remember(_ start: Int, _ end: Int) {
    let incomplete = HashChains.keyLength - 1
    for place in max(0, start - incomplete)..<max(0, end - incomplete) {
      memory.chosenPlaces.insert(place, memory.content + place)
    }
  }

  /// Where the search is.
  private struct Spot {
    var row = 0
    /// 0 is the filter byte.
    var column = 0
    /// The cost of the best path to here over `base`; 1/64 bit.
    var best: Int32 = 0
    /// What all paths have in common, wrapped around.
    var base: Int32 = 0

    /// Goes one byte on; answers whether a row has ended.
    @inline(__always)
    mutating func advance(_ rowBytes: Int) -> Bool {
      column &+= 1
      if column < rowBytes { return false }
      (row, column) = (row &+ 1, 0)
      return true
    }

    /// The pixel of a byte of this row; negative for the filter byte.
    @inline(__always)
    func pixel(of place: Int) -> Int { column == 0 ? -1 : place &- row &- 1 }
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
  func bestLiteral(_ demand: Demand, _ wanted: UInt8) -> (byte: UInt8, cost: Int32) {
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

  /// Lets earlier places compete where the bytes that are expected now were expected, and where they were chosen.
  @inline(__always)
  private func offerFoundDistances(at i: Int, _ count: Int, _ spot: Spot) {
    guard i &+ HashChains.keyLength <= count else { return }
    let expected = memory.expected + i
    // Inside flat color the run and the row above are all that is needed.
    if i > 0, expected[0] == expected[1], expected[0] == expected[2], expected[0] == expected[-1] { return }
    offer(memory.expectedPlaces, settings.expectedHits, at: i, spot)
    offer(memory.chosenPlaces, settings.chosenHits, at: i, spot)
  }

  /// Lets the latest places of some chains compete: each takes the slot that is worst off.
  @inline(__always)
  private func offer(_ places: HashChains, _ hits: Int, at i: Int, _ spot: Spot) {
    var place = places.place(of: memory.expected + i)
    for _ in 0..<hits {
      if place < 0 || i &- place > DeflateAlphabet.maximumDistance { return }
      let distance = i &- place
      place = places.place(before: place)
      if slots.isOpen(distance) { continue }
      let slot = slots.worst()
      slots.assign(slot, distance: distance, bits: prices.distance(distance), at: i, spot.best)
      begin(slot, distance, before: i, spot)
    }
  }

  /// Lets a copy have begun before the place where its distance was found, over bytes that are only nearly the same,
  /// where that is cheaper.
  private func begin(_ slot: Int, _ distance: Int, before i: Int, _ spot: Spot) {
    // Not before this row, nor where what is summed here would be read from itself.
    let furthest = min(spot.column &- 1, Self.headStart, distance, i &- distance)
    guard furthest > 0 else { return }
    let content = memory.content
    var error: Int32 = 0
    var (lowest, steps) = (spot.best &+ prices.shortest, 0)
    // No path to a place on the way is much cheaper than that to the first one.
    let least = memory.cost[i &- furthest] &- spot.base &+ prices.shortest
    for back in 1...furthest where least &+ error < lowest {
      let q = i &- back
      let demand = demands.demand(request, q &- spot.row &- 1)
      error = error &+ demand.error(of: content[q &- distance])
      demands.release(demand)
      if error > Self.bearable { break }
      let cost = (memory.cost[q] &- spot.base) &+ error &+ prices.length[back]
      if cost < lowest { (lowest, steps) = (cost, back) }
    }
    if steps > 0 { slots.begin(slot, at: i &- steps, lengthCost: prices.length[steps], total: lowest) }
  }
}
