import Codecs
import Pipeline

/// Bounds on what is decoded, against files that do harm; every command takes them.
extension Option {
  static let limits = [
    maxPixels, maxAnimationPixels, maxSide, maxTotalPixels, maxPixelsPerByte, maxFrames, maxFileBytes, maxChunks,
    maxMetadataBytes, timeLimit, strict,
  ]

  private static let standard = DecodeLimits()

  static let maxPixels = Option.value(
    "--max-pixels", as: "N", .count, into: \.limits.maxPixels, default: "\(standard.pixelsPerFrame)",
    "refuse pictures with more pixels", "Checked before memory is taken.")
  static let maxAnimationPixels = Option.value(
    "--max-animation-pixels", as: "N", .count, into: \.limits.maxAnimationPixels,
    default: "\(standard.pixelsPerAnimationFrame)", "refuse animations with larger frames",
    "An animation has its canvas in memory several times while its frames are composed.")
  static let maxSide = Option.value(
    "--max-side", as: "N", .count, into: \.limits.maxSide, default: "\(standard.side)",
    "refuse pictures with a longer side")
  static let maxTotalPixels = Option.value(
    "--max-total-pixels", as: "N", .count, into: \.limits.maxTotalPixels, default: "\(standard.totalPixels)",
    "refuse animations with more pixels in all", "The canvas times the frames.")
  static let maxPixelsPerByte = Option.value(
    "--max-pixels-per-byte", as: "N", .count, into: \.limits.maxPixelsPerByte, default: "\(standard.pixelsPerByte)",
    "refuse long animations of next to no data",
    "Pixels for each byte of picture data, looked at where all frames have more than "
      + "\(grouped(DecodeLimits.pixelsOfAnyFile)) pixels (16-bit samples count twice). Real clips have below 20, "
      + "files made to do harm hundreds.")
  static let maxFrames = Option.value(
    "--max-frames", as: "N", .count, into: \.limits.maxFrames, default: "\(standard.frames)",
    "refuse animations with more frames")
  static let maxFileBytes = Option.value(
    "--max-file-bytes", as: "N", .count, into: \.limits.maxFileBytes, default: "\(standard.fileBytes)",
    "refuse larger files", "Checked before a file is read.")
  static let maxChunks = Option.value(
    "--max-chunks", as: "N", .count, into: \.limits.maxChunks, default: "\(standard.chunks)",
    "refuse files of more chunks", "Chunks of PNG and WebP, blocks of GIF, segments of JPEG.")
  static let maxMetadataBytes = Option.value(
    "--max-metadata-bytes", as: "N", .count, into: \.limits.maxMetadataBytes, default: "\(standard.metadataBytes)",
    "use no larger color profile", "Decompressed; what is larger is not used, with a warning. Texts are never read.")
  static let timeLimit = Option.value(
    "--time-limit", as: "SECONDS", .seconds, into: \.limits.timeLimit, default: "none",
    "refuse what takes longer",
    "Reading, scaling and encoding one source, looked at after each frame. It ends with an error and never alters a "
      + "result.")
  static let strict = Option.flag(
    "--strict", sets: \.limits.strict, to: true, "refuse damaged animations",
    "Without it the whole frames of a damaged animation are kept, with a warning, and so is a GIF with fewer pixels than "
      + "it says. Any other damaged still is always refused.")
}

extension Help {
  /// `decal help limits`.
  static var limits: String {
    let options = Option.limits.flatMap { option in
      [
        "  " + option.synopsis.padded(to: 28) + option.help,
        option.defaultText.map { String(repeating: " ", count: 30) + "default: \($0)" },
      ].compactMap { $0 }
    }
    let keys = Option.limits.map { String($0.name.dropFirst(2)) }
    return text(
      ["decal limits: bounds on what is decoded, against files that do harm", ""] + options
        + wrap(
          "Every command takes them. In decal.json they stand under \"limits\", by names such as maxPixels and timeLimit. "
            + "What is over a limit is an error that names the limit and the option. \"decal help \(keys[0])\" says more.",
          to: width))
  }
}
