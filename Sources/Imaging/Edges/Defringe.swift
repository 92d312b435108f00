/// What is done about a rim of the color that art was flattened over, a white one most often.
public enum Defringe: Hashable, Sendable {
  /// Nothing.
  case off
  /// The color is looked for at the edges of the first frame that shows something, and taken out where it is found.
  case auto
  /// This color is taken out; its alpha does not count.
  case matte(RGBA8)
}

/// The color that art was once flattened over, as it shows at the art's edges.
public struct Matte: Hashable, Sendable {
  /// How art with such a rim ends.
  public enum Edge: Sendable {
    /// In translucent pixels, whose color has the matte in it.
    case soft
    /// In opaque pixels: those that were translucent once are mixtures.
    case hard
  }

  /// Red, green and blue in the file's own numbers, 0 to 1.
  public var color: SIMD3<Float>
  /// How the art ends.
  public var edge: Edge
  /// How many pixels deep a hard edge shows it, 1 or 2: art that was smoothed more widely and cut out by its color ends
  /// in a ring that is nearly the matte, with the mixtures behind it.
  public var depth: Int

  /// Makes a matte.
  public init(color: SIMD3<Float>, edge: Edge, depth: Int = 1) {
    precondition(1...2 ~= depth, "one ring or two")
    self.color = color
    self.edge = edge
    self.depth = depth
  }

  /// The color in 8 bits, for messages.
  public var rgba8: RGBA8 {
    let levels = (color * 255 + 0.5).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    return RGBA8(UInt8(levels.x), UInt8(levels.y), UInt8(levels.z))
  }
}

extension Raster {
  /// Finds the color that the picture was flattened over, or answers nil where its edges show none.
  ///
  /// Along a soft edge color C of alpha a is aF + (1 - a)M with the art's color F beside it and the matte M; along a hard
  /// one the share is unknown, but C lies on the line from F to M, at places that differ from pixel to pixel. What
  /// does not fit one matte along most of the edge, or fits as well without, is taken for the art's own: contours,
  /// glows and shadows have one color, whatever their share.
  public func matte() -> Matte? {
    guard let art = EdgeArt(self) else { return nil }
    return art.edge == .soft ? art.softMatte() : art.hardMatte()
  }

  /// A matte whose color is known, with how the picture's edges show it.
  public func matte(of color: SIMD3<Float>) -> Matte {
    guard let art = EdgeArt(self), art.edge == .hard else {
      return Matte(color: color, edge: EdgeArt(self)?.edge ?? .hard)
    }
    return Matte(color: color, edge: .hard, depth: art.depth(of: color))
  }

  /// The picture without a matte at its edges.
  ///
  /// Colors of soft edges are unmixed; pixels of hard edges become translucent in the color beside them. CMYK has no
  /// edges and stays.
  public func defringed(_ matte: Matte) -> Raster {
    guard let art = EdgeArt(self) else { return self }
    return art.replacing(matte.edge == .soft ? art.softRepair(matte.color) : art.hardRepair(matte))
  }
}
