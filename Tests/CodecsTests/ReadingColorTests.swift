import Foundation
import Imaging
import TestSupport
import Testing

@testable import Codecs

/// A picture after conversion, as 8-bit straight sRGB.
func converted(_ bytes: [UInt8]) throws -> (pixels: [UInt8], warnings: [DecodeWarning]) {
  let reader = try ImageReader(bytes: bytes)
  let raster = try #require(try reader.nextFrame()).raster
  let converter = ColorConverter(reader.header.color)
  var row = [Float](repeating: 0, count: raster.size.width * 4)
  var pixels: [UInt8] = []
  for y in 0..<raster.size.height {
    row.withUnsafeMutableBufferPointer { converter.convert(raster, row: y, into: $0) }
    for (i, value) in row.enumerated() {
      let alpha = Double(row[i | 3])
      if i % 4 == 3 {
        pixels.append(UInt8((alpha * 255).rounded()))
      } else {
        let linear = alpha == 0 ? 0 : Double(value) / alpha
        let encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
        pixels.append(UInt8((min(max(encoded, 0), 1) * 255).rounded()))
      }
    }
  }
  return (pixels, reader.warnings + converter.warnings)
}

func patch(_ color: [UInt8], colorType: Int = 2, _ chunks: [(String, [UInt8])]) -> [UInt8] {
  var png = PNGMaker(width: 2, height: 1, colorType: colorType)
  for (name, data) in chunks { png.add(name, data) }
  png.addPicture(solidRows(color, width: 2, height: 1))
  return png.finish()
}

private func iccp(_ profile: [UInt8]) -> (String, [UInt8]) { ("iCCP", Array("x".utf8) + [0, 0] + zlib(profile)) }

private func expectColor(_ file: [UInt8], _ color: [Int], within tolerance: Int) throws {
  let pixels = try converted(file).pixels
  for c in 0..<3 { #expect(abs(Int(pixels[c]) - color[c]) <= tolerance, "\(pixels[0..<4]) for \(color)") }
}

@Suite struct ReadingColors {
  @Test func displayP3BecomesSRGB() throws {
    let p3 = iccp(ICCMaker.rgb(ICCMaker.displayP3))
    try expectColor(patch([200, 80, 60], [p3]), [216, 69, 50], within: 2)
    try expectColor(patch([120, 180, 90], [p3]), [100, 182, 76], within: 2)
  }

  @Test func displayP3ByCodePointsIsTheSame() throws {
    try expectColor(patch([200, 80, 60], [("cICP", [12, 13, 0, 1])]), [216, 69, 50], within: 2)
  }

  @Test func codePointsGoBeforeTheProfile() throws {
    let file = patch([200, 80, 60], [("cICP", [1, 13, 0, 1]), iccp(ICCMaker.rgb(ICCMaker.displayP3))])
    #expect(try ImageReader(bytes: file).header.color == .sRGB)
  }

  @Test func aProfileThatIsSRGBChangesNoNumber() throws {
    for value in 0...255 {
      let file = patch([UInt8(value), 80, 255 - UInt8(value)], [iccp(ICCMaker.rgb(ICCMaker.sRGB))])
      try expectColor(file, [value, 80, 255 - value], within: 0)
    }
  }

  /// The 3144 bytes of "sRGB IEC61966-2.1" that libpng calls a known incorrect profile.
  @Test(.enabled(if: Corpus.isPresent)) func theOldSRGBProfileWarnsOfNothingAndChangesNoNumber() throws {
    let color = try ImageReader(bytes: try Corpus.bytes("art-static/tuxpaint-spade.png")).header.color
    guard case .icc(let profile) = color else { throw DecodeError.unrecognized }
    #expect(profile.count == 3144)
    for value in stride(from: 0, through: 255, by: 15) {
      let file = patch([UInt8(value), 80, 255 - UInt8(value)], [iccp(profile)])
      try expectColor(file, [value, 80, 255 - value], within: 0)
      #expect(try converted(file).warnings.isEmpty)
    }
  }

  @Test func gammaIsHonoredUnlessSomethingBetterIsSaid() throws {
    try expectColor(patch([55], colorType: 0, [("gAMA", big32(100_000))]), [128, 128, 128], within: 1)
    try expectColor(patch([128], colorType: 0, [("gAMA", big32(100_000))]), [188, 188, 188], within: 1)
    try expectColor(patch([55], colorType: 0, [("gAMA", big32(45_455))]), [55, 55, 55], within: 0)
    let both = [("gAMA", big32(100_000)), ("sRGB", [UInt8(0)])]
    try expectColor(patch([55], colorType: 0, both), [55, 55, 55], within: 0)
  }

  @Test func aProfileComesBeforeEverythingButCICP() throws {
    let profile = iccp(ICCMaker.rgb(ICCMaker.displayP3))
    let alone = try converted(patch([200, 100, 80], [profile])).pixels
    #expect(abs(Int(alone[0]) - 200) > 8)
    for other in [("gAMA", big32(100_000)), ("sRGB", [UInt8(0)])] {
      #expect(try converted(patch([200, 100, 80], [profile, other])).pixels == alone)
      #expect(try converted(patch([200, 100, 80], [other, profile])).pixels == alone)
    }
  }

  @Test func chromaticitiesAreHonored() throws {
    // Display P3, in 1/100,000: white, red, green, blue; with a gamma of 2.2, or that of sRGB.
    let primaries = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].flatMap(big32)
    let file = patch([200, 100, 80], [("cHRM", primaries), ("gAMA", big32(45_455))])
    // Linear light by 2.2, the matrix from Display P3 to sRGB, the curve of sRGB: 216.4, 92.4, 71.6.
    try expectColor(file, [216, 92, 72], within: 2)
  }

  @Test func aGrayProfileServesGrayData() throws {
    let half = try converted(patch([128], colorType: 0, [iccp(ICCMaker.gray(gamma: 1))]))
    #expect(abs(Int(half.pixels[0]) - 188) <= 1 && half.pixels[0] == half.pixels[1] && half.warnings.isEmpty)
  }

  @Test(arguments: ["truncated", "random", "gray on color", "no name", "all dark", "link", "wrong size"])
  func aBrokenProfileWarnsOnceAndCountsAsSRGB(kind: String) throws {
    let whole = ICCMaker.rgb(ICCMaker.displayP3)
    let chunk: (String, [UInt8]) =
      switch kind {
      case "truncated": ("iCCP", [0x78, 0, 0] + zlib(whole).prefix(100))
      case "random": iccp((0..<20).map { UInt8($0 * 37 % 251) })
      case "all dark": iccp(ICCMaker.rgb([[0, 0, 0], [0, 0, 0], [0, 0, 0]]))
      case "wrong size": iccp(big32(whole.count + 100) + whole[4...])
      case "link": iccp(Array(whole[..<12] + Array("link".utf8) + whole[16...]))
      case "gray on color": iccp(ICCMaker.gray(gamma: 1))
      default: ("iCCP", [0, 0] + zlib(whole))
      }
    let result = try converted(patch([200, 80, 60], [chunk]))
    #expect(Array(result.pixels[0..<3]) == [200, 80, 60])
    #expect(result.warnings.map(\.id) == ["bad-profile"])
  }

  @Test func aProfileBombIsRefusedWithAWarning() throws {
    let bomb = ("iCCP", Array("x".utf8) + [0, 0] + zlibBomb(zeros: 100_000_000))
    let result = try converted(patch([200, 80, 60], [bomb]))
    #expect(Array(result.pixels[0..<3]) == [200, 80, 60])
    #expect(result.warnings.map(\.id) == ["bad-profile"])
  }

  @Test func colorsOutsideSRGBAreClippedAndCounted() throws {
    let reader = try ImageReader(bytes: patch([0, 255, 0], [iccp(ICCMaker.rgb(ICCMaker.displayP3))]))
    let raster = try #require(try reader.nextFrame()).raster
    let converter = ColorConverter(reader.header.color)
    var row = [Float](repeating: 0, count: 8)
    row.withUnsafeMutableBufferPointer { converter.convert(raster, row: 0, into: $0) }
    #expect(row == [0, 1, 0, 1, 0, 1, 0, 1])
    #expect(converter.clippedPixels == 2)
  }

  @Test func sixteenBitsKeepTheirPrecisionInTheDark() throws {
    let raster = Raster(
      size: PixelSize(width: 2, height: 1), samples: .rgba16([40, 41, 42, 65535, 65535, 0, 0, 32768]))
    var row = [Float](repeating: 0, count: 8)
    row.withUnsafeMutableBufferPointer { ColorConverter(.sRGB).convert(raster, row: 0, into: $0) }
    for c in 0..<3 { #expect(abs(Double(row[c]) - Double(40 + c) / 65535 / 12.92) < 1e-9) }
    #expect(abs(row[4] - 32768 / 65535) < 1e-6 && row[7] == row[4])
  }

  @Test func aThousandAlphasArePremultiplied() throws {
    for alpha in 0...255 {
      let raster = Raster(size: PixelSize(width: 1, height: 1), samples: .rgba8([255, 0, 0, UInt8(alpha)]))
      var row = [Float](repeating: 9, count: 4)
      row.withUnsafeMutableBufferPointer { ColorConverter(.sRGB).convert(raster, row: 0, into: $0) }
      #expect(row == [Float(alpha) / 255, 0, 0, Float(alpha) / 255])
    }
  }
}

@Suite struct ReadingInk {
  private func jpeg(_ ink: [UInt8], adobe: UInt8?) -> [UInt8] {
    var maker = JPEGMaker()
    if let adobe { maker.addAdobe(transform: adobe) }
    return maker.finish([[ink, ink], [ink, ink]])
  }

  @Test func adobesInvertedInkKeepsWhitePaperWhite() throws {
    let paper = try converted(jpeg([255, 255, 255, 255], adobe: 0)).pixels
    #expect(paper[0] >= 250 && paper[1] >= 250 && paper[2] >= 250)
    let black = try converted(jpeg([255, 255, 255, 0], adobe: 0)).pixels
    #expect(black[0] <= 40 && black[1] <= 40 && black[2] <= 40)
  }

  @Test func inkWithLightAndColorApartIsTheSameInk() throws {
    // YCCK is YCbCr of what is left of 255 by each of the first three, and black as it is: white, red and black.
    let inks: [(apart: [UInt8], stored: [UInt8])] = [
      ([0, 128, 128, 255], [255, 255, 255, 255]), ([179, 171, 0, 255], [255, 0, 0, 255]),
      ([0, 128, 128, 0], [255, 255, 255, 0]),
    ]
    for (apart, stored) in inks {
      let (one, other) = (try converted(jpeg(apart, adobe: 2)).pixels, try converted(jpeg(stored, adobe: 0)).pixels)
      for c in 0..<3 { #expect(abs(Int(one[c]) - Int(other[c])) <= 3, "\(one[0..<3]) and \(other[0..<3])") }
    }
  }

  @Test func everyPixelOfARowIsConvertedWhateverItsNeighbors() throws {
    let color = ColorEncoding.icc(ICCMaker.table())
    #expect(ColorConverter(color).warnings.isEmpty)
    let pixels: [[UInt8]] = [
      [9, 80, 7, 255], [9, 80, 7, 40], [9, 80, 7, 40], [200, 3, 7, 255], [9, 80, 7, 0], [9, 80, 8, 255],
    ]
    func row(_ pixels: [[UInt8]]) -> [Float] {
      let raster = Raster(
        size: PixelSize(width: pixels.count, height: 1), samples: .rgba8(pixels.flatMap { $0 }))
      var row = [Float](repeating: .nan, count: pixels.count * 4)
      row.withUnsafeMutableBufferPointer { ColorConverter(color).convert(raster, row: 0, into: $0) }
      return row
    }
    #expect(row(pixels) == pixels.flatMap { row([$0]) })
    #expect(Set(row(pixels)).count > 8)
  }

  @Test func inkWithoutAdobesMarkIsAsItStands() throws {
    let paper = try converted(jpeg([0, 0, 0, 0], adobe: nil)).pixels
    #expect(paper[0] >= 250 && paper[1] >= 250 && paper[2] >= 250)
    #expect(try ImageReader(bytes: jpeg([0, 0, 0, 0], adobe: nil)).header.colorModel == "cmyk")
  }

  @Test func thePlainFormulaOfInkIsRounded() {
    let raster = Raster(size: PixelSize(width: 1, height: 1), samples: .cmyk8([100, 0, 255, 50]))
    // (155 * 205 + 127) / 255, 255 * 205 / 255, 0
    #expect(raster.rgba8 == [125, 205, 0, 255])
  }

  /// Photoshop's own colors for the pure inks of SWOP v2, relative colorimetric with black point compensation.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      ([0, 0, 0, 0], [255, 255, 255]), ([255, 0, 0, 0], [0, 174, 239]), ([0, 255, 0, 0], [236, 0, 140]),
      ([0, 0, 255, 0], [255, 242, 0]), ([0, 0, 0, 255], [35, 31, 32]), ([255, 255, 255, 255], [0, 0, 0]),
    ] as [([UInt8], [Int])])
  func pureInksOfAPressProfileAreThoseOfPhotoshop(ink: [UInt8], color: [Int]) throws {
    let file = try Corpus.bytes("art-static/Channel_digital_image_CMYK_color.jpg")
    let converter = ColorConverter(try ImageReader(bytes: file).header.color)
    var row = [Float](repeating: 0, count: 4)
    row.withUnsafeMutableBufferPointer {
      converter.convert(Raster(size: PixelSize(square: 1), samples: .cmyk8(ink)), row: 0, into: $0)
    }
    for c in 0..<3 { #expect(abs(encoded(row[c]) - color[c]) <= 4, "\(row)") }
    #expect(converter.warnings.isEmpty && row[3] == 1)
  }

  @Test(.enabled(if: Corpus.isPresent)) func aProfileMayTurnTheChannelsAround() throws {
    let reader = try ImageReader(bytes: try Corpus.bytes("art-static/rgb-to-gbr-test.png"))
    let converter = ColorConverter(reader.header.color)
    var row = [Float](repeating: 0, count: 4)
    row.withUnsafeMutableBufferPointer {
      converter.convert(Raster(size: PixelSize(square: 1), samples: .rgba8([250, 120, 30, 255])), row: 0, into: $0)
    }
    for (value, color) in zip(row, [30, 250, 120]) { #expect(abs(encoded(value) - color) <= 8, "\(row.map(encoded))") }
    #expect(converter.warnings.isEmpty)
  }
}

private func encoded(_ linear: Float) -> Int {
  let value = Double(linear)
  return Int(((value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055) * 255).rounded())
}

@Suite struct RememberingColors {
  /// What a library would make of a color.
  private func converted(_ color: [Float]) -> [Float] { [color[0] * 2, color[1] + 1, color[2] - color.last!] }

  @Test(arguments: [3, 4]) func everyColorIsWhatTheLibraryMakesOfItAndFewGoThroughIt(channels: Int) {
    var memo = ColorMemo()
    var calls = 0
    func fill(_ colors: [[Float]]) -> [Float] {
      var output = [Float](repeating: .nan, count: colors.count * 3)
      output.withUnsafeMutableBufferPointer { buffer in
        memo.fill(buffer.baseAddress!, for: colors.flatMap { $0 }, pixels: colors.count, channels: channels) {
          from, to, count in
          calls += count
          for i in 0..<count {
            for (c, value) in converted((0..<channels).map { from[i * channels + $0] }).enumerated() {
              to[i * 3 + c] = value
            }
          }
        }
      }
      return output
    }
    let two = (0..<200).map { i in (0..<channels).map { Float($0 + i % 2) } }
    for _ in 0..<50 { #expect(fill(two) == two.flatMap(converted)) }
    #expect(calls == 200)
    // More colors than slots: they push each other out, and stay right.
    let many = (0..<100_000).map { (i: Int) -> [Float] in
      (0..<channels).map { (c: Int) -> Float in Float(i * 4 + c) / 255 }
    }
    for _ in 0..<2 { #expect(fill(many) == many.flatMap(converted)) }
  }
}
