import Testing

@testable import Imaging

/// A picture from a function of the pixel's middle; color straight.
private func drawn(_ width: Int, _ height: Int, _ pixel: (Double, Double) -> RGBA8) -> LinearBitmap {
  var bitmap = Bitmap(size: PixelSize(width: width, height: height))
  for y in 0..<height {
    for x in 0..<width { bitmap[x, y] = pixel(Double(x) + 0.5, Double(y) + 0.5) }
  }
  return bitmap.linear
}

/// How far inside a rounded square a point lies, as antialiased coverage.
private func coverage(_ x: Double, _ y: Double, from low: Double, to high: Double, radius: Double) -> Double {
  let (middle, half) = ((low + high) / 2, (high - low) / 2)
  let (dx, dy) = (max(abs(x - middle) - half + radius, 0), max(abs(y - middle) - half + radius, 0))
  return min(max(radius - (dx * dx + dy * dy).squareRoot() + 0.5, 0), 1)
}

private func disc(_ x: Double, _ y: Double, _ middle: Double, _ radius: Double) -> Double {
  let (dx, dy) = (x - middle, y - middle)
  return min(max(radius - (dx * dx + dy * dy).squareRoot() + 0.5, 0), 1)
}

private func level(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255) + 0.5) }

private let side = 256
private let orange = RGBA8(255, 153, 0)

private func compose(_ master: LinearBitmap, background: RGBA8 = .white) -> IconComposition {
  IconComposition(master, shape: IconShape(of: master), background: background)
}

private func isNear(_ a: RGBA8, _ b: RGBA8, _ tolerance: Int) -> Bool {
  abs(Int(a.red) - Int(b.red)) <= tolerance && abs(Int(a.green) - Int(b.green)) <= tolerance
    && abs(Int(a.blue) - Int(b.blue)) <= tolerance && a.alpha == 255
}

private func allPixels(_ bitmap: Bitmap, _ test: (RGBA8) -> Bool) -> Bool {
  (0..<bitmap.size.height).allSatisfy { y in (0..<bitmap.size.width).allSatisfy { test(bitmap[$0, y]) } }
}

@Suite struct IconShapes {
  @Test func `a picture without translucent pixels is opaque`() {
    #expect(IconShape(of: drawn(32, 32) { _, _ in orange }) == .opaque)
    #expect(IconShape(of: drawn(32, 32) { x, _ in RGBA8(1, 2, 3, x < 31 ? 255 : 254) }) != .opaque)
  }

  @Test(arguments: [0.1, 0.225, 0.28, 0.38])
  func `a rounded square over the whole canvas is a plate`(radius: Double) {
    let master = drawn(side, side) { x, y in
      RGBA8(255, 153, 0, level(255 * coverage(x, y, from: 0, to: 256, radius: radius * 256)))
    }
    #expect(IconShape(of: master) == .plate(PixelRect(x: 0, y: 0, width: side, height: side)))
  }

  @Test func `a shadow and margins are no part of a plate`() {
    let master = drawn(side, side) { x, y in
      let plate = coverage(x, y, from: 25, to: 231, radius: 46)
      let shadow = 0.5 * coverage(x, y - 3, from: 20, to: 236, radius: 51)
      return RGBA8(90, 90, 90, level(255 * (plate + shadow * (1 - plate))))
    }
    #expect(IconShape(of: master) == .plate(PixelRect(x: 25, y: 25, width: 206, height: 206)))
  }

  @Test func `a disc, a ring, a small square and a slab are logos`() {
    let masters = [
      drawn(side, side) { x, y in RGBA8(255, 0, 0, level(255 * disc(x, y, 128, 128))) },
      drawn(side, side) { x, y in
        let ring = coverage(x, y, from: 30, to: 226, radius: 20) - coverage(x, y, from: 60, to: 196, radius: 10)
        return RGBA8(0, 0, 255, level(255 * ring))
      },
      drawn(side, side) { x, y in RGBA8(0, 0, 255, abs(x - 128) < 60 && abs(y - 128) < 60 ? 255 : 0) },
      drawn(side, side) { x, y in RGBA8(0, 0, 255, abs(x - 128) < 110 && abs(y - 128) < 90 ? 255 : 0) },
      drawn(side, side) { _, _ in .clear }, drawn(side, side) { _, _ in RGBA8(0, 0, 0, 128) },
    ]
    for master in masters { #expect(IconShape(of: master) == .logo) }
  }

  @Test func `a plate need not be square where it becomes no square`() {
    let master = drawn(200, 150) { x, y in RGBA8(9, 9, 9, abs(x - 100) > 90 && abs(y - 75) > 65 ? 0 : 255) }
    #expect(IconShape(of: master, square: false) == .plate(PixelRect(x: 0, y: 0, width: 200, height: 150)))
    #expect(IconShape(of: master) == .logo)
  }
}

@Suite struct IconCompositions {
  /// IC-01: an opaque master's icons are its resampling.
  @Test func `an opaque master is only resampled`() {
    let master = drawn(64, 64) { x, y in RGBA8(level(x * 4), level(y * 4), 99) }
    let size = PixelSize(square: 29)
    #expect(compose(master).render(size) == Resampler.resample(master, to: size).bitmap())
    #expect(compose(master).render(PixelSize(square: 64)) == master.bitmap())
  }

  /// IC-04: flat corners are the plate's own color exactly, hidden black or not, at every size.
  @Test(arguments: [side, 87, 29])
  func `rounded corners take the plate's own color`(target: Int) {
    let master = drawn(side, side) { x, y in
      let alpha = level(255 * coverage(x, y, from: 0, to: 256, radius: 72))
      return alpha == 0 ? .clear : RGBA8(255, 153, 0, alpha)
    }
    let icon = compose(master, background: .black).render(PixelSize(square: target))
    #expect(allPixels(icon) { isNear($0, orange, 0) })
  }

  @Test func `a rim mixed with a shadow leaves no dark line`() {
    // The shadow lies under the antialiased rim, so that the rim itself is dark.
    let master = drawn(side, side) { x, y in
      let plate = coverage(x, y, from: 25, to: 231, radius: 46)
      let shadow = 0.6 * coverage(x, y - 3, from: 20, to: 236, radius: 51)
      let alpha = plate + shadow * (1 - plate)
      return alpha == 0
        ? .clear : RGBA8(level(255 * plate / alpha), level(153 * plate / alpha), 0, level(255 * alpha))
    }
    let composition = compose(master, background: .black)
    #expect(composition.hasFilledCorners && composition.size == PixelSize(square: 202))
    #expect(allPixels(composition.render(PixelSize(square: 128))) { isNear($0, orange, 1) })
    #expect(allPixels(composition.widened(to: 280).render(PixelSize(width: 120, height: 90))) { isNear($0, orange, 1) })
  }

  @Test func `a gradient goes on into the corners`() {
    let color = { (x: Double, y: Double) in RGBA8(level((x + y) / 2), 80, level(255 - (x + y) / 2)) }
    let master = drawn(side, side) { x, y in
      var pixel = color(x, y)
      pixel.alpha = level(255 * coverage(x, y, from: 0, to: 256, radius: 58))
      return pixel
    }
    let icon = compose(master).art.bitmap()
    for (x, y) in [(0, 0), (255, 0), (0, 255), (255, 255), (8, 8), (20, 3), (250, 250)] {
      #expect(isNear(icon[x, y], color(Double(x) + 0.5, Double(y) + 0.5), 8), "\(x), \(y): \(icon[x, y])")
    }
  }

  @Test func `corners that differ stay apart and nothing overshoots`() {
    let master = drawn(128, 128) { x, y in
      RGBA8(x < 64 ? 200 : 40, y < 64 ? 180 : 60, 90, level(255 * coverage(x, y, from: 0, to: 128, radius: 36)))
    }
    let icon = compose(master).art.bitmap()
    #expect(isNear(icon[0, 0], RGBA8(200, 180, 90), 1) && isNear(icon[127, 0], RGBA8(40, 180, 90), 1))
    #expect(isNear(icon[0, 127], RGBA8(200, 60, 90), 1) && isNear(icon[127, 127], RGBA8(40, 60, 90), 1))
  }

  @Test func `a hole in a plate shows the background`() {
    let master = drawn(side, side) { x, y in
      let alpha = coverage(x, y, from: 0, to: 256, radius: 40) - disc(x, y, 128, 40)
      return RGBA8(255, 153, 0, level(255 * alpha))
    }
    let composition = compose(master, background: RGBA8(0, 0, 255))
    #expect(composition.background == RGBA8(0, 0, 255))
    let icon = composition.render(PixelSize(square: 64))
    #expect(isNear(icon[32, 32], RGBA8(0, 0, 255), 0) && isNear(icon[0, 0], orange, 0))
  }

  /// IC-02.
  @Test func `a logo stands on its background and mixes with nothing else`() {
    let (red, blue) = (RGBA8(255, 0, 0), RGBA8(0x1E, 0x88, 0xE5))
    let master = drawn(side, side) { x, y in RGBA8(255, 0, 0, level(255 * disc(x, y, 128, 80))) }
    let icon = compose(master, background: blue).render(PixelSize(square: 87))
    #expect(isNear(icon[0, 0], blue, 0) && isNear(icon[86, 10], blue, 0) && isNear(icon[43, 43], red, 0))
    // On the line from red to blue in linear light.
    #expect(
      allPixels(icon) { pixel in
        let part = SRGB.linear8[Int(pixel.blue)] / SRGB.linear8[0xE5]
        let green = SRGB.encode8(SRGB.linear8[0x88] * part)
        return abs(Int(green) - Int(pixel.green)) <= 2 && pixel.red >= 0x1E
      })
  }

  /// IC-03.
  @Test(arguments: [256, 180, 87, 58])
  func `a white logo with black hidden around it gets no dark rim`(target: Int) {
    let master = drawn(side, side) { x, y in
      let alpha = level(255 * disc(x, y, 128, 100))
      return alpha == 0 ? .clear : RGBA8(255, 255, 255, alpha)
    }
    let icon = compose(master, background: RGBA8(0, 122, 255)).render(PixelSize(square: target))
    #expect(allPixels(icon) { $0.blue >= 253 && $0.green >= 120 && $0.alpha == 255 })
  }

  @Test func `a translucent background counts as opaque`() {
    let icon = compose(drawn(16, 16) { _, _ in .clear }, background: RGBA8(9, 8, 7, 10)).render(PixelSize(square: 4))
    #expect(allPixels(icon) { $0 == RGBA8(9, 8, 7) })
  }

  /// IC-08: circles stay circles, on a logo's background and on an opaque plate.
  @Test(arguments: [(180, 135), (148, 110), (134, 100), (81, 60), (256, 192)], [true, false])
  func `wide icons show the whole square unstretched`(target: (Int, Int), isLogo: Bool) {
    let blue = RGBA8(20, 60, 200)
    let master = drawn(side, side) { x, y in
      let part = disc(x, y, 128, 75)
      if isLogo { return RGBA8(255, 255, 255, level(255 * part)) }
      return RGBA8(level(20 + 235 * part), level(60 + 195 * part), level(200 + 55 * part))
    }
    let icon = compose(master, background: blue).widened(to: 350)
      .render(PixelSize(width: target.0, height: target.1))
    #expect(isNear(icon[0, 0], blue, 1) && isNear(icon[target.0 - 1, target.1 / 2], blue, 1))
    // The disc's extent along the middle lines, by how much of it there is.
    func part(_ pixel: RGBA8) -> Double { (Double(SRGB.linear8[Int(pixel.red)]) - 0.007) / 0.993 }
    let width = (0..<target.0).reduce(0) { $0 + part(icon[$1, target.1 / 2]) }
    let height = (0..<target.1).reduce(0) { $0 + part(icon[target.0 / 2, $1]) }
    #expect(abs(width / height - 1) <= 0.02, "\(width) x \(height)")
    #expect(abs(height / Double(target.1) - 150.0 / 256) < 0.01)
  }

  @Test func `sides continue each row's own color without a seam`() {
    let color = { (y: Double) in RGBA8(level(y * 2), 100, level(255 - y * 2)) }
    let master = drawn(128, 128) { _, y in color(y) }
    let wide = compose(master).widened(to: 174).art.bitmap()
    #expect(wide.size == PixelSize(width: 174, height: 128))
    for y in 4..<124 {
      for x in [0, 10, 22, 23, 150, 151, 173] { #expect(isNear(wide[x, y], color(Double(y) + 0.5), 3)) }
    }
  }

  @Test func `a gradient across goes on beyond the sides`() {
    let master = drawn(128, 128) { x, _ in RGBA8(level(40 + x), 100, level(200 - x)) }
    let wide = compose(master).widened(to: 174).art.bitmap()
    let reds = (0..<174).map { Int(wide[$0, 64].red) }
    #expect(zip(reds, reds.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 <= 2 })
    #expect(reds[0] <= reds[23] - 8 && reds[173] >= reds[150] + 8)
  }

  @Test func `noise does not run out in streaks`() {
    var state: UInt64 = 1
    let master = drawn(128, 128) { _, _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return RGBA8(100 + UInt8(state >> 58), 120, 130)
    }
    let wide = compose(master).widened(to: 174).art.bitmap()
    func roughness(_ x: Int) -> Int {
      (1..<128).reduce(0) { $0 + abs(Int(wide[x, $1].red) - Int(wide[x, $1 - 1].red)) }
    }
    #expect(roughness(0) * 5 < roughness(24) && roughness(173) * 5 < roughness(150))
  }

  /// IC-09: cells of a grid stay square.
  @Test func `a master that is not square is padded or cut, and stretched only when asked`() {
    let master = drawn(100, 96) { x, y in Int(x) % 8 == 0 || Int(y) % 8 == 0 ? .black : .white }
    let contained = compose(master).squared(.contain).art
    #expect(contained.size == PixelSize(square: 100))
    #expect(
      contained.cropped(to: PixelRect(x: 0, y: 4, width: 100, height: 90)).bitmap()
        == master.cropped(to: PixelRect(x: 0, y: 2, width: 100, height: 90)).bitmap())
    let covered = compose(master).squared(.cover).art
    #expect(covered.bitmap() == master.cropped(to: PixelRect(x: 2, y: 0, width: 96, height: 96)).bitmap())
    #expect(compose(master).squared(.fill).size == PixelSize(square: 100))
  }

  @Test(arguments: [PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 2), PixelSize(width: 2, height: 7)])
  func `the tiniest masters are composed`(size: PixelSize) {
    for alpha in [UInt8(255), 250, 100, 0] {
      let master = drawn(size.width, size.height) { _, _ in RGBA8(50, 60, 70, alpha) }
      for fit in Fit.allCases {
        let square = compose(master).squared(fit)
        #expect(allPixels(square.render(PixelSize(square: 29))) { $0.alpha == 255 })
        let wide = square.widened(to: square.size.height * 2).render(PixelSize(width: 27, height: 20))
        #expect(allPixels(wide) { $0.alpha == 255 })
      }
    }
  }
}
