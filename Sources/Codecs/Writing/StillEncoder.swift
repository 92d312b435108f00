public import Imaging

/// How a file came to its size.
public struct EncodingReport: Sendable, Hashable {
  /// The ways to store pixels.
  public enum Method: String, Sendable {
    /// Every visible pixel is exact.
    case lossless
    /// Colors were reduced to one palette.
    case palette
  }

  /// Exact, or by a reduced palette.
  public var method: Method
  /// Entries of the palette, or distinct colors of a lossless file where they were counted (nil: more than 256).
  public var colors: Int?
  /// Frames of the source animation.
  public var sourceFrames: Int
  /// Frames in the file after merging and thinning.
  public var keptFrames: Int
  /// Frames that went because they equaled the one before; they cost nothing.
  public var mergedFrames: Int
  /// Tries that the search took.
  public var attempts: Int

  /// Makes a report.
  public init(
    method: Method, colors: Int?, sourceFrames: Int = 1, keptFrames: Int = 1, mergedFrames: Int = 0, attempts: Int = 1
  ) {
    self.method = method
    self.colors = colors
    self.sourceFrames = sourceFrames
    self.keptFrames = keptFrames
    self.mergedFrames = mergedFrames
    self.attempts = attempts
  }
}

/// A finished file.
public struct EncodedAsset: Sendable {
  /// The file's bytes, a PNG or APNG.
  public var bytes: [UInt8]
  /// How it came to its size.
  public var report: EncodingReport

  /// Makes an asset.
  public init(bytes: [UInt8], report: EncodingReport) {
    self.bytes = bytes
    self.report = report
  }
}

/// How hard the encoders try; the raw value is the word used on the command line and in `decal.json`.
public enum Effort: String, CaseIterable, Sendable {
  /// A quick look.
  case fast
  /// The default.
  case normal
  /// As small as it gets.
  case max
}

/// Encodes one picture as the smallest lossless PNG.
public struct StillEncoder: Sendable {
  /// How hard to try.
  public var effort: Effort
  /// Write 8-bit RGB (color type 2), whatever is smaller; for icons.
  ///
  /// An alpha channel (color type 6) is added only where a pixel is translucent.
  public var forcesRGB: Bool
  /// Take less time for a somewhat larger file, for where a few more bytes do no harm; counts with normal effort.
  public var favorsTime: Bool

  /// Makes an encoder.
  public init(effort: Effort = .normal, forcesRGB: Bool = false, favorsTime: Bool = false) {
    self.effort = effort
    self.forcesRGB = forcesRGB
    self.favorsTime = favorsTime
  }

  /// The file: every visible pixel exact, color under alpha 0 cleared, an sRGB chunk, no timestamps.
  public func encode(_ bitmap: Bitmap) -> EncodedAsset {
    precondition(bitmap.size.area > 0, "a picture has pixels")
    var facts = PictureFacts()
    facts.add(bitmap)
    let truecolor = PixelFormat(facts.isOpaque ? .rgb(clear: nil) : .rgba)
    let formats =
      forcesRGB ? [truecolor] : facts.directFormats + facts.palettes.map { PixelFormat(packing: $0) }
    let pixels = bitmap.visiblePixels()
    let bytes = StillEncoder.smallest(size: bitmap.size, formats, plan) { format in
      pixels.withUnsafeBufferPointer { format.pack($0, width: bitmap.size.width, height: bitmap.size.height) }
    }
    let colors = facts.distinct.isOverLimit ? nil : facts.distinct.counts.count
    return EncodedAsset(bytes: bytes, report: EncodingReport(method: .lossless, colors: colors))
  }

  private var plan: StreamPlan { favorsTime && effort == .normal ? .quick : .final(effort) }

  /// The smallest file of one picture that can be stored in several formats.
  static func smallest(
    size: PixelSize, _ formats: [PixelFormat], _ plan: StreamPlan, pack: (PixelFormat) -> PackedRows
  ) -> [UInt8] {
    let heads = formats.map { PNGWriter(size: size, format: $0) }
    let forms = zip(formats, heads).map { (rows: pack($0), overhead: $1.bytes.count) }
    let (form, stream) = StreamSearch(plan).smallest(forms)
    var file = heads[form]
    file.append(stream: stream)
    file.finish()
    return file.bytes
  }
}
