import Codecs
import Imaging

/// Renders the frames of one source, one after the other.
struct FrameRenderer {
  private let plan: RenderPlan
  private let background: RGBA8?
  private let resampler: Resampler
  private var previous: (frame: SourceFrame, bitmap: Bitmap)?
  /// The converters used, each once, and the pixels that went through them.
  private var converters: [ColorConverter] = []
  private var convertedPixels = 0

  init(plan: RenderPlan, background: RGBA8?) {
    self.plan = plan
    self.background = background
    resampler = Resampler(source: plan.source, placement: plan.placement, kernel: plan.kernel)
  }

  /// Renders a frame; one that equals the frame before costs a comparison.
  mutating func render(_ frame: SourceFrame) -> Bitmap {
    if let previous, previous.frame.color == frame.color, previous.frame.origin == frame.origin,
      previous.frame.raster.equals(frame.raster)
    {
      return previous.bitmap
    }
    let bitmap = copied(frame) ?? resampled(frame)
    previous = (frame, bitmap)
    return bitmap
  }

  /// Whether colors were clipped.
  func diagnostics(path: String?) -> [Diagnostic] {
    let clipped = converters.reduce(0) { $0 + $1.clippedPixels }
    return gamutNote(clipped: clipped, of: convertedPixels, path: path).map { [$0] } ?? []
  }

  /// A finished sticker's own pixels, bit by bit: 8-bit sRGB that is neither scaled nor put on a color.
  private func copied(_ frame: SourceFrame) -> Bitmap? {
    let placement = plan.placement
    guard background == nil, frame.color == .sRGB, frame.raster.size == plan.source,
      let source = placement.exactSource, case .rgba8(let samples) = frame.raster.samples
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

  private mutating func resampled(_ frame: SourceFrame) -> Bitmap {
    if converters.last !== frame.converter { converters.append(frame.converter) }
    let size = frame.raster.size
    let (x, y) = frame.origin
    var rows = 0
    var picture = resampler.resample { row, output in
      if size != plan.source { output.update(repeating: 0) }
      guard row >= y, row < y + size.height else { return }
      let covered = UnsafeMutableBufferPointer(rebasing: output[x * 4..<(x + size.width) * 4])
      frame.converter.convert(frame.raster, row: row - y, into: covered)
      rows += 1
    }
    convertedPixels += rows * size.width
    picture = picture.placed(on: plan.placement.canvas, x: plan.placement.target.x, y: plan.placement.target.y)
    if let background { picture.flatten(over: background) }
    return picture.bitmap()
  }
}
