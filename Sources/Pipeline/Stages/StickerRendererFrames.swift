import Codecs
import Imaging

/// One frame on its way to the canvas of its source.
struct SourceFrame {
  /// The picture as it is stored, in the file's own numbers.
  var raster: Raster
  /// How it stands to the upright one.
  var orientation: Orientation
  /// Where its first pixel lies on the source canvas.
  var origin = (x: 0, y: 0)
  /// What the numbers mean.
  var color: ColorEncoding
  /// Takes them to the working space.
  var converter: ColorConverter
  /// The delay as it is played, in seconds.
  var delay: Rational
  /// Whether the delay was so short that it is played longer.
  var isShort = false
  /// The stored rows in which it may differ from the frame before; nil where that is not known.
  var changedRows: Range<Int>?

  /// The size of the upright picture.
  var size: PixelSize { orientation.swapsSides ? raster.size.transposed : raster.size }
  /// The upright picture.
  var bands: UprightBands { UprightBands(raster, orientation) }
}

/// A pass over frames in the order in which they are shown.
protocol FrameSource: AnyObject {
  /// The upright canvas.
  var canvas: PixelSize { get }
  /// The file format.
  var format: ImageFormat { get }
  /// Times the frames play, 0 = for ever.
  var playCount: Int { get }
  /// What was odd; complete after the last frame.
  var diagnostics: [Diagnostic] { get }
  /// The next frame, or nil after the last.
  func next() throws -> SourceFrame?
  /// Asks for frames of half the size; where they will come so, tells how they are stored.
  func halve() -> Orientation?
}

extension FrameSource {
  func halve() -> Orientation? { nil }
}

/// The frames of one file.
final class FileFrames: FrameSource {
  private let reader: ImageReader
  private let converter: ColorConverter
  private let path: String?
  private var isFirst = true

  init(bytes: [UInt8], path: String?, limits: DecodeLimits) throws {
    reader = try ImageReader(bytes: bytes, limits: limits)
    converter = ColorConverter(reader.header.color)
    self.path = path
  }

  var canvas: PixelSize {
    reader.header.orientation.swapsSides ? reader.header.size.transposed : reader.header.size
  }
  var format: ImageFormat { reader.header.format }
  var playCount: Int { reader.header.playCount }
  func halve() -> Orientation? { reader.halve() ? reader.header.orientation : nil }
  var diagnostics: [Diagnostic] { (reader.warnings + converter.warnings).map { $0.diagnostic(path: path) } }

  func next() throws -> SourceFrame? {
    guard let frame = try reader.nextFrame() else {
      if isFirst { throw DecodeError.damaged(format: format, reason: "no frame") }
      return nil
    }
    isFirst = false
    return SourceFrame(
      raster: frame.raster, orientation: reader.header.orientation, color: reader.header.color, converter: converter,
      delay: frame.delay, isShort: frame.delay != frame.storedDelay, changedRows: frame.changedRows)
  }
}

/// The frames of an animation that is one file a frame.
final class StillFrames: FrameSource {
  let canvas: PixelSize
  let format: ImageFormat
  let playCount = 0
  private(set) var diagnostics: [Diagnostic] = []
  private let delay: Rational
  private let limits: DecodeLimits
  private var files: ArraySlice<StillFile>

  init(files: [StillFile], canvas: StillCanvas, delay: Rational, limits: DecodeLimits) {
    self.files = files[...]
    self.canvas = canvas.size
    format = canvas.format
    self.delay = delay
    self.limits = limits
  }

  func next() throws -> SourceFrame? {
    guard let file = files.popFirst() else { return nil }
    let bytes = try file.load()
    do throws(DecodeError) {
      let source = try StillFrames.decode(bytes, limits: limits)
      let (reader, converter) = (source.reader, source.converter)
      diagnostics += (reader.warnings + converter.warnings).map { $0.diagnostic(path: file.path) }
      if reader.header.frameCount > 1 {
        let message = "\(reader.header.frameCount) frames inside one numbered frame; only the first is used"
        diagnostics.append(Diagnostic(.warning, path: file.path, message, id: "nested-animation"))
      }
      var frame = SourceFrame(
        raster: source.raster, orientation: reader.header.orientation, color: reader.header.color,
        converter: converter, delay: delay)
      // A file that changed since it was surveyed no longer fits.
      guard frame.size.width <= canvas.width, frame.size.height <= canvas.height else {
        throw .damaged(format: reader.header.format, reason: "its size changed while it was read")
      }
      frame.origin = ((canvas.width - frame.size.width) / 2, (canvas.height - frame.size.height) / 2)
      return frame
    } catch {
      throw FrameFileError(path: file.path, reason: error)
    }
  }

  private static func decode(
    _ bytes: [UInt8], limits: DecodeLimits
  ) throws(DecodeError) -> (reader: ImageReader, converter: ColorConverter, raster: Raster) {
    let reader = try ImageReader(bytes: bytes, limits: limits)
    guard let frame = try reader.nextFrame() else {
      throw .damaged(format: reader.header.format, reason: "no frame")
    }
    return (reader, ColorConverter(reader.header.color), frame.raster)
  }

  /// Reads the sizes of all files.
  static func survey(_ files: [StillFile], limits: DecodeLimits) throws -> StillCanvas {
    var sizes: [PixelSize] = []
    var format = ImageFormat.png
    for file in files {
      let bytes = try file.load()
      do throws(DecodeError) {
        let header = try ImageReader(bytes: bytes, limits: limits).header
        if sizes.isEmpty { format = header.format }
        sizes.append(header.orientation.swapsSides ? header.size.transposed : header.size)
      } catch {
        throw FrameFileError(path: file.path, reason: error)
      }
    }
    return StillCanvas(sizes: sizes, format: format)
  }
}

/// The canvas that holds frames of several files.
struct StillCanvas {
  /// The greatest width and the greatest height.
  let size: PixelSize
  /// The first file's format.
  let format: ImageFormat
  /// The sizes that occur, in order of appearance.
  let distinctSizes: [PixelSize]

  init(sizes: [PixelSize], format: ImageFormat) {
    size = PixelSize(width: sizes.map(\.width).max() ?? 0, height: sizes.map(\.height).max() ?? 0)
    self.format = format
    distinctSizes = sizes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Names the sizes where they differ.
  func warning(path: String?) -> Diagnostic? {
    guard distinctSizes.count > 1 else { return nil }
    let shown = distinctSizes.prefix(3).map(\.description).joined(separator: ", ")
    let sizes = shown + (distinctSizes.count > 3 ? " and \(distinctSizes.count - 3) more" : "")
    return Diagnostic(
      .warning, path: path, "frames differ in size (\(sizes)); all are centered on \(size) px", id: "frame-sizes")
  }
}
