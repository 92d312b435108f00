/// Chooses the indices of one frame region together with the DEFLATE tokens that carry them.
///
/// A Viterbi search over the region's byte stream. Between tokens there is one state; inside a copy there is one state a
/// candidate distance, which pays for the error of each pixel that it copies. So a copy may begin and end anywhere, may
/// repeat pixels that are only nearly equal, and its price is known exactly: bits of its distance and length plus the
/// visible error over lambda. It replaces "longest match" by "cheapest path", at one step a pixel and candidate.
///
/// Not `Sendable`: it keeps its buffers from frame to frame.
final class IndexTrellis {
  /// What the region asks for, one entry a pixel of the region, row by row.
  struct Request {
    var width: Int
    var height: Int
    var blend: Blend
    /// The wanted colors in the perceptual space.
    ///
    /// Zero where a pixel is held; diffusion changes them.
    var targets: UnsafeMutablePointer<SIMD4<Float>>
    /// What a pixel asks for beside its color.
    var kinds: UnsafePointer<AlphaKind>
    /// Weight of a pixel's squared error, in bits.
    var weights: UnsafePointer<Float>
    /// `ActivityMask` weights.
    var masks: UnsafePointer<UInt8>
    /// The nearest index.
    var nominal: UnsafePointer<UInt8>
    /// The index on the canvas.
    var shown: UnsafePointer<UInt8>
  }

  private let memory: TrellisMemory
  private let slots: CopySlots
  private let demands: DemandTables
  private let neighborTable: [UInt8]
  private let diffusions: [Float]
  private let firstOpaque: Int
  private let settings: RateDistortionSettings

  /// The chosen bytes: for each row a filter byte 0 and the indices.
  private(set) var stream: [UInt8] = []
  /// The chosen tokens.
  private(set) var tokens: [DeflateToken] = []

  /// Prepares for regions of at most `capacity` stream bytes and a palette: the places of its entries, the translucent
  /// ones first.
  init(points: [SIMD4<Float>], firstOpaque: Int, capacity: Int, settings: RateDistortionSettings) {
    self.firstOpaque = firstOpaque
    self.settings = settings
    memory = TrellisMemory(capacity: capacity)
    slots = CopySlots(groups: settings.copyGroups)
    demands = DemandTables(points: points, firstOpaque: firstOpaque)
    let wanted = TrellisSearch.neighbors
    var table: [UInt8] = []
    for point in points {
      let near = points.indices.sorted { a, b in
        let (left, right) = (squaredLength(points[a] - point), squaredLength(points[b] - point))
        return left < right || left == right && a < b
      }
      let others = near.dropFirst().prefix(wanted).map { UInt8($0) }
      table += others + [UInt8](repeating: UInt8(near[0]), count: wanted - others.count)
    }
    neighborTable = table
    diffusions = settings.flatDiffusions(points)
  }

  /// Codes a region; `stream` and `tokens` then hold the choice.
  ///
  /// Where the same region is coded `anew`, places to copy from are found by what was chosen the last time.
  func code(_ request: Request, costs: DeflateCosts, anew: Bool = false) {
    let count = (request.width + 1) * request.height
    precondition(count <= memory.capacity, "the region fits the buffers")
    tokens.removeAll(keepingCapacity: true)
    demands.prepare(for: request.blend)
    TrellisPrices.with(costs) { prices in
      neighborTable.withUnsafeBufferPointer { neighborTable in
        diffusions.withUnsafeBufferPointer { diffusions in
          let search = TrellisSearch(
            request: request, memory: memory, slots: slots, demands: demands, prices: prices,
            neighborTable: neighborTable.baseAddress!, diffusions: diffusions.baseAddress!, firstOpaque: firstOpaque,
            settings: settings)
          search.run(into: &tokens, anew: anew)
        }
      }
    }
    stream = Array(UnsafeBufferPointer(start: memory.content, count: count))
  }
}

/// The memory of a search, kept from frame to frame.
final class TrellisMemory {
  let capacity: Int
  /// The wanted bytes.
  let nominal: UnsafeMutablePointer<UInt8>
  /// The bytes that are expected: those wanted, or those of the last search.
  let expected: UnsafeMutablePointer<UInt8>
  /// The chosen bytes; what is not final yet is the best guess.
  let content: UnsafeMutablePointer<UInt8>
  private let contentBase: UnsafeMutablePointer<UInt8>
  /// The cost of the best path to each place; 1/64 bit, wrapped around.
  let cost: UnsafeMutablePointer<Int32>
  /// The best token that ends at each place.
  let choice: UnsafeMutablePointer<UInt32>
  let path: UnsafeMutablePointer<UInt32>
  /// Earlier places by the bytes that were expected there.
  let expectedPlaces: HashChains
  /// Earlier places by the bytes that are final there.
  let chosenPlaces: HashChains
  /// The error of each pixel of a row, with a place of zero before and after it.
  let rowErrors: UnsafeMutablePointer<SIMD4<Float>>

  init(capacity: Int) {
    self.capacity = capacity
    let padded = capacity + HashChains.keyLength
    (nominal, expected) = (.allocate(capacity: padded), .allocate(capacity: padded))
    // Copies may look before the first byte in slots that are not open yet; what they find there does not count.
    contentBase = .allocate(capacity: DeflateAlphabet.maximumDistance + padded)
    contentBase.initialize(repeating: 0, count: DeflateAlphabet.maximumDistance + padded)
    content = contentBase + DeflateAlphabet.maximumDistance
    cost = .allocate(capacity: capacity + 1)
    choice = .allocate(capacity: capacity + 1)
    path = .allocate(capacity: capacity + 1)
    (expectedPlaces, chosenPlaces) = (HashChains(capacity: capacity), HashChains(capacity: capacity))
    rowErrors = .allocate(capacity: capacity + 2)
  }

  deinit {
    nominal.deallocate()
    expected.deallocate()
    contentBase.deallocate()
    cost.deallocate()
    choice.deallocate()
    path.deallocate()
    rowErrors.deallocate()
  }

  /// Begins a search over `count` bytes, those that are wanted known; `anew` where what it chose the last time is to be
  /// expected.
  func begin(_ count: Int, anew: Bool) {
    expected.update(from: anew ? content : nominal, count: count)
    expectedPlaces.forget()
    chosenPlaces.forget()
  }
}

/// The squared length of a vector.
@inline(__always)
func squaredLength(_ vector: SIMD4<Float>) -> Float { (vector * vector).sum() }
