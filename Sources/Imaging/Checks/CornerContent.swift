/// Something in the corners of a plain opaque picture, where a rounded bubble cuts it off.
public struct CornerContent: Hashable, Sendable {
  /// The corner.
  public var region: PixelRect
  /// The part of what is cut off that is not the picture's own background.
  public var share: Double

  /// The radius of a bubble's corners as a part of the shorter side: 18 points of a picture of 180 to 250.
  static let radius = 0.1
  /// The least part of a corner that matters.
  static let leastShare = 0.08
  /// The least part of the picture's border that has one color.
  static let leastPlain = 0.9
  /// Lines along the sides up to this part of the shorter side are a frame, and no content.
  static let frameWidth = 0.01

  /// The fullest corner of a rectangle, or nil where there is none, or where the picture has no plain background.
  public static func find(in frame: Bitmap, inside rect: PixelRect) -> CornerContent? {
    let rect = rect.intersection(PixelRect(frame.size))
    let reach = Int(Double(min(rect.width, rect.height)) * radius)
    guard reach >= 6, let plain = border(frame, rect) else { return nil }
    let line = max(1, Int(Double(min(rect.width, rect.height)) * frameWidth))
    let inner = PixelRect(
      x: rect.x + line, y: rect.y + line, width: rect.width - 2 * line, height: rect.height - 2 * line)
    var found: CornerContent?
    let (right, bottom) = (rect.maxX - reach, rect.maxY - reach)
    for (x, y) in [(rect.x, rect.y), (right, rect.y), (rect.x, bottom), (right, bottom)] {
      let (centerX, centerY) = (x == rect.x ? x + reach : x, y == rect.y ? y + reach : y)
      var (outside, filled) = (0, 0)
      for row in y..<y + reach {
        for column in x..<x + reach {
          let (dx, dy) = (column - centerX, row - centerY)
          guard dx * dx + dy * dy > reach * reach else { continue }
          guard column >= inner.x, column < inner.maxX, row >= inner.y, row < inner.maxY else { continue }
          outside += 1
          if !frame[column, row].isNear(plain, 64) { filled += 1 }
        }
      }
      let share = Double(filled) / Double(max(outside, 1))
      guard share >= leastShare, share > found?.share ?? 0 else { continue }
      found = CornerContent(region: PixelRect(x: x, y: y, width: reach, height: reach), share: share)
    }
    return found
  }

  /// The one color of the sides between the corners, at the edge and a little way inside; nil where there is none.
  private static func border(_ frame: Bitmap, _ rect: PixelRect) -> RGBA8? {
    let (width, height) = (rect.width, rect.height)
    var colors: [RGBA8] = []
    for part in [0.01, 0.05] {
      let (dx, dy) = (Int(Double(width) * part), Int(Double(height) * part))
      for x in stride(from: width * 15 / 100, to: width * 85 / 100, by: 2) {
        colors += [frame[rect.x + x, rect.y + dy], frame[rect.x + x, rect.maxY - 1 - dy]]
      }
      for y in stride(from: height * 15 / 100, to: height * 85 / 100, by: 2) {
        colors += [frame[rect.x + dx, rect.y + y], frame[rect.maxX - 1 - dx, rect.y + y]]
      }
    }
    guard !colors.isEmpty else { return nil }
    func median(_ channel: (RGBA8) -> UInt8) -> UInt8 { colors.map(channel).sorted()[colors.count / 2] }
    let middle = RGBA8(median(\.red), median(\.green), median(\.blue), median(\.alpha))
    let plain = colors.count { $0.isNear(middle, 32) }
    return Double(plain) >= Double(colors.count) * leastPlain ? middle : nil
  }
}
