/// A small copy of a picture or an animation, to find those that look alike.
public struct Thumbprint: Hashable, Sendable {
  /// Cells on each side.
  static let side = 32
  /// Frames of an animation that are kept.
  static let moments = 4

  /// The mean color of each cell of each frame, premultiplied, R, G, B, A, 0 to 255.
  private let cells: [[Float]]
  /// Whether it is of an animation.
  public let isAnimated: Bool
  private let duration: Double
  /// The mean of all cells, to pass over what looks otherwise at once.
  private let mean: SIMD4<Float>

  /// Takes frames at equal parts of the time.
  public init(of animation: SizedAnimation) {
    isAnimated = animation.isAnimated
    duration = animation.duration.value
    var starts: [Double] = []
    var time = 0.0
    for frame in animation.frames {
      starts.append(time)
      time += frame.delay.value
    }
    var cells: [[Float]] = []
    for moment in 0..<(animation.isAnimated ? Self.moments : 1) {
      let at = duration * Double(moment) / Double(Self.moments) + 1e-9
      let index = starts.lastIndex { $0 <= at } ?? 0
      cells.append(Self.reduce(animation.frames[index].bitmap))
    }
    self.cells = cells
    var sum = SIMD4<Float>()
    for frame in cells {
      for i in stride(from: 0, to: frame.count, by: 4) {
        sum += SIMD4(frame[i], frame[i + 1], frame[i + 2], frame[i + 3])
      }
    }
    mean = sum / Float(cells.count * Self.side * Self.side)
  }

  private static func reduce(_ frame: Bitmap) -> [Float] {
    let size = frame.size
    var sums = [Float](repeating: 0, count: side * side * 4)
    var counts = [Float](repeating: 0, count: side * side)
    frame.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<size.height {
        let row = y * side / size.height * side
        for x in 0..<size.width {
          let (i, cell) = ((y * size.width + x) * 4, row + x * side / size.width)
          let alpha = Float(pixels[i + 3])
          for channel in 0..<3 { sums[cell * 4 + channel] += Float(pixels[i + channel]) * alpha / 255 }
          sums[cell * 4 + 3] += alpha
          counts[cell] += 1
        }
      }
    }
    for i in sums.indices { sums[i] /= max(counts[i / 4], 1) }
    return sums
  }

  /// How differently two look: the largest difference of a cell's channel over white or black, and the root of the mean
  /// square over all, in 8-bit levels; nil where only one moves, where their times differ by a fifth, or where even their
  /// mean colors differ.
  public func difference(from other: Thumbprint) -> (most: Double, mean: Double)? {
    guard isAnimated == other.isAnimated, abs(duration - other.duration) <= 0.2 * max(duration, other.duration) else {
      return nil
    }
    let apart = mean - other.mean
    guard max(abs(apart.x), abs(apart.y), abs(apart.z), abs(apart.w)) < 8 else { return nil }
    var (most, squares, count) = (Float(0), Float(0), 0)
    for (a, b) in zip(cells, other.cells) {
      for i in stride(from: 0, to: a.count, by: 4) {
        let alpha = a[i + 3] - b[i + 3]
        for channel in 0..<3 {
          let onBlack = a[i + channel] - b[i + channel]
          let onWhite = onBlack - alpha
          most = max(most, abs(onBlack), abs(onWhite))
          squares += onBlack * onBlack + onWhite * onWhite
        }
      }
      count += a.count / 4 * 6
    }
    return (Double(most), Double((squares / Float(max(count, 1))).squareRoot()))
  }
}
