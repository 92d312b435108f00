import Imaging
import TestSupport
import Testing

@testable import Codecs

/// A small generator with a fixed seed: the same noise on every run and platform.
struct Noise {
  private var state: UInt64
  init(_ seed: UInt64 = 1) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func byte() -> UInt8 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state >> 24)
  }
  /// A number below a bound.
  mutating func next(_ bound: Int) -> Int {
    _ = byte()
    return Int(state >> 33) % bound
  }
}

func picture(_ side: Int, _ color: (Int, Int) -> RGBA8) -> Bitmap {
  var bitmap = Bitmap(size: PixelSize(square: side))
  for y in 0..<side { for x in 0..<side { bitmap[x, y] = color(x, y) } }
  return bitmap
}

/// What is seen of a picture: transparent black wherever alpha is 0.
func seen(_ bitmap: Bitmap) -> Bitmap {
  var bitmap = bitmap
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width where bitmap[x, y].alpha == 0 { bitmap[x, y] = .clear }
  }
  return bitmap
}

@Suite struct WritingStillTests {
  /// Encodes at every effort and decodes again; returns the file of normal effort.
  func roundTrip(_ bitmap: Bitmap, forcesRGB: Bool = false) throws -> (file: StrictAPNG, bytes: Int) {
    var normal: (StrictAPNG, Int)?
    for effort in Effort.allCases {
      let asset = StillEncoder(effort: effort, forcesRGB: forcesRGB).encode(bitmap)
      let file = try StrictAPNG(asset.bytes)
      #expect(file.frames[0].canvas == seen(bitmap))
      #expect(file.playCount == nil)
      if effort == .normal { normal = (file, asset.bytes.count) }
    }
    return try #require(normal)
  }

  @Test func `a smooth gradient stays true color and small`() throws {
    let gradient = picture(408) { x, y in RGBA8(UInt8(x * 255 / 407), UInt8(y * 255 / 407), 128) }
    let (file, bytes) = try roundTrip(gradient)
    #expect(file.colorType == 2)
    #expect(bytes <= 1600)
  }

  @Test func `noise under alpha 0 costs nothing`() throws {
    func disc(_ hidden: () -> RGBA8) -> Bitmap {
      picture(200) { x, y in
        let (dx, dy) = (x - 100, y - 100)
        return dx * dx + dy * dy < 4900 ? RGBA8(UInt8(x), UInt8(y), 90) : hidden()
      }
    }
    var noise = Noise()
    let dirty = disc { RGBA8(noise.byte(), noise.byte(), noise.byte(), 0) }
    let clean = disc { .clear }
    #expect(StillEncoder().encode(dirty).bytes == StillEncoder().encode(clean).bytes)
    _ = try roundTrip(dirty)
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 2), (16, 4), (17, 8), (256, 8)])
  func `few colors take the fewest bits`(colors: Int, depth: Int) throws {
    var noise = Noise()
    let bitmap = picture(64) { x, y in
      let i = y * 64 + x < colors ? y * 64 + x : Int(noise.byte()) % colors
      return RGBA8(UInt8(i), UInt8(255 - i), 7)
    }
    let (file, _) = try roundTrip(bitmap)
    #expect(file.colorType == 3)
    #expect(file.bitDepth == depth)
    #expect(file.palette.count == colors)
  }

  @Test func `translucent entries come first and opaque ones need no alpha`() throws {
    var noise = Noise()
    let bitmap = picture(32) { x, _ in
      let i = noise.byte() % 40
      return RGBA8(i, 200, i, i < 3 ? i * 80 : 255)
    }
    let (file, _) = try roundTrip(bitmap)
    #expect(file.colorType == 3)
    #expect(file.transparencyLength == 3)
  }

  @Test func `every kind of gray takes its own form`() throws {
    var noise = Noise()
    let black = try roundTrip(picture(64) { _, _ in noise.byte() & 1 == 0 ? .black : .white })
    #expect((black.file.colorType, black.file.bitDepth) == (0, 1))
    let four = try roundTrip(picture(64) { _, _ in RGBA8(gray: noise.byte() % 4 * 85) })
    #expect((four.file.colorType, four.file.bitDepth) == (0, 2))
    let all = try roundTrip(picture(64) { _, _ in RGBA8(gray: noise.byte()) })
    #expect((all.file.colorType, all.file.bitDepth) == (0, 8))
    let soft = try roundTrip(picture(64) { _, _ in RGBA8(gray: noise.byte(), alpha: noise.byte()) })
    #expect(soft.file.colorType == 4)
    let hole = try roundTrip(picture(64) { x, _ in x < 9 ? .clear : RGBA8(gray: noise.byte() | 1) })
    #expect(hole.file.colorType == 0)
    #expect(hole.file.transparencyLength == 2)
  }

  @Test func `clear pixels among many opaque colors are marked by a color that is not used`() throws {
    var noise = Noise()
    let bitmap = picture(64) { x, _ in x < 9 ? .clear : RGBA8(noise.byte(), noise.byte(), noise.byte()) }
    let (file, _) = try roundTrip(bitmap)
    #expect(file.colorType == 2)
    #expect(file.transparencyLength == 6)
  }

  @Test func `an opaque picture is written without alpha`() throws {
    var noise = Noise()
    let (file, _) = try roundTrip(picture(40) { _, _ in RGBA8(noise.byte(), noise.byte(), noise.byte()) })
    #expect(file.colorType == 2)
    #expect(file.chunks == ["IHDR", "sRGB", "IDAT", "IEND"])
  }

  @Test(arguments: [RGBA8.clear, .white, RGBA8(10, 20, 30, 40)])
  func `one color fills a picture`(color: RGBA8) throws {
    let (file, bytes) = try roundTrip(picture(50) { _, _ in color })
    #expect(bytes < 120)
    #expect(file.bitDepth == 1)
  }

  @Test(arguments: [PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 1), PixelSize(width: 1, height: 7)])
  func `the smallest pictures survive`(size: PixelSize) throws {
    var noise = Noise()
    for kind in 0..<4 {
      var bitmap = Bitmap(size: size)
      for i in 0..<size.area {
        let gray = noise.byte()
        bitmap[i % size.width, i / size.width] =
          [RGBA8(gray, 0, 1), RGBA8(gray: gray), RGBA8(gray, 1, 2, noise.byte()), .white][kind]
      }
      _ = try roundTrip(bitmap)
    }
  }

  @Test func `an icon is 8-bit RGB whatever is in it`() throws {
    for bitmap in [
      picture(58) { _, _ in .white }, picture(58) { x, _ in RGBA8(gray: UInt8(x)) },
      picture(58) { x, y in RGBA8(UInt8(x * 4), UInt8(y * 4), 0) },
    ] {
      let (file, _) = try roundTrip(bitmap, forcesRGB: true)
      #expect((file.colorType, file.bitDepth, file.transparencyLength) == (2, 8, 0))
    }
  }

  @Test func `an sRGB chunk and nothing that contradicts it is written`() throws {
    var noise = Noise()
    let (file, _) = try roundTrip(picture(40) { _, _ in RGBA8(noise.byte() & 31, 9, 9, 100) })
    #expect(file.chunks == ["IHDR", "sRGB", "PLTE", "tRNS", "IDAT", "IEND"])
  }

  @Test func `encoding a decoded file again never grows it`() throws {
    var noise = Noise()
    let bitmap = picture(64) { x, y in RGBA8(UInt8(x * 4), noise.byte() & 15, UInt8(y), 255 - UInt8(x)) }
    let first = StillEncoder().encode(bitmap).bytes
    let second = StillEncoder().encode(try StrictAPNG(first).frames[0].canvas).bytes
    #expect(second == first)
  }

  @Test func `every filter is undone by the decoder`() throws {
    var noise = Noise()
    let size = PixelSize(width: 13, height: 11)
    for layout in [PixelFormat.Layout.rgba, .rgb(clear: nil), .grayAlpha] {
      let format = PixelFormat(layout)
      let pixels = (0..<size.area).map { _ in
        let gray = noise.byte()
        let alpha: UInt8 = layout == .rgb(clear: nil) ? 255 : 77
        return (layout == .grayAlpha ? RGBA8(gray: gray, alpha: alpha) : RGBA8(gray, noise.byte(), 3, alpha)).packed
      }
      let rows = pixels.withUnsafeBufferPointer { format.pack($0, width: size.width, height: size.height) }
      for strategy in FilterStrategy.allCases {
        var file = PNGWriter(size: size, format: format)
        file.append(stream: Deflater(level: 6).zlib(rows.filtered(strategy)))
        file.finish()
        let canvas = try StrictAPNG(file.bytes).frames[0].canvas
        #expect(canvas.withPackedPixels { Array($0) } == pixels)
      }
    }
  }
}

extension RGBA8 {
  init(gray: UInt8, alpha: UInt8 = 255) { self.init(gray, gray, gray, alpha) }
}
