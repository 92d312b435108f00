import Imaging

/// What reports say of the pixels of all frames; rows that do not change are looked at once.
struct PixelLook {
  /// Pixels of all frames whose color lies outside sRGB.
  private(set) var pixelsOutsideSRGB = 0
  private let counter = ColorCounter()
  private let converter: ColorConverter
  private let isSRGB: Bool
  private var lowest = UInt16.max
  private var isBinary = true
  /// Of each row as it was last seen, the pixels outside sRGB.
  private var outside: [Int]
  private var scratch: [Float]

  init(_ header: ImageHeader) {
    isSRGB = header.color == .sRGB
    converter = ColorConverter(header.color)
    outside = Array(repeating: 0, count: isSRGB ? 0 : header.size.height)
    scratch = Array(repeating: 0, count: isSRGB ? 0 : header.size.width * 4)
  }

  /// Distinct colors, up to the counter's limit.
  var colors: Int { counter.count }
  /// `opaque`, `binary` or `soft`.
  var alpha: String { lowest == .max ? "opaque" : isBinary ? "binary" : "soft" }
  /// What was odd about the color profile.
  var warnings: [DecodeWarning] { converter.warnings }

  /// Looks at a frame.
  mutating func add(_ frame: DecodedFrame) {
    let (rows, rowLength) = (frame.changedRows, frame.raster.size.width * 4)
    let samples = rows.lowerBound * rowLength..<rows.upperBound * rowLength
    counter.add(frame.raster, samples)
    let alpha = frame.raster.alphaRange(samples)
    lowest = min(lowest, alpha.lowest)
    isBinary = isBinary && alpha.isBinary
    if isSRGB { return }
    for y in rows {
      let before = converter.clippedPixels
      scratch.withUnsafeMutableBufferPointer { converter.convert(frame.raster, row: y, into: $0) }
      outside[y] = converter.clippedPixels - before
    }
    pixelsOutsideSRGB += outside.reduce(0, +)
  }
}
