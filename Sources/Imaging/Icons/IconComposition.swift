/// A master icon made ready for every slot: opaque to its corners, or a logo and the color to put it on.
///
/// It stays at the master's own resolution, so that each icon is resampled once.
public struct IconComposition: Sendable {
  /// The art; opaque, except where there is a background.
  public private(set) var art: LinearBitmap
  /// The color that comes under the art, opaque; nil where the art is opaque.
  public let background: RGBA8?
  /// What the master was.
  public let shape: IconShape
  /// Whether corners were filled with the plate's own colors.
  public let hasFilledCorners: Bool

  /// Composes a master.
  ///
  /// A plate is cut out of its margins and its corners are filled with its own colors; the background shows only where
  /// a logo, or a hole in a plate, is transparent. `shape` is the master's.
  public init(_ master: LinearBitmap, shape: IconShape, background: RGBA8) {
    self.shape = shape
    let background = RGBA8(background.red, background.green, background.blue)
    switch shape {
    case .opaque:
      art = master
      art.makeOpaque()
      hasFilledCorners = false
      self.background = nil
    case .plate(let rect):
      let cut = PlateCut(master, rect)
      art = cut.art
      hasFilledCorners = cut.hasCorners
      let hasHoles = art.resolveSolid()
      if hasHoles { art.flatten(over: background) }
      art.makeOpaque()
      self.background = hasHoles ? background : nil
    case .logo:
      art = master
      hasFilledCorners = false
      self.background = background
    }
  }

  /// The size of the art.
  public var size: PixelSize { art.size }

  /// The composition as a square.
  ///
  /// `contain` continues the shorter sides, `cover` cuts the longer ones, `fill` stretches to the longer side.
  public func squared(_ fit: Fit) -> IconComposition {
    if size.isSquare { return self }
    var result = self
    switch fit {
    case .contain:
      let side = max(size.width, size.height)
      result = size.width < side ? widened(to: side) : transposed().widened(to: side).transposed()
      result.art = result.art.centered(PixelSize(square: side))
    case .cover:
      result.art = art.centered(PixelSize(square: min(size.width, size.height)))
    case .fill:
      result.art = Resampler.resample(art, to: PixelSize(square: max(size.width, size.height)))
    }
    return result
  }

  /// The composition at least `width` columns wide, at its own height, by as much on both sides.
  ///
  /// An opaque picture's edges go on row by row; beside a logo there is background.
  public func widened(to width: Int) -> IconComposition {
    let margin = max(0, (width - size.width + 1) / 2)
    if margin == 0 { return self }
    var result = self
    if isLogo {
      let canvas = PixelSize(width: size.width + 2 * margin, height: size.height)
      result.art = art.placed(on: canvas, x: margin, y: 0)
    } else {
      result.art = SideExtension.widen(art, by: margin)
    }
    return result
  }

  private var isLogo: Bool { if case .logo = shape { true } else { false } }

  private func transposed() -> IconComposition {
    var result = self
    result.art = art.transposed()
    return result
  }

  /// The finished, opaque icon: the whole height of the art, and of its width the middle, as much as the aspect takes.
  ///
  /// The art must be at least as wide as that, by `widened(to:)`. A logo is resampled first and put on its background
  /// afterwards, which leaves no ringing in the background.
  public func render(_ target: PixelSize, kernel: Kernel = .default) -> Bitmap {
    let width = Double(size.height) * Double(target.width) / Double(target.height)
    precondition(width < Double(size.width) + 1, "the art is wide enough")
    let region = PixelRegion(
      x: (Double(size.width) - width) / 2, y: 0, width: width, height: Double(size.height))
    // What is opaque and has its size is finished.
    if size == target, background == nil { return art.bitmap() }
    var icon =
      size == target ? art : Resampler(source: size, region: region, target: target, kernel: kernel).resample(art)
    if let background { icon.flatten(over: background) }
    icon.makeOpaque()
    return icon.bitmap()
  }
}
