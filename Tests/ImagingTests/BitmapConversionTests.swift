import TestSupport
import Testing

@testable import Imaging

@Suite("Transfer function and alpha")
struct BitmapConversionTests {
  @Test("every float is encoded as the nearest level")
  func rounding() {
    // All levels' own values, what lies close to where a level changes, and a fine sweep.
    var values = SRGB.linear8 + SRGB.thresholds.dropLast().flatMap { [$0, $0.nextDown, $0.nextUp] }
    values += (0...200_000).map { Float($0) / 200_000 }
    for value in values {
      let exact = SRGB.encoded(Double(value)) * 255
      #expect(abs(Double(SRGB.encode8(value)) - exact) <= 0.5 + 1e-9, "\(value)")
    }
  }

  @Test("levels survive the way to linear light and back")
  func roundTrip() {
    #expect(SRGB.linear8.map(SRGB.encode8) == Array(0...255))
  }

  @Test("values outside 0...1 and no numbers are clamped")
  func clamping() {
    #expect(SRGB.encode8(-0.1) == 0 && SRGB.encode8(-.infinity) == 0 && SRGB.encode8(.nan) == 0)
    #expect(SRGB.encode8(1.0001) == 255 && SRGB.encode8(.infinity) == 255)
  }

  @Test("every color survives at every alpha above 0")
  func alpha() {
    let art = picture(256, 255) { x, y in RGBA8(UInt8(x), UInt8(255 - x), UInt8((x * 7) % 256), UInt8(y + 1)) }
    #expect(art.linear.bitmap() == art)
  }

  @Test("clear pixels lose their hidden color")
  func clear() {
    #expect(
      Bitmap(size: PixelSize(square: 2), fill: RGBA8(9, 8, 7, 0)).linear.bitmap() == Bitmap(size: PixelSize(square: 2)))
  }

  @Test("color is divided by alpha before either is clamped")
  func overshoot() {
    let light = SRGB.linear8[200] * 1.1
    let pixel = LinearBitmap(size: PixelSize(square: 1), samples: [light, light, light, 1.1]).bitmap()
    #expect(pixel[0, 0] == RGBA8(200, 200, 200))
  }

  @Test("a matte is mixed in linear light")
  func flatten() {
    var half = LinearBitmap(size: PixelSize(square: 1), samples: [0.5, 0.5, 0.5, 0.5])
    half.flatten(over: .black)
    #expect(half.bitmap()[0, 0] == RGBA8(188, 188, 188))
    var clear = LinearBitmap(size: PixelSize(square: 3))
    clear.flatten(over: RGBA8(1, 2, 3))
    #expect(clear.bitmap() == Bitmap(size: PixelSize(square: 3), fill: RGBA8(1, 2, 3)))
    var opaque = picture(2, 2) { x, y in RGBA8(UInt8(x * 90), UInt8(y * 90), 7) }.linear
    let before = opaque.samples
    opaque.flatten(over: .white)
    #expect(opaque.samples == before)
  }

  @Test("a picture is placed on a larger canvas")
  func placing() {
    let art = picture(2, 3) { x, y in RGBA8(UInt8(x), UInt8(y), 50) }
    let placed = art.linear.placed(on: PixelSize(width: 6, height: 5), x: 3, y: 1).bitmap()
    #expect(placed == picture(6, 5) { x, y in (3..<5).contains(x) && (1..<4).contains(y) ? art[x - 3, y - 1] : .clear })
  }
}
