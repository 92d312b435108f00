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

  /// The least ratio of luminances, as WCAG 2 counts contrast, that stands out: text needs 4.5, shapes 3; below 1.6 a
  /// large shape is a guess.
  public static let leastRatio = 1.6
  /// Art of which less stands out is not read; line art has about as much ink.
  public static let leastArea = 0.15
  /// A silhouette of which this much stands out is read whatever is inside: an outline takes little area.
  public static let leastRim = 0.5
  /// Difference of the largest and the smallest channel from which a color is told from gray of any luminance.
  ///
  /// Yellow on white has a contrast of 1.1, and nobody fails to see it.
  static let leastChroma = 96

  /// Whether the art can be read.
  public var isReadable: Bool { area >= Self.leastArea || rim >= Self.leastRim }

  /// Whether a color with alpha stands out from a background of one level; `luminance` holds that of the 256 levels.
  @inline(__always)
  static func standsOut(
    _ red: Int, _ green: Int, _ blue: Int, alpha: Int, from level: Int, _ luminance: UnsafeBufferPointer<Float>
  ) -> Bool {
    // Displays blend encoded values.
    let under = level * (255 - alpha)
    let (r, g, b) = ((red * alpha + under) / 255, (green * alpha + under) / 255, (blue * alpha + under) / 255)
    if max(r, g, b) - min(r, g, b) >= leastChroma { return true }
    // Relative luminance of WCAG 2, which is that of linear sRGB.
    let light = luminance[r] * 0.2126 + luminance[g] * 0.7152 + luminance[b] * 0.0722
    let (lighter, darker) = level == 255 ? (Float(1), light) : (light, Float(0))
    return (lighter + 0.05) / (darker + 0.05) >= Float(leastRatio)
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
    var tallies = [Tally](repeating: Tally(), count: parts.count)
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
    let all = tallies.reduce(into: Tally()) { $0.add($1) }
    whole = all.part(of: all)
    self.parts = tallies.map { $0.part(of: all) }.filter { $0.share >= Self.leastShare }
  }
}

/// Sums over pixels.
private struct Tally {
  var weight = 0
  var count = 0
  var light = 0
  var dark = 0
  var rim = 0
  var lightRim = 0
  var darkRim = 0
  var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)

  mutating func add(
    _ pixels: UnsafeBufferPointer<UInt8>, _ size: PixelSize, _ x: Int, _ y: Int, _ luminance: UnsafeBufferPointer<Float>
  ) {
    let at = (y * size.width + x) * 4
    let (r, g, b, alpha) = (Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]), Int(pixels[at + 3]))
    let onLight = ChatContrast.standsOut(r, g, b, alpha: alpha, from: 255, luminance)
    let onDark = ChatContrast.standsOut(r, g, b, alpha: alpha, from: 0, luminance)
    (weight, count) = (weight + alpha, count + 1)
    if onLight { light += alpha }
    if onDark { dark += alpha }
    (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
    guard alpha >= Int(ContrastSurvey.solidAlpha) else { return }
    func isOpen(_ x: Int, _ y: Int) -> Bool {
      guard x >= 0, y >= 0, x < size.width, y < size.height else { return true }
      return pixels[(y * size.width + x) * 4 + 3] < ContrastSurvey.solidAlpha
    }
    guard isOpen(x - 1, y) || isOpen(x + 1, y) || isOpen(x, y - 1) || isOpen(x, y + 1) else { return }
    rim += 1
    if onLight { lightRim += 1 }
    if onDark { darkRim += 1 }
  }

  mutating func add(_ other: Tally) {
    (weight, count, rim) = (weight + other.weight, count + other.count, rim + other.rim)
    (light, dark) = (light + other.light, dark + other.dark)
    (lightRim, darkRim) = (lightRim + other.lightRim, darkRim + other.darkRim)
    (left, top) = (min(left, other.left), min(top, other.top))
    (right, bottom) = (max(right, other.right), max(bottom, other.bottom))
  }

  func part(of all: Tally) -> ContrastSurvey.Part {
    func share(_ part: Int, _ whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }
    return ContrastSurvey.Part(
      box: PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1),
      share: share(weight, all.weight), solidity: share(weight, count * 255),
      light: ChatContrast(area: share(light, weight), rim: share(lightRim, rim)),
      dark: ChatContrast(area: share(dark, weight), rim: share(darkRim, rim)))
  }
}
