/// What a look at every frame says of art before it is placed: where it is, and whether it is pixel art.
public struct ArtSurvey: Sendable {
  /// The longest side of pixel art.
  ///
  /// Sprites are 8 to 128 px; above that, art enlarged by a whole factor would leave wide margins.
  public static let longestPixelArtSide = 128
  /// The most colors of pixel art, over all frames.
  ///
  /// The palettes that pixel artists share have 4 to 64 colors; a photograph or a soft drawing of 32x32 px has hundreds.
  public static let mostPixelArtColors = 64

  /// The smallest rectangle that holds every pixel with any alpha, in any frame.
  public private(set) var content = PixelRect(x: 0, y: 0, width: 0, height: 0)
  private var colors: Set<UInt64> = []
  private var isSoft = false
  private var longestSide = 0

  /// A survey of nothing.
  public init() {}

  /// Whether the art is pixel art: no side longer than `longestPixelArtSide`, 2 to `mostPixelArtColors` colors, and every
  /// pixel wholly clear or wholly opaque.
  public var isPixelArt: Bool {
    !content.isEmpty && !isSoft && longestSide <= ArtSurvey.longestPixelArtSide
      && (2...ArtSurvey.mostPixelArtColors).contains(colors.count)
  }

  /// Looks at a frame whose first pixel lies at a column and a row of the canvas.
  public mutating func add(_ raster: Raster, x: Int, y: Int) {
    longestSide = max(longestSide, raster.size.width, raster.size.height)
    let box: PixelRect
    switch raster.samples {
    case .cmyk8:
      // Ink has no alpha; printed art is no pixel art.
      isSoft = true
      box = PixelRect(raster.size)
    case .rgba8(let samples):
      box = ArtSurvey.content(of: samples, raster.size)
      note(samples)
    case .rgba16(let samples):
      box = ArtSurvey.content(of: samples, raster.size)
      note(samples)
    }
    guard !box.isEmpty else { return }
    content = content.union(PixelRect(x: box.x + x, y: box.y + y, width: box.width, height: box.height))
  }

  /// Counts colors while the art may still be pixel art; all clear pixels are one.
  private mutating func note<Sample: FixedWidthInteger & UnsignedInteger>(_ samples: [Sample]) {
    guard longestSide <= ArtSurvey.longestPixelArtSide else { return }
    for i in stride(from: 0, to: samples.count, by: 4) {
      guard !isSoft, colors.count <= ArtSurvey.mostPixelArtColors else { return }
      let alpha = samples[i + 3]
      if alpha == 0 {
        colors.insert(0)
      } else if alpha == .max {
        colors.insert((0..<4).reduce(0) { $0 << 16 | UInt64(samples[i + $1]) })
      } else {
        isSoft = true
      }
    }
  }

  private static func content<Sample: FixedWidthInteger>(of samples: [Sample], _ size: PixelSize) -> PixelRect {
    samples.withUnsafeBufferPointer { samples in
      func isClear(_ x: Int, _ y: Int) -> Bool { samples[(y * size.width + x) * 4 + 3] == 0 }
      let columns = 0..<size.width
      guard let top = (0..<size.height).first(where: { y in columns.contains { !isClear($0, y) } }),
        let bottom = (top..<size.height).last(where: { y in columns.contains { !isClear($0, y) } })
      else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
      var (left, right) = (size.width, -1)
      for y in top...bottom {
        var x = 0
        while x < left, isClear(x, y) { x += 1 }
        left = min(left, x)
        x = size.width - 1
        while x > right, isClear(x, y) { x -= 1 }
        right = max(right, x)
      }
      return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
  }
}
