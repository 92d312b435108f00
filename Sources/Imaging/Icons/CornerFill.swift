/// Continues a plate's own colors into the corners that it lacks.
///
/// In each quadrant a plane is fitted to the colors along the edge, where they are well described by one, so that
/// gradients go on; what the plane leaves over is spread from the edge with weights of one over the squared distance,
/// the kernel by which a harmonic function continues from a straight edge. A flat plate stays flat exactly. Colors are
/// taken as square roots of linear light, close to sRGB's own curve, in which design tools draw their gradients.
struct CornerFill {
  /// Points of an edge are averaged in runs, so that a quadrant has no more than this many.
  static let pointLimit = 512
  /// How deep the plane is fitted, as a part of the side.
  static let fitDepth = 0.08

  private let size: PixelSize
  private let pixels: UnsafeMutablePointer<SIMD4<Float>>
  /// 1 where the color is to be made.
  private let missing: [UInt8]

  /// Gives the pixels that `missing` marks with 1 the colors around them, and full alpha.
  static func fill(_ image: inout LinearBitmap, missing: [UInt8]) {
    let size = image.size
    precondition(missing.count == size.area, "a mark for each pixel")
    image.samples.withUnsafeMutableBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<Float>.self).baseAddress!
      let fill = CornerFill(size: size, pixels: pixels, missing: missing)
      let (middleX, middleY) = (size.width / 2, size.height / 2)
      for rows in [0..<middleY, middleY..<size.height] {
        for columns in [0..<middleX, middleX..<size.width] { fill.quadrant(columns, rows) }
      }
    }
  }

  private func quadrant(_ columns: Range<Int>, _ rows: Range<Int>) {
    var targets: [Int32] = []
    for y in rows {
      for x in columns where missing[y * size.width + x] == 1 { targets.append(Int32(y * size.width + x)) }
    }
    if targets.isEmpty { return }
    let edge = edge(columns, rows)
    // A quadrant without any color of its own: nothing to continue, so the nearest of the others is not guessed at.
    if edge.isEmpty { return }
    let plane = ColorPlane(fitting: samples(inside: edge), side: Float(max(size.width, size.height)))
    spread(runs(edge), plane, into: targets)
  }

  /// The known pixels that touch missing ones, from top to bottom.
  private func edge(_ columns: Range<Int>, _ rows: Range<Int>) -> [EdgePoint] {
    var points: [EdgePoint] = []
    for y in rows {
      for x in columns where missing[y * size.width + x] == 0 && touchesMissing(x, y) {
        points.append(EdgePoint(x: Float(x), y: Float(y), color: color(x, y)))
      }
    }
    return points
  }

  private func touchesMissing(_ x: Int, _ y: Int) -> Bool {
    let i = y * size.width + x
    return (x > 0 && missing[i - 1] == 1) || (x + 1 < size.width && missing[i + 1] == 1)
      || (y > 0 && missing[i - size.width] == 1) || (y + 1 < size.height && missing[i + size.width] == 1)
  }

  /// A pixel's own color as square roots of linear light, alpha taken off.
  private func color(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let pixel = pixels[y * size.width + x]
    let straight = pixel.w > 0 ? pixel / pixel.w : pixel
    return straight.clamped(lowerBound: .zero, upperBound: .one).squareRoot()
  }

  /// The edge, and nine steps from each of its points toward the middle.
  private func samples(inside edge: [EdgePoint]) -> [EdgePoint] {
    let steps = 9
    let depth = Float(min(size.width, size.height)) * Float(CornerFill.fitDepth) / Float(steps)
    let stride = max(1, edge.count / 128)
    var samples: [EdgePoint] = []
    for index in Swift.stride(from: 0, to: edge.count, by: stride) {
      let point = edge[index]
      let (dx, dy) = (Float(size.width) / 2 - point.x, Float(size.height) / 2 - point.y)
      let scale = depth / max((dx * dx + dy * dy).squareRoot(), 1)
      for step in 0...steps {
        let x = Int((point.x + dx * scale * Float(step)).rounded())
        let y = Int((point.y + dy * scale * Float(step)).rounded())
        if missing[y * size.width + x] == 0 {
          samples.append(EdgePoint(x: Float(x), y: Float(y), color: color(x, y)))
        }
      }
    }
    return samples
  }

  /// The edge's points, averaged in runs where there are very many.
  private func runs(_ edge: [EdgePoint]) -> [EdgePoint] {
    let length = (edge.count + CornerFill.pointLimit - 1) / CornerFill.pointLimit
    if length <= 1 { return edge }
    return stride(from: 0, to: edge.count, by: length).map { start in
      let run = edge[start..<min(start + length, edge.count)]
      let count = Float(run.count)
      return EdgePoint(
        x: run.reduce(0) { $0 + $1.x } / count, y: run.reduce(0) { $0 + $1.y } / count,
        color: run.reduce(SIMD4()) { $0 + $1.color } / count)
    }
  }

  private func spread(_ edge: [EdgePoint], _ plane: ColorPlane, into targets: [Int32]) {
    let residuals = edge.map { EdgePoint(x: $0.x, y: $0.y, color: $0.color - plane.color($0.x, $0.y)) }
    let low = edge.reduce(SIMD4(repeating: 1)) { pointwiseMin($0, $1.color) }
    let high = edge.reduce(SIMD4(repeating: 0)) { pointwiseMax($0, $1.color) }
    // A gradient across a round corner has 1.41 times as far to go from the arc to the tip as it came along the arc.
    let least = pointwiseMax(low - (high - low) * 1.5, .zero)
    let most = pointwiseMin(high + (high - low) * 1.5, .one)
    residuals.withUnsafeBufferPointer { residuals in
      for target in targets {
        let (x, y) = (Float(Int(target) % size.width), Float(Int(target) / size.width))
        var sum = SIMD4<Float>()
        var total: Float = 0
        for point in residuals {
          let (dx, dy) = (point.x - x, point.y - y)
          let weight = 1 / (dx * dx + dy * dy)
          sum += point.color * weight
          total += weight
        }
        var color = pointwiseMin(pointwiseMax(plane.color(x, y) + sum / total, least), most)
        color *= color
        color.w = 1
        pixels[Int(target)] = color
      }
    }
  }
}

/// A color at a place, as square roots of linear light.
struct EdgePoint {
  var x: Float
  var y: Float
  var color: SIMD4<Float>
}

/// A color that changes linearly over a picture.
struct ColorPlane {
  private let x: Float
  private let y: Float
  private let mean: SIMD4<Float>
  private let slopeX: SIMD4<Float>
  private let slopeY: SIMD4<Float>

  /// The least-squares plane through points; it is flat where the points do not lie near a plane.
  ///
  /// `side` is the length against which slopes are measured.
  init(fitting points: [EdgePoint], side: Float) {
    let count = Float(max(points.count, 1))
    let x = points.reduce(0) { $0 + $1.x } / count
    let y = points.reduce(0) { $0 + $1.y } / count
    let mean = points.reduce(SIMD4()) { $0 + $1.color } / count
    var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
    var (xc, yc, cc) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    for point in points {
      let (dx, dy, dc) = ((point.x - x) / side, (point.y - y) / side, point.color - mean)
      xx += dx * dx
      xy += dx * dy
      yy += dy * dy
      xc += dc * dx
      yc += dc * dy
      cc += dc * dc
    }
    let determinant = xx * yy - xy * xy
    var slopeX = SIMD4<Float>()
    var slopeY = SIMD4<Float>()
    if determinant > 1e-4 * max(xx * yy, .leastNormalMagnitude) {
      slopeX = (xc * yy - yc * xy) / determinant
      slopeY = (yc * xx - xc * xy) / determinant
    }
    // The part of the variation that the plane explains: below 0.7 it is no gradient, above 0.95 surely one.
    let explained = (slopeX * xc + slopeY * yc).sum()
    let trust = cc.sum() > 0 ? min(max((explained / cc.sum() - 0.7) / 0.25, 0), 1) : 0
    self.x = x
    self.y = y
    self.mean = mean
    self.slopeX = slopeX * (trust / side)
    self.slopeY = slopeY * (trust / side)
  }

  /// The color at a place.
  func color(_ x: Float, _ y: Float) -> SIMD4<Float> { mean + slopeX * (x - self.x) + slopeY * (y - self.y) }
}
