import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Codecs

@Suite struct WritingBudgetTests {
  func noisy(_ count: Int, side: Int, delay: Rational) -> SizedAnimation {
    var noise = Noise()
    return animation(
      (0..<count).map { _ in picture(side) { _, _ in RGBA8(noise.byte(), noise.byte(), noise.byte(), noise.byte()) } },
      delays: [delay])
  }

  @Test func `noise that cannot fit ends with the smallest file found`() throws {
    let asset = try RateDistortionEncoder().encode(noisy(12, side: 64, delay: Rational(1, 30)), budget: 500)
    #expect(asset.bytes.count > 500)
    #expect(asset.report.attempts <= RateDistortionSearch.maximumPasses)
    let file = try StrictAPNG(asset.bytes)
    #expect(file.duration == Rational(12, 30))
  }

  @Test func `thinning keeps the total time and motion above 8 frames a second`() throws {
    let source = noisy(24, side: 48, delay: Rational(1, 24))
    let asset = try RateDistortionEncoder().encode(source, budget: 9000)
    let file = try StrictAPNG(asset.bytes)
    #expect(asset.bytes.count <= 9000)
    #expect(asset.report.method == .palette)
    #expect(file.duration == Rational(1))
    #expect((8...24).contains(file.frames.count))
  }

  @Test func `a short animation stays one`() throws {
    let source = noisy(2, side: 48, delay: Rational(1, 30))
    let asset = try RateDistortionEncoder().encode(source, budget: 1500)
    #expect(try StrictAPNG(asset.bytes).frames.count == 2)
  }

  @Test func `slow animations are never thinned`() throws {
    let source = noisy(9, side: 40, delay: Rational(1, 8))
    let asset = try RateDistortionEncoder().encode(source, budget: 5000)
    let file = try StrictAPNG(asset.bytes)
    #expect(file.frames.count == 9)
    #expect(file.frames.allSatisfy { $0.delay == Rational(1, 8) })
  }

  @Test func `of thinned frames the longest shown stays`() {
    let delays = [1, 1, 9, 1, 1, 1].map { Rational($0, 10) }
    let moments = delays.enumerated().map { Moment(frame: $0, count: 1, delay: $1) }
    let shown = thinned(moments, to: 3)
    #expect(shown.map(\.frame) == [0, 2, 4])
    #expect(shown.map(\.delay) == [Rational(1, 5), Rational(1), Rational(1, 5)])
    #expect(thinned(moments, to: 6).map(\.frame) == Array(0..<6))
  }

  @Test func `the frames that are missed least go, and even motion is thinned evenly`() {
    let moments = (0..<12).map { Moment(frame: $0, count: 1, delay: Rational(1, 25)) }
    let even = thinned(moments, to: 8)
    let steps = [0] + [Double](repeating: 3, count: 11)
    #expect(thinned(moments, to: 8, steps: steps) == even)
    let calm = thinned(moments, to: 8, steps: [0, 9, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1])
    #expect(calm.map(\.frame).prefix(6) == [0, 1, 2, 3, 4, 5])
    #expect(calm.count == 8)
    #expect(calm.allSatisfy { $0.moments.count <= 3 })
    #expect(calm.flatMap { Array($0.moments) } == Array(0..<12))
    #expect(calm.reduce(Rational.zero) { $0 + $1.delay } == Rational(12, 25))
  }

  @Test func `a still over the budget gets a palette, and one that cannot fit is handed back too large`() throws {
    let source = noisy(1, side: 96, delay: .zero)
    let asset = try RateDistortionEncoder().encode(source, budget: 9000)
    #expect(asset.bytes.count <= 9000)
    #expect(asset.report.method == .palette)
    let file = try StrictAPNG(asset.bytes)
    #expect(file.playCount == nil)
    #expect(file.colorType == 3)
    #expect(try RateDistortionEncoder().encode(source, budget: 800).bytes.count > 800)
  }

  @Test func `noise is refused rather than turned to mush`() throws {
    // Half a bit a pixel: less than noise can be told apart with.
    let source = noisy(1, side: 200, delay: .zero)
    #expect(try RateDistortionEncoder().encode(source, budget: 200 * 200 / 16).bytes.count > 200 * 200 / 16)
  }

  @Test func `clear stays clear and opaque stays opaque at any rate`() throws {
    var noise = Noise()
    let frames = (0..<6).map { i in
      picture(96) { x, y in
        let (dx, dy) = (x - 40 - 3 * i, y - 48)
        if dx * dx + dy * dy > 900 { return .clear }
        return RGBA8(noise.byte(), noise.byte(), noise.byte(), dx * dx + dy * dy > 700 ? noise.byte() : 255)
      }
    }
    let asset = try RateDistortionEncoder().encode(animation(frames), budget: 6000)
    #expect(asset.report.method == .palette)
    let file = try StrictAPNG(asset.bytes)
    try #require(file.frames.count == frames.count)
    for (shown, wanted) in zip(file.frames, frames) {
      for y in 0..<96 {
        for x in 0..<96 {
          if wanted[x, y].alpha == 0 { #expect(shown.canvas[x, y].alpha == 0) }
          if wanted[x, y].alpha == 255 { #expect(shown.canvas[x, y].alpha == 255) }
        }
      }
    }
  }

  @Test func `still ground stays still under a palette`() throws {
    let frames = (0..<10).map { i in
      picture(96) { x, y in
        let (dx, dy) = (x - 8 * i - 10, y - 48)
        return dx * dx + dy * dy < 100 ? RGBA8(255, 40, 0) : RGBA8(UInt8(x * 2), UInt8(y * 2), UInt8(x + y))
      }
    }
    let source = animation(frames)
    let exact = try RateDistortionEncoder().encode(source, budget: .max).bytes.count
    let asset = try RateDistortionEncoder().encode(source, budget: exact * 2 / 3)
    let file = try StrictAPNG(asset.bytes)
    #expect(asset.report.method == .palette)
    try #require(file.frames.count == 10)
    for i in 1..<10 {
      for y in 0..<96 {
        for x in 0..<96 where frames[i][x, y] == frames[i - 1][x, y] {
          #expect(file.frames[i].canvas[x, y] == file.frames[i - 1].canvas[x, y])
        }
      }
    }
  }

  @Test func `a picture is encoded alike alone and after others`() throws {
    let heavy = noisy(3, side: 48, delay: Rational(1, 10))
    let light = animation((0..<3).map { i in picture(32) { x, _ in RGBA8(UInt8(x), UInt8(i), 0) } })
    let alone = try RateDistortionEncoder().encode(light, budget: 3000).bytes
    _ = try RateDistortionEncoder().encode(heavy, budget: 3000)
    #expect(try RateDistortionEncoder().encode(light, budget: 3000).bytes == alone)
  }

  @Test func `time ends the search with an error and changes no byte`() throws {
    let source = noisy(6, side: 32, delay: Rational(1, 10))
    let looks = Mutex(0)
    // A clock that goes on by a second at each look.
    let clock: @Sendable () -> Duration = {
      looks.withLock { looks in
        looks += 1
        return .seconds(looks)
      }
    }
    let free = try RateDistortionEncoder().encode(source, budget: 3000).bytes
    let slow = RateDistortionEncoder(time: TimeLimit(seconds: 80_000, now: clock).started())
    #expect(try slow.encode(source, budget: 3000).bytes == free)
    let needed = looks.withLock { $0 }
    #expect(needed > 10)
    looks.withLock { $0 = 0 }
    let hasty = RateDistortionEncoder(time: TimeLimit(seconds: needed - 1, now: clock).started())
    #expect(throws: DecodeError.overLimit(.time, value: needed - 1, limit: needed - 1)) {
      try hasty.encode(source, budget: 3000)
    }
  }

  @Test func `a canceled task stops between attempts`() async {
    let source = noisy(6, side: 32, delay: Rational(1, 10))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try RateDistortionEncoder().encode(source, budget: 1000)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

@Suite struct WritingDelayTests {
  func stored(_ delays: [Rational]) -> [StoredDelay] {
    var fitter = DelayFitter()
    return delays.flatMap { fitter.parts(of: $0) }
  }

  func sum(_ parts: [StoredDelay]) -> Rational {
    parts.reduce(.zero) { $0 + Rational(Int($1.numerator), Int($1.denominator)) }
  }

  @Test func `a delay of 16 bits is stored as it is`() {
    #expect(stored([Rational(1, 24)]) == [StoredDelay(numerator: 1, denominator: 24)])
    #expect(stored([Rational(65535, 65534)]) == [StoredDelay(numerator: 65535, denominator: 65534)])
  }

  @Test(arguments: [
    Rational(70_001, 1000), Rational(700_001, 10000), Rational(200_000), Rational(131_070), Rational(131_071),
    Rational(66_000_001, 1000),
  ])
  func `a delay that is too long takes parts with an exact sum`(delay: Rational) {
    let parts = stored([delay])
    #expect(sum(parts) == delay)
    #expect(parts.allSatisfy { Rational(Int($0.numerator), Int($0.denominator)) >= Rational(1, 50) })
  }

  @Test func `a fraction that is too fine is rounded and what is missing is carried on`() {
    let fine = Rational(1, 3) + Rational(1, 100_003)
    let parts = stored([Rational](repeating: fine, count: 50))
    #expect(parts.count == 50)
    #expect(abs(sum(parts).value - fine.value * 50) < 1e-8)
  }
}
