/// How finished files store pixels; the raw value is the word used on the command line and in `decal.json`.
public enum PixelEncoding: String, CaseIterable, Sendable {
  /// As palettes where these are smaller, which they mostly are.
  case auto
  /// As 8-bit red, green, blue and alpha, for readers that mishandle palettes.
  case rgba
}
