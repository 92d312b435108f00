import Codecs
import Imaging

/// Renders the frames of one source, one after the other.
struct FrameRenderer {
  private let plan: RenderPlan
  private let background: RGBA8?
  private let outline: Outline
  private let resampler: Resampler
  /// Whether a frame is kept to compare the next one with; of numbered pictures that are very large, none is.
  private let comparesFrames: Bool
  private var previous: (frame: SourceFrame, art: Bitmap, finished: Bitmap)?
  /// The pixels that were converted, and those of them that were clipped.
  private var convertedPixels = 0
  private var clippedPixels = 0

  init(plan: RenderPlan, background: RGBA8?, outline: Outline, comparesFrames: Bool) {
    self.plan = plan
    self.background = background
    self.outline = outline
    self.comparesFrames = comparesFrames
    resampler = Resampler(source: plan.source, placement: plan.placement, kernel: plan.kernel)
  }

  /// Renders a frame; of one that differs from the frame before in some rows, only what depends on them.
  mutating func render(_ frame: SourceFrame) -> Bitmap {
    let art: Bitmap
    let frame = plan.matte.map(frame.defringed) ?? frame
    if let previous, frame.isLike(previous.frame) {
      let rows = frame.raster.rows(
        differingFrom: previous.frame.raster, within: frame.changedRows ?? 0..<frame.raster.size.height)
      if rows.isEmpty { return previous.finished }
      art = copied(frame) ?? resampled(frame, changed: rows, since: previous.art)
    } else {
      art = copied(frame) ?? resampled(frame, rows: 0..<plan.placement.target.height)
    }
    let finished = outlined(art)
    if comparesFrames { previous = (frame, art, finished) }
    return finished
  }

  /// The art with its border, and the background under both.
  private func outlined(_ art: Bitmap) -> Bitmap {
    guard outline.width > 0 else { return art }
    let bordered = outline.drawn(under: art)
    guard let background else { return bordered }
    var picture = bordered.linear
    picture.flatten(over: background)
    return picture.bitmap()
  }

  /// Whether colors were clipped.
  func diagnostics(path: String?) -> [Diagnostic] {
    gamutNote(clipped: clippedPixels, of: convertedPixels, path: path).map { [$0] } ?? []
  }

  /// A finished sticker's own pixels, bit by bit: 8-bit sRGB that is neither scaled nor put on a color.
  private func copied(_ frame: SourceFrame) -> Bitmap? {
    let placement = plan.placement
    guard background == nil || outline.width > 0, frame.color == .sRGB, frame.size == plan.source,
      let source = placement.exactSource,
      case .rgba8 = frame.raster.samples, case .rgba8(let samples) = frame.raster.upright(frame.orientation).samples
    else { return nil }
    if source == PixelRect(plan.source), placement.canvas == plan.source {
      return Bitmap(size: placement.canvas, pixels: samples)
    }
    var bitmap = Bitmap(size: placement.canvas)
    for row in 0..<source.height {
      let from = ((source.y + row) * plan.source.width + source.x) * 4
      let to = ((placement.target.y + row) * placement.canvas.width + placement.target.x) * 4
      bitmap.pixels.replaceSubrange(to..<to + source.width * 4, with: samples[from..<from + source.width * 4])
    }
    return bitmap
  }

  /// The frame before with those rows rendered anew that stored rows have to do with.
  private mutating func resampled(_ frame: SourceFrame, changed: Range<Int>, since before: Bitmap) -> Bitmap {
    let target = plan.placement.target
    guard frame.orientation == .up else { return resampled(frame, rows: 0..<target.height) }
    let origin = frame.origin.y
    let rows = resampler.targetRows(of: changed.lowerBound + origin..<changed.upperBound + origin)
    if rows.isEmpty { return before }
    let width = plan.placement.canvas.width * 4
    let band = resampled(frame, rows: rows)
    if band.size == before.size { return band }
    var bitmap = before
    let start = (target.y + rows.lowerBound) * width
    bitmap.pixels.replaceSubrange(start..<start + rows.count * width, with: band.pixels)
    return bitmap
  }

  /// Some rows of the art on the canvas; all of them make the whole canvas.
  private mutating func resampled(_ frame: SourceFrame, rows wanted: Range<Int>) -> Bitmap {
    let clippedBefore = frame.converter.clippedPixels
    let size = frame.size
    let (x, y) = frame.origin
    var bands = frame.bands
    var rows = 0
    var picture = resampler.resample(rows: wanted) { row, output in
      if size != plan.source { output.update(repeating: 0) }
      guard row >= y, row < y + size.height else { return }
      let covered = UnsafeMutableBufferPointer(rebasing: output[x * 4..<(x + size.width) * 4])
      let (band, at) = bands.row(row - y)
      frame.converter.convert(band, row: at, into: covered)
      rows += 1
    }
    convertedPixels += rows * size.width
    clippedPixels += frame.converter.clippedPixels - clippedBefore
    let (canvas, target) = (plan.placement.canvas, plan.placement.target)
    if wanted.count == target.height {
      picture = picture.placed(on: canvas, x: target.x, y: target.y)
    } else {
      picture = picture.placed(on: PixelSize(width: canvas.width, height: wanted.count), x: target.x, y: 0)
    }
    // A border lies between the art and the background.
    if let background, outline.width == 0 { picture.flatten(over: background) }
    return picture.bitmap()
  }
}

extension SourceFrame {
  /// The frame without a matte at its edges.
  func defringed(_ matte: Matte) -> SourceFrame {
    var frame = self
    frame.raster = raster.defringed(matte)
    // An edge pixel takes its color from its neighbors.
    frame.changedRows = nil
    return frame
  }

  /// Whether equal samples would look the same in the same place.
  fileprivate func isLike(_ other: SourceFrame) -> Bool {
    color == other.color && origin == other.origin && orientation == other.orientation
      && raster.size == other.raster.size && raster.hasLayout(of: other.raster)
  }
}
