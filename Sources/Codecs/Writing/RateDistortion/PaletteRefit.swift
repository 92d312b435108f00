import Imaging

/// Moves each palette entry to the mean of the source colors that it shows.
///
/// What is opaque stays opaque and what is translucent stays so; an entry that shows one exact color for a good part
/// takes that color. Only PLTE and tRNS change, so what is gained costs no bytes.
struct PaletteRefit {
  /// The share of its pixels from which a single color wins over the mean.
  private static let dominantShare = 0.2
  private static let countedAtOnce = 1 << 24

  private var sums: [SIMD4<Double>]
  private var weights: [Double]
  /// Candidates for the commonest color, by majority vote (Boyer and Moore 1981).
  private var leader: [UInt32]
  private var lead: [Int]
  private let palette: Palette

  init(_ palette: Palette) {
    self.palette = palette
    sums = [SIMD4<Double>](repeating: .zero, count: 256)
    weights = [Double](repeating: 0, count: 256)
    leader = [UInt32](repeating: 0, count: 256)
    lead = [Int](repeating: 0, count: 256)
  }

  /// Counts a frame and the indices that show it.
  mutating func add(_ bitmap: Bitmap, shown: [UInt8]) {
    bitmap.withPackedPixels { pixels in
      shown.withUnsafeBufferPointer { shown in
        for start in stride(from: 0, to: pixels.count, by: Self.countedAtOnce) {
          add(pixels, shown, start..<min(start + Self.countedAtOnce, pixels.count))
        }
      }
    }
  }

  /// Counts pixels, so few of them that no sum of their channels needs more than 32 bits.
  private mutating func add(
    _ pixels: UnsafeBufferPointer<UInt32>, _ shown: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) {
    // Of opaque colors: red and blue, green and their number, two sums a word.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 512) { solid in
      solid.initialize(repeating: 0)
      sums.withUnsafeMutableBufferPointer { sums in
        weights.withUnsafeMutableBufferPointer { weights in
          leader.withUnsafeMutableBufferPointer { leader in
            lead.withUnsafeMutableBufferPointer { lead in
              for i in range {
                let index = Int(shown[i])
                let color = snappedColor(pixels[i])
                if color >= 0xFF00_0000 {
                  solid[index &* 2] &+= UInt64(color & 0xFF) | UInt64(color & 0xFF0000) << 16
                  solid[index &* 2 &+ 1] &+= UInt64(color >> 8 & 0xFF) | 1 << 32
                } else {
                  sums[index] += SIMD4<Double>(PerceptualSpace.point(color))
                  weights[index] += 1
                }
                if leader[index] == color {
                  lead[index] &+= 1
                } else if lead[index] == 0 {
                  (leader[index], lead[index]) = (color, 1)
                } else {
                  lead[index] &-= 1
                }
              }
            }
          }
          for index in 0..<256 where solid[index * 2 + 1] > 0 {
            let (redBlue, green) = (solid[index * 2], solid[index * 2 + 1])
            let number = Double(green >> 32)
            func mean(_ sum: UInt64) -> Float { Float(Double(sum & 0xFFFF_FFFF) / number) }
            let point = PerceptualSpace.point(
              red: mean(redBlue), green: mean(green), blue: mean(redBlue >> 32), alpha: 255)
            sums[index] += SIMD4<Double>(point) * number
            weights[index] += number
          }
        }
      }
    }
  }

  /// Counts what another one has counted.
  mutating func add(_ other: PaletteRefit) {
    for index in sums.indices {
      sums[index] += other.sums[index]
      weights[index] += other.weights[index]
      if leader[index] == other.leader[index] {
        lead[index] += other.lead[index]
      } else if lead[index] < other.lead[index] {
        (leader[index], lead[index]) = (other.leader[index], other.lead[index] - lead[index])
      } else {
        lead[index] -= other.lead[index]
      }
    }
  }

  /// The palette with every entry moved; the order of entries stays.
  func refitted() -> Palette {
    var colors = palette.colors
    for index in colors.indices where colors[index].alpha > 0 && weights[index] > 0 {
      let isOpaque = colors[index].alpha == 255
      let common = RGBA8(packed: leader[index])
      if Double(lead[index]) > Self.dominantShare * weights[index], common.alpha > 0, (common.alpha == 255) == isOpaque
      {
        colors[index] = common
        continue
      }
      var mean = SIMD4<Float>(sums[index] / weights[index])
      if isOpaque {
        // Keep what is seen over middle gray, where luma - alpha / 2 says it.
        mean.y = 255 * PerceptualSpace.alphaWeight
      }
      var color = PerceptualSpace.color(at: mean)
      if color.alpha == 0 { continue }
      color.alpha = isOpaque ? 255 : min(color.alpha, 254)
      colors[index] = color
    }
    return Palette(ordered: colors)
  }
}
