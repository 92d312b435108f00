import Imaging
import TestSupport
import Testing

@testable import Codecs

@Suite struct ReadingPNG {
  @Test func sixteenBitsAreKeptAndNarrowToTheNearestLevel() throws {
    var png = PNGMaker(width: 256, height: 1, depth: 16)
    var row: [UInt8] = []
    for x in 0..<256 {
      let (up, down) = (UInt8(x), UInt8(255 - x))
      row += [up, up, down, down, 0x12, 0x34, 255, 255]
    }
    png.addPicture([row])
    let raster = try firstFrame(png.finish())
    guard case .rgba16(let wide) = raster.samples else { throw DecodeError.unrecognized }
    #expect(wide[4 * 7] == 7 * 257)
    let narrow = raster.rgba8
    for x in 0..<256 { #expect(Array(narrow[x * 4..<x * 4 + 4]) == [UInt8(x), UInt8(255 - x), 18, 255]) }
  }

  @Test func sixteenBitsOfColorAreKept() throws {
    var png = PNGMaker(width: 2, height: 1, depth: 16, colorType: 2)
    png.addPicture([[0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0, 1, 0xff, 0xfe, 0x80, 0]])
    guard case .rgba16(let samples) = try firstFrame(png.finish()).samples else { throw DecodeError.unrecognized }
    #expect(samples == [0x1234, 0x5678, 0x9abc, 0xffff, 1, 0xfffe, 0x8000, 0xffff])
  }

  @Test(arguments: [0, 4]) func sixteenBitsOfGrayAreKept(colorType: Int) throws {
    var png = PNGMaker(width: 256, height: 1, depth: 16, colorType: colorType)
    png.addPicture([(0..<256).flatMap { x in [UInt8(x), UInt8(x)] + (colorType == 4 ? [0x12, 0x34] : []) }])
    let pixels = try firstFrame(png.finish()).rgba8
    for x in 0..<256 {
      #expect(Array(pixels[x * 4..<x * 4 + 4]) == [UInt8(x), UInt8(x), UInt8(x), colorType == 4 ? 18 : 255])
    }
  }

  @Test func grayWithAlphaKeepsBoth() throws {
    var png = PNGMaker(width: 64, height: 1, colorType: 4)
    png.addPicture([(0..<64).flatMap { [20, UInt8($0 * 4)] }])
    let pixels = try firstFrame(png.finish()).rgba8
    for x in 0..<64 { #expect(Array(pixels[x * 4..<x * 4 + 4]) == [20, 20, 20, UInt8(x * 4)]) }
  }

  @Test(arguments: [1, 2, 4, 8]) func grayLevelsAreSpreadOverTheWholeRange(depth: Int) throws {
    let levels = 1 << depth
    var png = PNGMaker(width: 13, height: 7, depth: depth, colorType: 0)
    png.addPicture((0..<7).map { y in packed((0..<13).map { ($0 + y) % levels }, depth: depth) })
    let pixels = try firstFrame(png.finish()).rgba8
    for i in 0..<91 { #expect(Int(pixels[i * 4]) == (i % 13 + i / 13) % levels * 255 / (levels - 1)) }
  }

  @Test(arguments: [1, 2, 4, 8]) func paletteAndTransparencyAreExpandedFirst(depth: Int) throws {
    let count = 1 << depth
    var png = PNGMaker(width: 13, height: 1, depth: depth, colorType: 3)
    png.add("PLTE", (0..<count).flatMap { [UInt8(truncatingIfNeeded: $0 * 7), 1, 2] })
    png.add("tRNS", [0])
    png.addPicture([packed((0..<13).map { $0 % count }, depth: depth)])
    let pixels = try firstFrame(png.finish()).rgba8
    for x in 0..<13 {
      let index = x % count
      #expect(Array(pixels[x * 4..<x * 4 + 4]) == [UInt8(index * 7), 1, 2, index == 0 ? 0 : 255])
    }
  }

  @Test(arguments: [1, 2, 4], [0, 3]) func interlacedRowsOfFewBitsComeIntoTheirPlaces(depth: Int, colorType: Int) throws
  {
    let (width, height, most) = (13, 11, 1 << depth - 1)
    func sample(_ x: Int, _ y: Int) -> Int { (x * 5 + y * 3 + x * y) % (most + 1) }
    var png = PNGMaker(width: width, height: height, depth: depth, colorType: colorType, interlaced: true)
    if colorType == 3 { png.add("PLTE", (0...most).flatMap { [UInt8($0 * 9), UInt8(200 - $0), 7] }) }
    // The seven passes: their first column and row, and the steps to the next.
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    png.addPicture(
      passes.flatMap { left, top, across, down in
        stride(from: top, to: height, by: down).map { y in
          packed(stride(from: left, to: width, by: across).map { sample($0, y) }, depth: depth)
        }
      })
    let pixels = try firstFrame(png.finish()).rgba8
    for y in 0..<height {
      for x in 0..<width {
        let (one, gray) = (sample(x, y), UInt8(sample(x, y) * 255 / most))
        let wanted = colorType == 3 ? [UInt8(one * 9), UInt8(200 - one), 7, 255] : [gray, gray, gray, 255]
        #expect(Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) == wanted)
      }
    }
  }

  @Test(arguments: [1, 2, 4, 8], [false, true])
  func indicesBeyondThePaletteAreBlackAndTold(depth: Int, interlaced: Bool) throws {
    var png = PNGMaker(width: 1, height: 1, depth: depth, colorType: 3, interlaced: interlaced)
    png.add("PLTE", [9, 8, 7])
    png.add("tRNS", [40])
    png.addPicture([packed([1], depth: depth)])
    let reader = try ImageReader(bytes: png.finish())
    #expect(try reader.nextFrame()?.raster.rgba8 == [0, 0, 0, 255])
    #expect(reader.warnings.map(\.id) == ["odd-data"])
    #expect(reader.warnings.first?.message.hasPrefix("1 pixels point beyond") == true)
  }

  @Test(arguments: Orientation.allCases) func anExifChunkTellsTheOrientation(orientation: Orientation) throws {
    let exif: [UInt8] = [
      0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0,
    ]
    #expect(try ImageReader(bytes: patch([1, 2, 3], [("eXIf", exif)])).header.orientation == orientation)
    var jpeg = JPEGMaker()
    jpeg.add(0xe1, Array("Exif".utf8) + [0, 0] + exif)
    #expect(try ImageReader(bytes: jpeg.finish([[[9, 9, 9]]])).header.orientation == orientation)
    // WebP has the block alone; some writers put before it what JPEG needs there.
    var webp = WebPMaker(width: 2, height: 2)
    webp.addSolid([9, 9, 9, 255], width: 2, height: 2)
    for exif in [exif, Array("Exif".utf8) + [0, 0] + exif] {
      #expect(try ImageReader(bytes: webp.finish(plays: 1, exif: exif)).header.orientation == orientation)
    }
  }

  @Test func anXcodeOptimizedPictureIsReadWithItsColorsInOrder() throws {
    var png = PNGMaker(width: 2, height: 1, mark: [0x50, 0, 0x20, 2])
    // Blue, green, red, alpha, premultiplied.
    png.add("IDAT", storedDeflate([0, 10, 20, 30, 255, 0, 0, 100, 128]))
    #expect(try firstFrame(png.finish()).rgba8 == [30, 20, 10, 255, 199, 0, 0, 128])
  }

  @Test func aWrongChecksumKillsTheChunkThatMatters() throws {
    var comment = PNGMaker(width: 1, height: 1)
    comment.add("tEXt", [65, 0, 66], hasBadChecksum: true)
    comment.addPicture([[1, 2, 3, 255]])
    let reader = try ImageReader(bytes: comment.finish())
    #expect(try reader.nextFrame()?.raster.rgba8 == [1, 2, 3, 255])
    #expect(reader.warnings.map(\.id) == ["bad-checksum"])

    var data = PNGMaker(width: 1, height: 1)
    data.add("IDAT", zlib([0, 1, 2, 3, 255]), hasBadChecksum: true)
    expectDamage(data.finish(), naming: "IDAT")

    var animation = PNGMaker(width: 1, height: 1)
    animation.addAnimation(frames: 1)
    animation.add("fcTL", Array(repeating: 0, count: 26), hasBadChecksum: true)
    animation.addPicture([[1, 2, 3, 255]])
    expectDamage(animation.finish(), naming: "fcTL")
  }

  @Test func aWrongSumOfThePixelsIsAnErrorWhereverItLies() {
    // libpng takes the stream in parts of a few kilobytes.
    for width in [1, 100] + Array(4075...4090) + Array(8170...8186) + Array(16360...16380) {
      var stream = zlib([UInt8](repeating: 0, count: width + 1))
      stream[stream.count - 1] ^= 1
      var still = PNGMaker(width: width, height: 1, colorType: 0)
      still.add("IDAT", stream)
      var moving = PNGMaker(width: width, height: 1, colorType: 0)
      moving.addAnimation(frames: 1)
      moving.addFrame(width: width, height: 1)
      moving.add("IDAT", stream)
      for file in [still.finish(), moving.finish()] { expectDamage(file, naming: "incorrect data check") }
    }
  }

  @Test func manyWrongChecksumsAreOneWarning() throws {
    var png = PNGMaker(width: 1, height: 1)
    for name in ["tEXt", "tIME", "zTXt"] { png.add(name, [1], hasBadChecksum: true) }
    png.addPicture([[1, 2, 3, 255]])
    let warnings = try ImageFacts(bytes: png.finish()).warnings
    #expect(warnings.map(\.id) == ["bad-checksum"])
    #expect(warnings[0].message.contains("3 chunks") && warnings[0].message.contains("tEXt"))
  }

  @Test func lengthsThatLieAreErrors() {
    var data = PNGMaker(width: 8, height: 8)
    data.add("IDAT", zlib([0]), saysLength: 0x4000_0000)
    expectDamage(data.finish(), naming: "IDAT")
    var text = PNGMaker(width: 8, height: 8)
    text.add("tEXt", [65], saysLength: 0xffff_fffc)
    expectDamage(text.finish(), naming: "tEXt")
    var header = PNGMaker(width: 8, height: 8)
    header.add("IHDR", [1])
    expectDamage(header.finish(), naming: "IHDR")
    var short = PNGMaker(width: 8, height: 8)
    short.add("IHDR", big32(8) + big32(8) + [8, 6, 0, 0])
    short.addPicture(solidRows([1, 2, 3, 4], width: 8, height: 8))
    // Without the header that was right: the signature takes 8 bytes, the header 25.
    let file = short.finish()
    expectDamage(Array(file[..<8] + file[33...]), naming: "IHDR")
  }

  @Test func sizesAreCheckedBeforeMemoryIsTaken() {
    for (width, height) in [(30000, 30000), (0x7fff_ffff, 0x7fff_ffff)] {
      var png = PNGMaker(width: width, height: height, depth: 1, colorType: 0)
      png.add("IDAT", zlib([0]))
      #expect(throws: DecodeError.self) { try ImageReader(bytes: png.finish()) }
    }
    var empty = PNGMaker(width: 0, height: 0)
    empty.add("IDAT", zlib([0]))
    expectDamage(empty.finish(), naming: "0x0")
  }

  @Test func aTruncatedStillIsAnErrorWhereverItIsCut() {
    let whole = patch([1, 2, 3], [])
    for count in 8..<whole.count {
      #expect(throws: DecodeError.self, "\(count) bytes") { try firstFrame(Array(whole[..<count])) }
    }
  }

  @Test func bytesAfterTheEndOnlyWarn() throws {
    let reader = try ImageReader(bytes: patch([1, 2, 3], []) + Array(repeating: 7, count: 100))
    #expect(try reader.nextFrame() != nil)
    #expect(reader.warnings.map(\.id) == ["trailing-bytes"])
  }
}

/// Samples below 8 bits, the first in the highest bits, the row padded with zeros.
func packed(_ samples: [Int], depth: Int) -> [UInt8] {
  var row = [UInt8](repeating: 0, count: (samples.count * depth + 7) / 8)
  for (i, sample) in samples.enumerated() {
    row[i * depth / 8] |= UInt8(sample) << UInt8(8 - depth - i * depth % 8)
  }
  return row
}

func expectDamage(_ bytes: [UInt8], naming word: String, sourceLocation: SourceLocation = #_sourceLocation) {
  do {
    _ = try allFrames(bytes)
    Issue.record("was read", sourceLocation: sourceLocation)
  } catch let error as DecodeError {
    #expect(error.message.contains(word), "\(error.message)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
}
