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
    var targets: UnsafePointer<SIMD4<Float>>
    /// What a pixel's alpha asks for.
    var kinds: UnsafePointer<AlphaKind>
    /// Weight of a pixel's squared error, in bits.
    var weights: UnsafePointer<Float>
    /// Weight of a change against what is on the canvas, in bits; 0 where the source changes, infinite where it does not.
    var stillness: UnsafePointer<Float>
    /// The nearest index.
    var nominal: UnsafePointer<UInt8>
    /// The index on the canvas.
    var shown: UnsafePointer<UInt8>
  }

  private let buffers: TrellisBuffers
  private let neighborTable: [UInt8]
  private let points: [SIMD4<Float>]
  private let firstOpaque: Int
  private let hashHits: Int

  /// The chosen bytes: for each row a filter byte 0 and the indices.
  private(set) var stream: [UInt8] = []
  /// The chosen tokens.
  private(set) var tokens: [DeflateToken] = []

  /// Prepares for regions of at most `capacity` stream bytes and a palette: the places of its entries, the translucent
  /// ones first.
  init(points: [SIMD4<Float>], firstOpaque: Int, capacity: Int, hashHits: Int) {
    self.points = points
    self.firstOpaque = firstOpaque
    self.hashHits = hashHits
    buffers = TrellisBuffers(capacity: capacity)
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
  }

  /// Codes a region; `stream` and `tokens` then hold the choice.
  func code(_ request: Request, costs: DeflateCosts) {
    let count = (request.width + 1) * request.height
    precondition(count <= buffers.capacity, "the region fits the buffers")
    tokens.removeAll(keepingCapacity: true)
    points.withUnsafeBufferPointer { points in
      neighborTable.withUnsafeBufferPointer { neighborTable in
        costs.literal.withUnsafeBufferPointer { literal in
          costs.length.withUnsafeBufferPointer { length in
            costs.distance.withUnsafeBufferPointer { distance in
              let search = TrellisSearch(
                request: request, nominal: buffers.nominal, content: buffers.content, choice: buffers.choice,
                path: buffers.path, chain: buffers.chain, head: buffers.head, errors: buffers.errors,
                errorPlaces: buffers.errorPlaces, points: points.baseAddress!,
                neighborTable: neighborTable.baseAddress!, firstOpaque: firstOpaque, hashHits: hashHits,
                literalBits: literal.baseAddress!, lengthBits: length.baseAddress!, distanceBits: distance.baseAddress!,
                cheapestLiteral: costs.cheapestLiteral)
              search.run(into: &tokens)
            }
          }
        }
      }
    }
    stream = Array(UnsafeBufferPointer(start: buffers.content, count: count))
  }
}

/// What must not be traded for bytes: what is clear stays clear, what is opaque stays opaque.
enum AlphaKind: UInt8 {
  /// Any entry will do.
  case translucent
  /// The clear entry only.
  case clear
  /// Opaque entries only.
  case opaque

  /// The kind of a packed color, nearly clear and nearly opaque taken for what they nearly are.
  @inline(__always)
  init(of snapped: UInt32) { self = snapped == 0 ? .clear : snapped >= 0xFF00_0000 ? .opaque : .translucent }

  /// Whether an entry of a palette may show it; entry 0 is clear, the translucent ones come before `firstOpaque`.
  @inline(__always)
  func allows(_ index: Int, firstOpaque: Int) -> Bool {
    switch self {
    case .translucent: true
    case .clear: index == 0
    case .opaque: index >= firstOpaque
    }
  }
}

/// The memory of a search, kept from frame to frame.
final class TrellisBuffers {
  static let hashBits = 15
  let capacity: Int
  let nominal: UnsafeMutablePointer<UInt8>
  let content: UnsafeMutablePointer<UInt8>
  private let contentBase: UnsafeMutablePointer<UInt8>
  /// The best token that ends at each place.
  let choice: UnsafeMutablePointer<UInt32>
  let chain: UnsafeMutablePointer<Int32>
  let head: UnsafeMutablePointer<Int32>
  let path: UnsafeMutablePointer<UInt32>
  let errors: UnsafeMutablePointer<Float>
  let errorPlaces: UnsafeMutablePointer<Int32>

  init(capacity: Int) {
    self.capacity = capacity
    nominal = .allocate(capacity: capacity + 4)
    // Copies may look before the first byte in slots that are not open yet; what they find there does not count.
    contentBase = .allocate(capacity: DeflateAlphabet.maximumDistance + capacity + 4)
    contentBase.initialize(repeating: 0, count: DeflateAlphabet.maximumDistance + capacity + 4)
    content = contentBase + DeflateAlphabet.maximumDistance
    choice = .allocate(capacity: capacity + 1)
    chain = .allocate(capacity: capacity)
    head = .allocate(capacity: 1 << Self.hashBits)
    path = .allocate(capacity: capacity + 1)
    errors = .allocate(capacity: 256)
    errorPlaces = .allocate(capacity: 256)
  }

  deinit {
    nominal.deallocate()
    contentBase.deallocate()
    choice.deallocate()
    chain.deallocate()
    head.deallocate()
    path.deallocate()
    errors.deallocate()
    errorPlaces.deallocate()
  }
}

/// The squared length of a vector.
@inline(__always)
func squaredLength(_ vector: SIMD4<Float>) -> Float { (vector * vector).sum() }
