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
}
