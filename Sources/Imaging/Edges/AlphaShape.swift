/// The shape that alpha makes, with an edge that lies between pixels.
struct AlphaShape {
  private let alphas: [UInt8]
  private let size: PixelSize
  /// The least alpha of the shape's pixels.
  private let least: UInt8

  /// Makes the shape of all that has at least a quarter of the greatest alpha; `alphas` is row by row from the top.
  init(alphas: [UInt8], size: PixelSize, greatest: UInt8) {
    self.alphas = alphas
    self.size = size
    least = max(1, greatest / 4)
  }

  /// How much of each pixel lies within a distance of the shape, 0 to 1.
  ///
  /// The distance is measured from the middle of the pixel to the nearest of the points where the shape's edge crosses
  /// the line between two neighbors.
  func coverage(within distance: Float) -> [Float] {
    var squares = [Float](repeating: .infinity, count: alphas.count)
    for y in 0..<size.height {
      for x in 0..<size.width where isInside(x, y) { addEdges(x, y, distance, &squares) }
    }
    return squares.indices.map { i in
      alphas[i] >= least ? 1 : min(max(distance + 0.5 - squares[i].squareRoot(), 0), 1)
    }
  }

  private func isInside(_ x: Int, _ y: Int) -> Bool { alphas[y * size.width + x] >= least }

  private func alpha(_ x: Int, _ y: Int) -> UInt8 {
    0..<size.width ~= x && 0..<size.height ~= y ? alphas[y * size.width + x] : 0
  }

  /// Enters the edge points between a pixel of the shape and its neighbors outside.
  private func addEdges(_ x: Int, _ y: Int, _ distance: Float, _ squares: inout [Float]) {
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
      let outer = alpha(x + dx, y + dy)
      guard outer < least else { continue }
      // Along the line that crosses the edge less steeply, alpha says little of where it does.
      let along = abs(Int(alpha(x + dx, y + dy)) - Int(alpha(x - dx, y - dy)))
      let across = abs(Int(alpha(x + dy, y + dx)) - Int(alpha(x - dy, y - dx)))
      guard along * 3 >= across * 2 else { continue }
      let offset = edgeOffset(from: x, y, dx, dy)
      enter(Float(x) + Float(dx) * offset, Float(y) + Float(dy) * offset, distance, &squares)
    }
  }

  /// How far from the middle of a pixel toward a neighbor outside the edge lies.
  ///
  /// A sharp edge covers parts of up to three pixels on the line, and the sum of their alpha is the length inside. In a
  /// soft one alpha falls over many pixels, and the edge is where it passes the least. Between the two kinds there is no jump.
  private func edgeOffset(from x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Float {
    var around: UInt8 = 0
    for dy in -1...1 { for dx in -1...1 { around = max(around, alpha(x + dx, y + dy)) } }
    let (inside, outside, full) = (Float(alpha(x, y)), Float(alpha(x + dx, y + dy)), Float(around))
    let behind = Float(alpha(x - dx, y - dy))
    let sharp = min(((behind >= inside ? behind : full) + inside + outside) / full - 1.5, 1)
    let soft = (inside - Float(least)) / max(inside - outside, 1)
    let sharpness = min(max(((full - outside) / full - 0.4) / 0.4, 0), 1)
    return soft + (sharp - soft) * sharpness
  }

  /// Lowers the squared distances around an edge point.
  private func enter(_ x: Float, _ y: Float, _ distance: Float, _ squares: inout [Float]) {
    let reach = distance + 0.5
    let rows = max(0, Int((y - reach).rounded(.up)))...min(size.height - 1, Int((y + reach).rounded(.down)))
    for row in rows {
      let dy = Float(row) - y
      let half = max(reach * reach - dy * dy, 0).squareRoot()
      let first = max(0, Int((x - half).rounded(.up)))
      let last = min(size.width - 1, Int((x + half).rounded(.down)))
      guard first <= last else { continue }
      for column in first...last {
        let dx = Float(column) - x
        let i = row * size.width + column
        squares[i] = min(squares[i], dx * dx + dy * dy)
      }
    }
  }
}
