import Codecs
import Imaging
import TestSupport

/// A small drawing with smooth edges.
struct Sketch {
  private(set) var bitmap: Bitmap

  init(_ width: Int = 300, _ height: Int? = nil, _ fill: RGBA8 = .clear) {
    bitmap = Bitmap(size: PixelSize(width: width, height: height ?? width), fill: fill)
  }

  /// A PNG of it.
  var png: [UInt8] { PlainPNG.still(bitmap) }

  func disc(_ x: Double, _ y: Double, _ radius: Double, _ color: RGBA8) -> Sketch {
    drawn(color) { radius - distance($0 - x, $1 - y) }
  }

  func ring(_ x: Double, _ y: Double, _ radius: Double, width: Double, _ color: RGBA8) -> Sketch {
    drawn(color) { width / 2 - abs(radius - distance($0 - x, $1 - y)) }
  }

  func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0, _ color: RGBA8) -> Sketch {
    drawn(color) { px, py in
      let (dx, dy) = (abs(px - x - width / 2) - width / 2 + radius, abs(py - y - height / 2) - height / 2 + radius)
      return radius - distance(max(dx, 0), max(dy, 0)) - min(max(dx, dy), 0)
    }
  }

  /// Each pixel of its own color, where there is one.
  func painted(_ color: (Int, Int) -> RGBA8?) -> Sketch {
    var result = self
    for y in 0..<bitmap.size.height {
      for x in 0..<bitmap.size.width { if let color = color(x, y) { result.bitmap[x, y] = color } }
    }
    return result
  }

  /// Makes every pixel a block.
  func blocks(_ side: Int) -> Sketch {
    Sketch(bitmap.size.width * side, bitmap.size.height * side).painted { bitmap[$0 / side, $1 / side] }
  }

  /// The picture enlarged smoothly.
  func enlarged(_ factor: Int) -> Sketch {
    let size = PixelSize(width: bitmap.size.width * factor, height: bitmap.size.height * factor)
    var result = self
    result.bitmap = Resampler.resample(bitmap.linear, to: size, kernel: .default).bitmap()
    return result
  }

  private func distance(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

  /// Covers each pixel by how far its middle lies inside.
  private func drawn(_ color: RGBA8, _ inside: (Double, Double) -> Double) -> Sketch {
    painted { x, y in
      let cover = min(max(inside(Double(x) + 0.5, Double(y) + 0.5) + 0.5, 0), 1) * Double(color.alpha) / 255
      guard cover > 0 else { return nil }
      let under = bitmap[x, y]
      let rest = Double(under.alpha) / 255 * (1 - cover)
      let alpha = cover + rest
      func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) * cover + Double(b) * rest) / alpha + 0.5) }
      return RGBA8(
        mix(color.red, under.red), mix(color.green, under.green), mix(color.blue, under.blue), UInt8(alpha * 255 + 0.5))
    }
  }
}

/// An animation whose frames are shown for some milliseconds each.
func animation(_ frames: [Sketch], _ milliseconds: Int, plays: Int = 0) -> [UInt8] {
  PlainPNG.animation(frames.map { ($0.bitmap, milliseconds) }, plays: plays)
}

extension RGBA8 {
  static let scarlet = RGBA8(220, 40, 40)
  static let azure = RGBA8(60, 110, 230)
  static let navy = RGBA8(12, 12, 40)
  static let gold = RGBA8(250, 200, 40)
}
