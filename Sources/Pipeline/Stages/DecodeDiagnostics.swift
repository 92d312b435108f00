import Codecs

extension DecodeWarning {
  /// Oddities that change nothing to see.
  private static let notes: Set<String> = ["hidden-image", "trailing-bytes"]

  /// What a decoder found odd, as a diagnostic.
  func diagnostic(path: String?) -> Diagnostic {
    Diagnostic(DecodeWarning.notes.contains(id) ? .note : .warning, path: path, message, id: id)
  }
}

/// Says how many of the converted pixels lay outside the gamut, or nothing where none did.
func gamutNote(clipped: Int, of pixels: Int, gamut: OutputGamut = .sRGB, path: String?) -> Diagnostic? {
  guard clipped > 0, pixels > 0 else { return nil }
  let percent = clipped * 100 / pixels
  let share = percent == 0 ? "less than 1 %" : "\(percent) %"
  return Diagnostic(
    .note, path: path,
    "\(share) of the pixels have colors outside \(gamut == .sRGB ? "sRGB" : "Display P3"), taken to the nearest inside",
    id: "gamut-clipped")
}
