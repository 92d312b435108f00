import Codecs

extension DecodeWarning {
  /// What a decoder found odd, as a diagnostic; what changes nothing to see is a note.
  func diagnostic(path: String?) -> Diagnostic {
    Diagnostic(id == "short-delay" ? .note : .warning, path: path, message, id: id)
  }
}

extension ColorConverter {
  /// Says how many of `pixels` converted pixels lay outside sRGB, or nothing where none did.
  func gamutNote(path: String?, pixels: Int) -> Diagnostic? {
    guard clippedPixels > 0, pixels > 0 else { return nil }
    let percent = max(1, clippedPixels * 100 / pixels)
    return Diagnostic(
      .note, path: path, "\(percent) % of the pixels have colors outside sRGB, taken to the nearest inside",
      id: "gamut-clipped")
  }
}
