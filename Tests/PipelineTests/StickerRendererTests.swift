import Codecs
import Imaging
import Pipeline
import TestSupport
import Testing

@Suite("Sticker renderer")
struct StickerRendererTests {
  private func render(_ bytes: [UInt8], _ side: Int = 300, _ change: (inout RenderOptions) -> Void = { _ in })
    throws -> RenderedSticker
  {
    var options = RenderOptions(side: side)
    change(&options)
    return try StickerRenderer(options).render(bytes: bytes, path: "art/a.png")
  }

  /// A picture of soft alpha and many colors, so that it is no pixel art.
  private func soft(_ width: Int, _ height: Int) -> Bitmap {
    picture(width, height) { x, y in
      RGBA8(UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y) % 256), UInt8((x * y) % 256))
    }
  }

  @Test("a finished sticker stays as it is, bit by bit")
  func exact() throws {
    let art = soft(300, 300)
    let sticker = try render(PlainPNG.still(art))
    #expect(sticker.animation.frames.map(\.bitmap) == [art])
    #expect(sticker.diagnostics.isEmpty)
    #expect(sticker.sourceSize == art.size && sticker.sourceFormat == .png)
  }

  @Test("art that needs margins alone is copied into them")
  func margins() throws {
    let art = soft(260, 100)
    let made = try render(PlainPNG.still(art)) { $0.padding = 20 }.animation.frames[0].bitmap
    #expect(
      made
        == picture(300, 300) { x, y in
          (20..<280).contains(x) && (100..<200).contains(y) ? art[x - 20, y - 100] : .clear
        })
  }

  @Test("a palette makes no difference", arguments: [300, 408, 618])
  func palette(side: Int) throws {
    let alphas: [UInt8] = [0, 64, 128, 255]
    let palette: [RGBA8] = (0..<12).map { (i: UInt8) in RGBA8(i * 20, 250 - i * 20, i * 5, alphas[Int(i) % 4]) }
    let art = picture(256, 256) { x, y in palette[(x / 20 + y / 13) % 12] }
    let full = try render(PlainPNG.still(art), side).animation.frames[0].bitmap
    #expect(try render(PlainPNG.indexed(art, palette: palette), side).animation.frames[0].bitmap == full)
    #expect(try render(PlainPNG.indexed(art, palette: palette, depth: 4), side).animation.frames[0].bitmap == full)
  }

  @Test("every orientation becomes upright", arguments: Orientation.allCases)
  func orientation(orientation: Orientation) throws {
    let size = PixelSize(width: 600, height: 300)
    let corners = [RGBA8(255, 0, 0), RGBA8(0, 255, 0), RGBA8(0, 0, 255), RGBA8(255, 255, 0)]
    func upright(_ x: Int, _ y: Int) -> RGBA8 { corners[(x < 300 ? 0 : 1) + (y < 150 ? 0 : 2)] }
    let stored = orientation.swapsSides ? size.transposed : size
    // The upright place of a stored pixel, from the tag's definition of row 0 and column 0.
    func color(_ x: Int, _ y: Int) -> RGBA8 {
      let right = stored.width - 1 - x
      let bottom = stored.height - 1 - y
      switch orientation {
      case .up: return upright(x, y)
      case .upMirrored: return upright(right, y)
      case .down: return upright(right, bottom)
      case .downMirrored: return upright(x, bottom)
      case .leftMirrored: return upright(y, x)
      case .right: return upright(bottom, x)
      case .rightMirrored: return upright(bottom, right)
      case .left: return upright(y, right)
      }
    }
    let art = picture(stored.width, stored.height, color)
    let sticker = try render(PlainPNG.still(art, extra: [("eXIf", PlainPNG.exif(orientation))]))
    #expect(sticker.sourceSize == size)
    let made = sticker.animation.frames[0].bitmap
    let seen = [(20, 90), (279, 90), (20, 209), (279, 209)].map { made[$0.0, $0.1] }
    #expect(seen == corners)
    let edge = [74, 75, 224, 225].map { made[20, $0] }
    #expect(edge == [.clear, corners[0], corners[2], .clear])
  }

  @Test("pixel art is enlarged by whole numbers and says so")
  func pixelArt() throws {
    let colors: [RGBA8] = (0..<8).map { (i: UInt8) in RGBA8(i * 30, 9, 255 - i * 30) }
    let palette = colors + [RGBA8.clear]
    let art = picture(16, 16) { x, y in palette[(x * 5 + y * 3) % 9] }
    let sticker = try render(PlainPNG.indexed(art, palette: palette, depth: 4))
    let made = sticker.animation.frames[0].bitmap
    let wanted = picture(300, 300) { x, y in
      let isInside = (6..<294).contains(x) && (6..<294).contains(y)
      return isInside ? art[(x - 6) / 18, (y - 6) / 18] : .clear
    }
    #expect(made == wanted)
    #expect(sticker.diagnostics.map(\.id) == ["pixel-art"])
    #expect(sticker.diagnostics[0].message.hasPrefix("pixel art of 16x16 px: every pixel becomes 18x18 px"))
  }

  @Test("a chosen kernel, and one soft frame, turn the pixel art rule off")
  func noPixelArt() throws {
    let sprite = picture(16, 16) { x, y in (x + y) % 2 == 0 ? .black : .white }
    #expect(try render(PlainPNG.still(sprite)) { $0.kernel = .catmullRom }.diagnostics.map(\.id) == ["upscaled"])
    #expect(try render(PlainPNG.still(sprite)) { $0.fit = .cover }.diagnostics.map(\.id) == ["upscaled"])
    var faint = sprite
    faint[3, 3] = RGBA8(0, 0, 0, 100)
    #expect(try render(PlainPNG.animation([(sprite, 100), (faint, 100)])).diagnostics.map(\.id) == ["upscaled"])
    #expect(try render(PlainPNG.animation([(sprite, 100), (sprite, 100)])).diagnostics.map(\.id) == ["pixel-art"])
  }

  @Test("enlarged art warns with both sizes; reduced art does not")
  func upscaling() throws {
    let warnings = try render(PlainPNG.still(soft(150, 200))).diagnostics
    #expect(
      warnings.map(\.line) == [
        "art/a.png: warning: art of 150x200 px is enlarged to 225x300 px; export it with 300 px or more [upscaled]"
      ])
    #expect(try render(PlainPNG.still(soft(301, 20))).diagnostics.isEmpty)
  }

  @Test("trimming takes the margins that all frames share")
  func trim() throws {
    func dot(_ x: Int, _ y: Int) -> Bitmap {
      picture(900, 700) { px, py in
        (x..<x + 300).contains(px) && (y..<y + 300).contains(py) ? RGBA8(UInt8(px % 256), 80, 0) : .clear
      }
    }
    let still = try render(PlainPNG.still(dot(500, 99))) { $0.trim = true }.animation.frames[0].bitmap
    #expect(still == picture(300, 300) { x, _ in RGBA8(UInt8((x + 500) % 256), 80, 0) })
    let moving = try render(PlainPNG.animation([(dot(100, 100), 50), (dot(400, 400), 50)])) { $0.trim = true }.animation
    #expect(moving.frames[0].bitmap[0, 0].alpha == 255 && moving.frames[0].bitmap[299, 299] == .clear)
    #expect(moving.frames[1].bitmap[299, 299].alpha == 255 && moving.frames[1].bitmap[0, 0] == .clear)
  }

  @Test("a background is put under the whole canvas, in linear light")
  func background() throws {
    let art = picture(300, 100) { x, _ in x < 150 ? RGBA8(255, 255, 255, 128) : RGBA8(7, 8, 9) }
    let made = try render(PlainPNG.still(art)) { $0.background = .black }.animation.frames[0].bitmap
    #expect(made[0, 0] == .black && made[299, 299] == .black)
    #expect(made[10, 150] == RGBA8(188, 188, 188) && made[290, 150] == RGBA8(7, 8, 9))
  }

  @Test("frames, delays and plays are kept; short delays are told")
  func animation() throws {
    let frames = (0..<4).map { i in picture(40, 40) { x, y in RGBA8(UInt8(i * 60), UInt8(x * 6), UInt8(y * 6)) } }
    let sticker = try render(PlainPNG.animation(zip(frames, [40, 0, 10, 70]).map { ($0, $1) }, plays: 3))
    #expect(
      sticker.animation.frames.map(\.delay) == [Rational(1, 25), Rational(1, 10), Rational(1, 10), Rational(7, 100)])
    #expect(sticker.animation.playCount == 3)
    #expect(sticker.sourceFormat == .apng)
    #expect(Set(sticker.animation.frames.map(\.bitmap)).count == 4)
    let notes = sticker.diagnostics.filter { $0.id == "short-delay" }
    #expect(notes.map(\.severity) == [.note] && notes[0].message.hasPrefix("2 of 4 frames"))
  }

  @Test("a frame is the same after others as it is alone", arguments: [100, 300, 618])
  func changedRows(side: Int) throws {
    var frames = [soft(240, 310)]
    for (x, y) in [(0, 0), (17, 100), (239, 309), (120, 30)] {
      var next = frames[frames.count - 1]
      next[x, y] = RGBA8(255, 255, 0)
      next[120, min(y + 5, 309)] = .clear
      frames.append(next)
    }
    for background in [nil, RGBA8.white] {
      let file = PlainPNG.animation(frames.map { ($0, 50) })
      let moving = try render(file, side) { $0.background = background }.animation.frames.map(\.bitmap)
      let alone = try frames.map { frame in
        try render(PlainPNG.still(frame), side) { $0.background = background }.animation.frames[0].bitmap
      }
      #expect(moving == alone)
    }
  }

  @Test("a small frame lies where its offset says, on the canvas and after resizing")
  func frameOffset() throws {
    let blue: [UInt8] = [0, 0, 255, 255]
    var png = TestSupport.PNGMaker(width: 64, height: 64)
    png.addAnimation(frames: 2)
    png.addFrame(width: 64, height: 64)
    png.addPicture(solidRows(blue, width: 64, height: 64))
    png.addFrame(x: 50, y: 4, width: 8, height: 8, blend: 1)
    png.addFrameData(solidRows([255, 0, 0, 255], width: 8, height: 8))
    let made = try render(png.finish()) { $0.kernel = .catmullRom }.animation.frames[1].bitmap
    let columns = (0..<300).filter { x in (0..<300).contains { made[x, $0].red > 127 } }
    let rows = (0..<300).filter { y in (0..<300).contains { made[$0, y].red > 127 } }
    for (found, wanted) in zip([columns.first, columns.last, rows.first, rows.last], [234, 271, 18, 56]) {
      #expect(abs((found ?? -9) - wanted) <= 2, "\(columns) \(rows)")
    }
  }

  @Test("equal frames stay frames of their own")
  func duplicates() throws {
    let (a, b) = (soft(320, 320), picture(320, 320) { _, _ in .white })
    let made = try render(PlainPNG.animation([(a, 50), (a, 50), (b, 50), (a, 50)])).animation.frames.map(\.bitmap)
    #expect(made.count == 4 && made[0] == made[1] && made[1] != made[2] && made[3] == made[0])
  }

  @Test("an animation of one frame is a still")
  func oneFrame() throws {
    let sticker = try render(PlainPNG.animation([(soft(300, 300), 700)]))
    #expect(!sticker.animation.isAnimated && sticker.animation.duration == .zero)
  }

  @Test("an empty first frame warns, and nothing is added or dropped")
  func emptyFirstFrame() throws {
    let fade = [0, 80, 160, 255].map { alpha in picture(300, 300) { x, _ in RGBA8(UInt8(x % 256), 9, 9, UInt8(alpha)) }
    }
    let sticker = try render(PlainPNG.animation(fade.map { ($0, 100) }))
    #expect(sticker.animation.frames.count == 4)
    #expect(sticker.diagnostics.map(\.id) == ["first-frame-empty"])
    #expect(try render(PlainPNG.animation(fade.reversed().map { ($0, 100) })).diagnostics.isEmpty)
  }

  @Test("art of nothing warns")
  func empty() throws {
    for trim in [false, true] {
      let sticker = try render(PlainPNG.still(Bitmap(size: PixelSize(square: 400)))) { $0.trim = trim }
      #expect(sticker.diagnostics.map(\.id) == ["empty-art"])
    }
  }

  @Test("what cannot be read is thrown")
  func damaged() {
    #expect(throws: DecodeError.empty) { try render([]) }
    #expect(throws: DecodeError.self) { try render(Array(PlainPNG.still(soft(50, 50)).prefix(200))) }
  }

  @Test("a master is read at its full size, upright")
  func master() throws {
    let art = soft(20, 30)
    let master = try MasterImage.decode(bytes: PlainPNG.still(art, extra: [("eXIf", PlainPNG.exif(.right))]))
    #expect(master.image.size == PixelSize(width: 30, height: 20))
    #expect(master.image.bitmap() == picture(30, 20) { x, y in art[y, 29 - x] }.linear.bitmap())
    #expect(master.diagnostics.isEmpty)
    #expect(throws: DecodeError.unrecognized) { try MasterImage.decode(bytes: [1, 2, 3, 4]) }
  }

  /// A square in the middle of a canvas.
  private func square(_ canvas: Int, _ side: Int, x: Int = 0) -> Bitmap {
    let start = (canvas - side) / 2
    return picture(canvas, canvas) { column, y in
      start..<start + side ~= column - x && start..<start + side ~= y ? RGBA8(20, 90, 160) : .clear
    }
  }

  @Test("an outline lies inside the canvas, outside the art and over the background")
  func outline() throws {
    let made = try render(PlainPNG.still(Bitmap(size: PixelSize(square: 280), fill: RGBA8(20, 90, 160)))) {
      $0.outline = Outline(width: 8, color: .white)
      $0.padding = 2
      $0.background = .black
    }.animation.frames[0].bitmap
    #expect(made[150, 0] == .black && made[150, 2] == .white && made[150, 9] == .white)
    #expect(made[150, 10] == RGBA8(20, 90, 160) && made[150, 289] == RGBA8(20, 90, 160))
    #expect(made[150, 290] == .white && made[150, 298] == .black && made[2, 2] == .black)
  }

  @Test("an outline works with trim: the art fills what the border leaves")
  func outlineTrimmed() throws {
    let made = try render(PlainPNG.still(square(400, 200))) {
      $0.outline = Outline(width: 10, color: RGBA8(255, 0, 0))
      $0.trim = true
    }.animation.frames[0].bitmap
    #expect(made[150, 1] == RGBA8(255, 0, 0) && made[150, 12].colorDistance(to: RGBA8(20, 90, 160)) <= 1)
  }

  @Test("the outline of an animation moves with the art, frames that were drawn in part included")
  func outlineMoves() throws {
    let shapes = [0, 7, 7, 30].map { square(300, 80, x: $0) }
    let bytes = try RateDistortionEncoder().encode(
      SizedAnimation(frames: shapes.map { SizedFrame(bitmap: $0, delay: Rational(1, 10)) }, playCount: 0),
      budget: 499_999
    ).bytes
    let width = 9
    let animated = try render(bytes) { $0.outline = Outline(width: width) }.animation.frames.map(\.bitmap)
    var stills: [Bitmap] = []
    for shape in [shapes[0], shapes[1], shapes[3]] {
      stills.append(try render(PlainPNG.still(shape)) { $0.outline = Outline(width: width) }.animation.frames[0].bitmap)
    }
    #expect(animated == stills)
  }

  @Test("a white rim is found and told of once, and gone from every frame; other art is as it was")
  func defringe() throws {
    func disk(_ radius: Double) -> Bitmap {
      picture(120, 120) { x, y in
        var inside = 0
        for i in 0..<64 {
          let (dx, dy) = (Double(x) + (Double(i % 8) + 0.5) / 8 - 60, Double(y) + (Double(i / 8) + 0.5) / 8 - 60)
          if dx * dx + dy * dy <= radius * radius { inside += 1 }
        }
        func mixed(_ level: Int) -> UInt8 { UInt8((level * inside + 255 * (64 - inside)) / 64) }
        return inside == 0 ? .clear : RGBA8(mixed(20), mixed(60), mixed(120))
      }
    }
    let frames = [40.3, 44.6].map { SizedFrame(bitmap: disk($0), delay: Rational(1, 10)) }
    let bytes = try RateDistortionEncoder().encode(SizedAnimation(frames: frames, playCount: 0), budget: 499_999).bytes
    let mended = try render(bytes, 120) { $0.defringe = .auto }
    #expect(mended.diagnostics.map(\.id) == ["defringed"])
    for frame in mended.animation.frames {
      #expect(
        frame.bitmap.pixels.indices.allSatisfy {
          $0 % 4 != 0 || frame.bitmap.pixels[$0 + 3] == 0 || frame.bitmap.pixels[$0] <= 60
        })
    }
    let clean = PlainPNG.still(square(120, 70))
    let untouched = try render(clean, 120) { $0.defringe = .auto }
    #expect(untouched.animation.frames.map(\.bitmap) == (try render(clean, 120).animation.frames.map(\.bitmap)))
  }
}
