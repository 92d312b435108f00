extension EdgeArt {
  /// Fewer pixels say nothing.
  private static let fewestPixels = 24
  /// The squared distance from which a matte and a color can be told apart.
  private static let leastContrast: Float = 0.02

  /// The matte of translucent pixels: the color that explains them best, where it explains them plainly better than none.
  func softMatte() -> Matte? {
    let edge = softPixels()
    // Most of what is translucent is an edge, not a shadow or a glow that begins there: that has its own color.
    guard edge.count * 2 >= translucentCount else { return nil }
    let pixels = edge.filter { 0.1...0.9 ~= $0.alpha }
    guard pixels.count >= EdgeArt.fewestPixels else { return nil }
    var (sum, weights) = (SIMD3<Float>.zero, Float(0))
    for pixel in pixels {
      let share = 1 - pixel.alpha
      sum += (pixel.color - pixel.inner * pixel.alpha) * share
      weights += share * share
    }
    let matte = sum / weights
    guard matte.min() >= -0.1, matte.max() <= 1.1 else { return nil }
    let mean = pixels.reduce(SIMD3<Float>.zero) { $0 + $1.color } / Float(pixels.count)
    var (with, without, constant, better) = (Float(0), Float(0), Float(0), 0)
    for pixel in pixels {
      let mixed = (pixel.color - pixel.inner * pixel.alpha - matte * (1 - pixel.alpha)).length
      let pure = (pixel.color - pixel.inner).length
      with += mixed
      without += pure
      constant += (pixel.color - mean).length
      if mixed < pure { better += 1 }
    }
    guard without >= 0.05 * Float(pixels.count), with < 0.5 * without, better * 4 >= pixels.count * 3 else {
      return nil
    }
    // A shadow or a glow has one color, however faint it is.
    guard with < 0.7 * constant else { return nil }
    return Matte(color: matte.clamped(lowerBound: .zero, upperBound: .one), edge: .soft)
  }

  /// The matte of opaque edges: white, black or where the lines from inner colors through edge colors meet.
  func hardMatte() -> Matte? {
    let pixels = hardPixels()
    guard pixels.count >= EdgeArt.fewestPixels else { return nil }
    let candidates = [SIMD3<Float>.one, .zero] + (EdgeArt.meeting(pixels).map { [$0] } ?? [])
    let best = candidates.map { ($0, EdgeArt.fit(pixels, $0)) }.max { $0.1 < $1.1 }
    if let (matte, fit) = best, fit > 0 { return Matte(color: matte, edge: .hard) }
    return deepMatte()
  }

  /// How deep a hard edge shows a known matte.
  func depth(of matte: SIMD3<Float>) -> Int {
    EdgeArt.fit(hardPixels(), matte) == 0 && EdgeArt.deepFit(deepPixels(), matte) > 0 ? 2 : 1
  }

  /// The matte of an edge whose outermost pixels are nearly the matte, with the mixtures behind them.
  private func deepMatte() -> Matte? {
    let rings = deepPixels()
    let candidates = [SIMD3<Float>.one, .zero] + (EdgeArt.meeting(rings.flatMap(\.self)).map { [$0] } ?? [])
    let best = candidates.map { ($0, EdgeArt.deepFit(rings, $0)) }.max { $0.1 < $1.1 }
    guard let (matte, fit) = best, fit > 0 else { return nil }
    return Matte(color: matte, edge: .hard, depth: 2)
  }

  /// The share of two rings that a matte explains; 0 where the art's own colors may as well be the reason.
  private static func deepFit(_ rings: [[EdgePixel]], _ matte: SIMD3<Float>) -> Float {
    let telling = rings.map { ring in ring.filter { (matte - $0.inner).squaredLength >= leastContrast } }
    let shares = telling.map { ring in ring.compactMap { share(of: matte, in: $0) } }
    guard shares.allSatisfy({ $0.count >= fewestPixels }), telling[0].count * 2 >= rings[0].count else { return 0 }
    let explained = zip(shares, telling).map { Float($0.count) / Float($1.count) }.min() ?? 0
    let means = shares.map { $0.reduce(0, +) / Float($0.count) }
    // The matte's part falls inward, and behind the outer ring are mixtures, not one color or the other.
    let mixed = shares[1].count { 0.05...0.6 ~= $0 }
    guard explained >= 0.75, means[0] >= means[1] + 0.15, means[1] <= 0.5, mixed * 2 >= shares[1].count else {
      return 0
    }
    // What is the matte itself would have been cut away, and a drawn contour is one color.
    let exact = telling[0].count { ($0.color - matte).squaredLength <= 3 / (255 * 255) }
    var counts: [RGBA8: Int] = [:]
    for pixel in telling[0] { counts[Matte(color: pixel.color, edge: .hard).rgba8, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    return exact * 10 < telling[0].count && most * 10 < telling[0].count * 3 ? explained : 0
  }

  /// The share of the edge that a matte explains; 0 where the art's own colors may as well be the reason.
  private static func fit(_ pixels: [EdgePixel], _ matte: SIMD3<Float>) -> Float {
    // Beside what looks like the matte itself, specks of it say nothing.
    let telling = pixels.filter { (matte - $0.inner).squaredLength >= leastContrast }
    let shares = telling.compactMap { share(of: matte, in: $0) }
    let explained = Float(shares.count) / Float(max(telling.count, 1))
    guard shares.count >= fewestPixels, telling.count * 2 >= pixels.count, explained >= 0.75 else { return 0 }
    let mean = shares.reduce(0, +) / Float(shares.count)
    let deviation = (shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(shares.count)).squareRoot()
    // A drawn contour has one share all along; what was smoothed once has every one, and small ones wherever it was cut.
    let isSpread = [0.1...0.3, 0.3...0.5].allSatisfy { range in shares.count { range ~= $0 } * 12 >= shares.count }
    return deviation >= 0.12 && mean >= 0.12 && isSpread ? explained : 0
  }

  /// How much of a pixel is matte; nil where it is no mixture of that and of the color inside.
  private static func share(of matte: SIMD3<Float>, in pixel: EdgePixel) -> Float? {
    let (toMatte, toColor) = (matte - pixel.inner, pixel.color - pixel.inner)
    let square = toMatte.squaredLength
    guard square >= leastContrast else { return nil }
    let share = (toMatte * toColor).sum() / square
    let beside = (toColor - toMatte * share).length
    return share >= -0.05 && share <= 1.05 && beside <= 0.06 + 0.15 * toColor.length ? min(max(share, 0), 1) : nil
  }

  /// The point nearest to all lines from an inner color through its edge color, by least squares; nil where they are parallel.
  private static func meeting(_ pixels: [EdgePixel]) -> SIMD3<Float>? {
    var rows = [SIMD3<Double>](repeating: .zero, count: 3)
    var right = SIMD3<Double>.zero
    var count = 0.0
    for pixel in pixels {
      let line = SIMD3<Double>(pixel.color - pixel.inner)
      let length = (line * line).sum().squareRoot()
      guard length >= 0.06 else { continue }
      let direction = line / length
      let inner = SIMD3<Double>(pixel.inner)
      let along = (direction * inner).sum()
      for i in 0..<3 {
        var unit = SIMD3<Double>.zero
        unit[i] = 1
        rows[i] += unit - direction * direction[i]
        right[i] += inner[i] - direction[i] * along
      }
      count += 1
    }
    guard count > 0 else { return nil }
    let determinant = EdgeArt.determinant(rows)
    guard determinant >= 0.01 * count * count * count else { return nil }
    var point = SIMD3<Float>.zero
    for column in 0..<3 {
      var replaced = rows
      for i in 0..<3 { replaced[i][column] = right[i] }
      point[column] = Float(EdgeArt.determinant(replaced) / determinant)
    }
    return point.min() >= -0.1 && point.max() <= 1.1 ? point.clamped(lowerBound: .zero, upperBound: .one) : nil
  }

  private static func determinant(_ m: [SIMD3<Double>]) -> Double {
    let first = m[0].x * (m[1].y * m[2].z - m[1].z * m[2].y)
    let second = m[0].y * (m[1].x * m[2].z - m[1].z * m[2].x)
    let third = m[0].z * (m[1].x * m[2].y - m[1].y * m[2].x)
    return first - second + third
  }

  /// Translucent pixels without the matte's part in their color.
  func softRepair(_ matte: SIMD3<Float>) -> [Repair] {
    softPixels().map { pixel in
      let unmixed = (pixel.color - matte * (1 - pixel.alpha)) / pixel.alpha
      // Where little of the color is there, it cannot be told from rounding.
      let trust = min(max((pixel.alpha - 0.1) / 0.3, 0), 1)
      let color = pixel.inner + (unmixed.clamped(lowerBound: .zero, upperBound: .one) - pixel.inner) * trust
      return Repair(index: pixel.index, color: color, alpha: pixel.alpha)
    }
  }

  /// Opaque edges as translucent as they were; where nothing of a pixel remains, the ring inside is looked at too.
  func hardRepair(_ matte: Matte) -> [Repair] {
    if matte.depth == 2 { return EdgeArt.repairs(deepPixels().flatMap(\.self), matte.color) }
    let matte = matte.color
    let outer = EdgeArt.repairs(hardPixels(), matte)
    let gone = outer.filter { $0.alpha < 0.1 }.map(\.index)
    guard !gone.isEmpty else { return outer }
    let seen = Set(outer.map(\.index))
    let second = clearing(gone).hardPixels().filter { !seen.contains($0.index) && !isBesideClear($0.index) }
    return outer + EdgeArt.repairs(second, matte)
  }

  private static func repairs(_ pixels: [EdgePixel], _ matte: SIMD3<Float>) -> [Repair] {
    pixels.compactMap { pixel in
      guard let share = share(of: matte, in: pixel), share >= 0.06 else { return nil }
      let own = pixel.color - pixel.inner - (matte - pixel.inner) * share
      return share > 0.95
        ? Repair(index: pixel.index, color: .zero, alpha: 0)
        : Repair(index: pixel.index, color: pixel.inner + own, alpha: 1 - share)
    }
  }
}

extension SIMD3<Float> {
  fileprivate var squaredLength: Float { (self * self).sum() }
  fileprivate var length: Float { squaredLength.squareRoot() }
}
