import Imaging

/// An opaque color, red, green and blue from 0 to 1 as they are stored.
typealias ClipColor = SIMD3<Float>

/// A square picture in the making; places run from -1 to 1, y downward.
struct ClipCanvas {
  /// Premultiplied red, green, blue and alpha.
  private var pixels: [SIMD4<Float>]
  let side: Int
  /// The side of a pixel.
  var pixel: Float { 2 / Float(side) }

  init(side: Int) {
    self.side = side
    pixels = [SIMD4<Float>](repeating: SIMD4(), count: side * side)
  }

  /// Paints where `shade` gives a color with more than no alpha, no farther from a place than `reach` along each axis.
  mutating func paint(
    around center: SIMD2<Float> = SIMD2(), reach: Float = 2, _ shade: (SIMD2<Float>) -> (ClipColor, alpha: Float)
  ) {
    func range(_ middle: Float) -> Range<Int> {
      let low = Int(((middle - reach + 1) / pixel).rounded(.down))
      let high = Int(((middle + reach + 1) / pixel).rounded(.up))
      return min(max(low, 0), side)..<min(max(high, 0), side)
    }
    let (columns, rows) = (range(center.x), range(center.y))
    for y in rows {
      for x in columns {
        let (color, alpha) = shade(SIMD2((Float(x) + 0.5) * pixel - 1, (Float(y) + 0.5) * pixel - 1))
        if alpha <= 0 { continue }
        let top = min(alpha, 1)
        pixels[y * side + x] = SIMD4(color * top, top) + pixels[y * side + x] * (1 - top)
      }
    }
  }

  /// Fills a shape that is known by the signed distance to its edge, smooth at the edge.
  mutating func fill(
    _ color: ClipColor, alpha: Float = 1, around center: SIMD2<Float> = SIMD2(), reach: Float = 2,
    _ distance: (SIMD2<Float>) -> Float
  ) {
    let width = pixel
    paint(around: center, reach: reach) { (color, alpha: min(max(0.5 - distance($0) / width, 0), 1) * alpha) }
  }

  /// Lets the picture be seen only inside a shape.
  mutating func clip(_ distance: (SIMD2<Float>) -> Float) {
    for y in 0..<side {
      for x in 0..<side {
        let place = SIMD2((Float(x) + 0.5) * pixel - 1, (Float(y) + 0.5) * pixel - 1)
        pixels[y * side + x] *= min(max(0.5 - distance(place) / pixel, 0), 1)
      }
    }
  }

  /// The finished picture.
  var bitmap: Bitmap {
    var bitmap = Bitmap(size: PixelSize(square: side))
    for (i, color) in pixels.enumerated() {
      let alpha = (color.w * 255 + 0.5).rounded(.down)
      guard alpha > 0 else { continue }
      let straight = color / color.w * 255 + 0.5
      for channel in 0..<3 { bitmap.pixels[i * 4 + channel] = UInt8(min(max(straight[channel], 0), 255)) }
      bitmap.pixels[i * 4 + 3] = UInt8(min(alpha, 255))
    }
    return bitmap
  }
}

// MARK: - Shapes, by the signed distance to their edge

/// A disc.
func disc(_ place: SIMD2<Float>, _ center: SIMD2<Float>, _ radius: Float) -> Float {
  length(place - center) - radius
}

/// An ellipse; the distance is true near the edge.
func ellipse(_ place: SIMD2<Float>, _ center: SIMD2<Float>, _ radii: SIMD2<Float>) -> Float {
  let scaled = (place - center) / radii
  let k = length(scaled)
  let slope = length(scaled / radii)
  return slope < 1e-6 ? -min(radii.x, radii.y) : (k - 1) * k / slope
}

/// A line with round ends.
func stroke(_ place: SIMD2<Float>, _ from: SIMD2<Float>, _ to: SIMD2<Float>, _ radius: Float) -> Float {
  let (line, offset) = (to - from, place - from)
  let part = min(max((offset * line).sum() / max((line * line).sum(), 1e-9), 0), 1)
  return length(offset - line * part) - radius
}

/// A rectangle, turned by an angle.
func box(_ place: SIMD2<Float>, _ center: SIMD2<Float>, _ half: SIMD2<Float>, turn: SIMD2<Float>) -> Float {
  let offset = place - center
  let local = SIMD2(offset.x * turn.x + offset.y * turn.y, offset.y * turn.x - offset.x * turn.y)
  let outside = SIMD2(abs(local.x) - half.x, abs(local.y) - half.y)
  let far = SIMD2(max(outside.x, 0), max(outside.y, 0))
  return length(far) + min(max(outside.x, outside.y), 0)
}

/// The length of a vector.
func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

/// A color between two.
func mix(_ a: ClipColor, _ b: ClipColor, _ part: Float) -> ClipColor { a + (b - a) * min(max(part, 0), 1) }
