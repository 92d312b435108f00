/// What must not be traded for bytes: what is clear stays clear, what is opaque stays opaque, what is still stays so.
enum AlphaKind: UInt8 {
  /// Any entry will do.
  case translucent
  /// The clear entry only.
  case clear
  /// Opaque entries only.
  case opaque
  /// What is on the canvas only.
  case held

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
    case .held: false
    }
  }
}

/// What a byte of the stream is to show.
struct Demand {
  /// Where each byte's color lies; far away where the byte may not stand.
  let table: UnsafeMutablePointer<SIMD4<Float>>
  let target: SIMD4<Float>
  /// The weight of a squared error, in 1/64 bit.
  let weight: Float
  /// The nearest index.
  let nominal: UInt8
  /// The byte that leaves the canvas as it is.
  let kept: UInt8
  let shown: UInt8
  let isHeld: Bool

  /// The visible error of showing a byte, in 1/64 bit, at most `TrellisPrices.largestError`.
  @inline(__always)
  func error(of byte: UInt8) -> Int32 {
    let gap = table[Int(byte)] - target
    let value = (gap * gap).sum() * weight
    return Int32(min(value, Float(TrellisPrices.largestError)))
  }

  /// The errors of four bytes.
  @inline(__always)
  func errors(of a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> SIMD4<Int32> {
    let (p, q) = (table[Int(a)] - target, table[Int(b)] - target)
    let (r, s) = (table[Int(c)] - target, table[Int(d)] - target)
    let left = SIMD8(lowHalf: p * p, highHalf: q * q)
    let right = SIMD8(lowHalf: r * r, highHalf: s * s)
    let halves = SIMD8(lowHalf: left.evenHalf + left.oddHalf, highHalf: right.evenHalf + right.oddHalf)
    let values = (halves.evenHalf + halves.oddHalf) * weight
    // Floats that are not negative are ordered as their bits are.
    let bits = unsafeBitCast(values, to: SIMD4<Int32>.self)
    let cap = SIMD4(repeating: Int32(bitPattern: Float(TrellisPrices.largestError).bitPattern))
    let excess = bits &- cap
    let capped = cap &+ (excess & (excess &>> SIMD4(repeating: 31)))
    // Adding 2^23 leaves the whole number in the lower bits.
    let shift = SIMD4(repeating: Float(1 << 23))
    let whole = unsafeBitCast(unsafeBitCast(capped, to: SIMD4<Float>.self) + shift, to: SIMD4<Int32>.self)
    return whole &- SIMD4(repeating: Int32(bitPattern: Float(1 << 23).bitPattern))
  }
}

/// The colors that bytes may show, one table for each kind of pixel: a byte that may not stand lies far away.
final class DemandTables {
  private static let far = SIMD4<Float>(1e9, 0, 0, 0)
  private static let kinds = 5
  /// The number of the table for filter bytes, after those of `AlphaKind`.
  private static let filter = 4

  private let entries: UnsafeMutablePointer<SIMD4<Float>>
  private let points: [SIMD4<Float>]
  private let firstOpaque: Int
  private var isOver = false

  init(points: [SIMD4<Float>], firstOpaque: Int) {
    self.points = points
    self.firstOpaque = firstOpaque
    entries = .allocate(capacity: Self.kinds * 256)
  }

  deinit { entries.deallocate() }

  @inline(__always)
  private func table(_ number: Int) -> UnsafeMutablePointer<SIMD4<Float>> { entries + number &* 256 }

  /// Fills the tables for regions that are drawn in a way.
  func prepare(for blend: Blend) {
    isOver = blend == .over
    entries.initialize(repeating: Self.far, count: Self.kinds * 256)
    for kind in [AlphaKind.translucent, .clear, .opaque] {
      for index in points.indices where kind.allows(index, firstOpaque: firstOpaque) {
        // Over a canvas, translucent colors would be blended; index 0 shows what is there.
        if isOver, index < firstOpaque { continue }
        table(Int(kind.rawValue))[index] = points[index]
      }
    }
    table(Self.filter)[0] = .zero
    if isOver { table(Int(AlphaKind.held.rawValue))[0] = .zero }
  }

  /// What a pixel asks for; a negative one is the filter byte before a row.
  @inline(__always)
  func demand(_ request: IndexTrellis.Request, _ pixel: Int) -> Demand {
    guard pixel >= 0 else {
      return Demand(
        table: table(Self.filter), target: .zero, weight: TrellisPrices.unit, nominal: 0, kept: 0, shown: 0,
        isHeld: true)
    }
    let kind = request.kinds[pixel]
    let table = table(Int(kind.rawValue))
    let shown = request.shown[pixel]
    let isHeld = kind == .held
    if isHeld {
      table[Int(shown)] = .zero
    } else if isOver {
      table[0] =
        kind.allows(Int(shown), firstOpaque: firstOpaque)
        ? points.withUnsafeBufferPointer { $0[Int(shown)] } : Self.far
    }
    return Demand(
      table: table, target: request.targets[pixel], weight: request.weights[pixel] * TrellisPrices.unit,
      nominal: request.nominal[pixel], kept: isOver ? 0 : shown, shown: shown, isHeld: isHeld)
  }

  /// Ends what `demand` began.
  @inline(__always)
  func release(_ demand: Demand) {
    if demand.isHeld, demand.table == table(Int(AlphaKind.held.rawValue)), !isOver || demand.shown != 0 {
      demand.table[Int(demand.shown)] = Self.far
    }
  }
}
