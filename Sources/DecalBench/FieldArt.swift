import Imaging

/// Small makers of the art that is known to go wrong.
enum FieldArt {
  /// Makes a picture pixel by pixel.
  static func make(_ width: Int, _ height: Int, _ color: (Int, Int) -> RGBA8) -> LinearBitmap {
    var bitmap = Bitmap(size: PixelSize(width: width, height: height))
    for y in 0..<height {
      for x in 0..<width { bitmap[x, y] = color(x, y) }
    }
    return bitmap.linear
  }

  /// A red disc on clear pixels of a hidden color.
  static func disc(hidden: RGBA8) -> LinearBitmap {
    make(1024, 1024) { x, y in
      let (dx, dy) = (Double(x) - 511.5, Double(y) - 511.5)
      return dx * dx + dy * dy <= 160_000 ? RGBA8(255, 0, 0) : hidden
    }
  }

  /// A white disc with a gray ring that touches all four sides.
  static var badge: LinearBitmap {
    make(370, 370) { x, y in
      let (dx, dy) = (Double(x) - 184.5, Double(y) - 184.5)
      let distance = (dx * dx + dy * dy).squareRoot()
      return distance > 185 ? .clear : distance > 183 ? RGBA8(200, 200, 200) : .white
    }
  }

  /// A square with round corners of one color.
  static var plate: LinearBitmap {
    make(256, 256) { x, y in
      let dx = max(0, 64 - x, x - 191)
      let dy = max(0, 64 - y, y - 191)
      return RGBA8(200, 200, 200, dx * dx + dy * dy <= 24 * 24 ? 255 : 0)
    }
  }
}
