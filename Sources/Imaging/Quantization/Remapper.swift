/// Assigns palette indices to pictures, without dither: equal colors get equal indices wherever and whenever they are.
///
/// Opaque pixels get opaque entries only, clear pixels the clear entry. Not `Sendable`: it keeps a cache.
public final class Remapper {
  private static let cacheBits = 16

  /// The palette that indices refer to.
  public let palette: Palette
  private var all: NearestByCell
  private var opaque: NearestByCell
  private var cachedColors = [UInt32](repeating: 0, count: 1 << cacheBits)
  private var cachedIndices = [UInt8](repeating: 0, count: 1 << cacheBits)

  /// Prepares the search in a palette.
  public init(_ palette: Palette) {
    self.palette = palette
    let numbered = palette.colors.enumerated().map { (point: PerceptualSpace.point($1.packed), number: $0) }
    all = NearestByCell(numbered, isOpaque: false)
    let solid = numbered.filter { palette.colors[$0.number].alpha == 255 }
    opaque = NearestByCell(solid.isEmpty ? numbered : solid, isOpaque: true)
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
    let point = PerceptualSpace.point(color)
    let found = color >= 0xFF00_0000 ? opaque.nearest(to: point, of: color) : all.nearest(to: point, of: color)
    colors[slot] = color
    cache[slot] = found
    return found
  }
}

/// Exact nearest entries, by cells of neighboring colors: each lists the few entries that can be nearest to any color in
/// it, found when the first such color is asked for.
private struct NearestByCell {
  private static let alphaBits = 5

  /// The entries in their order, so that of equally near ones the first is found.
  private let entries: [(point: SIMD4<Float>, number: UInt8)]
  private let isOpaque: Bool
  /// The upper bits of each channel that name a cell.
  private let colorBits: Int
  /// Where each cell's list lies in `lists`: first its length, then indices in `entries`; 0 where it is not made yet.
  private var starts: [Int32]
  private var lists: [UInt16] = [0]

  /// Prepares for opaque colors, or for all others.
  init(_ points: [(point: SIMD4<Float>, number: Int)], isOpaque: Bool) {
    entries = points.map { ($0.point, UInt8(truncatingIfNeeded: $0.number)) }
    self.isOpaque = isOpaque
    colorBits = isOpaque ? 5 : 4
    starts = [Int32](repeating: 0, count: 1 << (3 * colorBits + (isOpaque ? 0 : Self.alphaBits)))
  }

  @inline(__always)
  mutating func nearest(to point: SIMD4<Float>, of color: UInt32) -> UInt8 {
    let bits = UInt32(truncatingIfNeeded: colorBits)
    func high(_ shift: UInt32) -> UInt32 { (color &>> (shift &+ 8 &- bits)) & (1 &<< bits &- 1) }
    var cell = Int(high(0) | high(8) &<< bits | high(16) &<< (2 &* bits))
    if !isOpaque { cell |= Int(color &>> UInt32(32 &- Self.alphaBits)) &<< (3 &* colorBits) }
    if starts[cell] == 0 { list(cell) }
    let start = Int(starts[cell])
    return lists.withUnsafeBufferPointer { lists in
      entries.withUnsafeBufferPointer { entries in
        var best = Float.infinity
        var found = 0
        for place in start &+ 1...start &+ Int(lists[start]) {
          let entry = Int(lists[place])
          let distance = PerceptualSpace.distance(entries[entry].point, point)
          if distance < best { (best, found) = (distance, entry) }
        }
        return entries[found].number
      }
    }
  }

  /// Lists the entries that are no farther from the middle of a cell than the nearest one, but for twice the way to its
  /// farthest corner.
  @inline(never)
  private mutating func list(_ cell: Int) {
    let (bits, mask) = (colorBits, 1 << colorBits - 1)
    let width = Float(1 << (8 - bits))
    let alphaWidth = isOpaque ? 1 : Float(1 << (8 - Self.alphaBits))
    let lowestAlpha = isOpaque ? 255 : Float(cell >> (3 * bits)) * alphaWidth
    /// A place in the cell: each channel from its lowest value, 0, to its highest, 1.
    func place(_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float) -> SIMD4<Float> {
      func value(_ number: Int, _ way: Float) -> Float {
        Float(cell >> (number * bits) & mask) * width + way * (width - 1)
      }
      return PerceptualSpace.point(
        red: value(0, red), green: value(1, green), blue: value(2, blue), alpha: lowestAlpha + alpha * (alphaWidth - 1))
    }
    // The place is linear along each channel, so that no color of the cell is farther from its middle than a corner is.
    let middle = place(0.5, 0.5, 0.5, 0.5)
    let reach = (0..<16).map { corner in
      func end(_ channel: Int) -> Float { Float(corner >> channel & 1) }
      return PerceptualSpace.distance(place(end(0), end(1), end(2), end(3)), middle)
    }.max()!.squareRoot()
    let gaps = entries.map { PerceptualSpace.distance($0.point, middle).squareRoot() }
    let limit = (gaps.min() ?? 0) + 2 * reach * 1.001 + 0.01
    let near = entries.indices.filter { gaps[$0] <= limit }
    starts[cell] = Int32(lists.count)
    lists.append(UInt16(near.count))
    lists += near.map { UInt16($0) }
  }
}
