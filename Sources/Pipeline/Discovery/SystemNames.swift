/// Names that file managers, editors and archivers leave beside art.
enum SystemNames {
  private static let exact: Set<String> = [
    "thumbs.db", "ehthumbs.db", "desktop.ini", "__macosx", "icon\r", "$recycle.bin", "system volume information",
    "lost+found", "@eadir", "#recycle",
  ]
  private static let suffixes = ["~", ".swp", ".swo", ".part", ".crdownload", ".download"]

  /// Whether a file or a folder of this name is passed over in silence.
  static func contains(_ name: String) -> Bool {
    if name.utf8.first == UInt8(ascii: ".") || name.hasPrefix("~$") { return true }
    if name.count > 1, name.hasPrefix("#"), name.hasSuffix("#") { return true }
    let lower = name.lowercased()
    return exact.contains(lower) || suffixes.contains { lower.hasSuffix($0) }
  }

  /// The name of the picture whose place iCloud keeps while it is not on this machine; nil for other names.
  static func placeholder(_ name: String) -> String? {
    let suffix = ".icloud"
    guard name.hasPrefix("."), name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count + 1 else { return nil }
    let wanted = String(name.dropFirst().dropLast(suffix.count))
    return hasImageSuffix(wanted) ? wanted : nil
  }
}
