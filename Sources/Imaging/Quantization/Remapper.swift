/// Assigns palette indices to pictures, without dither: equal colors get equal indices wherever and whenever they are.
///
/// Opaque pixels get opaque entries only, clear pixels the clear entry. Not `Sendable`: it keeps a cache.
public final class Remapper {
  private static let cacheBits = 16

  /// The palette that indices refer to.
  public let palette: Palette
  private let points: [SIMD4<Float>]
  private let all: NearestPoint
  private let opaque: NearestPoint
  private var cachedColors = [UInt32](repeating: 0, count: 1 << cacheBits)
  private var cachedIndices = [UInt8](repeating: 0, count: 1 << cacheBits)

  /// Prepares the search in a palette.
  public init(_ palette: Palette) {
    self.palette = palette
    points = palette.colors.map { PerceptualSpace.point($0.packed) }
    let numbered = points.enumerated().map { (point: $1, number: $0) }
    all = NearestPoint(numbered)
    let solid = numbered.filter { palette.colors[$0.number].alpha == 255 }
    opaque = solid.isEmpty ? all : NearestPoint(solid)
  }

  /// The indices of a picture.
  ///
  /// A pixel keeps its index of `previous`, the plane shown before, where the nearest entry is closer by no more than
  /// `tolerance` (squared 8-bit units): noise too faint to be seen then costs no bytes. Each decision compares with the
  /// source, so errors cannot add up from frame to frame.
  public func remap(_ bitmap: Bitmap, previous: IndexPlane? = nil, tolerance: Float = 0) -> IndexPlane {
    let count = bitmap.size.area
    let held = tolerance > 0 ? previous : nil
    let indices = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
      bitmap.withPackedPixels { pixels in
        cachedColors.withUnsafeMutableBufferPointer { colors in
          cachedIndices.withUnsafeMutableBufferPointer { cache in
            for i in 0..<count {
              if i > 0, pixels[i] == pixels[i - 1] {
                output[i] = output[i - 1]
                continue
              }
              output[i] = index(of: snappedColor(pixels[i]), colors, cache)
            }
          }
        }
        if let held { hold(held.indices, pixels, tolerance: tolerance, in: output) }
      }
      initialized = count
    }
    return IndexPlane(size: bitmap.size, indices: indices)
  }

  /// The mean squared error of a plane against a picture, over a black and a white ground, in squared 8-bit units.
  ///
  /// Every `stride`th pixel is looked at.
  public func meanSquaredError(_ plane: IndexPlane, against bitmap: Bitmap, stride step: Int = 3) -> Double {
    var sum = 0.0
    var seen = 0
    bitmap.withPackedPixels { pixels in
      plane.indices.withUnsafeBufferPointer { indices in
        points.withUnsafeBufferPointer { points in
          for i in Swift.stride(from: 0, to: pixels.count, by: step) {
            seen += 1
            if pixels[i] >> 24 == 0, palette.colors[Int(indices[i])].alpha == 0 { continue }
            sum += Double(PerceptualSpace.distance(PerceptualSpace.point(pixels[i]), points[Int(indices[i])]))
          }
        }
      }
    }
    return seen == 0 ? 0 : sum / Double(seen)
  }

  @inline(__always)
  private func index(
    of color: UInt32, _ colors: UnsafeMutableBufferPointer<UInt32>, _ cache: UnsafeMutableBufferPointer<UInt8>
  ) -> UInt8 {
    if color == 0, let clear = palette.clearIndex { return clear }
    let slot = Int((color &* 2_654_435_761) >> (32 - UInt32(Self.cacheBits)))
    // A free slot holds color 0, whose only home is slot 0; it is never cached.
    if colors[slot] == color, color != 0 { return cache[slot] }
    let search = color >= 0xFF00_0000 ? opaque : all
    let found = UInt8(truncatingIfNeeded: search.nearest(to: PerceptualSpace.point(color)).number)
    colors[slot] = color
    cache[slot] = found
    return found
  }

  private func hold(
    _ previous: [UInt8], _ pixels: UnsafeBufferPointer<UInt32>, tolerance: Float,
    in output: UnsafeMutableBufferPointer<UInt8>
  ) {
    let isOpaque = palette.colors.map { $0.alpha == 255 }
    previous.withUnsafeBufferPointer { previous in
      points.withUnsafeBufferPointer { points in
        isOpaque.withUnsafeBufferPointer { isOpaque in
          for i in 0..<output.count where output[i] != previous[i] {
            let color = snappedColor(pixels[i])
            let held = Int(previous[i])
            if color == 0 || color >= 0xFF00_0000 && !isOpaque[held] { continue }
            let point = PerceptualSpace.point(color)
            let own = PerceptualSpace.distance(point, points[Int(output[i])])
            if PerceptualSpace.distance(point, points[held]) - own <= tolerance { output[i] = previous[i] }
          }
        }
      }
    }
  }
}
