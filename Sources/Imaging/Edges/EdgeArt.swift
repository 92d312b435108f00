/// A picture whose edges are looked at: color and alpha of a pixel, and what color lies inside of it.
struct EdgeArt {
  /// A pixel of an edge.
  struct EdgePixel {
    /// Its place in the order of rows.
    var index: Int
    /// Its color, 0 to 1.
    var color: SIMD3<Float>
    /// Its alpha, 0 to 1.
    var alpha: Float
    /// The color of the art beside it.
    var inner: SIMD3<Float>
  }

  /// What a pixel becomes.
  struct Repair {
    var index: Int
    var color: SIMD3<Float>
    var alpha: Float
  }

  /// How far inside a color is looked for, in pixels.
  private static let reach = 3

  let raster: Raster
  let size: PixelSize
  /// 0 clear, 255 opaque, else between.
  private var alphas: [UInt8]

  /// Looks at a picture; nil where it has no alpha or no clear pixel.
  init?(_ raster: Raster) {
    self.raster = raster
    size = raster.size
    switch raster.samples {
    case .cmyk8: return nil
    case .rgba8(let samples): alphas = stride(from: 3, to: samples.count, by: 4).map { samples[$0] }
    case .rgba16(let samples):
      alphas = stride(from: 3, to: samples.count, by: 4).map {
        samples[$0] == 0 ? 0 : samples[$0] == .max ? 255 : UInt8(min(max(samples[$0] >> 8, 1), 254))
      }
    }
    if !alphas.contains(0) || !alphas.contains(255) { return nil }
  }

  /// Soft where at least one in five of the pixels beside clear ones is translucent.
  var edge: Matte.Edge {
    var (soft, all) = (0, 0)
    forEachBesideClear { i in
      all += 1
      if alphas[i] < 255 { soft += 1 }
    }
    return soft * 5 >= all ? .soft : .hard
  }

  /// How many pixels are neither clear nor opaque.
  var translucentCount: Int { alphas.count { 1..<255 ~= $0 } }

  /// The translucent pixels that have an opaque one within reach.
  func softPixels() -> [EdgePixel] {
    alphas.indices.compactMap { i in
      guard 1..<255 ~= alphas[i], let inner = inner(of: i, where: { alphas[$0] == 255 }) else { return nil }
      return EdgePixel(index: i, color: color(i), alpha: Float(alphas[i]) / 255, inner: inner)
    }
  }

  /// The opaque pixels beside clear ones that have one not beside any within reach.
  func hardPixels() -> [EdgePixel] {
    var found: [EdgePixel] = []
    forEachBesideClear { i in
      guard alphas[i] == 255, let inner = inner(of: i, where: { alphas[$0] == 255 && !isBesideClear($0) }) else {
        return
      }
      found.append(EdgePixel(index: i, color: color(i), alpha: 1, inner: inner))
    }
    return found
  }

  /// The opaque pixels of the two rings along clear ones, the outer ring first, where an opaque one behind both is
  /// within reach.
  func deepPixels() -> [[EdgePixel]] {
    let outer = alphas.indices.filter { alphas[$0] == 255 && isBesideClear($0) }
    let rest = clearing(outer)
    let inner = alphas.indices.filter { rest.alphas[$0] == 255 && rest.isBesideClear($0) }
    let deep = rest.clearing(inner)
    return [outer, inner].map { ring in
      ring.compactMap { i in
        deep.inner(of: i, where: { deep.alphas[$0] == 255 }).map {
          EdgePixel(index: i, color: color(i), alpha: 1, inner: $0)
        }
      }
    }
  }

  /// The same art with some pixels clear.
  func clearing(_ indices: [Int]) -> EdgeArt {
    var result = self
    for i in indices { result.alphas[i] = 0 }
    return result
  }

  /// The picture with some pixels replaced.
  func replacing(_ repairs: [Repair]) -> Raster {
    func put<Sample: FixedWidthInteger>(_ samples: inout [Sample]) {
      let scale = Float(Sample.max)
      for repair in repairs {
        let color = repair.color.clamped(lowerBound: .zero, upperBound: .one) * scale + 0.5
        for channel in 0..<3 { samples[repair.index * 4 + channel] = Sample(color[channel]) }
        samples[repair.index * 4 + 3] = Sample(min(max(repair.alpha, 0), 1) * scale + 0.5)
      }
    }
    switch raster.samples {
    case .cmyk8: return raster
    case .rgba8(var samples):
      put(&samples)
      return Raster(size: size, samples: .rgba8(samples))
    case .rgba16(var samples):
      put(&samples)
      return Raster(size: size, samples: .rgba16(samples))
    }
  }

  private func color(_ i: Int) -> SIMD3<Float> {
    switch raster.samples {
    case .rgba8(let samples), .cmyk8(let samples):
      SIMD3(Float(samples[i * 4]), Float(samples[i * 4 + 1]), Float(samples[i * 4 + 2])) / 255
    case .rgba16(let samples):
      SIMD3(Float(samples[i * 4]), Float(samples[i * 4 + 1]), Float(samples[i * 4 + 2])) / 65535
    }
  }

  /// The mean color of the nearest pixels of a kind, nearer ones counting more; nil where none is within reach.
  private func inner(of i: Int, where isInner: (Int) -> Bool) -> SIMD3<Float>? {
    let (x, y) = (i % size.width, i / size.width)
    for radius in 1...EdgeArt.reach {
      var (sum, weights) = (SIMD3<Float>.zero, Float(0))
      for row in max(0, y - radius)...min(size.height - 1, y + radius) {
        for column in max(0, x - radius)...min(size.width - 1, x + radius) {
          let j = row * size.width + column
          guard j != i, isInner(j) else { continue }
          let weight = 1 / Float((row - y) * (row - y) + (column - x) * (column - x))
          sum += color(j) * weight
          weights += weight
        }
      }
      if weights > 0 { return sum / weights }
    }
    return nil
  }

  func isBesideClear(_ i: Int) -> Bool {
    let (x, y) = (i % size.width, i / size.width)
    for row in max(0, y - 1)...min(size.height - 1, y + 1) {
      for column in max(0, x - 1)...min(size.width - 1, x + 1) where alphas[row * size.width + column] == 0 {
        return true
      }
    }
    return false
  }

  private func forEachBesideClear(_ body: (Int) -> Void) {
    for i in alphas.indices where alphas[i] > 0 && isBesideClear(i) { body(i) }
  }
}
