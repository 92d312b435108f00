import Imaging

/// How much an error is noticed at each pixel: fully in flat places, less in busy ones.
///
/// The weight is 1 / (1 + s / 3.2) where s is the standard deviation of luma, over middle gray, in the 5 x 5 pixels around
/// it; stored as 0 to 255 for 0 to 1.
struct ActivityMask {
  private static let reach = 2
  private static let window = 2 * reach + 1
  private static let halfWeightDeviation: Float = 3.2

  private let size: PixelSize
  /// A row of luma, its ends repeated.
  private var line: [Float]
  /// Sums of luma, and of its square, along the last five rows; a row of both after another.
  private var sums: [Float]

  init(size: PixelSize) {
    self.size = size
    line = [Float](repeating: 0, count: size.width + 2 * Self.reach)
    sums = [Float](repeating: 0, count: Self.window * 2 * size.width)
  }

  /// The weights of a picture, one a pixel.
  mutating func weights(of bitmap: Bitmap) -> [UInt8] {
    let (width, height) = (size.width, size.height)
    return line.withUnsafeMutableBufferPointer { line in
      sums.withUnsafeMutableBufferPointer { sums in
        bitmap.withPackedPixels { pixels in
          [UInt8](unsafeUninitializedCapacity: width * height) { output, count in
            let (line, sums) = (line.baseAddress!, sums.baseAddress!)
            var summed = 0
            for y in 0..<height {
              while summed < min(y + Self.reach + 1, height) {
                let row = UnsafeBufferPointer(rebasing: pixels[summed * width..<(summed + 1) * width])
                Self.sum(row, line, into: sums + summed % Self.window * 2 * width)
                summed += 1
              }
              let rows = (0..<Self.window).map { step in
                UnsafePointer(sums + min(max(y + step - Self.reach, 0), height - 1) % Self.window * 2 * width)
              }
              Self.weigh(rows, width, into: output.baseAddress! + y * width)
            }
            count = width * height
          }
        }
      }
    }
  }

  private static func sum(
    _ row: UnsafeBufferPointer<UInt32>, _ line: UnsafeMutablePointer<Float>, into sums: UnsafeMutablePointer<Float>
  ) {
    let width = row.count
    var (last, luma) = (UInt32(0), Float(127.5))
    for x in 0..<width {
      if row[x] != last {
        last = row[x]
        // Premultiplied luma over a ground of 127.5: Y - a/2 + 127.5.
        luma = PerceptualSpace.point(snappedColor(last)).x + 127.5
      }
      line[x &+ reach] = luma
    }
    for x in 0..<reach { (line[x], line[width + reach + x]) = (line[reach], line[width + reach - 1]) }
    for x in 0..<width {
      let (a, b, c, d, e) = (line[x], line[x &+ 1], line[x &+ 2], line[x &+ 3], line[x &+ 4])
      sums[x] = a + b + c + d + e
      sums[x &+ width] = a * a + b * b + c * c + d * d + e * e
    }
  }

  private static func weigh(
    _ rows: [UnsafePointer<Float>], _ width: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    let (a, b, c, d, e) = (rows[0], rows[1], rows[2], rows[3], rows[4])
    for x in 0..<width {
      let mean = (a[x] + b[x] + c[x] + d[x] + e[x]) * (1 / 25)
      let y = x &+ width
      let square = (a[y] + b[y] + c[y] + d[y] + e[y]) * (1 / 25)
      let variance = square - mean * mean
      let weight = 255 / (1 + (variance > 0 ? variance : 0).squareRoot() * (1 / halfWeightDeviation))
      // Adding 2^23 leaves the whole number in the lower bits.
      output[x] = UInt8(truncatingIfNeeded: (weight + Float(1 << 23)).bitPattern)
    }
  }
}
