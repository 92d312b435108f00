import Imaging
import TestSupport
import Testing

@Suite("Outline")
struct OutlineTests {
  /// A disk whose edge pixels are as opaque as they are covered, by 16 x 16 samples.
  private func disk(
    _ side: Int, x: Double, y: Double, radius: Double, alpha: Double = 1, color: RGBA8 = RGBA8(20, 60, 200)
  )
    -> Bitmap
  {
    picture(side, side) { column, row in
      var inside = 0
      for i in 0..<256 {
        let dx = Double(column) + (Double(i % 16) + 0.5) / 16 - x
        let dy = Double(row) + (Double(i / 16) + 0.5) / 16 - y
        if dx * dx + dy * dy <= radius * radius { inside += 1 }
      }
      return inside == 0
        ? .clear : RGBA8(color.red, color.green, color.blue, UInt8((Double(inside) / 256 * alpha * 255).rounded()))
    }
  }

  /// The alpha of all pixels together, in pixels.
  private func area(_ bitmap: Bitmap) -> Double {
    bitmap.colors.reduce(0) { $0 + Double($1.alpha) / 255 }
  }

  @Test("a disk gets a ring of the width asked for", arguments: [1, 3, 8, 20])
  func ring(width: Int) {
    let art = disk(120, x: 60.3, y: 59.6, radius: 30)
    let bordered = Outline(width: width).drawn(under: art)
    let expected = Double.pi * (30 + Double(width)) * (30 + Double(width))
    // A tenth of a pixel along the whole circumference.
    #expect(abs(area(bordered) - expected) <= 0.1 * 2 * .pi * (30 + Double(width)))
    #expect(bordered[60 + 30 + width / 2, 60].colorDistance(to: .white) <= 1 || width == 1)
  }

  @Test("the border's edge is where a disk of the sum of both radii has it, wherever the art lies between pixels")
  func position() {
    for shift in stride(from: 0.0, to: 1, by: 0.125) {
      let bordered = Outline(width: 6).drawn(under: disk(80, x: 40 + shift, y: 40 - shift / 2, radius: 20))
      let expected = disk(80, x: 40 + shift, y: 40 - shift / 2, radius: 26)
      let worst = zip(bordered.colors, expected.colors).map { abs(Int($0.alpha) - Int($1.alpha)) }.max() ?? 0
      #expect(worst <= 40, "off by \(worst) levels at \(shift)")
    }
  }

  @Test("opaque pixels of the art stay, what is beyond the border stays clear")
  func untouched() {
    let art = disk(100, x: 50, y: 50, radius: 25)
    let bordered = Outline(width: 5, color: RGBA8(255, 0, 0)).drawn(under: art)
    for (before, after) in zip(art.colors, bordered.colors) where before.alpha == 255 { #expect(before == after) }
    #expect(bordered[50, 50 + 25 + 7] == .clear)
    #expect(bordered[50, 50 + 25 + 3] == RGBA8(255, 0, 0))
  }

  @Test("a straight edge of a pixel's half gives a border that ends in a pixel's half")
  func half() {
    let art = picture(40, 40) { x, _ in x < 10 ? .black : x == 10 ? RGBA8(0, 0, 0, 128) : .clear }
    let bordered = Outline(width: 4).drawn(under: art)
    #expect(bordered[13, 20] == .white && bordered[15, 20] == .clear)
    #expect(abs(Int(bordered[14, 20].alpha) - 128) <= 2)
  }

  @Test("translucent art stands on the color, mixed in linear light")
  func translucent() {
    let art = picture(30, 30) { x, y in 10..<20 ~= x && 10..<20 ~= y ? RGBA8(0, 0, 0, 128) : .clear }
    let middle = Outline(width: 3).drawn(under: art)[15, 15]
    // 127/255 of white light: encoded 187 or 188.
    #expect(middle.alpha == 255 && 187...188 ~= Int(middle.red))
  }

  @Test("a glow has no part in the edge, and is seen on both sides of the border's")
  func glow() {
    // Alpha falls from 255 at the disk of 20 px to 0 at 50 px.
    let art = picture(140, 140) { x, y in
      let distance = (Double((x - 70) * (x - 70) + (y - 70) * (y - 70))).squareRoot()
      let alpha = min(max((50 - distance) / 30, 0), 1) * 255
      return alpha < 1 ? .clear : RGBA8(255, 160, 0, UInt8(alpha))
    }
    let bordered = Outline(width: 4).drawn(under: art)
    // A quarter of full alpha is at 42.5 px.
    #expect(bordered[70 + 45, 70].alpha == 255)
    #expect(bordered[70 + 48, 70] == art[70 + 48, 70])
  }

  @Test("art that fades in brings its border along")
  func fade() {
    let alphas = stride(from: 0.0, through: 1, by: 0.1).map {
      Int(Outline(width: 5).drawn(under: disk(80, x: 40, y: 40, radius: 20, alpha: $0))[40, 63].alpha)
    }
    #expect(alphas.first == 0 && alphas.last == 255)
    #expect(alphas == alphas.sorted())
    #expect(zip(alphas, alphas.dropFirst()).allSatisfy { $1 - $0 <= 64 })
  }

  @Test("a moving disk keeps the area of its border")
  func steady() {
    let areas = stride(from: 0.0, to: 2, by: 0.1).map {
      area(Outline(width: 5).drawn(under: disk(100, x: 50 + $0, y: 50 + $0 / 3, radius: 30)))
    }
    #expect((areas.max() ?? 0) - (areas.min() ?? 0) <= 0.005 * areas[0])
  }

  @Test("no width and no art change nothing")
  func nothing() {
    let art = disk(40, x: 20, y: 20, radius: 9)
    #expect(Outline.none.drawn(under: art) == art)
    let clear = Bitmap(size: PixelSize(square: 12))
    #expect(Outline(width: 4).drawn(under: clear) == clear)
  }

  @Test("art at the canvas's edge has its border cut there, without a fault")
  func cut() {
    let bordered = Outline(width: 10).drawn(under: disk(40, x: 0, y: 40, radius: 12))
    #expect(bordered[0, 20] == .white && bordered[20, 39] == .white && bordered[39, 0] == .clear)
  }
}
