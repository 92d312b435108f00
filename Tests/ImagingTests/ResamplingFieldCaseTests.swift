import Imaging
import TestSupport
import Testing

/// Sticker sides.
private let sides = [300, 408, 618]

@Suite("Art that resizers spoil")
struct ResamplingFieldCaseTests {
  @Test("the hidden color of clear pixels makes no halo", arguments: [255, 0] as [UInt8])
  func halo(hidden: UInt8) {
    let art = picture(1024, 1024) { x, y in
      let (dx, dy) = (2 * x - 1023, 2 * y - 1023)
      return dx * dx + dy * dy <= 800 * 800 ? RGBA8(255, 0, 0) : RGBA8(hidden, hidden, hidden, 0)
    }
    for side in sides {
      let visible = art.pressed(side).colors.filter { $0.alpha >= 8 }
      #expect(visible.count > side * side / 3)
      #expect(visible.allSatisfy { $0.red >= 253 && $0.green <= 2 && $0.blue <= 2 })
    }
  }

  @Test("a fine checkerboard keeps its light")
  func checkerboard() {
    let art = picture(1200, 1200) { x, y in (x + y) % 2 == 0 ? .white : .black }
    let reds = art.pressed(300).colors.map { Int($0.red) }
    #expect(reds.allSatisfy { abs($0 - 188) <= 2 })
  }

  @Test("thin lines all show, evenly, standing and lying")
  func lines() {
    let standing = picture(2048, 2048) { x, _ in x % 64 == 17 ? .black : .white }.pressed(300)
    let lying = picture(2048, 2048) { _, y in y % 64 == 17 ? .black : .white }.pressed(300)
    #expect(standing.transposed.distance(to: lying) <= 1)
    let row = (0..<300).map { Int(standing[$0, 150].red) }
    let darkness = (0..<32).map { line in
      let center = (17 + 64 * line) * 300 / 2048
      #expect((max(center - 1, 0)...center + 1).contains { row[$0] < 250 }, "line \(line)")
      return (max(center - 4, 0)...center + 4).reduce(0) { $0 + 255 - row[$1] }
    }
    #expect(Double(darkness.max() ?? 0) <= 1.4 * Double(darkness.min() ?? 0))
  }

  @Test("a great reduction keeps the light of single pixels", arguments: [(1224, 408), (1023, 40)])
  func mesh(from: Int, to: Int) {
    let art = picture(from, from) { x, y in x % 3 == 1 && y % 3 == 1 ? .black : .white }
    #expect(art.pressed(to).colors.allSatisfy { abs(Int($0.red) - 242) <= 3 })
  }

  @Test("flat art stays flat beside its edges", arguments: [192, 300])
  func ringing(side: Int) {
    let (back, front) = (RGBA8(32, 60, 200), RGBA8(220, 220, 220))
    let made = picture(512, 512) { x, y in
      (128...383).contains(x) && (128...383).contains(y) ? front : back
    }.pressed(side)
    let first = Double(side) / 4
    let last = Double(side) * 3 / 4
    var beyond = 0
    var uneven = 0
    for y in 0..<side {
      for x in 0..<side {
        let pixel = made[x, y]
        let isWithin =
          (12...240).contains(pixel.red) && (40...240).contains(pixel.green) && (180...240).contains(pixel.blue)
        if !isWithin { beyond += 1 }
        // The way to the nearest edge, positive inside the square.
        let across = min(Double(x) + 0.5 - first, last - Double(x) - 0.5)
        let down = min(Double(y) + 0.5 - first, last - Double(y) - 0.5)
        let inside = min(across, down)
        if abs(inside) > 4, pixel.colorDistance(to: inside > 0 ? front : back) > 1 { uneven += 1 }
      }
    }
    #expect(beyond == 0)
    #expect(uneven == 0)
  }

  @Test("no bright seam runs inside an edge", arguments: Kernel.allCases, Overshoot.allCases)
  func seam(kernel: Kernel, overshoot: Overshoot) {
    let art = picture(256, 256) { x, y in
      let (dx, dy) = (max(0, 64 - x, x - 191), max(0, 64 - y, y - 191))
      return RGBA8(200, 200, 200, dx * dx + dy * dy <= 24 * 24 ? 255 : 0)
    }
    let made = Resampler(
      source: art.size, target: PixelSize(square: 300), kernel: kernel, overshoot: overshoot
    ).resample(art.linear).bitmap()
    let visible = made.colors.filter { $0.alpha >= 16 }
    #expect(visible.count > 30_000)
    #expect(visible.allSatisfy { $0.colorDistance(to: RGBA8(200, 200, 200)) <= 1 })
  }

  @Test("a round badge that touches its canvas stays round", arguments: [369, 300, 100, 618])
  func badge(side: Int) {
    let made = picture(370, 370) { x, y in
      let (dx, dy) = (Double(x) - 184.5, Double(y) - 184.5)
      let distance = (dx * dx + dy * dy).squareRoot()
      return distance > 185 ? .clear : distance > 183 ? RGBA8(200, 200, 200) : .white
    }.pressed(side)
    #expect(made.distance(to: made.mirrored) <= 1)
    #expect(made.distance(to: made.flipped) <= 1)
    let middle = side / 2
    let extremes = [made[0, middle], made[side - 1, middle], made[middle, 0], made[middle, side - 1]].map {
      Int($0.alpha)
    }
    #expect((extremes.max() ?? 0) - (extremes.min() ?? 255) <= 2)
    #expect((extremes.min() ?? 0) > 0)
  }

  @Test("art that is not square is not stretched", arguments: [300, 408, 618])
  func aspect(side: Int) {
    let made = picture(710, 599) { x, y in
      let (dx, dy) = (2 * x - 709, 2 * y - 598)
      return dx * dx + dy * dy <= 400 * 400 ? RGBA8(0, 90, 200) : .clear
    }.pressed(side)
    let box = made.box { $0.alpha >= 128 }
    #expect(abs(Double(box.width) / Double(box.height) - 1) <= 0.01)
    let margin = (side - side * 599 / 710) / 2 - 1
    #expect(made.box { $0 != .clear }.height <= side - 2 * margin)
  }

  @Test("the thinnest art still shows", arguments: [(900, 1), (1, 900), (1, 1), (1, 150), (1000, 4)])
  func thin(width: Int, height: Int) {
    let made = picture(width, height) { _, _ in RGBA8(255, 0, 0) }.pressed(300)
    #expect(made.colors.contains(RGBA8(255, 0, 0)))
    #expect(Set(made.colors).isSubset(of: [RGBA8(255, 0, 0), .clear]))
  }

  @Test(
    "pixel art is enlarged by whole numbers, with no new color", arguments: [(300, 18, 6), (408, 25, 4), (618, 38, 5)])
  func pixelArt(side: Int, factor: Int, margin: Int) throws {
    let colors: [RGBA8] = (0..<8).map { (i: UInt8) in RGBA8(i * 30, 255 - i * 20, i * 7) }
    let palette = colors + [RGBA8.clear]
    let art = picture(16, 16) { x, y in palette[(x * 5 + y * 3) % 9] }
    let placement = try #require(
      Placement(enlargingByWholeFactor: PixelRect(art.size), canvas: PixelSize(square: side)))
    #expect(placement.target == PixelRect(x: margin, y: margin, width: factor * 16, height: factor * 16))
    let made = Resampler(source: art.size, placement: placement, kernel: .nearest).resample(art.linear)
      .placed(on: placement.canvas, x: margin, y: margin).bitmap()
    let wanted = picture(side, side) { x, y in
      let isInside = x >= margin && y >= margin && x < side - margin && y < side - margin
      return isInside ? art[(x - margin) / factor, (y - margin) / factor] : .clear
    }
    #expect(made == wanted)
  }

  @Test("a faint glow keeps its color")
  func glow() {
    let art = picture(512, 512) { x, _ in RGBA8(255, 120, 0, UInt8(x * 40 / 511)) }
    let visible = art.pressed(300).colors.filter { $0.alpha >= 4 }
    #expect(visible.count > 60_000)
    #expect(visible.allSatisfy { $0.colorDistance(to: RGBA8(255, 120, 0)) <= 3 })
  }
}
