import Codecs
public import Imaging

/// Small synthetic art.
public enum Art {
  /// A PNG of one color with a frame of transparency, so that it is no plain square.
  public static func png(_ width: Int = 12, _ height: Int = 12, _ color: RGBA8 = RGBA8(200, 40, 40)) -> [UInt8] {
    StillEncoder().encode(badge(PixelSize(width: width, height: height), color)).bytes
  }

  /// An animation of plain frames, each of its color, shown for a tenth of a second.
  public static func animation(_ side: Int = 12, colors: [RGBA8], plays: Int = 0) throws -> [UInt8] {
    let frames = colors.map { SizedFrame(bitmap: badge(PixelSize(square: side), $0), delay: Rational(1, 10)) }
    return try RateDistortionEncoder().encode(SizedAnimation(frames: frames, playCount: plays), budget: 499_999).bytes
  }

  /// An opaque square of one color.
  public static func plain(_ side: Int, _ color: RGBA8 = RGBA8(240, 150, 30)) -> [UInt8] {
    StillEncoder().encode(Bitmap(size: PixelSize(square: side), fill: color)).bytes
  }

  /// A PNG of noise that no compression makes smaller.
  public static func noise(_ side: Int, seed: UInt64 = 1) -> [UInt8] { StillEncoder().encode(noisy(side, seed)).bytes }

  /// Noise, the same for the same seed.
  public static func noisy(_ side: Int, _ seed: UInt64) -> Bitmap {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    var bitmap = Bitmap(size: PixelSize(square: side), fill: .black)
    for i in bitmap.pixels.indices where i % 4 != 3 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      bitmap.pixels[i] = UInt8(truncatingIfNeeded: state >> 32)
    }
    return bitmap
  }

  private static func badge(_ size: PixelSize, _ color: RGBA8) -> Bitmap {
    var bitmap = Bitmap(size: size)
    for y in 1..<max(2, size.height - 1) {
      for x in 1..<max(2, size.width - 1) where x < size.width && y < size.height { bitmap[x, y] = color }
    }
    return bitmap
  }
}
