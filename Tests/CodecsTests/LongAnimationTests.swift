import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Codecs

/// Frames in which some pixels change now and then and the others never do, seeded.
private func scene(_ count: Int, side: Int = 12) -> [Bitmap] {
  var noise = Noise(5)
  var bitmap = picture(side) { x, y in RGBA8(gray: UInt8(40 + x * 9 + y * 5)) }
  return (0..<count).map { _ in
    for y in 0..<side {
      for x in 0..<side where (x + y) % 3 == 0 && noise.byte() < 60 { bitmap[x, y] = RGBA8(gray: noise.byte()) }
    }
    return bitmap
  }
}

private func noise(_ count: Int, side: Int, delay: Rational) -> SizedAnimation {
  var noise = Noise(9)
  let frames = (0..<count).map { _ in
    SizedFrame(
      bitmap: picture(side) { _, _ in RGBA8(noise.byte(), noise.byte(), noise.byte(), 255) }, delay: delay)
  }
  return SizedAnimation(frames: frames)
}

@Suite struct LongAnimationTests {
  private let palette = Palette((0..<12).map { RGBA8(gray: UInt8($0 * 22)) }, reservesClear: true)
  private var points: [SIMD4<Float>] { palette.colors.map { PerceptualSpace.point($0.packed) } }

  @Test func `in whatever order frames are asked for, stays are counted to their end`() throws {
    let frames = scene(70)
    let prepared = PreparedAnimation(frames: frames.map { SizedFrame(bitmap: $0) })
    for t in [0, 69, 33, 15, 16, 50, 2] + Array(0..<70) {
      let stays = try prepared.stays(t)
      for (pixel, found) in stays.enumerated() {
        let (x, y) = (pixel % 12, pixel / 12)
        var stay = 1
        while stay < 8, t + stay < 70, frames[t + stay][x, y] == frames[t][x, y] { stay += 1 }
        #expect(Int(found) == stay)
      }
    }
  }

  private func cost(_ planes: [[UInt8]], _ frames: [Bitmap], _ weights: [[UInt8]], _ lambda: Float) -> Double {
    var sum = 0.0
    for (t, plane) in planes.enumerated() {
      frames[t].withPackedPixels { pixels in
        for (pixel, index) in plane.enumerated() {
          let error = squaredLength(points[Int(index)] - PerceptualSpace.point(pixels[pixel]))
          sum += Double(error * Float(weights[t][pixel]) / 255)
          if t > 0, index != planes[t - 1][pixel] { sum += Double(lambda) }
        }
      }
    }
    return sum
  }

  @Test(arguments: [20, 48, 49, 150])
  func `windows of a long animation are steadied nearly as well as all of it at once`(
    count: Int
  ) throws {
    let (frames, lambda) = (scene(count), Float(900))
    let prepared = PreparedAnimation(frames: frames.map { SizedFrame(bitmap: $0) })
    let wanted = WantedPlanes(prepared, palette, points: points, lambda: lambda, runs: [0..<count])
    let windowed = try (0..<count).map { try wanted.plane($0) }
    let weights = try (0..<count).map { try prepared.weights($0) }
    let remapper = Remapper(palette)
    let nearest = frames.map { remapper.remap($0).indices }
    var whole = nearest
    TemporalSmoother(points: points, firstOpaque: palette.translucentCount, lambda: lambda)
      .smooth(&whole, frames: frames[...], weights: weights[...])
    if count <= PreparedAnimation.heldFrames { #expect(windowed == whole) }
    let (best, none) = (cost(whole, frames, weights, lambda), cost(nearest, frames, weights, lambda))
    #expect(best < 0.9 * none, "there is something to be steadied")
    #expect(cost(windowed, frames, weights, lambda) < best + 0.05 * (none - best))
  }

  @Test func `what a window goes on from stays as it is, and holds what follows as far as it is worth`() {
    let frames = [Bitmap](repeating: picture(3) { _, _ in RGBA8(gray: 60) }, count: 4)
    let weights = [[UInt8]](repeating: [UInt8](repeating: 255, count: 9), count: 4)
    // Between two entries, nearer to the second.
    let (near, far) = (UInt8(nearest(60)), UInt8(nearest(40)))
    #expect(near != far)
    for (lambda, rest) in [(Float(1), near), (1e6, far)] {
      var planes =
        [[UInt8](repeating: far, count: 9)] + [[UInt8]](repeating: [UInt8](repeating: near, count: 9), count: 3)
      TemporalSmoother(points: points, firstOpaque: palette.translucentCount, lambda: lambda)
        .smooth(&planes, frames: frames[...], weights: weights[...], holdsFirst: true)
      #expect(planes[0].allSatisfy { $0 == far })
      #expect(planes.dropFirst().allSatisfy { $0.allSatisfy { $0 == rest } })
    }
  }

  private func nearest(_ gray: UInt8) -> Int {
    Int(Remapper(palette).remap(picture(1) { _, _ in RGBA8(gray: gray) }).indices[0])
  }

  @Test func `a long animation is thinned, but never below 8 frames a second`() throws {
    let source = noise(200, side: 24, delay: Rational(1, 25))
    let asset = try RateDistortionEncoder(effort: .fast).encode(source, budget: 20_000)
    let file = try StrictAPNG(asset.bytes)
    #expect(asset.bytes.count <= 20_000)
    #expect(file.duration == Rational(8))
    #expect((64..<200).contains(file.frames.count))
  }

  @Test func `far too much is told after few passes`() throws {
    let asset = try RateDistortionEncoder(effort: .fast).encode(
      noise(150, side: 24, delay: Rational(1, 25)), budget: 600)
    #expect(asset.bytes.count > 600)
    #expect(asset.report.attempts < 40)
    #expect(try StrictAPNG(asset.bytes).duration == Rational(6))
  }

  @Test func `a coded frame spells its stream, packed as well`() {
    let tokens =
      [1, 2, 3].map { DeflateToken(literal: $0) } + [
        DeflateToken(length: 5, distance: 2), DeflateToken(length: 3, distance: 1), DeflateToken(literal: 9),
      ]
    var frame = CodedFrame(rect: PixelRect(x: 0, y: 0, width: 3, height: 3), blend: .source, tokens: tokens)
    #expect(frame.stream == [1, 2, 3, 2, 3, 2, 3, 2, 2, 2, 2, 9])
    frame.pack()
    #expect(frame.stream == [1, 2, 3, 2, 3, 2, 3, 2, 2, 2, 2, 9])
  }

  @Test func `the clock is looked at while frames are compared and counted, too`() throws {
    let looks = Mutex(0)
    let clock: @Sendable () -> Duration = {
      looks.withLock { looks in
        looks += 1
        return .seconds(looks)
      }
    }
    let frames = (0..<20).map { i in
      SizedFrame(bitmap: picture(8) { x, _ in RGBA8(gray: UInt8(i + x)) }, delay: Rational(1, 9))
    }
    let encoder = RateDistortionEncoder(time: TimeLimit(seconds: 1000, now: clock).started())
    let asset = try encoder.encode(SizedAnimation(frames: frames), budget: 99_999)
    #expect(asset.report.method == .lossless)
    // Compared, counted, priced and written.
    #expect(looks.withLock { $0 } > 4 * 20)
  }
}

@Suite struct SpareProcessorsTests {
  @Test(arguments: [1, 2, 6]) func `results keep their order, whoever makes them`(count: Int) throws {
    let made = try SpareProcessors(count).occupy { try concurrently(40) { $0 * $0 } }
    #expect(made == (0..<40).map { $0 * $0 })
    #expect(try concurrently(0) { $0 } == [])
  }

  @Test func `no more work at once than there are processors, again and again`() throws {
    let processors = SpareProcessors(3)
    for _ in 0..<5 {
      let state = Mutex((now: 0, most: 0))
      _ = try processors.occupy {
        try concurrently(60) { item in
          state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
          }
          #expect(Work.sum(item) != item)
          state.withLock { $0.now -= 1 }
        }
      }
      #expect(state.withLock { $0.most } <= 3)
    }
  }

  @Test func `an error ends the work of all and is the one that is thrown`() {
    struct Fault: Error {}
    #expect(throws: Fault.self) {
      try SpareProcessors(4).occupy {
        try concurrently(500) { item in
          try checkEncoding()
          if item == 7 { throw Fault() }
        }
      }
    }
  }

  @Test func `the time limit holds for helpers`() {
    #expect(throws: DecodeError.self) {
      try TimeLimit.$ofEncoding.withValue(TimeLimit(seconds: 5, now: Ticks().clock).started()) {
        try SpareProcessors(2).occupy { _ = try concurrently(50) { _ in try checkEncoding() } }
      }
    }
  }

  @Test func `however many processors help, the bytes are the same`() throws {
    let source = noise(14, side: 48, delay: Rational(1, 12))
    let alone = try RateDistortionEncoder().encode(source, budget: 9000).bytes
    for count in 1...3 {
      let helped = try SpareProcessors(count).occupy { try RateDistortionEncoder().encode(source, budget: 9000).bytes }
      #expect(helped == alone)
    }
  }
}

/// A clock that goes on by a second at each look.
private final class Ticks: Sendable {
  private let looks = Mutex(0)
  var clock: @Sendable () -> Duration {
    {
      self.looks.withLock { looks in
        looks += 1
        return .seconds(looks)
      }
    }
  }
}

/// Something to do for a while.
private enum Work {
  static func sum(_ seed: Int) -> Int { (0..<20_000).reduce(seed) { ($0 &* 31 &+ $1) ^ ($0 >> 7) } }
}
