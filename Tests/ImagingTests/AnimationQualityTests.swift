import Imaging
import TestSupport
import Testing

@Suite struct AnimationQualityTests {
  private let side = 96

  /// Shaded art on transparency, moved by a number of pixels.
  private func art(_ shift: Int = 0, change: (Int, Int, RGBA8) -> RGBA8 = { $2 }) -> Bitmap {
    picture(side, side) { x, y in
      let (dx, dy) = (x - 40 - shift, y - 48)
      let distance = dx * dx + dy * dy
      if distance > 1200 { return .clear }
      let tone = UInt8(60 + (x * 7 + y * 3) % 120)
      return change(x, y, RGBA8(tone, 255 - tone, UInt8(y * 2), distance > 1000 ? 128 : 255))
    }
  }

  private func animation(_ frames: [Bitmap], delay: Rational = Rational(1, 10)) -> SizedAnimation {
    SizedAnimation(frames: frames.map { SizedFrame(bitmap: $0, delay: delay) })
  }

  private func quality(_ shown: [Bitmap], _ target: [Bitmap]) -> AnimationQuality {
    AnimationQuality(of: animation(shown), as: animation(target))
  }

  private func coarse(_ step: Int) -> Bitmap {
    art { _, _, color in
      func level(_ value: UInt8) -> UInt8 { UInt8(min(255, (Int(value) + step / 2) / step * step)) }
      return RGBA8(level(color.red), level(color.green), level(color.blue), color.alpha)
    }
  }

  @Test func whatIsTheSameHasAHundred() {
    let frames = (0..<10).map { art($0) }
    #expect(quality(frames, frames) == AnimationQuality(score: 100, flicker: 0))
  }

  @Test func whatLosesMoreScoresLess() {
    let scores = [2, 8, 24, 64, 128].map { quality([coarse($0)], [art()]).score }
    #expect(scores == scores.sorted(by: >), "\(scores)")
    #expect(scores[0] > 90 && scores[4] < 60, "\(scores)")
  }

  @Test func whereNothingIsAlikeTheScoreIsNothing() {
    let black = Bitmap(size: PixelSize(square: side), fill: .black)
    #expect(quality([black], [Art.noisy(side, 1)]).score == 0)
  }

  @Test func lossThatShowsOnOneGroundAloneCounts() {
    // White of which half is see-through: the same over white, not over black.
    let whole = art { _, _, _ in .white }
    let half = art { x, _, color in RGBA8(255, 255, 255, x % 2 == 0 ? 255 : 128) }
    #expect(quality([half], [whole]).score < 85)
  }

  @Test func aFrameLeftOutCosts() {
    let target = (0..<8).map { art($0 * 2) }
    let held = SizedAnimation(
      frames: stride(from: 0, to: 8, by: 2).map { SizedFrame(bitmap: target[$0], delay: Rational(1, 5)) })
    let quality = AnimationQuality(of: held, as: animation(target))
    #expect(quality.score < 90)
    #expect(quality.holdingShare == 1)
    let blurred = (0..<8).map { _ in coarse(64) }
    #expect(self.quality(blurred, (0..<8).map { _ in art() }).holdingShare < 0.1)
  }

  @Test func framesAreComparedWithWhatIsOnScreenAtTheMiddleOfTheirTime() {
    let target = (0..<4).map { art($0 * 3) }
    var late = animation(target)
    late.frames[0].delay = Rational(14, 100)
    late.frames[3].delay = Rational(6, 100)
    #expect(AnimationQuality(of: late, as: animation(target)).score == 100)
    late.frames[0].delay = Rational(16, 100)
    #expect(AnimationQuality(of: late, as: animation(target)).score < 100)
  }

  @Test func flickerIsTheChangeWhereTheArtStandsStill() {
    let still = art { _, _, color in RGBA8(100, 100, 100, 255) }
    let lighter = art { _, _, color in RGBA8(104, 104, 104, 255) }
    let quality = quality([still, lighter, still, lighter], [still, still, still, still])
    #expect(abs(quality.flicker - 4) < 0.01, "\(quality.flicker)")
    // A frame that is held does not change; what moves in the art is no flicker.
    let held = SizedAnimation(
      frames: [still, lighter].map { SizedFrame(bitmap: $0, delay: Rational(1, 5)) })
    let third = AnimationQuality(of: held, as: animation([still, still, still, still])).flicker
    #expect(abs(third - (16.0 / 3).squareRoot()) < 0.01, "\(third)")
    let moving = self.quality([still, still, lighter, lighter], [still, still, lighter, lighter])
    #expect(moving.flicker == 0)
  }

  @Test func aScoreIsTheSameEachTime() {
    let (shown, target) = ((0..<12).map { _ in coarse(24) }, (0..<12).map { art($0) })
    #expect(quality(shown, target) == quality(shown, target))
  }

  @Test(arguments: [1, 5, 9, 17]) func smallAndOddPicturesHaveAScore(side: Int) {
    let bitmap = picture(side, side) { x, y in RGBA8(UInt8(x * 10), UInt8(y * 10), 0) }
    let other = picture(side, side) { x, y in RGBA8(UInt8(x * 10), UInt8(y * 10), 40) }
    let score = AnimationQuality(of: animation([other]), as: animation([bitmap])).score
    #expect((0...100).contains(score))
  }
}
