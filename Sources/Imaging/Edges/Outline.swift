/// A border of one width and color around art, as die-cut stickers have it.
///
/// The border is where the distance to the art's edge is at most `width`; its own edge is antialiased. Within it, and
/// under the art itself, lies `color`: translucent art stands on it as on the paper of a sticker. What is fainter than
/// a quarter of the art's greatest alpha, a glow or a shadow, has no part in the edge.
public struct Outline: Hashable, Sendable {
  /// Pixels from the art's edge to the border's, 0 for none.
  public var width: Int
  /// The border's color.
  public var color: RGBA8

  /// The widest border; wider ones leave little room for art.
  public static let widest = 64
  /// No border.
  public static let none = Outline(width: 0)

  /// Makes a border, white by default; `width` is from 0 to `widest`.
  public init(width: Int, color: RGBA8 = .white) {
    precondition(0...Outline.widest ~= width, "a width in pixels")
    self.width = width
    self.color = color
  }

  /// The art with the border under it, composed in linear light.
  ///
  /// Opaque pixels of the art stay as they are. Art that fades in brings its border along: below half of full alpha the
  /// border's is in proportion to the greatest of the art.
  public func drawn(under art: Bitmap) -> Bitmap {
    let alphas = stride(from: 3, to: art.pixels.count, by: 4).map { art.pixels[$0] }
    guard width > 0, let greatest = alphas.max(), greatest > 0 else { return art }
    let shape = AlphaShape(alphas: alphas, size: art.size, greatest: greatest)
    let coverage = shape.coverage(within: Float(width))
    let opacity = min(1, Float(greatest) / 128)
    let paint = Bitmap(size: PixelSize(square: 1), fill: color).linear.samples
    let color = SIMD4(paint[0], paint[1], paint[2], paint[3]) * opacity
    var result = art
    for i in coverage.indices where coverage[i] > 0 && alphas[i] < 255 {
      result.put(Outline.over(art, i, color * coverage[i]), at: i)
    }
    return result
  }

  /// A pixel of the art over a premultiplied linear one.
  private static func over(_ art: Bitmap, _ i: Int, _ under: SIMD4<Float>) -> RGBA8 {
    let alpha = Float(art.pixels[i * 4 + 3]) / 255
    let top = SIMD4(
      SRGB.linear8[Int(art.pixels[i * 4])], SRGB.linear8[Int(art.pixels[i * 4 + 1])],
      SRGB.linear8[Int(art.pixels[i * 4 + 2])], 1)
    let sum = top * alpha + under * (1 - alpha)
    guard sum.w >= 0.5 / 255 else { return .clear }
    let straight = sum / sum.w
    return RGBA8(
      SRGB.encode8(straight.x), SRGB.encode8(straight.y), SRGB.encode8(straight.z), UInt8(min(sum.w, 1) * 255 + 0.5))
  }
}

extension Bitmap {
  /// Replaces the pixel at a place in the order of rows.
  fileprivate mutating func put(_ color: RGBA8, at i: Int) {
    pixels[i * 4] = color.red
    pixels[i * 4 + 1] = color.green
    pixels[i * 4 + 2] = color.blue
    pixels[i * 4 + 3] = color.alpha
  }
}
