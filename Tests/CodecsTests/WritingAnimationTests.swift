import Imaging
import TestSupport
import Testing

@testable import Codecs

func animation(_ frames: [Bitmap], delays: [Rational] = [Rational(1, 10)], playCount: Int = 0) -> SizedAnimation {
  let sized = frames.enumerated().map { SizedFrame(bitmap: $1, delay: delays[$0 % delays.count]) }
  return SizedAnimation(frames: sized, playCount: playCount)
}

@Suite struct WritingAnimationTests {
  /// Encodes within a budget and decodes again.
  func encode(_ animation: SizedAnimation, budget: Int = 499_999) throws -> (file: StrictAPNG, report: EncodingReport) {
    let asset = try RateDistortionEncoder().encode(animation, budget: budget)
    let file = try StrictAPNG(asset.bytes)
    #expect(asset.report.sourceFrames == animation.frames.count)
    #expect(file.frames.count == asset.report.keptFrames)
    return (file, asset.report)
  }

  /// Encodes without loss, and expects every frame as it was.
  @discardableResult
  func exact(_ animation: SizedAnimation, budget: Int = 499_999) throws -> StrictAPNG {
    let (file, report) = try encode(animation, budget: budget)
    #expect(report.method == .lossless)
    var expected: [Bitmap] = []
    for frame in animation.frames where expected.last != seen(frame.bitmap) { expected.append(seen(frame.bitmap)) }
    #expect(file.frames.map(\.canvas) == expected)
    if expected.count > 1 { #expect(file.duration == animation.duration) }
    return file
  }

  @Test func `delays survive one by one`() throws {
    let frames = (0..<3).map { i in picture(20) { x, _ in RGBA8(gray: UInt8(i * 20 + x)) } }
    let file = try exact(animation(frames, delays: [Rational(2), Rational(3), Rational(15)]))
    #expect(file.frames.map(\.delay) == [Rational(2), Rational(3), Rational(15)])
    let thirds = try exact(animation(frames, delays: [Rational(1, 24), Rational(1001, 30000)], playCount: 3))
    #expect(thirds.frames.map(\.delay) == [Rational(1, 24), Rational(1001, 30000), Rational(1, 24)])
    #expect(thirds.playCount == 3)
  }

  @Test func `equal frames are taken together with their delays`() throws {
    let a = picture(20) { x, _ in RGBA8(gray: UInt8(x)) }
    let b = picture(20) { x, y in RGBA8(gray: UInt8(x + y)) }
    let delays = [100, 100, 50, 50, 50, 300].map { Rational($0, 1000) }
    let (file, report) = try encode(animation([a, a, b, b, b, a], delays: delays))
    #expect(file.frames.map(\.delay) == [Rational(1, 5), Rational(3, 20), Rational(3, 10)])
    #expect(report.mergedFrames == 3)
  }

  @Test func `a run of equal frames keeps its seventy seconds`() throws {
    let a = picture(8) { x, _ in RGBA8(gray: UInt8(x)) }
    let b = picture(8) { x, y in RGBA8(gray: UInt8(x + y)) }
    try exact(animation([b] + [Bitmap](repeating: a, count: 700) + [b]))
    // 70.0001 s has no fraction of 16 bits; it takes two parts.
    let odd = try RateDistortionEncoder().encode(animation([a, b], delays: [Rational(700_001, 10000)]), budget: 9999)
    let file = try StrictAPNG(odd.bytes)
    #expect(file.duration == Rational(700_001, 5000))
    #expect(file.frames.map(\.canvas) == [a, a, b, b])
  }

  @Test func `a small thing moves on clear ground without a trail`() throws {
    let frames = (0..<8).map { i in
      picture(64) { x, y in x / 10 == 0 && false || (i * 6..<i * 6 + 10).contains(x) && y < 10 ? .black : .clear }
    }
    try exact(animation(frames))
  }

  @Test func `a fade is never drawn over itself`() throws {
    let frames = [80, 160].map { alpha in
      picture(30) { x, y in (x - 15) * (x - 15) + (y - 15) * (y - 15) < 100 ? RGBA8(0, 120, 255, alpha) : .clear }
    }
    try exact(animation(frames))
  }

  @Test func `one color type holds all frames`() throws {
    let red = picture(30) { _, _ in RGBA8(255, 0, 0) }
    let half = picture(30) { x, _ in x < 15 ? .clear : RGBA8(255, 0, 0, 128) }
    let gray = picture(30) { x, _ in RGBA8(gray: UInt8(x * 8)) }
    try exact(animation([red, half, gray]))
    let many = picture(30) { x, y in RGBA8(UInt8(x * 8), UInt8(y * 8), 0) }
    #expect(try exact(animation([red, half, gray, many])).colorType == 6)
  }

  @Test func `all chunks stand in the order that readers want`() throws {
    let frames = (0..<3).map { i in picture(10) { x, y in x == i ? RGBA8(9, 9, 9, 100) : .clear } }
    let file = try exact(animation(frames))
    #expect(
      file.chunks == [
        "IHDR", "acTL", "sRGB", "PLTE", "tRNS", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND",
      ])
  }

  @Test func `exactly 256 colors over all frames stay exact`() throws {
    var colors = [RGBA8.clear, .white, RGBA8(252, 252, 252)]
    for i in 0..<30 { colors.append(RGBA8(UInt8(i), 50, 60, UInt8(i * 8 + 1))) }
    while colors.count < 256 { colors.append(RGBA8(UInt8(colors.count), 1, 2)) }
    let frames = (0..<3).map { i in picture(64) { x, y in colors[(y * 64 + x + i * 37) % 256] } }
    let file = try exact(animation(frames))
    #expect(file.palette.count == 256)
    // With no clear color among them, no entry is left to mark what stays.
    colors[0] = .black
    let opaque = (0..<3).map { i in picture(64) { x, y in colors[(y * 64 + x / (3 - i)) % 256] } }
    try exact(animation(opaque))
  }

  @Test(arguments: [1, 2, 16, 17]) func `few colors stay exact`(count: Int) throws {
    let frames = (0..<3).map { i in
      picture(24) { x, y in RGBA8(UInt8((x * y + i) % count), 3, 4, UInt8(255 - (x * y + i) % count)) }
    }
    try exact(animation(frames))
  }

  @Test(arguments: [2, 4, 16]) func `few colors take whole bytes, as not every reader unpacks later frames`(
    count: Int
  ) throws {
    let frames = (0..<3).map { i in
      picture(24) { x, y in
        x < 4 + i || y < 6 ? RGBA8(gray: 0) : RGBA8(gray: UInt8((x + y) % (count - 1) * 15 + 15))
      }
    }
    let file = try exact(animation(frames))
    #expect(file.colorType == 3)
    #expect(file.bitDepth == 8)
  }

  @Test func `empty frames are frames like any other`() throws {
    let dot = picture(20) { x, y in x == y ? RGBA8(1, 2, 3) : .clear }
    let nothing = Bitmap(size: dot.size)
    try exact(animation([dot, dot, nothing, dot]))
    let blank = try exact(animation([nothing, nothing, nothing]))
    #expect(blank.palette.count <= 1)
    try exact(animation([picture(9) { _, _ in .white }, picture(9) { _, _ in .white }]))
  }

  @Test func `true color frames leave clear what does not change where that is smaller`() throws {
    var noise = Noise()
    let ground = picture(64) { _, _ in RGBA8(noise.byte(), noise.byte(), noise.byte()) }
    let frames = (0..<6).map { i -> Bitmap in
      var frame = ground
      for k in 0..<4 { frame[(i * 9 + k * 17) % 64, (i * 11 + k * 23) % 64] = RGBA8(UInt8(i), UInt8(k), 0) }
      return frame
    }
    let file = try exact(animation(frames))
    #expect(file.colorType == 6)
    #expect(file.frames.dropFirst().allSatisfy { $0.isOver })
  }

  @Test func `what fits is never degraded`() throws {
    var noise = Noise()
    let frames = (0..<5).map { i in picture(64) { x, y in RGBA8(UInt8(x), UInt8(y), noise.byte() & 1, UInt8(250 + i)) }
    }
    let moving = animation(frames)
    let roomy = try RateDistortionEncoder().encode(moving, budget: .max).bytes.count
    let pressed = try LosslessAnimation(moving, mergedMoments(moving), effort: .normal)
      .encode(budget: .max, plan: .final(.normal))
    let size = try #require(pressed.bytes?.count)
    #expect(size < roomy)
    try exact(moving, budget: roomy)
    try exact(moving, budget: size)
    let (_, report) = try encode(moving, budget: size - 1)
    #expect(report.method == .palette)
  }

  @Test func `the same animation gives the same bytes`() throws {
    var noise = Noise()
    let frames = (0..<6).map { _ in picture(48) { x, y in RGBA8(noise.byte(), UInt8(x), UInt8(y), noise.byte()) } }
    let a = try RateDistortionEncoder().encode(animation(frames), budget: 12000).bytes
    let b = try RateDistortionEncoder().encode(animation(frames), budget: 12000).bytes
    #expect(a == b)
  }
}
