/// A picture over an opaque ground as the eye's three cones take it, in linear light: at half its size, then smaller and smaller.
///
/// The cone mixtures and the offset under the cube root are those of XYB, the color space of JPEG XL (ISO/IEC 18181-1).
struct ConePyramid {
  /// Long, middle and short waves, planes of `size`, rows of `stride` samples.
  private(set) var planes: [[Float]]
  private(set) var size: PixelSize
  /// Rows are padded to whole vectors; what is there does not count.
  var stride: Int { ConePyramid.rowLength(size.width) }

  private static let offset: Float = 0.0037930732

  static func rowLength(_ width: Int) -> Int { (width + 7) & ~7 }

  /// Puts a part of a picture over a ground of one gray level, in encoded values as displays do, and halves it.
  ///
  /// Each pixel is the mean of four, of fewer at an odd edge.
  init(_ bitmap: Bitmap, _ part: PixelRect, ground: UInt32) {
    size = PixelSize(width: (part.width + 1) / 2, height: (part.height + 1) / 2)
    let (width, height, stride) = (size.width, size.height, ConePyramid.rowLength(size.width))
    var long = [Float](repeating: 0, count: stride * height + 8)
    var (middle, short) = (long, long)
    bitmap.withPackedPixels { pixels in
      long.withUnsafeMutableBufferPointer { long in
        middle.withUnsafeMutableBufferPointer { middle in
          short.withUnsafeMutableBufferPointer { short in
            SRGB.linear8.withUnsafeBufferPointer { linear in
              var last: UInt32 = 0
              var lastCones = ConePyramid.cones(0, ground, linear)
              func cones(_ color: UInt32) -> SIMD4<Float> {
                if color == last { return lastCones }
                last = color
                lastCones = ConePyramid.cones(color, ground, linear)
                return lastCones
              }
              for y in 0..<height {
                let upper = (part.y + 2 * y) * bitmap.size.width + part.x
                let lower = 2 * y + 1 < part.height ? upper + bitmap.size.width : upper
                for x in 0..<width {
                  let (left, right) = (2 * x, min(2 * x + 1, part.width - 1))
                  let (a, b) = (cones(pixels[upper + left]), cones(pixels[upper + right]))
                  let (c, d) = (cones(pixels[lower + right]), cones(pixels[lower + left]))
                  let mean = (a + b + c + d) * 0.25
                  long[y * stride + x] = mean.x
                  middle[y * stride + x] = mean.y
                  short[y * stride + x] = mean.z
                }
              }
            }
          }
        }
      }
    }
    planes = [long, middle, short]
  }

  @inline(__always)
  private static func cones(_ color: UInt32, _ ground: UInt32, _ linear: UnsafeBufferPointer<Float>) -> SIMD4<Float> {
    let alpha = color >> 24
    @inline(__always)
    func light(_ sample: UInt32) -> Float {
      // Division by 255 with rounding, exact in this range.
      let mixed = sample * alpha + ground * (255 - alpha) + 128
      return linear[Int((mixed + mixed >> 8) >> 8)]
    }
    let (red, green, blue) = (light(color & 255), light(color >> 8 & 255), light(color >> 16 & 255))
    return SIMD4(
      0.3 * red + 0.622 * green + 0.078 * blue, 0.23 * red + 0.692 * green + 0.078 * blue,
      0.24342269 * red + 0.20476744 * green + 0.55180987 * blue, 0)
  }

  /// Halves both sides; each pixel is the mean of four, of fewer at an odd edge.
  mutating func halve() {
    let size = self.size
    let small = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let (stride, smallStride) = (stride, ConePyramid.rowLength(small.width))
    for channel in 0..<3 {
      let large = planes[channel]
      planes[channel] = [Float](unsafeUninitializedCapacity: smallStride * small.height + 8) { output, count in
        count = smallStride * small.height + 8
        output.initialize(repeating: 0)
        large.withUnsafeBufferPointer { input in
          for y in 0..<small.height {
            let upper = 2 * y * stride
            let lower = min(2 * y + 1, size.height - 1) * stride
            for x in 0..<small.width {
              let (left, right) = (2 * x, min(2 * x + 1, size.width - 1))
              let sum = input[upper + left] + input[upper + right] + input[lower + left] + input[lower + right]
              output[y * smallStride + x] = sum * 0.25
            }
          }
        }
      }
    }
    self.size = small
  }

  /// The opponent planes of the picture at its present size, in the order of `FrameQuality.Plane`.
  func opponents() -> [[Float]] {
    let count = planes[0].count
    var redGreen = [Float](repeating: 0, count: count)
    var (brightness, blue) = (redGreen, redGreen)
    planes[0].withUnsafeBytes { long in
      planes[1].withUnsafeBytes { middle in
        planes[2].withUnsafeBytes { short in
          redGreen.withUnsafeMutableBytes { redGreen in
            brightness.withUnsafeMutableBytes { brightness in
              blue.withUnsafeMutableBytes { blue in
                for i in Swift.stride(from: 0, to: count * 4 - 31, by: 32) {
                  let l = ConePyramid.response(long.loadUnaligned(fromByteOffset: i, as: SIMD8<Float>.self))
                  let m = ConePyramid.response(middle.loadUnaligned(fromByteOffset: i, as: SIMD8<Float>.self))
                  let s = ConePyramid.response(short.loadUnaligned(fromByteOffset: i, as: SIMD8<Float>.self))
                  let y = (l + m) * 0.5
                  // Fourteen times, as XYB's X is that much smaller than Y.
                  redGreen.storeBytes(of: (l - m) * 7, toByteOffset: i, as: SIMD8<Float>.self)
                  brightness.storeBytes(of: y, toByteOffset: i, as: SIMD8<Float>.self)
                  blue.storeBytes(of: s - y, toByteOffset: i, as: SIMD8<Float>.self)
                }
              }
            }
          }
        }
      }
    }
    return [redGreen, brightness, blue]
  }

  /// The cube root of light above the offset: a guess from the exponent and two steps of Newton's method.
  @inline(__always)
  private static func response(_ light: SIMD8<Float>) -> SIMD8<Float> {
    let value = light + offset
    let bits = unsafeBitCast(value, to: SIMD8<UInt32>.self)
    // A third of the bits by shifts: vectors have no integer division.
    var third = bits &>> 2 &+ bits &>> 4
    third = third &+ third &>> 4
    third = third &+ third &>> 8
    third = third &+ third &>> 16
    var root = unsafeBitCast(third &+ 709_921_077, to: SIMD8<Float>.self)
    for _ in 0..<2 { root = (root + root + value / (root * root)) * Float(1.0 / 3) }
    return root
  }
}
