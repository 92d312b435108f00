import Pipeline

/// What a pack's name becomes in the places of an Xcode project that do not take every character.
struct XcodeNames {
  /// The name, as people see it.
  let shown: String
  /// ASCII letters, digits, spaces, `-` and `_`: the names of products.
  let product: String
  /// The last part of the bundle id.
  let slug: String

  /// The app's bundle id; everybody has to put a prefix of their own.
  var bundle: String { "com.example.\(slug)" }
  /// The extension's target, as Xcode's own template names it.
  var extensionTarget: String { shown + " StickerPackExtension" }
  /// The extension's product.
  var extensionProduct: String { product + " StickerPackExtension" }

  /// Takes a name that is right for a folder.
  init(_ name: String) {
    shown = name
    let folded = name.unicodeScalars.map(XcodeNames.folded).joined()
    let words = folded.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    let digest = SHA256.hexDigest(Array(name.utf8)).prefix(6)
    // A name without a Latin letter still has its own.
    product = words.isEmpty ? "Pack \(digest)" : words.joined(separator: " ")
    let parts = product.lowercased().split { !($0.isLetter || $0.isNumber) }
    slug = parts.isEmpty ? "pack-\(digest)" : parts.joined(separator: "-")
  }

  /// An id of an object: the same for the same pack and role, everywhere.
  func id(_ role: String) -> String {
    SHA256.hexDigest(Array("\(shown)\n\(role)".utf8)).prefix(24).uppercased()
  }

  /// The letters of ASCII that a letter is made of, by its Unicode name: `LATIN SMALL LETTER E WITH ACUTE` is `e`.
  private static func folded(_ scalar: Unicode.Scalar) -> String {
    if scalar.isASCII { return String(scalar) }
    // An accent that stands alone, or the joiner of an emoji, goes without a gap.
    if scalar.properties.generalCategory == .nonspacingMark { return "" }
    if scalar == "ß" { return "ss" }
    let words = (scalar.properties.name ?? "").split(separator: " ")
    guard words.count >= 4, words[0] == "LATIN", words[2] == "LETTER", words[3].count <= 2 else { return " " }
    return words[1] == "SMALL" ? words[3].lowercased() : String(words[3])
  }
}
