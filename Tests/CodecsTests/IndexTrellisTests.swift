import Imaging
import TestSupport
import Testing

@testable import Codecs

/// A region with demands of all kinds, seeded.
private struct Region {
  let width: Int
  let height: Int
  let palette: Palette
  var targets: [SIMD4<Float>] = []
  var kinds: [AlphaKind] = []
  var weights: [Float]
  var masks: [UInt8]
  var nominal: [UInt8] = []
  var shown: [UInt8] = []

  init(width: Int, height: Int, seed: UInt64, weight: Float) {
    (self.width, self.height) = (width, height)
    var noise = Noise(seed)
    func next(_ bound: Int) -> Int { noise.next(bound) }
    let soft = [30, 60, 90, 120, 150, 180].map { (level: UInt8) in RGBA8(level, 90, 40, level) }
    var solid: [RGBA8] = []
    for level in 0..<UInt8(20) { solid.append(RGBA8(level &* 12, 255 &- level &* 9, level &* 5, 255)) }
    palette = Palette(soft + solid, reservesClear: true)
    let area = width * height
    weights = [Float](repeating: weight, count: area)
    masks = (0..<area).map { _ in UInt8(next(256)) }
    for _ in 0..<area {
      let wanted = next(palette.colors.count)
      let color = palette.colors[wanted].packed
      let shownNow = next(palette.colors.count)
      shown.append(UInt8(shownNow))
      nominal.append(UInt8(wanted))
      let isHeld = next(4) == 0
      kinds.append(isHeld ? .held : AlphaKind(of: color))
      targets.append(isHeld ? .zero : PerceptualSpace.point(color))
    }
  }

  var points: [SIMD4<Float>] { palette.colors.map { PerceptualSpace.point($0.packed) } }

  mutating func code(_ blend: Blend, after earlier: [DeflateToken] = []) -> (stream: [UInt8], tokens: [DeflateToken]) {
    let trellis = IndexTrellis(
      points: points, firstOpaque: palette.translucentCount, capacity: (width + 1) * height,
      settings: RateDistortionSettings(lambda: 1))
    var costs = DeflateCosts(literalCounts: [Float](repeating: 1, count: 256))
    if !earlier.isEmpty { costs.learn(SymbolCounts(earlier)) }
    targets.withUnsafeMutableBufferPointer { targets in
      kinds.withUnsafeBufferPointer { kinds in
        weights.withUnsafeBufferPointer { weights in
          masks.withUnsafeBufferPointer { masks in
            nominal.withUnsafeBufferPointer { nominal in
              shown.withUnsafeBufferPointer { shown in
                trellis.code(
                  IndexTrellis.Request(
                    width: width, height: height, blend: blend, targets: targets.baseAddress!,
                    kinds: kinds.baseAddress!, weights: weights.baseAddress!, masks: masks.baseAddress!,
                    nominal: nominal.baseAddress!, shown: shown.baseAddress!),
                  costs: costs)
              }
            }
          }
        }
      }
    }
    return (trellis.stream, trellis.tokens)
  }

  /// What is then seen at each pixel.
  func seen(_ stream: [UInt8], _ blend: Blend) -> [UInt8] {
    (0..<width * height).map { pixel in
      let byte = stream[pixel / width * (width + 1) + 1 + pixel % width]
      return blend == .over && byte == 0 ? shown[pixel] : byte
    }
  }
}

@Suite struct IndexTrellisTests {
  private static let weights: [Float] = [1e-5, 0.01, 1, 1000]

  @Test(arguments: weights, [Blend.source, .over]) func `the tokens spell the stream, filter bytes are 0`(
    weight: Float, blend: Blend
  ) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var region = Region(width: 37, height: 29, seed: seed, weight: weight)
      let (stream, tokens) = region.code(blend)
      var bytes: [UInt8] = []
      for token in tokens {
        if token.isLiteral {
          bytes.append(UInt8(token.packed))
        } else {
          #expect(token.distance <= bytes.count)
          for _ in 0..<token.length { bytes.append(bytes[bytes.count - token.distance]) }
        }
      }
      #expect(bytes == stream)
      #expect(stride(from: 0, to: stream.count, by: region.width + 1).allSatisfy { stream[$0] == 0 })
    }
  }

  @Test(arguments: weights) func `however dear bytes are, what is held stays and no kind of alpha is traded`(
    weight: Float
  ) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var region = Region(width: 41, height: 23, seed: seed, weight: weight)
      let (stream, _) = region.code(.source)
      let seen = region.seen(stream, .source)
      for (pixel, kind) in region.kinds.enumerated() {
        if kind == .held {
          #expect(seen[pixel] == region.shown[pixel])
        } else {
          #expect(kind.allows(Int(seen[pixel]), firstOpaque: region.palette.translucentCount))
        }
      }
    }
  }

  @Test(arguments: weights) func `over a canvas only opaque colors are drawn, and what is held stays`(weight: Float) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var region = Region(width: 41, height: 23, seed: seed, weight: weight)
      // Only opaque pixels may be asked to change.
      for pixel in region.kinds.indices where region.kinds[pixel] != .opaque {
        (region.kinds[pixel], region.targets[pixel]) = (.held, .zero)
      }
      let (stream, _) = region.code(.over)
      let seen = region.seen(stream, .over)
      for (pixel, kind) in region.kinds.enumerated() {
        let byte = Int(stream[pixel / 41 * 42 + 1 + pixel % 41])
        #expect(byte == 0 || byte >= region.palette.translucentCount)
        if kind == .held { #expect(seen[pixel] == region.shown[pixel]) }
        if kind == .opaque { #expect(seen[pixel] >= region.palette.translucentCount) }
      }
    }
  }

  @Test func `where errors are dear, every pixel shows what it asks for`() {
    var region = Region(width: 30, height: 30, seed: 9, weight: 1000)
    let (stream, _) = region.code(.source)
    let seen = region.seen(stream, .source)
    for (pixel, kind) in region.kinds.enumerated() where kind != .held { #expect(seen[pixel] == region.nominal[pixel]) }
  }

  @Test func `a long copy is one token`() {
    var region = Region(width: 257, height: 8, seed: 1, weight: 1)
    let flat = region.palette.colors.count - 1
    for pixel in region.kinds.indices {
      (region.kinds[pixel], region.nominal[pixel], region.shown[pixel]) = (.opaque, UInt8(flat), 0)
      region.targets[pixel] = region.points[flat]
    }
    let tokens = region.code(.source).tokens
    #expect(tokens.contains { $0.length == 258 })
    let pairs = zip(tokens, tokens.dropFirst())
    #expect(pairs.allSatisfy { $1.isLiteral || $0.extended(by: $1.span, distance: $1.distance) == nil })
  }

  @Test func `a copy may begin before the place that gave it away`() {
    // Rows of noise, then the same rows in another order, but for shades that hide the beginning of each.
    var region = Region(width: 40, height: 48, seed: 2, weight: 0.002)
    let solid = region.palette.translucentCount..<region.palette.colors.count
    for pixel in region.kinds.indices {
      let (row, column) = (pixel / 40, pixel % 40)
      let source = row < 24 ? row : row * 7 % 24
      let noise = (UInt32(source * 40 + column + 1) &* 2_654_435_761) >> 20
      var wanted = solid.lowerBound + Int(noise) % (solid.count - 1)
      if row >= 24, column < 7, column % 2 == 0 { wanted += 1 }
      (region.kinds[pixel], region.nominal[pixel], region.shown[pixel]) = (.opaque, UInt8(wanted), 0)
      region.targets[pixel] = region.points[wanted]
    }
    var place = 0
    var literals = 0
    for token in region.code(.source).tokens {
      if place >= 41 * 25, token.isLiteral { literals += 1 }
      place += token.span
    }
    #expect(literals < 20)
  }

  @Test func `tokens take fewer bytes than quick levels of libdeflate do, pressed fewer than all`() {
    // Shading with grain, as a photo has it; of flat art both make about the same.
    var noise = Noise()
    var (written, pressed, quick, last) = (0, 0, 0, 0)
    for bend in [70, 80, 90, 100] {
      var region = Region(width: 300, height: 200, seed: 6, weight: 0.01)
      for pixel in region.kinds.indices {
        let (row, column) = (pixel / 300, pixel % 300)
        let grain = Int(noise.byte()) % 3
        let wanted = region.palette.translucentCount + (row / 3 + column / 4 + row * column / bend + grain) % 20
        (region.kinds[pixel], region.nominal[pixel], region.shown[pixel]) = (.opaque, UInt8(wanted), 0)
        region.targets[pixel] = region.points[wanted]
      }
      // As in an animation, prices are those of a frame before.
      var before = region
      let (stream, tokens) = region.code(.source, after: before.code(.source).tokens)
      let own = DeflateWriter.zlib(tokens, yielding: stream)
      #expect(inflate(own, to: stream.count) == stream)
      written += own.count
      pressed += press(stream, likely: SymbolCounts(tokens), .quick).count
      quick += Deflater(level: 7).zlib(stream).count
      last += Deflater(level: 12).zlib(stream).count
    }
    #expect(written < quick)
    #expect(pressed < last)
  }

  @Test func `where errors are cheap, fewer bits are spent`() {
    var dear = Region(width: 64, height: 64, seed: 4, weight: 1)
    var cheap = Region(width: 64, height: 64, seed: 4, weight: 1e-4)
    let (much, little) = (dear.code(.source).tokens, cheap.code(.source).tokens)
    #expect(SymbolCounts(little).estimatedBytes < 0.8 * SymbolCounts(much).estimatedBytes)
  }

  @Test func `four errors at once are each error alone`() {
    let demand = Demand(
      table: UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: 256), target: SIMD4(3, 1, -4, 0.5), weight: 12.5,
      nominal: 0, kept: 0, shown: 0, isHeld: false)
    defer { demand.table.deallocate() }
    for i in 0..<256 {
      demand.table[i] = SIMD4(Float(i) * 0.7, Float(i % 13), Float(i % 7) - 3, i % 50 == 49 ? 1e9 : 0)
    }
    for i in stride(from: 0, to: 256, by: 4) {
      let bytes = (0..<4).map { UInt8(i + $0) }
      let together = demand.errors(of: bytes[0], bytes[1], bytes[2], bytes[3])
      for lane in 0..<4 { #expect(abs(together[lane] - demand.error(of: bytes[lane])) <= 1) }
    }
  }
}

@Suite struct TemporalSmootherTests {
  @Test(arguments: [Float(0.5), 8, 60, 900]) func `every pixel takes the sequence of least cost`(lambda: Float) {
    let palette = Palette(
      [RGBA8(10, 10, 10, 255), RGBA8(24, 20, 22, 255), RGBA8(60, 64, 58, 255)], reservesClear: false)
    let points = palette.colors.map { PerceptualSpace.point($0.packed) }
    let size = PixelSize(width: 5, height: 4)
    let count = 5
    var noise = Noise(77)
    let frames = (0..<count).map { _ in
      Bitmap(
        size: size,
        pixels: (0..<size.area).flatMap { _ -> [UInt8] in
          let level = UInt8(noise.next(64))
          return [level, level, level, 255]
        })
    }
    let remapper = Remapper(palette)
    let nominal = frames.map { remapper.remap($0).indices }
    let weights = [[UInt8]](repeating: [UInt8](repeating: 255, count: size.area), count: count)
    var planes = nominal
    TemporalSmoother(points: points, firstOpaque: palette.translucentCount, lambda: lambda)
      .smooth(&planes, frames: frames[...], weights: weights[...])
    func cost(_ sequence: [Int], _ pixel: Int) -> Float {
      var sum: Float = 0
      for t in 0..<count {
        let target = frames[t].withPackedPixels { PerceptualSpace.point($0[pixel]) }
        sum += squaredLength(points[sequence[t]] - target)
        if t > 0, sequence[t] != sequence[t - 1] { sum += lambda }
      }
      return sum
    }
    for pixel in 0..<size.area {
      let allowed = Set((0..<count).map { Int(nominal[$0][pixel]) }).sorted()
      var best = Float.infinity
      var sequence = [Int](repeating: 0, count: count)
      func explore(_ t: Int) {
        if t == count {
          best = min(best, cost(sequence, pixel))
          return
        }
        for index in allowed {
          sequence[t] = index
          explore(t + 1)
        }
      }
      explore(0)
      let found = cost(planes.map { Int($0[pixel]) }, pixel)
      #expect(found <= best * 1.0001 + 0.001)
    }
  }
}
