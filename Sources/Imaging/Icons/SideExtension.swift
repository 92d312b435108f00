/// Widens an opaque picture by continuing its left and right edges, row by row.
///
/// The first new column repeats the edge; each further one is blurred a little more along the edge, so that noise does
/// not run out in streaks. Where the colors run toward the edge as a gradient, they go on and ebb away, so that no crease
/// shows. Colors are blended as square roots of linear light, as in `CornerFill`.
struct SideExtension {
  /// How fast the blur grows: its standard deviation in rows is this part of the distance in columns.
  static let blurGrowth: Float = 0.12
  /// The columns beside the edge in which a gradient is looked for, as a part of the height.
  static let gradientDepth = 0.06
  /// How far at most a gradient goes on, counted in its own columns, as a part of the height.
  static let gradientReach: Float = 0.15
  /// The most that a gradient may change a color beyond the edge, of 1 from black to white.
  static let gradientLimit: Float = 0.12

  private let size: PixelSize
  private let pixels: UnsafeMutablePointer<SIMD4<Float>>
  /// The outermost column of the picture.
  private let edge: Int
  /// Outward: -1 on the left side, 1 on the right.
  private let step: Int
  /// The columns to make.
  private let count: Int

  /// The picture in the middle of one that is wider by `margin` columns on each side.
  static func widen(_ image: LinearBitmap, by margin: Int) -> LinearBitmap {
    if margin == 0 { return image }
    let size = PixelSize(width: image.size.width + 2 * margin, height: image.size.height)
    var result = image.placed(on: size, x: margin, y: 0)
    result.samples.withUnsafeMutableBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<Float>.self).baseAddress!
      // The outermost pixels of many pictures are mixed with something else: two of 1024 are made anew.
      let rim = min((size.height + 255) / 512, image.size.width / 4)
      let (left, right) = (margin + rim, margin + image.size.width - 1 - rim)
      for (edge, step) in [(left, -1), (right, 1)] {
        SideExtension(size: size, pixels: pixels, edge: edge, step: step, count: margin + rim)
          .extend(pictureWidth: right - left + 1)
      }
    }
    return result
  }

  private func extend(pictureWidth: Int) {
    let height = size.height
    let slopes = slopes(depth: min(Int(Double(height) * SideExtension.gradientDepth), pictureWidth - 1))
    let reach = Float(height) * SideExtension.gradientReach
    var column = (0..<height).map { color(depth: 0, row: $0) }
    // Columns are written some at a time: writing down one column at a time misses the cache at every pixel.
    let width = 16
    for first in stride(from: 1, through: count, by: width) {
      let distances = first...min(first + width - 1, count)
      let columns = distances.map { distance in
        column = SideExtension.blurred(
          column, variance: SideExtension.blurGrowth * SideExtension.blurGrowth * Float(2 * distance - 1))
        return column
      }
      for y in 0..<height {
        let row = pixels + (y * size.width + edge + step * first)
        for (offset, column) in columns.enumerated() {
          let distance = Float(first + offset)
          let color = column[y] + slopes[y] * (distance / (1 + distance / reach))
          var light = pointwiseMin(pointwiseMax(color, .zero), .one)
          light *= light
          light.w = 1
          row[step * offset] = light
        }
      }
    }
  }

  /// The square root of a pixel's linear light, `depth` columns inside the edge.
  private func color(depth: Int, row: Int) -> SIMD4<Float> {
    pointwiseMax(pixels[row * size.width + edge - step * depth], .zero).squareRoot()
  }

  /// How the colors change by the column, outward, at each row; zero where they do not run evenly.
  private func slopes(depth: Int) -> [SIMD4<Float>] {
    let none = [SIMD4<Float>](repeating: .zero, count: size.height)
    if depth < 3 { return none }
    let middle = Float(depth) / 2
    let spread = (0...depth).reduce(Float(0)) { $0 + (Float($1) - middle) * (Float($1) - middle) }
    var slopes = none
    var changes = none
    for y in 0..<size.height {
      let colors = (0...depth).map { color(depth: $0, row: y) }
      let mean = colors.reduce(.zero, +) / Float(colors.count)
      for (index, color) in colors.enumerated() {
        slopes[y] += (color - mean) * ((middle - Float(index)) / spread)
        changes[y] += (color - mean) * (color - mean)
      }
    }
    let radius = max(1, size.height / 50)
    slopes = SideExtension.smoothed(slopes, radius: radius)
    changes = SideExtension.smoothed(changes, radius: radius)
    let limit = SideExtension.gradientLimit / (Float(size.height) * SideExtension.gradientReach)
    return zip(slopes, changes).map { slope, change in
      // As in `ColorPlane`: the part of the variation that the gradient explains.
      let total = change.sum()
      if total == 0 { return .zero }
      let trust = min(max(((slope * slope).sum() * spread / total - 0.5) / 0.4, 0), 1)
      return slope * (trust * min(1, limit / max(pointwiseMax(slope, -slope).max(), .leastNormalMagnitude)))
    }
  }

  /// Three taps whose spacing and weight have the variance wanted, in rows squared; the ends are mirrored.
  private static func blurred(_ column: [SIMD4<Float>], variance: Float) -> [SIMD4<Float>] {
    let spacing = max(1, Int((2 * variance).squareRoot().rounded(.up)))
    let weight = variance / Float(2 * spacing * spacing)
    let last = column.count - 1
    return column.indices.map { y in
      let above = min(abs(y - spacing), last)
      let below = y + spacing <= last ? y + spacing : max(2 * last - y - spacing, 0)
      return column[y] * (1 - 2 * weight) + (column[above] + column[below]) * weight
    }
  }

  /// The mean over `radius` rows to each side, taken twice, less at the ends.
  private static func smoothed(_ column: [SIMD4<Float>], radius: Int) -> [SIMD4<Float>] {
    var column = column
    for _ in 0..<2 {
      var sums: [SIMD4<Float>] = [.zero]
      for value in column { sums.append(sums[sums.count - 1] + value) }
      column = column.indices.map { y in
        let (start, end) = (max(0, y - radius), min(column.count, y + radius + 1))
        return (sums[end] - sums[start]) / Float(end - start)
      }
    }
    return column
  }
}
