import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Codecs

/// Four frames of 8x8 px; a cut takes bytes off the end.
private func animation(cut: Int = 0) -> [UInt8] {
  var gif = GIFMaker(width: 8, height: 8)
  for i in 0..<4 { gif.addSolid(i % 2, width: 8, height: 8) }
  return gif.finish().dropLast(cut)
}

private func readAll(_ bytes: [UInt8], _ limits: DecodeLimits) throws -> ImageReader {
  let reader = try ImageReader(bytes: bytes, limits: limits)
  while try reader.nextFrame() != nil {}
  return reader
}

@Suite struct ReadingWithinLimits {
  @Test(
    arguments: [
      (DecodeLimit.pixelsPerFrame, 64), (.pixelsPerAnimationFrame, 64), (.side, 8), (.totalPixels, 256), (.frames, 4),
      (.fileBytes, animation().count), (.chunks, 11),
    ])
  func aLimitIsNamedWithItsOptionAndMayJustBeMet(kind: DecodeLimit, value: Int) throws {
    func limits(_ value: Int) -> DecodeLimits {
      var limits = DecodeLimits()
      switch kind {
      case .pixelsPerFrame: limits.pixelsPerFrame = value
      case .pixelsPerAnimationFrame: limits.pixelsPerAnimationFrame = value
      case .side: limits.side = value
      case .chunks: limits.chunks = value
      case .totalPixels: limits.totalPixels = value
      case .frames: limits.frames = value
      default: limits.fileBytes = value
      }
      return limits
    }
    #expect(throws: Never.self) { try readAll(animation(), limits(value)) }
    let error = try #require(throws: DecodeError.self) { try readAll(animation(), limits(value - 1)) }
    #expect(error == .overLimit(kind, value: value, limit: value - 1))
    for part in ["\(value)", "\(value - 1)", kind.option] { #expect(error.message.contains(part), "\(error.message)") }
  }

  @Test func anAnimationOf3000PixelsIsWithinTheDefaults() {
    let work = DecodingWork(pixels: 1_800_000_000, bytes: 18_000_000)
    #expect(throws: Never.self) {
      try DecodeLimits().check(frames: 200, of: PixelSize(width: 3000, height: 3000), work: work)
    }
    #expect(throws: DecodeError.overLimit(.pixelsPerAnimationFrame, value: 10_240_000, limit: 10_000_000)) {
      try DecodeLimits().check(frames: 2, of: PixelSize(width: 3200, height: 3200), work: work)
    }
  }

  @Test func longAnimationsOfNextToNoDataAreRefusedAndShorterOnesAreNot() throws {
    func check(_ count: Int, _ size: PixelSize, bytes: Int, weight: Int = 1, _ limits: DecodeLimits = DecodeLimits())
      throws
    {
      let work = DecodingWork(pixels: size.area * count, bytes: bytes, weight: weight)
      try limits.check(frames: count, of: size, work: work)
    }
    let large = PixelSize(width: 2000, height: 2000)
    let over = DecodeError.overLimit(.pixelsPerByte, value: 101, limit: 100)
    #expect(throws: over) { try check(200, large, bytes: 800_000_000 / 101) }
    #expect(over.message.contains("--max-pixels-per-byte") && over.message.contains("101"))
    #expect(throws: Never.self) { try check(200, large, bytes: 8_000_000) }
    var wide = DecodeLimits()
    wide.pixelsPerByte = 101
    #expect(throws: Never.self) { try check(200, large, bytes: 800_000_000 / 101, wide) }
    // 300 frames of 1080p and 1,500 of 618 px are taken, however flat.
    #expect(throws: Never.self) { try check(300, PixelSize(width: 1920, height: 1080), bytes: 1) }
    #expect(throws: Never.self) { try check(1500, PixelSize(square: 618), bytes: 1) }
    // Samples of 16 bits take twice the time.
    #expect(throws: DecodeError.self) { try check(300, PixelSize(width: 1920, height: 1080), bytes: 1, weight: 2) }
  }

  @Test func bombsOfEveryAnimatedFormatAreRefusedBeforeTheyAreDecoded() {
    // Streams that say nothing: were they decoded, they would be damaged.
    let side = 3100
    let count = DecodeLimits.pixelsOfAnyFile / (side * side) + 2
    var png = PNGMaker(width: side, height: side)
    png.addAnimation(frames: count)
    var gif = GIFMaker(width: side, height: side)
    for i in 0..<count {
      png.addFrame(width: side, height: side)
      if i == 0 { png.addPicture([]) } else { png.addFrameData([[1]]) }
      gif.addDescriptor(width: side, height: side)
      gif.addCodes([8, 0, 9])
    }
    var webp = WebPMaker(width: side, height: side)
    for _ in 0..<count { webp.addSolid([1, 2, 3, 255], width: side, height: side) }
    for file in [png.finish(), gif.finish(), webp.finish(plays: 0)] {
      let error = #expect(throws: DecodeError.self) { try ImageReader(bytes: file) }
      #expect(error?.message.contains("--max-pixels-per-byte") == true, "\(error?.message ?? "")")
    }
  }

  @Test func sizesThatOverflowAreOverTheLimit() throws {
    for (width, height) in [(30000, 30000), (0x7fff_ffff, 0x7fff_ffff), (0x7fff_ffff, 1), (100_000, 1)] {
      var png = PNGMaker(width: width, height: height, depth: 1, colorType: 0)
      png.addPicture([[0]])
      #expect {
        try readAll(png.finish(), DecodeLimits())
      } throws: { error in
        if case DecodeError.overLimit = error { true } else { false }
      }
    }
  }

  @Test func everyFormatEndsItsWalkAtTheLimitOfChunks() {
    var limits = DecodeLimits()
    limits.chunks = 100
    var png = PNGMaker(width: 1, height: 1)
    for _ in 0..<100 { png.add("teXt") }
    png.addPicture([[1, 2, 3, 4]])
    var gif = GIFMaker(width: 1, height: 1)
    gif.add((0..<101).flatMap { _ in [0x21, 0xfe, 0] as [UInt8] })
    gif.addSolid(0, width: 1, height: 1)
    var jpeg = JPEGMaker()
    for _ in 0..<100 { jpeg.add(0xe3, []) }
    let webp =
      Array("RIFF".utf8) + little32(4 + 101 * 8) + Array("WEBP".utf8)
      + (0..<101).flatMap { _ in Array("ABCD".utf8) + little32(0) }
    for file in [png.finish(), gif.finish(), jpeg.finish([[[1, 2, 3]]]), webp] {
      #expect(throws: DecodeError.overLimit(.chunks, value: 101, limit: 100)) { try readAll(file, limits) }
    }
  }

  @Test func aStillMayBeLargerThanAFrameOfAnAnimation() throws {
    var limits = DecodeLimits()
    limits.pixelsPerAnimationFrame = 63
    var gif = GIFMaker(width: 8, height: 8)
    gif.addSolid(0, width: 8, height: 8)
    #expect(throws: Never.self) { try readAll(gif.finish(), limits) }
    var webp = WebPMaker(width: 8, height: 8)
    webp.addSolid([1, 2, 3, 4], width: 8, height: 8)
    let over = DecodeError.overLimit(.pixelsPerAnimationFrame, value: 64, limit: 63)
    #expect(throws: over) { try readAll(webp.finish(plays: 0), limits) }
    #expect(throws: over) { try readAll(animation(), limits) }
  }

  @Test func imagesLargerThanTheirCanvasCountWhole() {
    var gif = GIFMaker(width: 1, height: 1)
    gif.addDescriptor(width: 65535, height: 65535)
    gif.addCodes([8, 0, 9])
    #expect(throws: DecodeError.overLimit(.pixelsPerFrame, value: 65535 * 65535, limit: 28_000_000)) {
      try readAll(gif.finish(), DecodeLimits())
    }
    var many = GIFMaker(width: 1, height: 1)
    for _ in 0..<3 {
      many.addDescriptor(width: 1000, height: 1000)
      many.addCodes([8, 0, 9])
    }
    var limits = DecodeLimits()
    limits.totalPixels = 2_999_999
    #expect(throws: DecodeError.overLimit(.totalPixels, value: 3_000_000, limit: 2_999_999)) {
      try readAll(many.finish(), limits)
    }
  }

  @Test func aTextIsNeverInflated() throws {
    // A hundred million zeros; a broken stream in the same place is no matter either.
    for stream in [zlibBomb(zeros: 100_000_000), [1, 2, 3]] {
      let text = Array("Comment".utf8) + [0, 0] + stream
      let reader = try readAll(
        patch([1, 2, 3], [("zTXt", text), ("iTXt", Array("Title".utf8) + [0, 1, 0, 0, 0] + stream)]), DecodeLimits())
      #expect(reader.warnings.isEmpty)
    }
  }

  @Test func aProfileOverTheMetadataLimitIsNotUsed() throws {
    let profile = ICCMaker.rgb(ICCMaker.displayP3)
    var limits = DecodeLimits()
    let file = patch([200, 80, 60], [("iCCP", Array("x".utf8) + [0, 0] + zlib(profile))])
    limits.metadataBytes = profile.count
    #expect(try readAll(file, limits).header.color == .icc(profile))
    limits.metadataBytes = profile.count - 1
    let reader = try readAll(file, limits)
    #expect(reader.header.color == .sRGB && reader.warnings.map(\.id) == ["bad-profile"])
  }

  @Test func timeEndsAReadingWithAnErrorAndChangesNoFrame() throws {
    // A clock that goes on by a second at each look.
    let ticks = Mutex(0)
    var limits = DecodeLimits()
    limits.time = TimeLimit(seconds: 3) {
      ticks.withLock { ticks in
        ticks += 1
        return .seconds(ticks)
      }
    }
    let reader = try ImageReader(bytes: animation(), limits: limits)
    let free = try ImageReader(bytes: animation())
    for _ in 0..<2 { #expect(try reader.nextFrame()?.raster.rgba8 == (try free.nextFrame()?.raster.rgba8)) }
    #expect(throws: DecodeError.overLimit(.time, value: 3, limit: 3)) { try reader.nextFrame() }
  }

  @Test func strictnessRefusesADamagedAnimationAndNoWholeOne() throws {
    var strict = DecodeLimits()
    strict.isStrict = true
    #expect(throws: Never.self) { try readAll(animation(), strict) }
    #expect(try readAll(animation(cut: 20), DecodeLimits()).warnings.map(\.id) == ["damaged-frames"])
    let error = try #require(throws: DecodeError.self) { try readAll(animation(cut: 20), strict) }
    guard case .damaged(.gif, let reason) = error else { throw error }
    #expect(reason.contains("3 of 4 frames are whole"))
  }

  @Test func strictnessRefusesImagesWithFewerPixelsThanTheySay() throws {
    var gif = GIFMaker(width: 8, height: 8)
    gif.addDescriptor(width: 8, height: 8)
    gif.addCodes([8, 0, 9])
    #expect(try readAll(gif.finish(), DecodeLimits()).warnings.map(\.id) == ["missing-pixels"])
    var strict = DecodeLimits()
    strict.isStrict = true
    #expect(throws: DecodeError.self) { try readAll(gif.finish(), strict) }
  }

  @Test func manyFramesAreReadOneByOne() throws {
    var gif = GIFMaker(width: 64, height: 64)
    for i in 0..<1500 { gif.addSolid(i % 2, x: i % 60, y: i / 60, width: 4, height: 4) }
    let reader = try ImageReader(bytes: gif.finish())
    var count = 0
    while let frame = try reader.nextFrame() {
      let at = ((count / 60) * 64 + count % 60) * 4
      #expect(frame.raster.rgba8[at + 3] == 255)
      count += 1
    }
    #expect(count == 1500)
  }
}

@Suite struct ReadingProfilesOfGIFs {
  private func gif(_ profile: [UInt8]) -> [UInt8] {
    var gif = GIFMaker(width: 1, height: 1, colors: [[200, 80, 60]])
    gif.addProfile(profile)
    gif.addSolid(0, width: 1, height: 1)
    return gif.finish()
  }

  @Test func displayP3BecomesSRGB() throws {
    let result = try converted(gif(ICCMaker.rgb(ICCMaker.displayP3)))
    for (value, color) in zip(result.pixels, [216, 69, 50]) { #expect(abs(Int(value) - color) <= 2) }
    #expect(result.warnings.isEmpty)
  }

  @Test func aBrokenOneWarnsAndCountsAsSRGB() throws {
    for profile in [[], [1, 2, 3], ICCMaker.gray(gamma: 1)] as [[UInt8]] {
      let result = try converted(gif(profile))
      #expect(Array(result.pixels[0..<3]) == [200, 80, 60] && result.warnings.map(\.id) == ["bad-profile"])
    }
  }
}

@Suite struct ReadingCodePoints {
  @Test func primariesAndCurvesThatScreensShowAreRead() throws {
    // White stays white and gray gray, whatever the primaries; a linear curve brightens.
    for primaries in [1, 4, 5, 6, 7, 9, 11, 12] as [UInt8] {
      for curve in [1, 13, 8] as [UInt8] {
        let result = try converted(patch([55, 55, 55], [("cICP", [primaries, curve, 0, 1])]))
        for value in result.pixels[0..<3] { #expect(abs(Int(value) - (curve == 8 ? 128 : 55)) <= 1, "\(primaries)") }
        #expect(result.warnings.isEmpty)
      }
    }
    let wide = try converted(patch([255, 0, 0], [("cICP", [9, 13, 0, 1])]))
    #expect(Array(wide.pixels[0..<3]) == [255, 0, 0])
  }

  @Test(arguments: [[9, 16, 0, 1], [9, 18, 0, 1], [1, 13, 1, 1], [1, 13, 0, 0], [1, 13]] as [[UInt8]])
  func othersWarnAndLeaveTheWordToTheProfile(points: [UInt8]) throws {
    let p3 = ICCMaker.rgb(ICCMaker.displayP3)
    let file = patch([200, 80, 60], [("cICP", points), ("iCCP", Array("x".utf8) + [0, 0] + zlib(p3))])
    let reader = try ImageReader(bytes: file)
    #expect(reader.header.color == .icc(p3) && reader.warnings.map(\.id) == ["unread-color"])
  }
}
