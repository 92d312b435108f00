/// A stem with its `@2x` or `@3x` taken off.
///
/// The rule: sources that differ only in this suffix are one picture at several sizes. The largest scale is taken, and
/// the suffix is no part of the sticker's name.
public struct ScaleSuffix: Hashable, Sendable {
  /// The stem without the suffix.
  public let name: String
  /// The scale, 1 to 9; 1 where there is no suffix.
  public let scale: Int
  /// Whether there was a suffix.
  public let isPresent: Bool

  /// Splits a stem; what is nothing but a suffix is a name.
  public init(stem: String) {
    let scalars = Array(stem.unicodeScalars)
    if scalars.count > 3, scalars[scalars.count - 3] == "@", scalars.last == "x" || scalars.last == "X",
      ("1"..."9").contains(scalars[scalars.count - 2])
    {
      name = String(String.UnicodeScalarView(scalars.dropLast(3)))
      scale = Int(scalars[scalars.count - 2].value) - 48
      isPresent = true
    } else {
      name = stem
      scale = 1
      isPresent = false
    }
  }
}
