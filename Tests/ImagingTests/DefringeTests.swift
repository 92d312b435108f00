import Imaging
import TestSupport
import Testing

@Suite("Defringe")
struct DefringeTests {
  /// How much of each pixel two overlapping disks cover.
  private func coverage(_ x: Int, _ y: Int) -> Double {
    var inside = 0
    for i in 0..<64 {
      let (px, py) = (Double(x) + (Double(i % 8) + 0.5) / 8, Double(y) + (Double(i / 8) + 0.5) / 8)
      let first = (px - 40.2) * (px - 40.2) + (py - 45.7) * (py - 45.7) <= 30 * 30
      let second = (px - 75.4) * (px - 75.4) + (py - 60.1) * (py - 60.1) <= 27 * 27
      if first || second { inside += 1 }
    }
    return Double(inside) / 64
  }

  /// The color of the art: an orange part and a blue one.
  private func paint(_ x: Int) -> SIMD3<Double> { x < 58 ? SIMD3(230, 120, 30) : SIMD3(30, 60, 190) }

  private func art(_ color: (SIMD3<Double>, Double) -> (SIMD3<Double>, Double)) -> Bitmap {
    picture(112, 100) { x, y in
      let covered = coverage(x, y)
      guard covered > 0 else { return .clear }
      let (rgb, alpha) = color(paint(x), covered)
      let levels = rgb.rounded(.toNearestOrEven)
      return alpha == 0
        ? .clear : RGBA8(UInt8(levels.x), UInt8(levels.y), UInt8(levels.z), UInt8((alpha * 255).rounded()))
    }
  }

  private var clean: Bitmap { art { ($0, $1) } }
  /// Cut out of a page of a color, edges still mixed with it but as translucent as they were.
  private func softRim(_ matte: SIMD3<Double>) -> Bitmap { art { ($0 * $1 + matte * (1 - $1), $1) } }
  /// Cut out of a page of a color as a GIF is: every pixel that has any of the art is opaque.
  private func hardRim(_ matte: SIMD3<Double>) -> Bitmap { art { ($0 * $1 + matte * (1 - $1), 1) } }

  private func bitmap(_ raster: Raster) -> Bitmap {
    guard case .rgba8(let samples) = raster.samples else { return Bitmap(size: raster.size) }
    return Bitmap(size: raster.size, pixels: samples)
  }

  /// The root of the mean square error over black and white together, at the pixels that the art covers in part.
  private func error(_ picture: Bitmap) -> Double {
    var (sum, count) = (0.0, 0.0)
    let clean = clean
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width where 0.001..<0.999 ~= coverage(x, y) {
        for page in [0.0, 255.0] {
          for (a, b) in zip(seen(picture[x, y], page), seen(clean[x, y], page)) { sum += (a - b) * (a - b) }
          count += 3
        }
      }
    }
    return (sum / count).squareRoot()
  }

  private func seen(_ color: RGBA8, _ page: Double) -> [Double] {
    let alpha = Double(color.alpha) / 255
    return [color.red, color.green, color.blue].map { Double($0) * alpha + page * (1 - alpha) }
  }

  static let mattes: [SIMD3<Double>] = [
    SIMD3(255, 255, 255), SIMD3(0, 0, 0), SIMD3(233, 233, 235), SIMD3(0, 200, 60),
  ]

  @Test("a rim of any color at soft edges is found and taken out", arguments: mattes)
  func soft(matte: SIMD3<Double>) throws {
    let rim = softRim(matte)
    let found = try #require(rim.raster.matte())
    #expect(found.edge == .soft)
    #expect(
      (SIMD3<Double>(found.color) * 255 - matte).max() <= 12 && (matte - SIMD3<Double>(found.color) * 255).max() <= 12)
    #expect(error(bitmap(rim.raster.defringed(found))) <= 0.25 * error(rim))
  }

  @Test("a rim at hard edges is found, and becomes the transparency that it was", arguments: mattes)
  func hard(matte: SIMD3<Double>) throws {
    let rim = hardRim(matte)
    let found = try #require(rim.raster.matte())
    #expect(found.edge == .hard)
    #expect(error(bitmap(rim.raster.defringed(found))) <= 0.4 * error(rim))
  }

  /// How much of each pixel the disks cover once they were smoothed over three pixels.
  private func smoothed(_ x: Int, _ y: Int) -> Double {
    var sum = 0.0
    for dy in -1...1 { for dx in -1...1 { sum += coverage(x + dx, y + dy) * Double((2 - abs(dx)) * (2 - abs(dy))) } }
    return sum / 16
  }

  /// Cut out of a page of a color by that color: what is nearly the page goes, all else is opaque.
  private func cutOut(_ matte: SIMD3<Double>, tolerance: Double) -> Bitmap {
    picture(112, 100) { x, y in
      let share = 1 - smoothed(x, y)
      guard share <= 1 - tolerance else { return .clear }
      let rgb = (paint(x) * (1 - share) + matte * share).rounded(.toNearestOrEven)
      return RGBA8(UInt8(rgb.x), UInt8(rgb.y), UInt8(rgb.z))
    }
  }

  @Test(
    "a rim behind a ring that is nearly the matte is found and taken out",
    arguments: mattes, [0.01, 0.05])
  func cut(matte: SIMD3<Double>, tolerance: Double) throws {
    let rim = cutOut(matte, tolerance: tolerance)
    let found = try #require(rim.raster.matte())
    #expect(found.edge == .hard)
    let known = rim.raster.matte(of: SIMD3<Float>(matte) / 255)
    for matte in [found, known] {
      let mended = bitmap(rim.raster.defringed(matte))
      var (before, after) = (0.0, 0.0)
      for y in 0..<rim.size.height {
        for x in 0..<rim.size.width {
          let covered = smoothed(x, y)
          let clean = [paint(x).x, paint(x).y, paint(x).z]
          for page in [0.0, 255.0] {
            let wanted = clean.map { $0 * covered + page * (1 - covered) }
            for (a, b) in zip(seen(rim[x, y], page), wanted) { before += (a - b) * (a - b) }
            for (a, b) in zip(seen(mended[x, y], page), wanted) { after += (a - b) * (a - b) }
          }
        }
      }
      #expect(after <= 0.16 * before, "\((after / before).squareRoot())")
    }
  }

  @Test("specks of the matte beside the art do not hide the rim")
  func specks() throws {
    var rim = hardRim(SIMD3(255, 255, 255))
    for i in 0..<60 {
      for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2)] {
        rim[(i % 12) * 9 + x, (i / 12 < 2 ? 1 : 92) + (i / 12) % 2 * 3 + y] = RGBA8(253, 254, 253)
      }
    }
    #expect(try #require(rim.raster.matte()).rgba8.colorDistance(to: .white) <= 3)
  }

  @Test("16-bit art is mended alike")
  func deep() throws {
    let rim = softRim(SIMD3(255, 255, 255))
    let deep = Raster(size: rim.size, samples: .rgba16(rim.pixels.map { UInt16($0) * 257 }))
    let found = try #require(deep.matte())
    guard case .rgba16(let samples) = deep.defringed(found).samples else {
      Issue.record("still 16 bits")
      return
    }
    let expected = bitmap(rim.raster.defringed(found))
    #expect(zip(samples, expected.pixels).allSatisfy { abs(Int($0) - Int($1) * 257) <= 257 })
  }

  @Test("clean art has no rim")
  func cleanArt() {
    #expect(clean.raster.matte() == nil)
    #expect(art { ($0, $1 > 0.5 ? 1 : 0) }.raster.matte() == nil)
  }

  @Test("a contour that was drawn is no rim, black or white, soft or hard")
  func contour() {
    for line in [SIMD3<Double>(0, 0, 0), SIMD3(255, 255, 255)] {
      for isSoft in [true, false] {
        let drawn = picture(112, 100) { x, y in
          let covered = coverage(x, y)
          guard covered > (isSoft ? 0 : 0.5) else { return .clear }
          // Three pixels of line inside the edge.
          let isLine = [(-3, 0), (3, 0), (0, -3), (0, 3)].contains { coverage(x + $0.0, y + $0.1) < 0.5 }
          let rgb = isLine ? line : paint(x)
          return RGBA8(UInt8(rgb.x), UInt8(rgb.y), UInt8(rgb.z), isSoft ? UInt8((covered * 255).rounded()) : 255)
        }
        #expect(drawn.raster.matte() == nil, "line \(line), soft \(isSoft)")
      }
    }
  }

  @Test("a thin contour whose inner side is smooth is no rim", arguments: [1.0, 1.5, 2], [255.0, 250, 0])
  func thinContour(width: Double, level: Double) {
    let drawn = picture(100, 100) { x, y in
      let distance = Double((x - 50) * (x - 50) + (y - 50) * (y - 50)).squareRoot()
      guard distance <= 40 else { return .clear }
      let line = min(max(distance - (40 - width) + 0.5, 0), 1)
      let rgb = SIMD3<Double>(30, 60, 190) * (1 - line) + SIMD3(repeating: level) * line
      return RGBA8(UInt8(rgb.x), UInt8(rgb.y), UInt8(rgb.z))
    }
    #expect(drawn.raster.matte() == nil)
  }

  @Test("a soft shadow is no rim, whatever is darker: it or the art", arguments: [20.0, 60, 200])
  func shadow(level: Double) {
    let shaded = picture(112, 112) { x, y in
      let distance = Double((x - 56) * (x - 56) + (y - 56) * (y - 56)).squareRoot()
      if distance <= 36 { return RGBA8(UInt8(level), UInt8(level), UInt8(level)) }
      let alpha = 0.6 * max(0, 1 - (distance - 36) / 10)
      return alpha <= 0.01 ? .clear : RGBA8(0, 0, 0, UInt8(alpha * 255))
    }
    #expect(shaded.raster.matte() == nil)
  }

  @Test("a smooth edge over a soft shadow is no rim")
  func edgeOverShadow() {
    let shaded = picture(140, 140) { x, y in
      let distance = Double((x - 70) * (x - 70) + (y - 70) * (y - 70)).squareRoot()
      let cover = min(max(40.5 - distance, 0), 1)
      let shadow = 0.25 * min(max(1 - (distance - 40) / 14, 0), 1)
      let alpha = cover + shadow * (1 - cover)
      guard alpha >= 0.5 / 255 else { return .clear }
      let color = SIMD3<Double>(60, 140, 240) * (cover / alpha)
      return RGBA8(UInt8(color.x), UInt8(color.y), UInt8(color.z), UInt8((alpha * 255).rounded()))
    }
    #expect(shaded.raster.matte() == nil)
  }

  @Test("a line of one pixel, as pixel art has it, is no rim")
  func pixelArt() {
    let sprite = picture(64, 64) { x, y in
      let distance = max(abs(x - 32), abs(y - 32)) + min(abs(x - 32), abs(y - 32)) / 2
      return distance > 26
        ? .clear
        : distance == 26 ? RGBA8(40, 20, 30) : (x / 8 + y / 8) % 2 == 0 ? RGBA8(250, 200, 90) : RGBA8(90, 180, 220)
    }
    #expect(sprite.raster.matte() == nil)
  }

  @Test("a soft white glow is no rim")
  func glow() {
    let glowing = picture(112, 112) { x, y in
      let distance = Double((x - 56) * (x - 56) + (y - 56) * (y - 56)).squareRoot()
      if distance <= 30 { return RGBA8(40, 40, 160) }
      let alpha = max(0, 1 - (distance - 30) / 18)
      return alpha <= 0.01 ? .clear : RGBA8(255, 255, 255, UInt8(alpha * 255))
    }
    #expect(glowing.raster.matte() == nil)
  }

  @Test("pixels away from edges and opaque art stay as they are")
  func untouched() {
    let rim = hardRim(SIMD3(255, 255, 255))
    let mended = bitmap(rim.raster.defringed(Matte(color: SIMD3(1, 1, 1), edge: .hard)))
    for y in 0..<rim.size.height {
      for x in 0..<rim.size.width where coverage(x, y) == 1 {
        let deep = [(-3, 0), (3, 0), (0, -3), (0, 3)].allSatisfy { coverage(x + $0.0, y + $0.1) == 1 }
        if deep { #expect(mended[x, y] == rim[x, y]) }
      }
    }
    let opaque = Bitmap(size: PixelSize(square: 20), fill: .white).raster
    #expect(opaque.matte() == nil && opaque.defringed(Matte(color: .zero, edge: .hard)).equals(opaque))
  }
}
