import Imaging
import TestSupport
import Testing

@testable import Codecs

private let red: [UInt8] = [255, 0, 0, 255]
private let green: [UInt8] = [0, 255, 0, 255]
private let blue: [UInt8] = [0, 0, 255, 255]
private let clear: [UInt8] = [0, 0, 0, 0]

private struct Part {
  var color: [UInt8]
  var x = 0
  var y = 0
  var side = 64
  var delay = (1, 10)
  var disposal = 0
  var blend = 0
}

/// An APNG of solid squares; the first part covers the canvas.
private func apng(_ parts: [Part], canvas: Int = 64, plays: Int = 0, poster: [UInt8]? = nil) -> [UInt8] {
  var png = PNGMaker(width: canvas, height: canvas)
  png.addAnimation(frames: parts.count, plays: plays)
  if let poster { png.addPicture(solidRows(poster, width: canvas, height: canvas)) }
  for (i, part) in parts.enumerated() {
    png.addFrame(
      x: part.x, y: part.y, width: part.side, height: part.side, delay: part.delay, disposal: part.disposal,
      blend: part.blend)
    let rows = solidRows(part.color, width: part.side, height: part.side)
    if i == 0, poster == nil { png.addPicture(rows) } else { png.addFrameData(rows) }
  }
  return png.finish()
}

private func pixel(_ frame: DecodedFrame, _ x: Int, _ y: Int) -> [UInt8] {
  let at = (y * frame.raster.size.width + x) * 4
  return Array(frame.raster.rgba8[at..<at + 4])
}

private func milliseconds(_ frames: [DecodedFrame]) -> [Int] { frames.map(\.delay.milliseconds) }

@Suite struct ReadingAPNG {
  @Test func disposalToBackgroundFollowsItsFrameAndItsRectangle() throws {
    let frames = try allFrames(
      apng([
        Part(color: red), Part(color: green, x: 10, y: 10, side: 20, disposal: 1),
        Part(color: blue, x: 40, y: 40, side: 20),
      ]))
    #expect(pixel(frames[1], 15, 15) == green)
    #expect(pixel(frames[2], 15, 15) == clear)
    #expect(pixel(frames[2], 45, 45) == blue)
    #expect(pixel(frames[2], 5, 5) == red)
  }

  @Test func disposalToPreviousBringsBackWhatWasThere() throws {
    let frames = try allFrames(
      apng([
        Part(color: red), Part(color: green, x: 10, y: 10, side: 20, disposal: 2, blend: 1),
        Part(color: clear, side: 1, blend: 1),
      ]))
    #expect(frames[2].raster.rgba8 == frames[0].raster.rgba8)
    #expect(frames.allSatisfy { $0.raster.size == PixelSize(square: 64) })
  }

  @Test func aHiddenDefaultImageIsNotPlayed() throws {
    let file = apng([Part(color: red), Part(color: green, delay: (3, 10))], poster: [255, 0, 255, 255])
    let frames = try allFrames(file)
    #expect(milliseconds(frames) == [100, 300])
    #expect(pixel(frames[0], 0, 0) == red && pixel(frames[1], 0, 0) == green)
    #expect(try ImageFacts(bytes: file).warnings.map(\.id) == ["hidden-image"])
  }

  @Test func oneFrameIsOnePicture() throws {
    let still = try ImageReader(bytes: apng([Part(color: red)]))
    #expect(still.header.frameCount == 1)
    #expect(try still.nextFrame()?.delay == Rational(1, 10))
    let behindPoster = try allFrames(apng([Part(color: green)], poster: red))
    #expect(behindPoster.count == 1 && pixel(behindPoster[0], 0, 0) == green)
  }

  @Test func delaysAreExactAndTenMillisecondsAreAHundred() throws {
    let times = [(4, 0), (16384, 4096), (16384, 16384), (1, 24), (100, 1000), (65535, 1), (0, 100), (1, 100), (2, 100)]
    let frames = try allFrames(apng(times.map { Part(color: red, delay: $0) }))
    #expect(milliseconds(frames) == [40, 4000, 1000, 42, 100, 65_535_000, 100, 100, 20])
    #expect(frames[3].delay == Rational(1, 24) && frames[6].storedDelay == .zero)
  }

  @Test func playsAreKept() throws {
    #expect(try ImageReader(bytes: apng([Part(color: red), Part(color: blue)], plays: 3)).header.playCount == 3)
  }

  @Test func translucentFramesBlendToTheNearestLevel() throws {
    let veil: [UInt8] = [0, 120, 255, 80]
    let frames = try allFrames(apng([Part(color: [200, 10, 0, 160]), Part(color: veil, blend: 1)]))
    // alpha: (80 * 255 + 160 * 175) / 255 = 189.8; weights 20400 and 28000 of 48400.
    #expect(pixel(frames[1], 3, 3) == [116, 56, 107, 190])
  }

  @Test func oneFrameInThreeChunksIsTheSame() throws {
    let rows = (0..<200).map { y in (0..<800).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ y &* 77) } }
    func file(parts: Int) -> [UInt8] {
      var png = PNGMaker(width: 200, height: 200)
      png.addAnimation(frames: 2)
      png.addFrame(width: 200, height: 200)
      png.addPicture(solidRows(red, width: 200, height: 200))
      png.addFrame(width: 200, height: 200)
      png.addFrameData(rows, parts: parts)
      return png.finish()
    }
    let wanted = rows.flatMap { $0 }
    for parts in [1, 3] {
      let seen = try allFrames(file(parts: parts))[1].raster.rgba8
      // What is wholly transparent has no color to keep.
      #expect(wanted.indices.allSatisfy { seen[$0] == wanted[$0] || wanted[$0 | 3] == 0 && seen[$0 | 3] == 0 })
    }
  }

  @Test func contradictionsAreErrors() {
    var fewer = PNGMaker(width: 8, height: 8)
    fewer.addAnimation(frames: 5)
    fewer.addFrame(width: 8, height: 8)
    fewer.addPicture(solidRows(red, width: 8, height: 8))
    expectDamage(fewer.finish(), naming: "5 frames")
    for count in [0, 0x7fff_ffff] {
      var png = PNGMaker(width: 8, height: 8)
      png.addAnimation(frames: count)
      png.addFrame(width: 8, height: 8)
      png.addPicture(solidRows(red, width: 8, height: 8))
      expectDamage(png.finish(), naming: "\(count) frames")
    }
    expectDamage(apng([Part(color: red, side: 8)]), naming: "does not cover")
    for place in [(1, 64), (0, 0), (0xffff_ffff, 2)] {
      var png = PNGMaker(width: 64, height: 64)
      png.addAnimation(frames: 2)
      png.addFrame(width: 64, height: 64)
      png.addPicture(solidRows(red, width: 64, height: 64))
      png.addFrame(x: place.0, width: place.1, height: 64)
      png.addFrameData(solidRows(red, width: 2, height: 2))
      expectDamage(png.finish(), naming: "outside its canvas")
    }
    for place in [(1, 64), (0, 0), (0xffff_ffff, 2)] {
      var png = PNGMaker(width: 64, height: 64)
      png.addAnimation(frames: 2)
      png.addFrame(width: 64, height: 64)
      png.addPicture(solidRows(red, width: 64, height: 64))
      png.addFrame(y: place.0, width: 64, height: place.1)
      png.addFrameData(solidRows(red, width: 2, height: 2))
      expectDamage(png.finish(), naming: "outside its canvas")
    }
    var three = PNGMaker(width: 8, height: 8)
    three.addAnimation(frames: 5)
    three.addFrame(width: 8, height: 8)
    three.addPicture(solidRows(red, width: 8, height: 8))
    for _ in 0..<2 {
      three.addFrame(width: 8, height: 8)
      three.addFrameData(solidRows(red, width: 8, height: 8))
    }
    expectDamage(three.finish(), naming: "5 frames")
  }

  @Test func numbersAndLengthsThatLieAreErrors() {
    func file(first: Int, control: Int = 26, data: [UInt8]? = nil) -> [UInt8] {
      var png = PNGMaker(width: 8, height: 8)
      png.addAnimation(frames: 2)
      let place = [8, 8, 0, 0].flatMap(big32) + [0, 1, 0, 10, 0, 0]
      png.add("fcTL", Array((big32(first) + place).prefix(control)))
      let rows = solidRows(red, width: 8, height: 8)
      png.addPicture(rows)
      png.add("fcTL", big32(first + 1) + place)
      png.add("fdAT", data ?? big32(first + 2) + zlib(rows.flatMap { [0] + $0 }))
      return png.finish()
    }
    #expect(throws: Never.self) { try allFrames(file(first: 0)) }
    expectDamage(file(first: 1), naming: "sequence number 1")
    expectDamage(file(first: 0, control: 25), naming: "fcTL has 25 bytes")
    expectDamage(file(first: 0, data: [0, 0, 0]), naming: "fdAT has 3 bytes")
  }

  @Test func bytesAfterTheEndOnlyWarn() throws {
    let file = apng([Part(color: red), Part(color: blue), Part(color: green)])
    let facts = try ImageFacts(bytes: file + Array(repeating: 7, count: 100))
    #expect(facts.delays.count == 3 && facts.warnings.map(\.id) == ["trailing-bytes"])
  }

  @Test func aTruncatedAnimationKeepsItsWholeFramesOrIsRefused() throws {
    let whole = apng((0..<10).map { Part(color: [UInt8($0 * 20), 0, 0, 255], side: 16) }, canvas: 16)
    for percent in [1, 10, 25, 60, 95] {
      let cut = Array(whole[..<(whole.count * percent / 100)])
      guard let reader = try? ImageReader(bytes: cut) else { continue }
      var count = 0
      while let frame = try reader.nextFrame() {
        #expect(frame.raster.rgba8 == Array(solidRows([UInt8(count * 20), 0, 0, 255], width: 16, height: 16).joined()))
        count += 1
      }
      #expect(count == reader.header.frameCount && count < 10)
      #expect(reader.warnings.map(\.id) == ["damaged-frames"])
    }
  }
}

@Suite struct ReadingGIF {
  private func frames(_ gif: GIFMaker) throws -> [DecodedFrame] {
    var gif = gif
    return try allFrames(gif.finish())
  }

  @Test func repetitionsBecomePlays() throws {
    for (repetitions, plays) in [(nil, 1), (0, 0), (1, 2), (5, 6)] as [(Int?, Int)] {
      var gif = GIFMaker(width: 1, height: 1)
      if let repetitions { gif.addLoop(repetitions) }
      gif.addSolid(0, width: 1, height: 1)
      #expect(try ImageReader(bytes: gif.finish()).header.playCount == plays)
    }
  }

  @Test func delaysOfTenMillisecondsAndLessAreAHundred() throws {
    var gif = GIFMaker(width: 1, height: 1)
    for delay in [0, 1, 2, 3, 10] {
      gif.addControl(delay: delay)
      gif.addSolid(0, width: 1, height: 1)
    }
    #expect(milliseconds(try frames(gif)) == [100, 100, 20, 30, 100])
  }

  @Test func aFrameOutsideTheCanvasIsClipped() throws {
    var gif = GIFMaker(width: 20, height: 20)
    gif.addSolid(0, width: 20, height: 20)
    gif.addSolid(1, x: 15, y: 15, width: 10, height: 10)
    gif.addSolid(1, x: 26020, y: 28016, width: 10, height: 10)
    let all = try frames(gif)
    #expect(all.count == 3)
    #expect(pixel(all[1], 15, 15) == blue && pixel(all[1], 19, 19) == blue && pixel(all[1], 14, 19) == red)
    #expect(all[2].raster.rgba8 == all[1].raster.rgba8)
    // One that begins where the canvas ends shows nothing, for its time.
    var beside = GIFMaker(width: 4, height: 1)
    for (index, x) in [(0, 0), (1, 4), (1, 2)] {
      beside.addControl(delay: 20 + 10 * x)
      beside.addSolid(index, x: x, width: 4, height: 1)
    }
    let three = try frames(beside)
    #expect(three.map { pixel($0, 3, 0) } == [red, red, blue] && pixel(three[2], 1, 0) == red)
    #expect(three.map(\.delay) == [Rational(1, 5), Rational(3, 5), Rational(2, 5)])
  }

  @Test func aLocalTableServesOneFrame() throws {
    var gif = GIFMaker(width: 1, height: 1)
    gif.addSolid(0, width: 1, height: 1)
    gif.addSolid(0, width: 1, height: 1, colors: [[0, 255, 0]])
    gif.addSolid(0, width: 1, height: 1)
    #expect(try frames(gif).map { pixel($0, 0, 0) } == [red, green, red])
  }

  @Test func theBackgroundColorIsNeverPainted() throws {
    var gif = GIFMaker(width: 40, height: 40, colors: [[255, 0, 0], [0, 0, 255], [0, 255, 0]], background: 2)
    gif.addControl(delay: 10, disposal: 2)
    gif.addSolid(0, x: 10, y: 10, width: 20, height: 20)
    gif.addSolid(1, width: 4, height: 4)
    let all = try frames(gif)
    #expect(pixel(all[0], 0, 0) == clear && pixel(all[0], 10, 10) == red)
    #expect(pixel(all[1], 10, 10) == clear && pixel(all[1], 0, 0) == blue)
  }

  @Test func disposalToPreviousBringsBackWhatWasThere() throws {
    var gif = GIFMaker(width: 8, height: 8)
    gif.addSolid(0, width: 8, height: 8)
    gif.addControl(delay: 5, disposal: 3)
    gif.addSolid(1, x: 2, y: 2, width: 4, height: 4)
    gif.addControl(delay: 5, transparent: 0)
    gif.addSolid(0, width: 8, height: 8)
    let all = try frames(gif)
    #expect(pixel(all[1], 3, 3) == blue)
    #expect(all[2].raster.rgba8 == all[0].raster.rgba8)
  }

  @Test func aFrameWithoutPixelsKeepsItsTime() throws {
    var gif = GIFMaker(width: 4, height: 4)
    gif.addControl(delay: 10)
    gif.addSolid(0, width: 4, height: 4)
    gif.addControl(delay: 50)
    gif.addDescriptor(width: 0, height: 0)
    gif.addCodes([8, 9])
    gif.addControl(delay: 20, transparent: 3)
    gif.addSolid(3, width: 4, height: 4)
    gif.addSolid(1, width: 4, height: 4)
    let all = try frames(gif)
    #expect(milliseconds(all) == [100, 500, 200, 100])
    #expect(all[1].raster.rgba8 == all[0].raster.rgba8 && all[2].raster.rgba8 == all[0].raster.rgba8)
  }

  @Test func interlacedRowsComeIntoTheirOrder() throws {
    let stored = [0, 8, 4, 2, 6, 1, 3, 5, 7]
    var gif = GIFMaker(width: 1, height: 9, colors: (0..<8).map { [UInt8($0), 0, 0] })
    gif.addImage(width: 1, height: 9, indices: stored.map { $0 % 8 }, interlaced: true)
    let pixels = try frames(gif)[0].raster.rgba8
    #expect((0..<9).map { Int(pixels[$0 * 4]) } == (0..<9).map { $0 % 8 })
  }

  @Test func rareStreamsAreRead() throws {
    let noise = (0..<12000).map { ($0 &* 7919 >> 3) % 8 }
    // A table that fills up and is never cleared; two clears at the start; no end code.
    for codes in [[8] + noise + [9], [8, 8] + noise + [9], noise + [9], [8] + noise] {
      var gif = GIFMaker(width: 120, height: 100, colors: (0..<8).map { [UInt8($0), 0, 0] })
      gif.addDescriptor(width: 120, height: 100)
      gif.addCodes(codes)
      let pixels = try frames(gif)[0].raster.rgba8
      #expect(noise.indices.allSatisfy { Int(pixels[$0 * 4]) == noise[$0] })
    }
  }

  @Test func stringsOfTheTableAreSpelledOut() throws {
    // 10 is the first string; a code may be the very one that is just being made; a clear begins anew.
    let streams: [(codes: [Int], indices: [Int])] = [
      ([8, 1, 10, 11, 9], [1, 1, 1, 1, 1, 1]),
      ([8, 0, 1, 10, 11, 12, 9], [0, 1, 0, 1, 1, 0, 0, 1, 1]),
      ([8, 0, 1, 10, 8, 8, 1, 0, 10, 9], [0, 1, 0, 1, 1, 0, 1, 0]),
    ]
    for (codes, indices) in streams {
      var gif = GIFMaker(width: indices.count, height: 1)
      gif.addDescriptor(width: indices.count, height: 1)
      gif.addCodes(codes)
      let frame = try frames(gif)[0]
      #expect(indices.indices.map { pixel(frame, $0, 0) } == indices.map { $0 == 0 ? red : blue })
    }
  }

  @Test func aMissingTrailerZerosAndTextAfterTheEndAreAccepted() throws {
    var gif = GIFMaker(width: 2, height: 2)
    for i in 0..<3 { gif.addSolid(i % 2, width: 2, height: 2) }
    #expect(try allFrames(gif.bytes).count == 3)
    #expect(try allFrames(gif.bytes + Array(repeating: 0, count: 4096) + [0x3b]).count == 3)
    #expect(try allFrames(gif.bytes + [0x3b] + Array("text".utf8)).count == 3)
  }

  @Test func aTruncatedAnimationKeepsItsWholeFramesOrIsRefused() throws {
    var gif = GIFMaker(width: 16, height: 16)
    for i in 0..<10 { gif.addSolid(i % 2, width: 16, height: 16) }
    let whole = gif.finish()
    for count in stride(from: 13, to: whole.count, by: 11) {
      guard let reader = try? ImageReader(bytes: Array(whole[..<count])) else { continue }
      do {
        var seen = 0
        while let frame = try reader.nextFrame() {
          #expect(frame.raster.rgba8 == (0..<256).flatMap { _ in seen % 2 == 0 ? red : blue })
          seen += 1
        }
      } catch { #expect(reader.header.frameCount == 1) }
    }
  }
}

@Suite struct ReadingWebP {
  @Test func holesAndDisposalStayTransparentOnAWhiteBackground() throws {
    var webp = WebPMaker(width: 64, height: 64)
    webp.addSolid(red, width: 64, height: 64)
    webp.addSolid(clear, x: 10, y: 10, width: 20, height: 20)
    webp.addSolid(blue, x: 40, y: 40, width: 20, height: 20, delay: 10, clears: true)
    webp.addSolid(red, width: 1, height: 1, delay: 0)
    let reader = try ImageReader(bytes: webp.finish(plays: 3))
    #expect(reader.header.playCount == 3 && reader.header.frameCount == 4)
    var all: [DecodedFrame] = []
    while let frame = try reader.nextFrame() { all.append(frame) }
    #expect(pixel(all[0], 5, 5) == red)
    #expect(pixel(all[1], 15, 15)[3] == 0 && pixel(all[1], 5, 5) == red)
    #expect(pixel(all[2], 45, 45) == blue)
    #expect(pixel(all[3], 45, 45)[3] == 0)
    #expect(milliseconds(all) == [100, 100, 100, 100])
    #expect(all[2].storedDelay == Rational(10, 1000))
  }

  @Test func aFrameOutsideTheCanvasIsRefused() {
    var webp = WebPMaker(width: 64, height: 64)
    webp.addSolid(red, width: 64, height: 64)
    webp.addSolid(red, x: 2, width: 64, height: 64)
    #expect(throws: DecodeError.self) { try allFrames(webp.finish(plays: 0)) }
  }

  @Test func aTruncatedAnimationKeepsItsWholeFrames() throws {
    var webp = WebPMaker(width: 16, height: 16)
    for i in 0..<4 { webp.addSolid([UInt8(i * 60), 0, 0, 255], width: 16, height: 16) }
    let whole = webp.finish(plays: 0)
    let reader = try ImageReader(bytes: Array(whole[..<(whole.count - 5)]))
    var count = 0
    while let frame = try reader.nextFrame() {
      #expect(pixel(frame, 0, 0) == [UInt8(count * 60), 0, 0, 255])
      count += 1
    }
    #expect(count == 3 && reader.warnings.map(\.id) == ["damaged-frames"])
  }
}
