import Imaging
import TestSupport
import Testing

@testable import Codecs

@Suite struct ReadingFacts {
  @Test func anAnimationIsReportedWhole() throws {
    var gif = GIFMaker(width: 2, height: 2)
    gif.addLoop(0)
    gif.addControl(delay: 1)
    gif.addSolid(0, width: 2, height: 2)
    gif.addControl(delay: 7)
    gif.addSolid(1, width: 1, height: 1)
    let bytes = gif.finish() + [1, 2, 3]
    let facts = try ImageFacts(bytes: bytes)
    #expect(facts.header.frameCount == 2 && facts.header.playCount == 0)
    #expect(facts.delays == [Rational(1, 100), Rational(7, 100)])
    #expect(facts.colors == 2 && facts.alpha == "none")
    #expect(facts.warnings.map(\.id) == ["trailing-bytes", "short-delay"])
    #expect(
      facts.chunks.map(\.name) == [
        "header", "global color table", "application NETSCAPE2.0", "graphic control", "image descriptor", "image data",
        "graphic control", "image descriptor", "image data", "trailer",
      ])
    // Every byte up to the trailing ones belongs to one part.
    #expect(facts.chunks.reduce(0) { $0 + $1.length } == bytes.count - 3)
  }

  @Test func delaysOutOfRangeAreTold() throws {
    func warnings(_ delays: [Int]) throws -> [DecodeWarning] {
      var gif = GIFMaker(width: 1, height: 1)
      for delay in delays {
        gif.addControl(delay: delay)
        gif.addSolid(0, width: 1, height: 1)
      }
      return try ImageFacts(bytes: gif.finish()).warnings
    }
    #expect(try warnings([2, 6000]).isEmpty)
    let both = try warnings([1, 6001, 60100])
    #expect(both.map(\.id) == ["short-delay", "long-delay"])
    #expect(both[0].message.hasPrefix("1 frame says") && both[1].message.contains("601 seconds"))
  }

  @Test func codePointsAreNamed() throws {
    #expect(
      try ImageFacts(bytes: patch([1, 2, 3], [("cICP", [12, 13, 0, 1])])).profile == "Display P3, by code points")
    #expect(try ImageFacts(bytes: patch([1, 2, 3], [("gAMA", big32(100_000))])).profile == nil)
    let named = try ImageFacts(bytes: patch([1, 2, 3], [("iCCP", Array("x".utf8) + [0, 0] + zlib(ICCMaker.table()))]))
    #expect(named.profile == "without a name" && named.warnings.isEmpty)
  }

  @Test func pixelsOutsideTheGamutAreCountedInEveryFrame() throws {
    // Of three frames, the first two show a pixel outside; it changes only in the third.
    let p3 = [(name: "iCCP", data: Array("x".utf8) + [0, 0] + zlib(ICCMaker.rgb(ICCMaker.displayP3)))]
    var frames = Array(repeating: Bitmap(size: PixelSize(square: 4), fill: RGBA8(90, 90, 90)), count: 3)
    for i in 0..<2 { frames[i][1, 2] = RGBA8(0, 255, 0) }
    let facts = try ImageFacts(bytes: PlainPNG.animation(frames.map { ($0, 100) }, extra: p3))
    #expect(facts.pixelsOutsideSRGB == 2 && facts.colors == 2)
  }

  @Test func everyFormatTellsItsProfileItsGamutAndWhatFollowsItsEnd() throws {
    let p3 = ICCMaker.rgb(ICCMaker.displayP3)
    let chunk = [(name: "iCCP", data: Array("x".utf8) + [0, 0] + zlib(p3))]
    let green = Bitmap(size: PixelSize(square: 8), fill: RGBA8(0, 255, 0))
    var gif = GIFMaker(width: 8, height: 8, colors: [[0, 255, 0]])
    gif.addProfile(p3)
    gif.addSolid(0, width: 8, height: 8)
    var jpeg = JPEGMaker()
    jpeg.addAdobe(transform: 0)
    jpeg.add(0xe2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + p3)
    var webp = WebPMaker(width: 8, height: 8)
    webp.addSolid([0, 255, 0, 255], width: 8, height: 8)
    let files: [(ImageFormat, [UInt8])] = [
      (.png, patch([0, 255, 0], [(chunk[0].name, chunk[0].data)])),
      (.apng, PlainPNG.animation([(green, 100), (green, 100)], extra: chunk)),
      (.gif, gif.finish()), (.jpeg, jpeg.finish([[[0, 255, 0]]])), (.webp, webp.finish(plays: 0, profile: p3)),
    ]
    for (format, file) in files {
      let facts = try ImageFacts(bytes: file + [1, 2, 3])
      #expect(facts.header.format == format && facts.profile != nil, "\(format)")
      #expect(facts.pixelsOutsideSRGB > 0, "\(format)")
      #expect(facts.warnings.map(\.id) == ["trailing-bytes"], "\(format)")
      #expect(facts.warnings.first?.message.hasPrefix("3 bytes") == true)
    }
  }

  @Test func oneWholeFrameOfADamagedAnimationIsAStill() throws {
    var gif = GIFMaker(width: 4, height: 4)
    for i in 0..<2 {
      gif.addControl(delay: 0)
      gif.addSolid(i, width: 4, height: 4)
    }
    let facts = try ImageFacts(bytes: gif.finish().dropLast(6))
    #expect(facts.header.frameCount == 1 && facts.delays.isEmpty && facts.warnings.map(\.id) == ["damaged-frames"])
  }

  @Test func chunksOfAPngCoverItsBytes() throws {
    let file = patch([1, 2, 3], [("gAMA", big32(45455))])
    let facts = try ImageFacts(bytes: file)
    #expect(facts.chunks.map(\.name) == ["IHDR", "gAMA", "IDAT", "IEND"])
    #expect(facts.chunks.reduce(8) { $0 + $1.length } == file.count)
    #expect(facts.bytes == file.count && facts.delays.isEmpty && facts.header.colorModel == "rgb")
  }

  @Test func alphaIsTold() throws {
    func alpha(_ values: [UInt8]) throws -> String {
      var png = PNGMaker(width: values.count, height: 1)
      png.addPicture([values.flatMap { [7, 7, 7, $0] }])
      return try ImageFacts(bytes: png.finish()).alpha
    }
    #expect(try alpha([255, 255]) == "opaque")
    #expect(try alpha([255, 0]) == "binary")
    #expect(try alpha([255, 128]) == "soft")
    #expect(try ImageFacts(bytes: patch([1, 2, 3], [])).alpha == "none")
  }

  @Test func colorsAreCountedOverTheWholePicture() throws {
    var png = PNGMaker(width: 64, height: 64)
    png.addPicture((0..<64).map { y in (0..<64).flatMap { x in [UInt8(x * 4), UInt8(y * 4), 0, 255] } })
    #expect(try ImageFacts(bytes: png.finish()).colors == 4096)
    var wide = PNGMaker(width: 4, height: 1, depth: 16)
    wide.addPicture([Array(repeating: 255, count: 8) + Array(repeating: 0, count: 16) + Array(repeating: 1, count: 8)])
    #expect(try ImageFacts(bytes: wide.finish()).colors == 3)
  }

  @Test func theLibrariesHaveVersions() {
    let versions = libraryVersions()
    #expect(versions.map(\.name) == ["lcms2", "libdeflate", "libjpeg-turbo", "libpng", "libwebp"])
    #expect(versions.allSatisfy { $0.version.contains(".") && $0.version.first?.isNumber == true })
  }
}
