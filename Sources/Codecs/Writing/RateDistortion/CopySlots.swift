/// The copies that compete in a search: one distance a slot, four slots a vector.
///
/// The first four slots are for distances that always make sense, the others for what is found by content.
final class CopySlots {
  static let fixed = 4
  private static let impossible = TrellisPrices.impossible

  private let groups: Int
  /// The cost of the path that ends in each copy, its length not priced yet; 1/64 bit.
  private let cost: UnsafeMutablePointer<SIMD4<Int32>>
  /// The price of each distance; `impossible` where the slot is empty.
  private let entry: UnsafeMutablePointer<SIMD4<Int32>>
  /// The price of each copy's length so far.
  private let lengthCost: UnsafeMutablePointer<SIMD4<Int32>>
  /// Where each copy began.
  private let start: UnsafeMutablePointer<SIMD4<Int32>>
  private let distance: UnsafeMutablePointer<SIMD4<Int32>>
  /// One bit a distance: whether it has a slot.
  private let isTaken: UnsafeMutablePointer<UInt64>

  init(groups: Int) {
    precondition(groups >= 2, "there are slots for what is found")
    self.groups = groups
    func vectors() -> UnsafeMutablePointer<SIMD4<Int32>> { .allocate(capacity: groups) }
    (cost, entry, lengthCost, start, distance) = (vectors(), vectors(), vectors(), vectors(), vectors())
    isTaken = .allocate(capacity: DeflateAlphabet.maximumDistance / 64 + 1)
  }

  deinit {
    for vectors in [cost, entry, lengthCost, start, distance] { vectors.deallocate() }
    isTaken.deallocate()
  }

  /// Empties all slots.
  func close() {
    let impossible = SIMD4(repeating: Self.impossible)
    cost.initialize(repeating: impossible, count: groups)
    entry.initialize(repeating: impossible, count: groups)
    lengthCost.initialize(repeating: .zero, count: groups)
    start.initialize(repeating: .zero, count: groups)
    distance.initialize(repeating: .zero, count: groups)
    isTaken.initialize(repeating: 0, count: DeflateAlphabet.maximumDistance / 64 + 1)
  }

  /// Whether a distance has a slot.
  @inline(__always)
  func isOpen(_ distance: Int) -> Bool { isTaken[distance >> 6] >> UInt64(distance & 63) & 1 != 0 }

  /// Gives a slot a distance, as a copy that begins here.
  @inline(__always)
  func assign(_ slot: Int, distance: Int, bits: Int32, at i: Int, _ best: Int32) {
    let (group, lane) = (slot >> 2, slot & 3)
    let old = Int(self.distance[group][lane])
    isTaken[old >> 6] &= ~(1 << UInt64(old & 63))
    isTaken[distance >> 6] |= 1 << UInt64(distance & 63)
    self.distance[group][lane] = Int32(truncatingIfNeeded: distance)
    entry[group][lane] = bits
    cost[group][lane] = best &+ bits
    // Dear until the step that begins it, so that it does begin, unless it has begun before.
    lengthCost[group][lane] = Self.impossible
    start[group][lane] = Int32(truncatingIfNeeded: i)
  }

  /// Lets the copy of a slot have begun earlier, at so much in total with its length so far but without its distance.
  @inline(__always)
  func begin(_ slot: Int, at start: Int, lengthCost: Int32, total: Int32) {
    let (group, lane) = (slot >> 2, slot & 3)
    cost[group][lane] = total &- lengthCost &+ entry[group][lane]
    self.lengthCost[group][lane] = lengthCost
    self.start[group][lane] = Int32(truncatingIfNeeded: start)
  }

  /// The slot, of those for what is found, whose copy is the dearest.
  @inline(__always)
  func worst() -> Int {
    let costs = UnsafeRawPointer(cost).assumingMemoryBound(to: Int32.self)
    var worst = Self.fixed
    var dearest = costs[worst]
    for slot in Self.fixed &+ 1..<groups &* 4 where costs[slot] > dearest {
      worst = slot
      dearest = costs[slot]
    }
    return worst
  }

  /// Whether the run, the copy at distance 1, begins anew.
  @inline(__always)
  func beginsRun(_ best: Int32, _ shortest: Int32) -> Bool {
    best &+ entry[0][0] &+ shortest < cost[0][0] &+ lengthCost[0][0]
  }

  /// Takes all copies one byte on; answers the cheapest that may end after it, and 0 for a token where there is none.
  ///
  /// A copy begins here where that is cheaper than going on with the one at the same distance.
  @inline(__always)
  func step(
    _ content: UnsafeMutablePointer<UInt8>, at i: Int, run: UInt8, _ demand: Demand, _ best: Int32,
    _ prices: TrellisPrices
  ) -> (cost: Int32, token: UInt32) {
    let bests = SIMD4(repeating: best)
    let shortest = SIMD4(repeating: prices.shortest)
    let here = SIMD4(repeating: Int32(truncatingIfNeeded: i))
    let after = here &+ SIMD4(repeating: 1)
    let impossible = SIMD4(repeating: Self.impossible)
    let three = SIMD4(repeating: Int32(DeflateAlphabet.minimumLength))
    let longest = SIMD4(repeating: Int32(DeflateAlphabet.maximumLength - 1))
    var lowest = impossible
    var lowestToken = SIMD4<Int32>.zero
    for group in 0..<groups {
      let distances = distance[group]
      var first = content[-Int(distances[0])]
      if group == 0 { first = run }
      let error = demand.errors(
        of: first, content[-Int(distances[1])], content[-Int(distances[2])], content[-Int(distances[3])])
      let begun = bests &+ entry[group]
      var costs = cost[group]
      let begins = (begun &+ shortest &- costs &- lengthCost[group]) &>> SIMD4(repeating: 31)
      costs = blend(costs, begun, begins) &+ error
      let starts = blend(start[group], here, begins)
      start[group] = starts
      let lengths = after &- starts
      let price = SIMD4(
        prices.length[Int(lengths[0])], prices.length[Int(lengths[1])], prices.length[Int(lengths[2])],
        prices.length[Int(lengths[3])])
      lengthCost[group] = price
      // Two bytes are no copy yet.
      let isShort = (lengths &- three) &>> SIMD4(repeating: 31)
      let totals = costs &+ price &+ (isShort & impossible)
      let isLower = (totals &- lowest) &>> SIMD4(repeating: 31)
      lowest = blend(lowest, totals, isLower)
      lowestToken = blend(lowestToken, (lengths &<< SIMD4(repeating: 16)) | distances, isLower)
      // A copy of the greatest length ends here.
      let isFull = (longest &- lengths) &>> SIMD4(repeating: 31)
      cost[group] = costs &+ (isFull & impossible)
    }
    var result = lowest[0]
    var token = lowestToken[0]
    for lane in 1..<4 where lowest[lane] < result {
      result = lowest[lane]
      token = lowestToken[lane]
    }
    return (result, UInt32(bitPattern: token))
  }

  /// Subtracts what all paths have in common.
  func lower(by best: Int32) {
    for group in 0..<groups {
      let isAlive = (cost[group] &- SIMD4(repeating: Self.impossible)) &>> SIMD4(repeating: 31)
      cost[group] = cost[group] &- (isAlive & SIMD4(repeating: best))
    }
  }
}

/// `b` in the lanes where the mask is all ones, `a` where it is 0.
@inline(__always)
private func blend(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ mask: SIMD4<Int32>) -> SIMD4<Int32> {
  a ^ ((a ^ b) & mask)
}
