import TestSupport
import Testing

@testable import Imaging

@Suite struct QuantizationTests {
  struct Noise {
    private var state: UInt64 = 88_172_645_463_325_252
    mutating func byte() -> UInt8 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  func picture(_ side: Int, _ color: (Int, Int) -> RGBA8) -> Bitmap {
    var bitmap = Bitmap(size: PixelSize(square: side))
    for y in 0..<side { for x in 0..<side { bitmap[x, y] = color(x, y) } }
    return bitmap
  }

  /// Quantizes frames together and shows them again.
  func shown(_ frames: [Bitmap], colors: Int = 256, reservesClear: Bool = true) -> [Bitmap] {
    let histogram = ColorHistogram()
    for frame in frames { histogram.add(frame) }
    let palette = Quantizer(histogram).palette(colors, reservesClear: reservesClear)
    #expect(palette.colors.count <= colors)
    let remapper = Remapper(palette)
    return frames.map { frame in
      let plane = remapper.remap(frame)
      var output = Bitmap(size: frame.size)
      for i in 0..<frame.size.area {
        output[i % frame.size.width, i / frame.size.width] = palette.colors[Int(plane.indices[i])]
      }
      return output
    }
  }

  /// A disc with an edge of `edge` pixels, anti-aliased or feathered.
  func disc(_ side: Int, radius: Double, edge: Double, color: (Int, Int) -> RGBA8) -> Bitmap {
    picture(side) { x, y in
      let center = Double(side) / 2
      let (dx, dy) = (Double(x) + 0.5 - center, Double(y) + 0.5 - center)
      let cover = max(0, min(1, (radius - (dx * dx + dy * dy).squareRoot()) / edge + 0.5))
      var own = color(x, y)
      own.alpha = UInt8((cover * 255).rounded())
      return own.alpha == 0 ? RGBA8(0, 0, 0, 0) : own
    }
  }

  @Test(arguments: [4, 17, 256])
  func `every color gets the nearest entry, the first of equally near ones`(_ colors: Int) {
    var noise = Noise()
    func color(_ alpha: UInt8) -> RGBA8 { RGBA8(noise.byte(), noise.byte(), noise.byte(), alpha) }
    let palette = Palette(
      (0..<colors - 1).map { $0 % 3 == 0 ? color(UInt8(1 + $0 % 249)) : color(255) }, reservesClear: true)
    let remapper = Remapper(palette)
    let side = 96
    let art = picture(side) { x, y in color(y < side / 2 ? 255 : UInt8(5 + (x * 7 + y) % 245)) }
    let indices = remapper.remap(art).indices
    art.withPackedPixels { pixels in
      for i in 0..<pixels.count {
        let point = PerceptualSpace.point(pixels[i])
        let isOpaque = pixels[i] >= 0xFF00_0000
        let allowed = palette.colors.indices.filter { !isOpaque || palette.colors[$0].alpha == 255 }
        let gaps = allowed.map { PerceptualSpace.distance(PerceptualSpace.point(palette.colors[$0].packed), point) }
        let nearest = allowed[gaps.indices.min { (gaps[$0], $0) < (gaps[$1], $1) }!]
        #expect(Int(indices[i]) == nearest)
      }
    }
  }

  @Test func `nearly opaque colors become opaque with the least error over black and white`() {
    for alpha in 250...254 {
      for value in 0...255 {
        let color = RGBA8(UInt8(value), UInt8(255 - value), 128, UInt8(alpha))
        let snapped = RGBA8(packed: snappedColor(color.packed))
        #expect(snapped.alpha == 255)
        for (old, new) in [(color.red, snapped.red), (color.green, snapped.green), (color.blue, snapped.blue)] {
          let onBlack = Double(old) * Double(alpha) / 255
          let onWhite = onBlack + Double(255 - alpha)
          // The best is the middle between the two; rounding moves it by half a step.
          let half = Double(255 - alpha) / 2 + 0.5 + 1e-9
          #expect(abs(Double(new) - onBlack) <= half && abs(Double(new) - onWhite) <= half)
        }
      }
    }
    #expect(snappedColor(RGBA8(9, 8, 7, 255).packed) == RGBA8(9, 8, 7, 255).packed)
    #expect(snappedColor(RGBA8(9, 8, 7, 249).packed) == RGBA8(9, 8, 7, 249).packed)
    #expect(snappedColor(RGBA8(9, 8, 7, 4).packed) == 0)
  }

  @Test func `a wide glow keeps its levels in order`() {
    let frames = (0..<12).map { i in
      picture(204) { x, y in
        let (dx, dy) = (Double(x - 102 - i * 2), Double(y - 102))
        let alpha = 255 * (1 - (dx * dx + dy * dy).squareRoot() / 102)
        return alpha < 0.5 ? .clear : RGBA8(255, 255, 255, UInt8(alpha))
      }
    }
    let output = shown(frames)[0]
    let radius = (102..<204).map { Int(output[$0, 102].alpha) }
    for (inner, outer) in zip(radius, radius.dropFirst()) { #expect(outer <= inner + 12) }
    #expect(Set(radius).count >= 20)
  }

  @Test func `a soft edge stays soft`() {
    var noise = Noise()
    let body = (0..<300).map { _ in RGBA8(noise.byte(), noise.byte(), noise.byte()) }
    let source = disc(310, radius: 150, edge: 4) { x, y in body[(x / 9 * 7 + y / 9 * 13) % 300] }
    let soft = softPixels(of: source, in: shown([source])[0])
    #expect(soft.kept * 10 >= soft.count * 9)
    #expect(soft.error <= soft.count * 10)
  }

  @Test func `no dark specks on a bright edge`() {
    var noise = Noise()
    let body = (0..<300).map { _ in RGBA8(noise.byte(), noise.byte(), noise.byte()) }
    let source = disc(310, radius: 150, edge: 1.5) { x, y in
      let (dx, dy) = (x - 155, y - 155)
      return dx * dx + dy * dy > 130 * 130 ? RGBA8(255, 210, 0) : body[(x * 7 + y * 13) % 300]
    }
    let output = shown([source])[0]
    for y in 0..<310 {
      for x in 0..<310 where (32..<255).contains(source[x, y].alpha) {
        let color = output[x, y]
        #expect(abs(Int(color.red) - 255) <= 40 && abs(Int(color.green) - 210) <= 40 && color.blue <= 40)
      }
    }
  }

  @Test func `opaque stays opaque and clear stays clear`() {
    var noise = Noise()
    let source = picture(100) { x, _ in
      RGBA8(noise.byte(), noise.byte(), noise.byte(), x < 30 ? 0 : x < 60 ? 255 : noise.byte())
    }
    for colors in [4, 16, 256] {
      let output = shown([source], colors: colors)[0]
      for y in 0..<100 {
        for x in 0..<60 { #expect(output[x, y].alpha == source[x, y].alpha) }
      }
    }
  }

  @Test func `a flat fill among many colors is exact`() {
    var noise = Noise()
    let flat = RGBA8(13, 171, 201)
    let source = picture(100) { x, _ in x < 40 ? flat : RGBA8(noise.byte(), noise.byte(), noise.byte()) }
    let output = shown([source], colors: 32)[0]
    #expect((0..<40).allSatisfy { output[$0, 50] == flat })
  }

  @Test func `few colors are kept as they are`() {
    let source = picture(16) { x, y in RGBA8(UInt8(x * 16), UInt8(y / 4 * 60), 0, y < 2 ? 128 : 255) }
    #expect(shown([source])[0] == source)
  }

  @Test func `the nearest entry is found as by looking at all`() {
    var noise = Noise()
    let points = (0..<200).map { i in
      (
        point: PerceptualSpace.point(RGBA8(noise.byte(), noise.byte(), noise.byte(), noise.byte() | 128).packed),
        number: i
      )
    }
    let search = NearestPoint(points)
    for _ in 0..<2000 {
      let query = PerceptualSpace.point(RGBA8(noise.byte(), noise.byte(), noise.byte(), noise.byte()).packed)
      let least = points.map { PerceptualSpace.distance($0.point, query) }.min()
      #expect(search.nearest(to: query).distance == least)
    }
  }

  @Test func `a place names its color again`() {
    var noise = Noise()
    for _ in 0..<1000 {
      let color = RGBA8(noise.byte(), noise.byte(), noise.byte())
      #expect(PerceptualSpace.color(at: PerceptualSpace.point(color.packed)) == color)
    }
    #expect(PerceptualSpace.color(at: PerceptualSpace.point(0)) == .clear)
  }

  @Test func `distance is the error in luma for opaque grays and no less than that on black and white for others`() {
    let solid = PerceptualSpace.point(RGBA8(200, 200, 200).packed)
    #expect(abs(PerceptualSpace.distance(solid, PerceptualSpace.point(RGBA8(180, 180, 180).packed)) - 400) < 0.5)
    let faint = PerceptualSpace.point(RGBA8(100, 100, 100, 51).packed)
    let (onBlack, onWhite) = (200.0 - 20.0, 200.0 - (20.0 + 204.0))
    #expect(Double(PerceptualSpace.distance(solid, faint)) >= (onBlack * onBlack + onWhite * onWhite) / 2)
  }

  @Test func `more colors than the histogram holds are counted coarsely`() {
    var noise = Noise()
    let flat = RGBA8(1, 2, 3)
    let source = picture(420) { x, _ in x < 100 ? flat : RGBA8(noise.byte(), noise.byte(), noise.byte(), 255) }
    let histogram = ColorHistogram()
    histogram.add(source)
    let entries = histogram.entries
    #expect(entries.reduce(0) { $0 + $1.weight } == 420 * 420)
    #expect(entries.count < 100_000)
    #expect(entries.contains { $0.color == flat.packed })
  }

  @Test func `distinct colors stop at the limit`() {
    var few = DistinctColors(limit: 4)
    few.add(picture(4) { x, _ in RGBA8(UInt8(x), 0, 0) })
    #expect(few.counts.count == 4 && !few.isOverLimit)
    few.add(picture(4) { _, _ in RGBA8(9, 9, 9, 0) })
    #expect(few.isOverLimit)
    var hidden = DistinctColors()
    hidden.add(picture(4) { x, y in RGBA8(UInt8(x), UInt8(y), 0, 0) })
    #expect(hidden.counts == [0: 16])
  }
}
