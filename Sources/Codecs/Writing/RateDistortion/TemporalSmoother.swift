import Imaging

/// Keeps the index of a pixel over time where changing it is not worth the bits.
///
/// For each pixel, the exact minimum over all index sequences of the weighted squared error plus `lambda` for each
/// change: a Potts model solved by dynamic programming over the at most 16 indices that the pixel takes nearest.
struct TemporalSmoother {
  private static let states = 16

  let points: [SIMD4<Float>]
  let firstOpaque: Int
  let lambda: Float

  /// Smooths the planes in place; `rows` of all frames only, so that parts may run at once.
  func smooth(
    _ planes: [UnsafeMutablePointer<UInt8>], frames: [Bitmap], weights: [[UInt8]], pixels range: Range<Int>
  ) {
    let count = planes.count
    guard count > 1, lambda > 0 else { return }
    let colors = frames.map { bitmap in
      bitmap.pixels.withUnsafeBytes { $0.bindMemory(to: UInt32.self).baseAddress! }
    }
    let masks = weights.map { $0.withUnsafeBufferPointer { $0.baseAddress! } }
    withExtendedLifetime((frames, weights)) {
      var cost = [Float](repeating: 0, count: Self.states)
      var next = cost
      var from = [UInt8](repeating: 0, count: count * Self.states)
      points.withUnsafeBufferPointer { points in
        for pixel in range {
          let first = planes[0][pixel]
          if planes.allSatisfy({ $0[pixel] == first }) { continue }
          smoothPixel(
            pixel, planes, colors: colors, masks: masks, points: points, cost: &cost, next: &next, from: &from)
        }
      }
    }
  }

  @inline(__always)
  private func smoothPixel(
    _ pixel: Int, _ planes: [UnsafeMutablePointer<UInt8>], colors: [UnsafePointer<UInt32>],
    masks: [UnsafePointer<UInt8>], points: UnsafeBufferPointer<SIMD4<Float>>, cost: inout [Float],
    next: inout [Float], from: inout [UInt8]
  ) {
    var candidates: (UInt64, UInt64) = (0, 0)
    var states = 0
    func candidate(_ j: Int) -> Int {
      Int(truncatingIfNeeded: (j < 8 ? candidates.0 >> UInt64(j * 8) : candidates.1 >> UInt64((j - 8) * 8)) & 255)
    }
    for plane in planes {
      let index = Int(plane[pixel])
      if (0..<states).contains(where: { candidate($0) == index }) { continue }
      // A pixel as restless as this has nothing to be steadied.
      if states == Self.states { return }
      if states < 8 {
        candidates.0 |= UInt64(index) << UInt64(states * 8)
      } else {
        candidates.1 |= UInt64(index) << UInt64((states - 8) * 8)
      }
      states += 1
    }
    var cheapest: Float = 0
    var cheapestState = 0
    for t in planes.indices {
      let color = snappedColor(colors[t][pixel])
      let kind = AlphaKind(of: color)
      let target = PerceptualSpace.point(color)
      let weight = Float(masks[t][pixel]) * (1 / 255)
      var lowest = Float.infinity
      var lowestState = 0
      for j in 0..<states {
        var arrival = t == 0 ? 0 : cost[j]
        var origin = j
        if t > 0, cheapest + lambda < arrival {
          arrival = cheapest + lambda
          origin = cheapestState
        }
        next[j] = arrival + weight * squaredLength(points[candidate(j)] - target)
        if !kind.allows(candidate(j), firstOpaque: firstOpaque) { next[j] = .infinity }
        from[t * Self.states + j] = UInt8(truncatingIfNeeded: origin)
        if next[j] < lowest {
          lowest = next[j]
          lowestState = j
        }
      }
      swap(&cost, &next)
      cheapest = lowest
      cheapestState = lowestState
    }
    var state = cheapestState
    for t in planes.indices.reversed() {
      planes[t][pixel] = UInt8(truncatingIfNeeded: candidate(state))
      state = Int(from[t * Self.states + state])
    }
  }
}
