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
}
