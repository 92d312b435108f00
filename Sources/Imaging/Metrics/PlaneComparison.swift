/// How two planes of one picture differ, in means over places.
///
/// Three kinds of difference, each by its mean and by its fourth-power mean, which sees the worst places: structure (one
/// less the structural similarity of a small neighborhood), detail that was added and detail that was lost (where a
/// sample stands out from its neighborhood more, or less, than it should).
struct PlaneComparison {
  /// Sums of structure, added and lost, and of their fourth powers.
  private var sums = [Double](repeating: 0, count: FrameQuality.Kind.allCases.count)
  private var places = 0

  /// A Gaussian of 1.5 pixels, cut off at four.
  private static let taps: [Float] = {
    let weights = [1, 0.8007374, 0.4111123, 0.1353353, 0.0285655] as [Float]
    let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
    return weights.map { $0 / sum }
  }()
  private static let radius = 4
  /// Keeps flat neighborhoods from deciding.
  private static let stability: Float = 0.0009

  /// Compares `shown` with `target`, planes whose rows of `stride` samples hold `size.width`.
  init(target: [Float], shown: [Float], size: PixelSize, stride: Int) {
    let padded = stride + 16
    // Blurred target, shown, sum of squares and product of one row, with the edge repeated on both sides.
    let rows = UnsafeMutablePointer<Float>.allocate(capacity: padded * 4)
    rows.initialize(repeating: 0, count: padded * 4)
    defer { rows.deallocate() }
    target.withUnsafeBufferPointer { target in
      shown.withUnsafeBufferPointer { shown in
        guard let target = target.baseAddress, let shown = shown.baseAddress else { return }
        for y in 0..<size.height {
          PlaneComparison.blurDown(target, shown, y, size, stride, into: rows, padded)
          for plane in 0..<4 {
            let row = rows + plane * padded
            for i in 0..<8 { row[i] = row[8] }
            for i in size.width..<stride + 8 { row[8 + i] = row[8 + size.width - 1] }
          }
          add(target + y * stride, shown + y * stride, rows, padded, width: size.width)
          places += size.width
        }
      }
    }
  }

  @inline(__always)
  private static func load(_ pointer: UnsafePointer<Float>, _ offset: Int) -> SIMD8<Float> {
    UnsafeRawPointer(pointer + offset).loadUnaligned(as: SIMD8<Float>.self)
  }

  private static func blurDown(
    _ target: UnsafePointer<Float>, _ shown: UnsafePointer<Float>, _ y: Int, _ size: PixelSize, _ stride: Int,
    into rows: UnsafeMutablePointer<Float>, _ padded: Int
  ) {
    taps.withUnsafeBufferPointer { taps in
      for x in Swift.stride(from: 0, to: size.width, by: 8) {
        var (p, q, squares, product) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        for tap in -radius...radius {
          let row = min(max(y + tap, 0), size.height - 1) * stride + x
          let weight = taps[abs(tap)]
          let (a, b) = (load(target, row), load(shown, row))
          let (wa, wb) = (a * weight, b * weight)
          p += wa
          q += wb
          squares += wa * a + wb * b
          product += wa * b
        }
        let place = UnsafeMutableRawPointer(rows + 8 + x)
        place.storeBytes(of: p, as: SIMD8<Float>.self)
        place.storeBytes(of: q, toByteOffset: padded * 4, as: SIMD8<Float>.self)
        place.storeBytes(of: squares, toByteOffset: padded * 8, as: SIMD8<Float>.self)
        place.storeBytes(of: product, toByteOffset: padded * 12, as: SIMD8<Float>.self)
      }
    }
  }

  @inline(__always)
  private static func blurAcross(_ row: UnsafePointer<Float>, _ taps: UnsafeBufferPointer<Float>) -> SIMD8<Float> {
    var sum = load(row, 0) * taps[0]
    for tap in 1...radius { sum += (load(row, tap) + load(row, -tap)) * taps[tap] }
    return sum
  }

  private mutating func add(
    _ target: UnsafePointer<Float>, _ shown: UnsafePointer<Float>, _ rows: UnsafePointer<Float>, _ padded: Int,
    width: Int
  ) {
    let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
    var (structure, structure4) = (SIMD8<Float>(), SIMD8<Float>())
    var (added, added4, lost, lost4) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
    PlaneComparison.taps.withUnsafeBufferPointer { taps in
      for x in Swift.stride(from: 0, to: width, by: 8) {
        let place = rows + 8 + x
        let p = PlaneComparison.blurAcross(place, taps)
        let q = PlaneComparison.blurAcross(place + padded, taps)
        let squares = PlaneComparison.blurAcross(place + 2 * padded, taps)
        let product = PlaneComparison.blurAcross(place + 3 * padded, taps)
        let means = (1 - (p - q) * (p - q))
        let covariance = (product - p * q) * 2 + PlaneComparison.stability
        let variances = squares - p * p - q * q + PlaneComparison.stability
        let isInside = lanes .< Int32(width - x)
        var error = 1 - means * covariance / variances
        error = error.replacing(with: 0, where: error .< 0 .| .!isInside)
        structure += error
        structure4 += (error * error) * (error * error)
        let before = PlaneComparison.magnitude(PlaneComparison.load(target, x) - p)
        let after = PlaneComparison.magnitude(PlaneComparison.load(shown, x) - q)
        var change = (1 + after) / (1 + before) - 1
        change = change.replacing(with: 0, where: .!isInside)
        let more = change.replacing(with: 0, where: change .< 0)
        let less = more - change
        added += more
        added4 += (more * more) * (more * more)
        lost += less
        lost4 += (less * less) * (less * less)
      }
    }
    for (i, sum) in [structure, added, lost, structure4, added4, lost4].enumerated() { sums[i] += Double(sum.sum()) }
  }

  @inline(__always)
  private static func magnitude(_ value: SIMD8<Float>) -> SIMD8<Float> {
    value.replacing(with: -value, where: value .< 0)
  }

  /// The means, in the order of `FrameQuality.Kind`, where the planes are `share` of the picture and the rest of it is the same.
  func values(share: Double) -> [Double] {
    sums.indices.map { i in
      let mean = sums[i] * share / Double(places)
      return i < 3 ? mean : mean.squareRoot().squareRoot()
    }
  }
}
