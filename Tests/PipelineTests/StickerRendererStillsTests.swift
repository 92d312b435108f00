import Codecs
import Imaging
import Pipeline
import TestSupport
import Testing

@Suite("Sticker renderer, numbered frames")
struct StickerRendererStillsTests {
  private func render(
    _ files: [[UInt8]], fps: Rational = Rational(15), side: Int = 300, limits: DecodeLimits = DecodeLimits()
  ) throws -> RenderedSticker {
    let stills = files.enumerated().map { index, bytes in
      StillFile(path: "art/dance/\(index + 1).png") { bytes }
    }
    var options = RenderOptions(side: side)
    options.limits = limits
    return try StickerRenderer(options).render(stills: stills, fps: fps, path: "art/dance")
  }

  /// A picture with a dot in its middle.
  private func dot(_ width: Int, _ height: Int, _ color: RGBA8 = RGBA8(200, 30, 90)) -> Bitmap {
    picture(width, height) { x, y in
      abs(2 * x + 1 - width) <= 20 && abs(2 * y + 1 - height) <= 20 ? color : RGBA8(250, 250, UInt8(x % 200), 255)
    }
  }

  /// The middle of the dot.
  private func middle(_ bitmap: Bitmap) -> (x: Double, y: Double) {
    var (sumX, sumY, count) = (0, 0, 0)
    for y in 0..<bitmap.size.height {
      for x in 0..<bitmap.size.width where bitmap[x, y].green < 100 && bitmap[x, y].alpha > 200 {
        (sumX, sumY, count) = (sumX + x, sumY + y, count + 1)
      }
    }
    return (Double(sumX) / Double(max(count, 1)), Double(sumY) / Double(max(count, 1)))
  }

  @Test("one file a frame, each as long as the frame rate says, for ever")
  func frames() throws {
    let files = (0..<3).map { PlainPNG.still(dot(300, 300, RGBA8(UInt8($0), 0, 0))) }
    let sticker = try render(files, fps: Rational(12))
    #expect(sticker.animation.frames.map(\.bitmap) == (0..<3).map { dot(300, 300, RGBA8(UInt8($0), 0, 0)) })
    #expect(sticker.animation.frames.map(\.delay) == Array(repeating: Rational(1, 12), count: 3))
    #expect(sticker.animation.playCount == 0 && sticker.diagnostics.isEmpty)
    #expect(try render(files, fps: Rational(30000, 1001)).animation.duration == Rational(1001, 10000))
  }

  @Test("frames that are too large to be compared are the same, and clipped colors are counted over all")
  func largeFrames() throws {
    let profile = [(name: "iCCP", data: Array("x".utf8) + [0, 0] + zlib(ICCMaker.rgb(ICCMaker.displayP3)))]
    let files = [dot(320, 320), dot(320, 320), dot(320, 320, RGBA8(0, 255, 0))].map {
      PlainPNG.still($0, extra: profile)
    }
    var limits = DecodeLimits()
    limits.pixelsPerAnimationFrame = 320 * 320 - 1
    let (compared, alone) = (try render(files), try render(files, limits: limits))
    #expect(alone.animation.frames.map(\.bitmap) == compared.animation.frames.map(\.bitmap))
    #expect(alone.diagnostics.map(\.id) == ["gamut-clipped"] && compared.diagnostics.map(\.id) == ["gamut-clipped"])
  }

  @Test("frames of differing sizes share one canvas, and nothing jumps", arguments: [300, 408, 618])
  func sizes(side: Int) throws {
    let files = [(300, 300), (301, 300), (300, 299)].map { PlainPNG.still(dot($0.0, $0.1)) }
    let sticker = try render(files, side: side)
    #expect(sticker.sourceSize == PixelSize(width: 301, height: 300))
    #expect(sticker.animation.size == PixelSize(square: side))
    let middles = sticker.animation.frames.map { middle($0.bitmap) }
    for place in middles {
      #expect(abs(place.x - middles[0].x) <= 1 && abs(place.y - middles[0].y) <= 1)
      #expect(abs(place.x - Double(side - 1) / 2) <= 2)
    }
    let warning = sticker.diagnostics.filter { $0.id == "frame-sizes" }
    #expect(
      warning.map(\.message) == [
        "frames differ in size (300x300, 301x300, 300x299); all are centered on 301x300 px"
      ])
  }

  @Test("one file is a still")
  func single() throws {
    let sticker = try render([PlainPNG.still(dot(300, 300))])
    #expect(!sticker.animation.isAnimated && sticker.animation.frames[0].delay == .zero)
    #expect(sticker.animation.frames[0].bitmap == dot(300, 300))
  }

  @Test("an animation as one frame gives its first picture, with a warning")
  func nested() throws {
    let animation = PlainPNG.animation([(dot(300, 300), 100), (dot(300, 300, .black), 100)])
    let sticker = try render([PlainPNG.still(dot(300, 300, .black)), animation])
    #expect(sticker.animation.frames.map(\.bitmap) == [dot(300, 300, .black), dot(300, 300)])
    #expect(sticker.diagnostics.map(\.id) == ["nested-animation"])
    #expect(sticker.diagnostics[0].path == "art/dance/2.png")
  }

  @Test("a frame that cannot be read is named")
  func damaged() {
    let good = PlainPNG.still(dot(300, 300))
    #expect(throws: FrameFileError(path: "art/dance/2.png", reason: .unrecognized)) {
      try render([good, [1, 2, 3, 4, 5, 6, 7, 8], good])
    }
    let torn = Array(good.prefix(good.count / 2))
    #expect { try render([good, torn]) } throws: { ($0 as? FrameFileError)?.path == "art/dance/2.png" }
  }
}
