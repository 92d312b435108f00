/// Numbers that look random and are the same on every run and machine: SplitMix64.
struct ClipRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number of a range, evenly spread.
  mutating func number(_ range: ClosedRange<Float>) -> Float {
    range.lowerBound + Float(next() >> 40) / Float(1 << 24) * (range.upperBound - range.lowerBound)
  }
}

/// Smooth noise of several octaves, from 0 to 1 or a little beyond.
struct ClipNoise {
  private let lattice: [Float]
  private static let side = 64

  init(_ random: inout ClipRandom) {
    lattice = (0..<ClipNoise.side * ClipNoise.side).map { _ in random.number(0...1) }
  }

  /// The value at a place; one unit is a cell of the coarsest octave.
  func value(_ place: SIMD2<Float>, octaves: Int) -> Float {
    var (sum, weight, total, scaled) = (Float(0), Float(1), Float(0), place)
    for _ in 0..<octaves {
      sum += weight * single(scaled)
      total += weight
      weight *= 0.55
      scaled = scaled * 2 + SIMD2(17.3, 5.7)
    }
    return sum / total
  }

  private func single(_ place: SIMD2<Float>) -> Float {
    let floor = place.rounded(.down)
    let (part, mask) = (place - floor, ClipNoise.side - 1)
    let smooth = part * part * (SIMD2(repeating: 3) - part * 2)
    let (x, y) = (Int(floor.x), Int(floor.y))
    func at(_ dx: Int, _ dy: Int) -> Float { lattice[((y + dy) & mask) * ClipNoise.side + ((x + dx) & mask)] }
    let upper = at(0, 0) + (at(1, 0) - at(0, 0)) * smooth.x
    let lower = at(0, 1) + (at(1, 1) - at(0, 1)) * smooth.x
    return upper + (lower - upper) * smooth.y
  }
}
