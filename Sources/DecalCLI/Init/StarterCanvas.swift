import Imaging

/// The signed distance of a place to the edge of a shape, negative inside.
typealias Distance = (SIMD2<Double>) -> Double

/// A square picture in the making; places run from -1 to 1, y downward.
///
/// Only sums, products, quotients and square roots are used, which are exact to the bit on every machine.
struct StarterCanvas {
  private let side: Int
  /// Premultiplied red, green, blue and alpha as they are stored.
  private var pixels: [SIMD4<Double>]

  init(side: Int, background: RGBA8 = .clear) {
    self.side = side
    pixels = [SIMD4<Double>](repeating: StarterCanvas.premultiplied(background), count: side * side)
  }

  private static func premultiplied(_ color: RGBA8) -> SIMD4<Double> {
    let alpha = Double(color.alpha) / 255
    return SIMD4(Double(color.red) * alpha, Double(color.green) * alpha, Double(color.blue) * alpha, alpha)
  }

  /// Fills a shape that lies no farther from a place than `reach` along each axis; `outline` widens it.
  mutating func fill(
    _ color: RGBA8, around center: SIMD2<Double>, reach: Double, outline: Double = 0, _ distance: Distance
  ) {
    let ink = StarterCanvas.premultiplied(color)
    let scale = 2 / Double(side)
    func range(_ middle: Double) -> Range<Int> {
      let far = reach + outline + scale
      return max(0, Int((middle - far + 1) / scale))..<max(0, min(side, Int((middle + far + 1) / scale) + 1))
    }
    for y in range(center.y) {
      for x in range(center.x) {
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) * scale - 1
        let cover = min(max(0.5 - (distance(place - center) - outline) / scale, 0), 1)
        if cover > 0 { pixels[y * side + x] = ink * cover + pixels[y * side + x] * (1 - ink.w * cover) }
      }
    }
  }

  /// The finished picture.
  var bitmap: Bitmap {
    var bitmap = Bitmap(size: PixelSize(square: side))
    for (index, pixel) in pixels.enumerated() where pixel.w > 0 {
      let color = pixel / pixel.w
      for (channel, value) in [color.x, color.y, color.z, pixel.w * 255].enumerated() {
        bitmap.pixels[index * 4 + channel] = UInt8(min(max(value + 0.5, 0), 255))
      }
    }
    return bitmap
  }
}

/// Shapes around the place 0.
enum StarterShape {
  private static func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }

  /// A disk.
  static func disk(_ radius: Double) -> Distance { { length($0) - radius } }

  /// An ellipse, its distance right near the edge.
  static func ellipse(_ radii: SIMD2<Double>) -> Distance {
    { place in
      let scaled = length(place / radii)
      return scaled == 0 ? -min(radii.x, radii.y) : scaled * (scaled - 1) / length(place / (radii * radii))
    }
  }

  /// A line with round ends.
  static func line(_ a: SIMD2<Double>, _ b: SIMD2<Double>, width: Double) -> Distance {
    { place in
      let along = ((place - a) * (b - a)).sum() / ((b - a) * (b - a)).sum()
      return length(place - a - (b - a) * min(max(along, 0), 1)) - width / 2
    }
  }

  /// The lower half of a ring with round ends; `turned` takes the upper half.
  static func arc(_ radius: Double, width: Double, turned: Bool = false) -> Distance {
    { place in
      let y = turned ? -place.y : place.y
      let side = SIMD2(abs(place.x), y)
      return (y >= 0 ? abs(length(side) - radius) : length(side - SIMD2(radius, 0))) - width / 2
    }
  }

  /// The lower half of a disk.
  static func bowl(_ radius: Double) -> Distance { { max(length($0) - radius, -$0.y) } }

  /// A heart: a square on its tip and half a disk on each upper side.
  static func heart(_ size: Double) -> Distance {
    { place in
      let point = SIMD2(abs(place.x), place.y - size * 0.073)
      let turned = SIMD2(point.x + point.y, point.y - point.x) * 0.5.squareRoot()
      let side = size * 0.5
      let square = SIMD2(abs(turned.x), abs(turned.y)) - side
      let outside = SIMD2(max(square.x, 0), max(square.y, 0))
      let box = length(outside) + min(max(square.x, square.y), 0)
      return min(box, length(turned - SIMD2(0, -side)) - side)
    }
  }
}
