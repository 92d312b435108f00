/// Why a name cannot be the name of a folder or a file in a catalog.
public enum NameProblem: Error, Hashable, Sendable {
  /// Nothing, or only space.
  case empty
  /// `/`, `\` or `:`, which separate paths on one system or another.
  case separator(Character)
  /// A control character or a line separator.
  case controlCharacter
  /// A dot in front hides a file, and `.` and `..` are directories.
  case leadingDot
  /// More than `CatalogName.byteLimit` bytes.
  case tooLong(bytes: Int)

  /// What is wrong, to be put behind the name, lower case.
  public var message: String {
    switch self {
    case .empty: "is empty"
    case .separator(let character): "has the character \(character), which separates folders; use a plain name"
    case .controlCharacter: "has a control character; rename it"
    case .leadingDot: "begins with a dot; use another name"
    case .tooLong(let bytes): "is \(bytes) bytes long, and \(CatalogName.byteLimit) are the most; use a shorter name"
    }
  }
}

/// The rules for names inside a catalog.
public enum CatalogName {
  /// The most bytes of a name: file systems allow 255, of which extensions and temporary names take a part.
  public static let byteLimit = 200

  /// What keeps a name from being one safe path component, or nil where it is one.
  public static func problem(_ name: String) -> NameProblem? {
    if name.allSatisfy(\.isWhitespace) { return .empty }
    for scalar in name.unicodeScalars {
      if isSeparator(scalar) { return .separator(Character(scalar)) }
      if isControl(scalar) { return .controlCharacter }
    }
    if name.unicodeScalars.first == "." { return .leadingDot }
    if name.utf8.count > byteLimit { return .tooLong(bytes: name.utf8.count) }
    return nil
  }

  /// A source's stem as a safe name: separators and control characters become `-`, dots in front and space around go.
  ///
  /// A stem without a problem stays as it is, scalar by scalar; two stems may get one name, so look for collisions
  /// afterwards. What is nothing but such characters becomes `Sticker`; what is too long is cut.
  public static func sanitized(_ stem: String) -> String {
    var scalars = Array(stem.unicodeScalars)
    while let last = scalars.last, last.properties.isWhitespace || isControl(last) { scalars.removeLast() }
    let start = scalars.firstIndex { !($0.properties.isWhitespace || isControl($0) || $0 == ".") } ?? scalars.endIndex
    var view = String.UnicodeScalarView()
    for scalar in scalars[start...] { view.append(isSeparator(scalar) || isControl(scalar) ? "-" : scalar) }
    var name = String(view)
    while name.utf8.count > byteLimit { name.removeLast() }
    return name.isEmpty ? "Sticker" : name
  }

  /// Two names with equal keys are one name on a file system that ignores case or normalization.
  ///
  /// Compare keys as Swift strings: their equality is canonical equivalence, so NFC and NFD forms meet.
  public static func collisionKey(_ name: String) -> String { name.lowercased() }

  /// The folder of a sticker: `Fox.sticker`.
  public static func stickerFolder(_ name: String) -> String { name + ".sticker" }

  /// The image in a sticker's folder; always `.png`, an animated one too, because uploads know no `.apng`.
  public static func stickerFile(_ name: String) -> String { name + ".png" }

  /// The folder of a sticker pack: `Sticker Pack.stickerpack`.
  public static func packFolder(_ name: String) -> String { name + ".stickerpack" }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "\\" || scalar == ":" }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
