/// Formats that are text, in UTF-8 or UTF-16.
enum ForeignText {
  /// As much of a text as is looked at: the layers of a Lottie may come late.
  private static let length = 65536

  /// What a text is; nil where the bytes are none of those that are known.
  static func art(in bytes: [UInt8]) -> ForeignArt? {
    let text = text(bytes)
    guard let first = text.first(where: { !$0.isWhitespace && $0 != "\u{feff}" }) else { return nil }
    switch first {
    case "<": return markup(text)
    case "{": return lottie(text)
    case "v" where text.hasPrefix("version https://git-lfs.github.com/spec/"):
      return .other("a Git LFS pointer", "run \"git lfs pull\"")
    case "/" where text.contains("XPM */"): return .still("XPM")
    default: return nil
    }
  }

  /// The start of a text; UTF-16 by its mark, or by the zeros beside a first "<".
  private static func text(_ bytes: [UInt8]) -> String {
    let start = Array(bytes.prefix(length))
    let isBig = start.holds([0xfe, 0xff]) || start.holds([0, 0x3c])
    let isLittle = start.holds([0xff, 0xfe]) || start.holds([0x3c, 0])
    guard isBig || isLittle else { return String(decoding: start, as: UTF8.self) }
    let units = stride(from: 0, to: start.count - 1, by: 2).map { at in
      UInt16(isBig ? start.big16(at) : start.little16(at))
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func markup(_ text: String) -> ForeignArt? {
    // A web page may hold an SVG, an SVG no web page.
    let lower = text.lowercased()
    let page = ["<!doctype html", "<html", "<head", "<body"].contains { lower.contains($0) }
    if lower.contains("<svg"), !lower.contains("<!doctype html"), !lower.contains("<html") {
      return ForeignArt(name: "SVG", export: "export it as PNG, at 618 px or more")
    }
    if page { return .other("a web page", "open the link and save the picture itself") }
    let isError = lower.contains("<error>") || lower.contains("<error ")
    return isError ? .other("a server's error message", "download it again") : nil
  }

  /// First and last frame, and layers.
  private static func lottie(_ text: String) -> ForeignArt? {
    text.contains("\"op\"") && (text.contains("\"layers\"") || text.contains("\"ip\"")) ? .film("Lottie") : nil
  }
}
