/// Assigns palette indices to pictures, without dither: equal colors get equal indices wherever and whenever they are.
///
/// Opaque pixels get opaque entries only, clear pixels the clear entry. Not `Sendable`: it keeps a cache.
public final class Remapper {
  private static let cacheBits = 16

  /// The palette that indices refer to.
  public let palette: Palette
  private let all: NearestPoint
  private let opaque: NearestPoint
  private var cachedColors = [UInt32](repeating: 0, count: 1 << cacheBits)
  private var cachedIndices = [UInt8](repeating: 0, count: 1 << cacheBits)

  /// Prepares the search in a palette.
  public init(_ palette: Palette) {
    self.palette = palette
    let numbered = palette.colors.enumerated().map { (point: PerceptualSpace.point($1.packed), number: $0) }
    all = NearestPoint(numbered)
    let solid = numbered.filter { palette.colors[$0.number].alpha == 255 }
    opaque = solid.isEmpty ? all : NearestPoint(solid)
  }

  /// The indices of a picture.
  public func remap(_ bitmap: Bitmap) -> IndexPlane {
    let count = bitmap.size.area
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
      }
      initialized = count
    }
    return IndexPlane(size: bitmap.size, indices: indices)
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
}
