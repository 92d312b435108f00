#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The sRGB transfer function, by tables that are exact to rounding.
///
/// Source: IEC 61966-2-1:1999, with the constants 0.04045 and 12.92. Encoded and linear values run from 0 to 1.
public enum SRGB {
  /// Linear light of an encoded value; for building tables, never for pixels.
  public static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }

  /// The encoded value of linear light; for building tables, never for pixels.
  public static func encoded(_ linear: Double) -> Double {
    linear <= 0.04045 / 12.92 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  /// The luminance of linear light, by ITU-R BT.709.
  @inlinable
  public static func luminance(_ red: Float, _ green: Float, _ blue: Float) -> Float {
    red * 0.2126 + green * 0.7152 + blue * 0.0722
  }

  /// Linear light of the 256 levels of an 8-bit sample.
  public static let linear8: [Float] = (0...255).map { Float(linear(Double($0) / 255)) }

  /// Cells of the encoding table: the curve is steepest at black, 12.92 * 255 levels to the unit, so that a cell of
  /// 1/4096 never holds more than one of the values at which the level changes.
  static let cells = 4096

  /// The 8-bit level at the lower end of each cell; one more for the value 1.
  static let levels: [UInt8] = (0...cells).map { cell in
    let value = Float(cell) / Float(cells)
    return UInt8(thresholds.prefix(255).count { value >= $0 })
  }

  /// `thresholds[n]` is the least float that rounds to level n + 1 or more; the last is never reached.
  static let thresholds: [Float] =
    (0..<255).map { level in
      let exact = linear((Double(level) + 0.5) / 255)
      let nearest = Float(exact)
      return Double(nearest) < exact ? nearest.nextUp : nearest
    } + [.infinity]

  /// Encodes one linear value as the nearest 8-bit level; what is outside 0...1, or no number, is clamped.
  public static func encode8(_ value: Float) -> UInt8 {
    levels.withUnsafeBufferPointer { levels in
      thresholds.withUnsafeBufferPointer { encode8(value, levels: levels, thresholds: $0) }
    }
  }

  /// `encode8(_:)` with the tables at hand, for loops.
  @inline(__always)
  static func encode8(
    _ value: Float, levels: UnsafeBufferPointer<UInt8>, thresholds: UnsafeBufferPointer<Float>
  ) -> UInt8 {
    // `max` with the constant first answers 0 where the value is no number.
    let clamped = min(value > 0 ? value : 0, 1)
    let level = levels[Int(clamped * Float(cells))]
    return clamped >= thresholds[Int(level)] ? level &+ 1 : level
  }

  /// Takes straight 8-bit sRGB pixels to premultiplied linear light; `output` holds as many samples as `pixels`.
  public static func premultiply(_ pixels: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<Float>) {
    precondition(pixels.count % 4 == 0 && output.count >= pixels.count, "four samples a pixel")
    linear8.withUnsafeBufferPointer { table in
      for i in stride(from: 0, to: pixels.count, by: 4) {
        // A division, so that full alpha is exactly 1.
        let alpha = Float(pixels[i + 3]) / 255
        output[i] = table[Int(pixels[i])] * alpha
        output[i + 1] = table[Int(pixels[i + 1])] * alpha
        output[i + 2] = table[Int(pixels[i + 2])] * alpha
        output[i + 3] = alpha
      }
    }
  }

  /// Takes premultiplied linear light to straight 8-bit sRGB pixels, the inverse of `premultiply(_:into:)`.
  ///
  /// The color is divided by the alpha as it is, above 1 too, and only then clamped: where a kernel overshoots, color
  /// and alpha overshoot alike. Alpha that rounds to 0 gives transparent black.
  public static func unpremultiply(
    _ samples: UnsafeBufferPointer<Float>, into pixels: UnsafeMutableBufferPointer<UInt8>
  ) {
    precondition(samples.count % 4 == 0 && pixels.count >= samples.count, "four samples a pixel")
    levels.withUnsafeBufferPointer { levels in
      thresholds.withUnsafeBufferPointer { thresholds in
        for i in stride(from: 0, to: samples.count, by: 4) {
          let alpha = samples[i + 3]
          guard alpha >= 0.5 / 255 else {
            for channel in 0..<4 { pixels[i + channel] = 0 }
            continue
          }
          if alpha == 1 {
            // What most pixels are needs no division.
            for channel in 0..<3 {
              pixels[i + channel] = encode8(samples[i + channel], levels: levels, thresholds: thresholds)
            }
            pixels[i + 3] = 255
            continue
          }
          for channel in 0..<3 {
            pixels[i + channel] = encode8(samples[i + channel] / alpha, levels: levels, thresholds: thresholds)
          }
          pixels[i + 3] = UInt8(min(alpha, 1) * 255 + 0.5)
        }
      }
    }
  }
}
