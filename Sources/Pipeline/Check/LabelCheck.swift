import AssetCatalog

/// Looks at what VoiceOver reads for the stickers of a pack.
struct LabelCheck {
  /// One sticker.
  struct Entry {
    /// Where it is, as the user knows it.
    var path: String
    /// Its name.
    var name: String
    /// What is read; nil where nothing was said.
    var label: String?
    /// The name of its file, where that may differ from its own.
    var filename: String?
  }

  /// What is wrong with them; missing ones are told where somebody can have forgotten them.
  static func findings(_ entries: [Entry]) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    var first: [String: Entry] = [:]
    for entry in entries {
      func add(_ rule: CheckRule, _ message: String) {
        findings.append(CheckFinding(rule, path: entry.path, message))
      }
      guard let label = entry.label, label.contains(where: { !$0.isWhitespace }) else {
        add(.labelMissing, entry.label == nil ? "no label" : "an empty label")
        continue
      }
      if isName(label, of: entry) { add(.labelIsName, "the label \"\(label)\" is the file's name") }
      if StickerLabel.isTooLong(label) {
        add(.labelTooLong, "the label has \(label.unicodeScalars.count) characters, \(StickerLabel.limit) are the most")
      }
      let key = label.lowercased()
      if let other = first[key] {
        add(.labelRepeated, "\"\(label)\" is the label of \(other.name), too")
      } else {
        first[key] = entry
      }
    }
    return findings
  }

  /// Whether a label is a file's name and no word of itself: "fox_wave2" is, "Hello" is not.
  private static func isName(_ label: String, of entry: Entry) -> Bool {
    if hasImageSuffix(label) { return true }
    let stems = [entry.name] + (entry.filename.map { [Path.split($0).stem] } ?? [])
    guard stems.contains(label) else { return false }
    return StickerLabel.readable(label).lowercased() != label.lowercased()
  }
}
