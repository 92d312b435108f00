import AssetCatalog
import Templates

/// The page that shows a pack: `templates/preview.html` with what there is to show, as JSON.
///
/// The laws:
/// 1. It asks nothing of any network: its policy allows files beside it, or, where it holds all, nothing at all.
/// 2. No script runs but the template's own, known by its digest, whatever names and messages say.
/// 3. Its last line has the digest of all before: so Decal knows a page that it wrote and that nobody changed.
/// 4. The same pack in the same place has the same page: no time, no absolute path.
enum PreviewPage {
  /// The file's name in the output folder.
  static let filename = "preview.html"

  /// The page's bytes.
  ///
  /// `isInline` pages show nothing but what they hold; those that `refreshes` look for what the next build makes.
  static func bytes(_ data: JSONDocument, title: String, isInline: Bool, refreshes: Bool) -> FileBytes {
    let template = PreviewTemplate.own
    let policy = Array(policy(template, isInline: isInline, refreshes: refreshes).utf8)
    let title = replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;"], in: Array(title.utf8))
    return FileBytes { put in
      var hash = SHA256()
      func add(_ piece: [UInt8]) {
        hash.update(piece)
        put(piece)
      }
      for part in template.parts {
        switch part {
        case .text(let text): add(Array(text.utf8))
        case .value("policy"): add(policy)
        case .value("title"): add(title)
        // Nothing in it can end the script that holds it, or begin a comment.
        case .value: data.write(.compact) { add(replacing(["<": "\\u003c"], in: $0)) }
        }
      }
      put(Array((sealStart + hash.hexDigest() + sealEnd).utf8))
    }
  }

  /// How a page that is there stands to Decal.
  enum Author: Hashable {
    /// Decal wrote it.
    case decal
    /// Decal wrote it, and somebody changed it since.
    case edited
    /// Somebody else did.
    case other
  }

  /// Who wrote a page.
  static func author(of page: [UInt8]) -> Author {
    let length = sealStart.utf8.count + 64 + sealEnd.utf8.count
    guard page.count > length else { return .other }
    let seal = String(decoding: page.suffix(length), as: UTF8.self)
    if seal == sealStart + SHA256.hexDigest(Array(page.dropLast(length))) + sealEnd { return .decal }
    let text = String(decoding: page, as: UTF8.self)
    return text.contains(sealStart) || text.contains(generator) ? .edited : .other
  }

  /// The digest in the last line of a page that Decal made.
  static func seal(of page: [UInt8]) -> String {
    String(decoding: page.dropLast(sealEnd.utf8.count).suffix(64), as: UTF8.self)
  }

  private static let generator = "<meta name=\"generator\" content=\"decal\">"
  private static let sealStart = "<!-- written by decal; sha256 of all before: "
  private static let sealEnd = " -->\n"

  private static func policy(_ template: PreviewTemplate, isInline: Bool, refreshes: Bool) -> String {
    let pictures = isInline ? "data:" : "'self' file: data:"
    return [
      "default-src 'none'", "img-src \(pictures)", "style-src \(template.styles)",
      "script-src \(template.scripts)" + (refreshes ? " 'self' file:" : ""), "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }

  /// Byte by byte: a `<` with a combining mark is a character of its own, but still begins a tag.
  private static func replacing(_ words: [Unicode.Scalar: String], in text: [UInt8]) -> [UInt8] {
    let words = Dictionary(uniqueKeysWithValues: words.map { (UInt8(ascii: $0.key), Array($0.value.utf8)) })
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      // Only marks of ASCII are replaced; looking letters up would take long.
      if byte <= UInt8(ascii: ">"), let word = words[byte] { result += word } else { result.append(byte) }
    }
    return result
  }
}

/// The template, taken apart once.
struct PreviewTemplate: Sendable {
  /// A piece of the page.
  enum Part: Hashable, Sendable {
    /// The template's own text.
    case text(String)
    /// What stands as `{{name}}` in the template.
    case value(String)
  }

  /// The pieces in order.
  let parts: [Part]
  /// Sources of styles and scripts as a policy names them: the digests of what the template has.
  let (styles, scripts): (String, String)

  /// That of this program.
  static let own: PreviewTemplate = {
    let file = decal_preview_html
    return PreviewTemplate(String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self))
  }()

  init(_ text: String) {
    styles = PreviewTemplate.sources("style", in: text)
    scripts = PreviewTemplate.sources("script", in: text)
    var parts: [Part] = []
    var rest = Substring(text)
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      parts.append(.text(String(rest[..<start.lowerBound])))
      parts.append(.value(String(rest[start.upperBound..<end.lowerBound])))
      rest = rest[end.upperBound...]
    }
    self.parts = parts + [.text(String(rest))]
  }

  /// The digests of what stands between tags without attributes.
  private static func sources(_ tag: String, in text: String) -> String {
    var digests: [String] = []
    var rest = Substring(text)
    while let start = rest.firstRange(of: "<\(tag)>"), let end = rest[start.upperBound...].firstRange(of: "</\(tag)>") {
      let digest = Digest(of: String(rest[start.upperBound..<end.lowerBound]))
      digests.append("'sha256-\(Base64.text(digest.words.flatMap(\.bigEndianBytes)))'")
      rest = rest[end.upperBound...]
    }
    return digests.joined(separator: " ")
  }
}

extension UInt64 {
  /// The most significant first.
  fileprivate var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) } }
}

/// Bytes as text; RFC 4648, section 4.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of bytes, padded.
  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = 0
      for offset in 0..<3 { group = group << 8 | (offset < count ? Int(bytes[start + offset]) : 0) }
      for place in 0..<4 {
        text.append(place <= count ? digits[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
