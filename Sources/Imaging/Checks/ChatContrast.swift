/// What lies behind a sticker in a chat: white, or black in dark mode.
public enum ChatBackground: String, CaseIterable, Sendable {
  /// White.
  case light
  /// Black.
  case dark

  /// Its level, 0 to 255, of all three channels.
  var level: Int { self == .light ? 255 : 0 }
}

/// How much of some art can be told from what lies behind it.
public struct ChatContrast: Hashable, Sendable {
  /// The part of the visible area, weighed by alpha, that stands out.
  public var area = 0.0
  /// The part of the silhouette's outermost pixels that stand out; 0 where nothing is half opaque.
  public var rim = 0.0
  /// The part of the visible area that has a strong contrast, such as the lines of a drawing.
  public var ink = 0.0
  /// How much of the art's width and height the ink spans, the lesser of both.
  public var inkSpan = 0.0

  /// The least ratio of luminances, as WCAG 2 counts contrast, that stands out: text needs 4.5, shapes 3; below 1.6 a
  /// large shape is a guess.
  public static let leastRatio = 1.6
  /// Art of which less stands out is not read; line art has about as much ink.
  public static let leastArea = 0.15
  /// A silhouette of which this much stands out is read whatever is inside: an outline takes little area.
  public static let leastRim = 0.5
  /// The ratio that WCAG 2 asks of text: lines of it are read however thin.
  public static let inkRatio = 4.5
  /// Lines of a drawing take at least this part of its area and span this part of its sides; eyes that shine from
  /// a black cat do not.
  public static let leastInk = 0.05
  /// See `leastInk`.
  public static let leastInkSpan = 0.6
  /// Difference of the largest and the smallest channel from which a color is told from gray of any luminance.
  ///
  /// Yellow on white has a contrast of 1.1, and nobody fails to see it.
  static let leastChroma = 96

  /// Whether the art can be read.
  public var isReadable: Bool {
    area >= Self.leastArea || rim >= Self.leastRim || (ink >= Self.leastInk && inkSpan >= Self.leastInkSpan)
  }

  /// How a color stands out from a background.
  enum Strength {
    /// Not at all.
    case none
    /// By `leastRatio` or by its color.
    case plain
    /// By `inkRatio`.
    case ink
  }

  /// How a color with alpha stands out from a background of one level; `luminance` holds that of the 256 levels.
  @inline(__always)
  static func strength(
    _ red: Int, _ green: Int, _ blue: Int, alpha: Int, from level: Int, _ luminance: UnsafeBufferPointer<Float>
  ) -> Strength {
    // Displays blend encoded values.
    let under = level * (255 - alpha)
    let (r, g, b) = ((red * alpha + under) / 255, (green * alpha + under) / 255, (blue * alpha + under) / 255)
    // Relative luminance of WCAG 2, which is that of linear sRGB.
    let light = SRGB.luminance(luminance[r], luminance[g], luminance[b])
    let (lighter, darker) = level == 255 ? (Float(1), light) : (light, Float(0))
    let ratio = (lighter + 0.05) / (darker + 0.05)
    if ratio >= Float(inkRatio) { return .ink }
    return ratio >= Float(leastRatio) || max(r, g, b) - min(r, g, b) >= leastChroma ? .plain : .none
  }
}

/// The contrast of a frame, whole and part by part, on both chat backgrounds.
public struct ContrastSurvey: Sendable {
  /// Pixels that hang together.
  public struct Part: Sendable {
    /// Where they are.
    public var box: PixelRect
    /// The part of the frame's visible area that they have.
    public var share: Double
    /// Their mean alpha, 0 to 1: shadows and glows are far below 1.
    public var solidity: Double
    /// How well they stand out on a white chat.
    public var light: ChatContrast
    /// How well they stand out on a black chat.
    public var dark: ChatContrast

    /// The contrast on a background.
    public func contrast(on background: ChatBackground) -> ChatContrast { background == .light ? light : dark }
  }

  /// All of the art.
  public var whole: Part
  /// Its parts of at least `leastShare`, the first ones at the top; the whole alone where it is one.
  public var parts: [Part]

  /// The least share of the visible area that a part has.
  public static let leastShare = 0.02
  /// Alpha from which a pixel is seen.
  static let visibleAlpha: UInt8 = 24
  /// Alpha from which a pixel belongs to the silhouette.
  static let solidAlpha: UInt8 = 128

  /// Looks at a frame; nil where nothing is seen.
  public init?(of frame: Bitmap) {
    let size = frame.size
    let mask = (0..<size.area).map { frame.pixels[$0 * 4 + 3] >= Self.visibleAlpha ? UInt8(1) : 0 }
    let parts = MaskParts(mask, size)
    guard parts.count > 0 else { return nil }
    var tallies = [ContrastTally](repeating: ContrastTally(), count: parts.count)
    frame.pixels.withUnsafeBufferPointer { pixels in
      SRGB.linear8.withUnsafeBufferPointer { luminance in
        for y in 0..<size.height {
          for x in 0..<size.width where parts.labels[y * size.width + x] >= 0 {
            let i = y * size.width + x
            tallies[Int(parts.labels[i])].add(pixels, size, x, y, luminance)
          }
        }
      }
    }
    let all = tallies.reduce(into: ContrastTally()) { $0.add($1) }
    whole = all.part(of: all)
    self.parts = tallies.map { $0.part(of: all) }.filter { $0.share >= Self.leastShare }
  }
}
