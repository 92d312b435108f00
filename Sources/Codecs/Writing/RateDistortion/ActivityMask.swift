import Imaging

/// How much an error is noticed at each pixel: fully in flat places, less in busy ones.
///
/// The weight is 1 / (1 + s / 3.2) where s is the standard deviation of luma, over middle gray, in the 5 x 5 pixels around
/// it; stored as 0 to 255 for 0 to 1.
struct ActivityMask {
  private static let reach = 2
  private static let halfWeightDeviation: Float = 3.2

  private var luma: [Float]
  private var rowSums: [SIMD2<Float>]
  private let size: PixelSize

  init(size: PixelSize) {
    self.size = size
    luma = [Float](repeating: 0, count: size.area)
    rowSums = [SIMD2<Float>](repeating: .zero, count: size.area)
  }

  /// The weights of a picture, one a pixel.
  mutating func weights(of bitmap: Bitmap) -> [UInt8] {
    let (width, height) = (size.width, size.height)
    let reach = Self.reach
    return luma.withUnsafeMutableBufferPointer { luma in
      rowSums.withUnsafeMutableBufferPointer { sums in
        bitmap.withPackedPixels { pixels in
          for i in 0..<width * height {
            let point = PerceptualSpace.point(snappedColor(pixels[i]))
            // Premultiplied luma over a ground of 127.5: Y - a/2 + 127.5.
            luma[i] = point.x + 127.5
          }
        }
        for y in 0..<height {
          let row = y * width
          for x in 0..<width {
            var sum = SIMD2<Float>.zero
            for step in -reach...reach {
              let value = luma[row + min(max(x + step, 0), width - 1)]
              sum += SIMD2(value, value * value)
            }
            sums[row + x] = sum
          }
        }
        return [UInt8](unsafeUninitializedCapacity: width * height) { output, count in
          for y in 0..<height {
            for x in 0..<width {
              var sum = SIMD2<Float>.zero
              for step in -reach...reach { sum += sums[min(max(y + step, 0), height - 1) * width + x] }
              let mean = sum / 25
              let deviation = max(mean.y - mean.x * mean.x, 0).squareRoot()
              output[y * width + x] = UInt8(255 / (1 + deviation / Self.halfWeightDeviation))
            }
          }
          count = width * height
        }
      }
    }
  }
}
