import Imaging
import TestSupport
import Testing

@testable import Codecs

/// Numbers that look random and are the same in every run.
private struct Sequence {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}

/// What is done to a file from some place on.
private enum Harm: CaseIterable { case cut, zeros, zerosInside, flippedBit }

extension Harm {
  func done(to bytes: [UInt8], at place: Int, _ numbers: inout Sequence) -> [UInt8] {
    var harmed = bytes
    switch self {
    case .cut: return Array(bytes[..<place])
    case .zeros: for i in place..<bytes.count { harmed[i] = 0 }
    case .zerosInside: for i in place..<min(bytes.count, place + 400) { harmed[i] = 0 }
    case .flippedBit: harmed[place] ^= 1 << UInt8(numbers.next(below: 8))
    }
    return harmed
  }
}

/// Pictures of noise, so that every byte of their data matters.
private func noise(_ frame: Int, side: Int) -> [[UInt8]] {
  var numbers = Sequence(seed: UInt64(frame) + 1)
  return (0..<side).map { _ in (0..<side * 4).map { $0 % 4 == 3 ? 255 : UInt8(numbers.next(below: 256)) } }
}

private func noisyAPNG(frames: Int, side: Int = 24) -> [UInt8] {
  var png = PNGMaker(width: side, height: side)
  png.addAnimation(frames: frames)
  for i in 0..<frames {
    png.addFrame(width: side, height: side)
    if i == 0 { png.addPicture(noise(i, side: side)) } else { png.addFrameData(noise(i, side: side), parts: 3) }
  }
  return png.finish()
}

private func noisyGIF(frames: Int, side: Int = 40) -> [UInt8] {
  var gif = GIFMaker(width: side, height: side, colors: (0..<8).map { [UInt8($0 * 30), 90, 0] })
  for i in 0..<frames {
    var numbers = Sequence(seed: UInt64(i) + 1)
    gif.addControl(delay: 10)
    gif.addImage(width: side, height: side, indices: (0..<side * side).map { _ in numbers.next(below: 8) })
  }
  return gif.finish()
}

/// The frames that a file gives, and whether it was refused or warned of damage.
private func frames(_ bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> (
  frames: [[UInt8]], isRefused: Bool, isDamaged: Bool
) {
  var frames: [[UInt8]] = []
  do throws(DecodeError) {
    let reader = try ImageReader(bytes: bytes, limits: limits)
    while let frame = try reader.nextFrame() { frames.append(frame.raster.rgba8) }
    return (frames, false, reader.warnings.contains { $0.id == "damaged-frames" })
  } catch {
    return (frames, true, false)
  }
}

@Suite struct ReadingDamagedAnimations {
  /// A harmed file gives frames of the whole one and no other, and says so where some are lost.
  private func check(_ whole: [UInt8], _ harms: [Harm], places: Int, from first: Int = 0, seed: UInt64) {
    let original = frames(whole).frames
    var strict = DecodeLimits()
    strict.isStrict = true
    var numbers = Sequence(seed: seed)
    for harm in harms {
      var kept = 0
      for _ in 0..<places {
        let place = first + numbers.next(below: whole.count - first)
        let harmed = harm.done(to: whole, at: place, &numbers)
        let result = frames(harmed)
        if result.isRefused { continue }
        kept = max(kept, result.frames.count)
        #expect(result.frames == Array(original.prefix(result.frames.count)), "\(harm) at \(place)")
        #expect(result.frames.count == original.count || result.isDamaged, "\(harm) at \(place)")
        if result.isDamaged { #expect(frames(harmed, strict).isRefused, "\(harm) at \(place)") }
      }
      #expect(kept > original.count / 2, "\(harm)")
    }
  }

  @Test func apngKeepsFramesBeforeTheDamageAndNoOther() {
    check(noisyAPNG(frames: 8), Harm.allCases, places: 400, seed: 1)
  }

  @Test func gifKeepsFramesBeforeTheDamageAndNoOther() {
    // A flipped bit inside LZW data is another picture; nothing can tell.
    check(noisyGIF(frames: 8), [.cut, .zeros], places: 300, seed: 2)
  }

  @Test func webpKeepsFramesBeforeTheDamageAndNoOther() {
    var webp = WebPMaker(width: 16, height: 16)
    for i in 0..<8 { webp.addSolid([UInt8(i * 30 + 1), 77, 200, 255], width: 16, height: 16) }
    check(webp.finish(plays: 0), [.cut], places: 200, seed: 3)
  }

  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      "art-animated/wa-09_StayingHomeMug.webp", "art-animated/animated_webp.webp", "art-animated/gopher-2bit-demo.gif",
    ])
  func realClipsKeepFramesBeforeTheDamageAndNoOther(path: String) throws {
    let whole = try Corpus.bytes(path)
    check(whole, [.cut, .zeros], places: 12, seed: 4)
  }

  @Test func theFrameThatIsHitIsTheFirstThatIsLost() throws {
    let whole = noisyAPNG(frames: 6)
    let chunks = PNGChunks(whole, limit: 100).chunks
    let controls = chunks.filter { $0.type == .fcTL }
    for (frame, control) in controls.enumerated().dropFirst() {
      // In its control, its name, its length, and its data.
      for place in [control.start + 5, control.start - 1, control.start - 6, control.start + 60] {
        var harmed = whole
        harmed[place] ^= 4
        let result = frames(harmed)
        #expect(result.frames.count == frame && result.isDamaged, "byte \(place)")
      }
    }
    // Without a frame before it, or without the chunk that says how many there are, there is nothing to keep.
    for place in [controls[0].start, chunks[1].start + 3, chunks[1].start - 1, chunks[1].start - 4] {
      var harmed = whole
      harmed[place] ^= 4
      #expect(frames(harmed).isRefused, "byte \(place)")
    }
  }

  @Test func theLastWholeFrameIsKeptWhereTheNextOneIsCut() throws {
    let whole = noisyAPNG(frames: 4)
    let control = try #require(PNGChunks(whole, limit: 100).chunks.last { $0.type == .fcTL })
    let result = frames(Array(whole[..<(control.start - 3)]))
    #expect(result.frames.count == 3 && result.isDamaged)
    let reader = try ImageReader(bytes: Array(whole[..<(control.start + 200)]))
    #expect(reader.header.frameCount == 3)
    #expect(
      reader.warnings.count == 1 && reader.warnings[0].message.hasPrefix("3 of 4 frames are whole: the fdAT chunk"))
  }

  @Test func aHiddenDefaultImageMayBeDamaged() throws {
    var png = PNGMaker(width: 4, height: 4)
    png.addAnimation(frames: 2)
    png.add("IDAT", [1, 2, 3], hasBadChecksum: true)
    for i in 0..<2 {
      png.addFrame(width: 4, height: 4)
      png.addFrameData(noise(i, side: 4))
    }
    let reader = try ImageReader(bytes: png.finish())
    #expect(reader.header.frameCount == 2 && reader.warnings.map(\.id) == ["bad-checksum", "hidden-image"])
  }

  @Test func aBlockOfAGIFThatIsHitLosesTheFramesBehindItWithAWord() throws {
    let whole = noisyGIF(frames: 5)
    let parts = GIFBlocks(whole, limit: 100).parts
    let control = parts.filter { $0.name == "graphic control" }[3].offset
    var harmed = whole
    harmed[control] = 0x99
    let result = frames(harmed)
    #expect(result.frames.count == 3 && result.isDamaged)
    // Behind the last frame it is only odd.
    #expect(!frames(whole.dropLast() + [0x99, 1, 2, 3]).isDamaged)
  }

  @Test func aWebPFrameUnderAnotherNameIsALostOne() throws {
    var webp = WebPMaker(width: 8, height: 8)
    for i in 0..<4 { webp.addSolid([UInt8(i * 60), 0, 0, 255], width: 8, height: 8) }
    let whole = webp.finish(plays: 0)
    let frame = WebPChunks(whole, limit: 100).parts.filter { $0.name == "ANMF" }[2]
    for (offset, value) in [(0, UInt8(0x42)), (4, whole[frame.offset + 4] ^ 8), (0, 0), (24, 0x20), (28, 0x7f)] {
      var harmed = whole
      harmed[frame.offset + offset] = value
      let result = frames(harmed)
      #expect(result.frames.count == 2 && result.isDamaged, "offset \(offset)")
    }
  }
}
