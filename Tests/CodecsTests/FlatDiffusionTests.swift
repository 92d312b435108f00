import Imaging
import Testing

@testable import Codecs

/// What is done against rings in glows and steps in gradients.
@Suite struct FlatDiffusionTests {
  private func grays(every step: Int) -> [SIMD4<Float>] {
    stride(from: 20, through: 240, by: step).map { PerceptualSpace.point(RGBA8(gray: UInt8($0)).packed) }
  }

  @Test func `wide steps are diffused, small ones hardly, less where bits are dear`() {
    let cheap = RateDistortionSettings(lambda: 1)
    #expect(cheap.flatDiffusions(grays(every: 2)).allSatisfy { $0 < 0.1 })
    let wide = cheap.flatDiffusions(grays(every: 30))
    #expect(wide.allSatisfy { $0 > 0.4 && $0 < cheap.flatDiffusion })
    let dear = RateDistortionSettings(lambda: 50).flatDiffusions(grays(every: 30))
    #expect(zip(dear, wide).allSatisfy { $0 < $1 })
  }

  @Test func `a lone color has nothing to mix with`() {
    let settings = RateDistortionSettings(lambda: 1)
    #expect(settings.flatDiffusions([.zero]) == [0])
    #expect(settings.flatDiffusions([.zero, .one]) == [0, 0])
  }

  /// The mean error of blocks of eight rows where a slow gradient is shown with few grays.
  private func blockError(flatDiffusion: Float) -> Float {
    let (width, height) = (32, 64)
    let palette = Palette([20, 60, 100, 140, 180, 220].map { RGBA8(gray: $0) }, reservesClear: true)
    let points = palette.colors.map { PerceptualSpace.point($0.packed) }
    var settings = RateDistortionSettings(lambda: 1)
    settings.flatDiffusion = flatDiffusion
    let area = width * height
    var targets: [SIMD4<Float>] = []
    for pixel in 0..<area { targets.append(PerceptualSpace.point(RGBA8(gray: UInt8(30 + pixel / width * 3)).packed)) }
    let wanted = targets
    let nominal = targets.map { target in
      UInt8(points.indices.dropFirst().min { squaredLength(points[$0] - target) < squaredLength(points[$1] - target) }!)
    }
    let trellis = IndexTrellis(
      points: points, firstOpaque: palette.translucentCount, capacity: (width + 1) * height, settings: settings)
    // Heavier errors would all count as the greatest there is.
    let (kinds, weights) = ([AlphaKind](repeating: .opaque, count: area), [Float](repeating: 10, count: area))
    let (masks, shown) = ([UInt8](repeating: 255, count: area), [UInt8](repeating: 1, count: area))
    // Pointers to arrays are good for the length of a call.
    func code(
      _ targets: UnsafeMutablePointer<SIMD4<Float>>, _ kinds: UnsafePointer<AlphaKind>,
      _ weights: UnsafePointer<Float>, _ masks: UnsafePointer<UInt8>, _ nominal: UnsafePointer<UInt8>,
      _ shown: UnsafePointer<UInt8>
    ) {
      trellis.code(
        IndexTrellis.Request(
          width: width, height: height, blend: .source, targets: targets, kinds: kinds, weights: weights, masks: masks,
          nominal: nominal, shown: shown),
        costs: DeflateCosts(literalCounts: [Float](repeating: 1, count: 256)))
    }
    code(&targets, kinds, weights, masks, nominal, shown)
    var sum: Float = 0
    for block in 0..<height / 8 {
      var gap = SIMD4<Float>.zero
      for pixel in block * 8 * width..<(block + 1) * 8 * width {
        gap += points[Int(trellis.stream[pixel / width * (width + 1) + 1 + pixel % width])] - wanted[pixel]
      }
      sum += squaredLength(gap / Float(8 * width)).squareRoot()
    }
    return sum / Float(height / 8)
  }

  @Test func `a gradient in few grays keeps its mean where they are mixed`() {
    #expect(blockError(flatDiffusion: 0.6) < 0.8 * blockError(flatDiffusion: 0))
  }
}
