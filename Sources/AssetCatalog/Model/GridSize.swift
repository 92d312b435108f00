/// The grid sizes of a sticker pack; the raw value is the word of `Contents.json` and of the command line.
public enum GridSize: String, CaseIterable, Sendable {
  /// 100 points, 300 px, four columns.
  case small
  /// 136 points, 408 px, three columns.
  case regular
  /// 206 points, 618 px, two columns.
  case large

  /// The side of a finished sticker in pixels, at 3x.
  public var pixels: Int {
    switch self {
    case .small: 300
    case .regular: 408
    case .large: 618
    }
  }

  /// The side in points.
  public var points: Int {
    switch self {
    case .small: 100
    case .regular: 136
    case .large: 206
    }
  }

  /// The stickers in a row of the sticker browser.
  public var columns: Int {
    switch self {
    case .small: 4
    case .regular: 3
    case .large: 2
    }
  }
}
