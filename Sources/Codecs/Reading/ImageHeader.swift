public import Imaging

/// What is known of an image before its pixels are decoded.
public struct ImageHeader: Sendable {
  /// The format, by content.
  public var format: ImageFormat
  /// The canvas as stored, before orientation.
  public var size: PixelSize
  /// The frames that are displayed, at least 1; a hidden default image is not one.
  public var frameCount: Int
  /// Times the animation plays, 0 = for ever; a GIF's repetitions are converted here and nowhere else.
  public var playCount: Int
  /// How the stored rows stand to the upright picture.
  public var orientation: Orientation
  /// What the numbers mean.
  public var color: ColorEncoding
  /// The file's own bits a sample: 1, 2, 4, 8 or 16.
  public var bitDepth: Int
  /// The file's own color model: `gray`, `gray+alpha`, `palette`, `rgb`, `rgba`, `ycbcr`, `cmyk`, `ycck`.
  public var colorModel: String
  /// Whether the file can hold alpha below opaque (channel, tRNS, transparent index).
  public var hasAlpha: Bool

  /// Makes a header.
  public init(
    format: ImageFormat, size: PixelSize, frameCount: Int = 1, playCount: Int = 1, orientation: Orientation = .up,
    color: ColorEncoding = .sRGB, bitDepth: Int = 8, colorModel: String = "rgba", hasAlpha: Bool = true
  ) {
    self.format = format
    self.size = size
    self.frameCount = frameCount
    self.playCount = playCount
    self.orientation = orientation
    self.color = color
    self.bitDepth = bitDepth
    self.colorModel = colorModel
    self.hasAlpha = hasAlpha
  }
}

/// What an image's numbers mean, in the order of precedence in which files say it.
public enum ColorEncoding: Sendable, Hashable {
  /// sRGB, also where nothing is said.
  case sRGB
  /// An embedded ICC profile, as stored (decompressed).
  case icc([UInt8])
  /// PNG's gAMA (file gamma, 45455 = 1/2.2, as gAMA / 100000) and cHRM (white, red, green, blue x and y).
  case gamma(Double, chromaticities: [Double]?)
}

/// One displayed frame, composed on its canvas.
public struct DecodedFrame: Sendable {
  /// The whole canvas as it is seen, in the file's own numbers.
  public var raster: Raster
  /// The delay as the file says it, in seconds; zero for a still.
  public var storedDelay: Rational
  /// The delay as it is played: 10 ms and less are 100 ms, as in browsers.
  public var delay: Rational
  /// The rows in which it may differ from the frame before.
  public var changedRows: Range<Int>

  /// Makes a frame and derives the played delay; a still's stays zero.
  ///
  /// Without `changedRows`, all may differ.
  public init(raster: Raster, storedDelay: Rational, isAnimated: Bool, changedRows: Range<Int>? = nil) {
    self.raster = raster
    self.changedRows = changedRows ?? 0..<raster.size.height
    self.storedDelay = storedDelay
    delay = isAnimated && storedDelay <= Rational(1, 100) ? Rational(1, 10) : storedDelay
  }
}

/// Why an image cannot be read.
///
/// The message is lower case and says what, and what to do.
public enum DecodeError: Error, Sendable, Hashable {
  /// No bytes.
  case empty
  /// The content is no image that Decal knows.
  case unrecognized
  /// An art format that is known but not read; the name and what to export instead.
  case unsupportedFormat(name: String, export: String)
  /// The data ends early or contradicts itself.
  case damaged(format: ImageFormat, reason: String)
  /// A kind of the format that cannot be read.
  case unsupported(format: ImageFormat, reason: String)
  /// A limit was met: which, the file's value (`Int.max` where it does not fit), what the limit is set to.
  case overLimit(DecodeLimit, value: Int, limit: Int)

  /// One line for people, lower case, with the next step where there is one.
  public var message: String {
    switch self {
    case .empty: "the file is empty; export it again"
    case .unrecognized: "not an image that decal reads (PNG, APNG, GIF, JPEG, WebP)"
    case .unsupportedFormat(let name, let export): "\(name) is not read; \(export)"
    case .damaged(let format, let reason): "damaged \(format.rawValue): \(reason); export it again"
    case .unsupported(let format, let reason): "unsupported \(format.rawValue): \(reason)"
    case .overLimit(let kind, let value, let limit): kind.message(value: value, limit: limit)
    }
  }
}

/// Something odd about an image that did not stop it from being read.
public struct DecodeWarning: Sendable, Hashable {
  /// A stable word, such as `bad-profile`, `damaged-frames` or `short-delay`.
  public var id: String
  /// One line for people, lower case.
  public var message: String

  /// Makes a warning.
  public init(id: String, message: String) {
    self.id = id
    self.message = message
  }
}
