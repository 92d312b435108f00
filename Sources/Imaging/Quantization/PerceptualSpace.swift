/// The space in which palettes are made and errors are measured.
///
/// A premultiplied color with luma Y, blue B, red R and alpha a (all 0 to 255) lies at
/// (Y - a/2, w a, 0.48 (B - Y), 0.6 (R - Y)). With w = 1/2 the squared Euclidean distance is the mean of the squared
/// errors on a black and on a white ground, with chroma weighted as the eye does: averages, trees and vector units all
/// apply. A larger w keeps more levels in soft edges and glows, where steps show before colors do.
public enum PerceptualSpace {
  @usableFromInline static let blueWeight: Float = 0.48
  @usableFromInline static let redWeight: Float = 0.6
  /// The weight of alpha, w above.
  public static let alphaWeight: Float = 0.6

  /// The place of a packed color.
  @inlinable
  public static func point(_ packed: UInt32) -> SIMD4<Float> {
    point(
      red: Float(packed & 255), green: Float(packed >> 8 & 255), blue: Float(packed >> 16 & 255),
      alpha: Float(packed >> 24))
  }

  /// The place of a color whose channels are from 0 to 255, whole or, as means have them, between.
  @inlinable @inline(__always)
  public static func point(red: Float, green: Float, blue: Float, alpha: Float) -> SIMD4<Float> {
    let scale = alpha * (1 / 255)
    let (red, green, blue) = (red * scale, green * scale, blue * scale)
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return SIMD4(luma - alpha * 0.5, alpha * alphaWeight, blueWeight * (blue - luma), redWeight * (red - luma))
  }

  /// The nearest 8-bit color to a place.
  public static func color(at point: SIMD4<Float>) -> RGBA8 {
    // Truncation after adding a half, as `rounded()` would need the C math library.
    let alpha = Float(Int(max(point.y, 0) / alphaWeight + 0.5))
    guard alpha >= 1 else { return .clear }
    let luma = point.x + point.y / alphaWeight * 0.5
    let blue = point.z / blueWeight + luma
    let red = point.w / redWeight + luma
    let green = (luma - 0.299 * red - 0.114 * blue) / 0.587
    let scale = 255 / min(alpha, 255)
    func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value * scale)) + 0.5) }
    return RGBA8(byte(red), byte(green), byte(blue), UInt8(min(alpha, 255)))
  }

  /// The squared distance of two places.
  @inlinable
  public static func distance(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
    let difference = a - b
    return (difference * difference).sum()
  }
}

/// Exact nearest neighbors among up to 256 places.
///
/// The places are sorted along the first axis; a search walks outward from the query and stops where the axis alone is
/// farther than the best so far. On real palettes it looks at about a tenth of the places.
struct NearestPoint {
  private var sorted: [SIMD4<Float>] = []
  private var numbers: [Int32] = []

  /// Prepares a search among places, each with the number that is returned for it.
  init(_ points: [(point: SIMD4<Float>, number: Int)]) {
    // Equal places keep the lower number first, so that ties are decided the same way everywhere.
    let order = points.sorted { ($0.point.x, $0.number) < ($1.point.x, $1.number) }
    sorted = order.map(\.point)
    numbers = order.map { Int32($0.number) }
  }

  var isEmpty: Bool { sorted.isEmpty }

  /// The number of the nearest place and its squared distance; there is at least one place.
  @inline(__always)
  func nearest(to query: SIMD4<Float>) -> (number: Int, distance: Float) {
    sorted.withUnsafeBufferPointer { points in
      var low = 0
      var high = points.count
      while low < high {
        let middle = (low + high) >> 1
        if points[middle].x < query.x { low = middle + 1 } else { high = middle }
      }
      var up = low
      var down = low - 1
      var best = Float.infinity
      var found = 0
      while true {
        let upGap = up < points.count ? points[up].x - query.x : .infinity
        let downGap = down >= 0 ? query.x - points[down].x : .infinity
        let next: Int
        if upGap <= downGap {
          if upGap == .infinity || upGap * upGap > best { break }
          next = up
          up += 1
        } else {
          if downGap * downGap > best { break }
          next = down
          down -= 1
        }
        let distance = PerceptualSpace.distance(points[next], query)
        if distance < best || distance == best && numbers[next] < numbers[found] {
          best = distance
          found = next
        }
      }
      return (Int(numbers[found]), best)
    }
  }
}
