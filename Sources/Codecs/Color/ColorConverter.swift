public import Imaging

/// Takes rows of a raster, in the file's own numbers, to the working space: premultiplied linear-light sRGB.
///
/// Not `Sendable`: it owns a transform of the color library.
public final class ColorConverter {
  /// What was odd about the profile, `bad-profile` for instance.
  public var warnings: [DecodeWarning] { [] }
  /// Pixels so far whose color lay outside sRGB and was clipped.
  public private(set) var clippedPixels = 0

  /// Prepares a conversion; a profile that cannot be used warns and counts as sRGB.
  public init(_ color: ColorEncoding) {}

  /// Converts row `y` of a raster into `size.width * 4` floats, premultiplied linear light.
  public func convert(_ raster: Raster, row y: Int, into output: UnsafeMutableBufferPointer<Float>) {
    fatalError("replaced by the reading codecs")
  }
}
