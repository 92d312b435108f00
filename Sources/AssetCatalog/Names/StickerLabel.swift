/// What VoiceOver reads for a sticker.
public enum StickerLabel {
  /// The most Unicode characters of a label, counted in scalars, the strictest reading of Apple's rule.
  public static let limit = 150

  /// Whether a label is longer than Messages allows.
  public static func isTooLong(_ label: String) -> Bool { label.unicodeScalars.count > limit }

  /// A stem made readable: `waving-fox_2` and `wavingFox2` become "Waving fox 2".
  ///
  /// Separators become spaces, joined words are taken apart, short words in capitals (`LOL`) and emoji stay. Cut at a
  /// word where it is over the limit; a stem without a letter, digit or symbol is returned as it is.
  public static func readable(_ stem: String) -> String {
    let parts = stem.split { $0.isWhitespace || "-_+.~".contains($0) }
    // WAVING_FOX is a way to write file names, LOL is a word.
    let shouts = !stem.contains(where: \.isLowercase) && parts.contains { $0.filter(\.isUppercase).count > 4 }
    let words = parts.flatMap { apart(shouts ? Substring($0.lowercased()) : $0) }
    guard var label = words.first.map(capitalized) else { return stem }
    for word in words.dropFirst() {
      let longer = "\(label) \(word)"
      if isTooLong(longer) { break }
      label = longer
    }
    while isTooLong(label) { label.removeLast() }
    return label
  }

  /// The words of one part between separators; words after the first are lower case unless they are initials.
  private static func apart(_ part: Substring) -> [String] {
    let characters = Array(part)
    // iPhone, eMail: one small letter in front of a capital is one word.
    if characters.count > 2, characters[0].isLowercase, characters[1].isUppercase, characters[2].isLowercase {
      return [String(part)]
    }
    var words: [[Character]] = []
    for (index, character) in characters.enumerated() {
      if index == 0 || startsWord(characters, index, letters: words[words.count - 1]) {
        words.append([character])
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.map { word in
      let capitals = word.filter(\.isUppercase).count
      let isInitials = capitals > 1 && !word.contains(where: \.isLowercase)
      return isInitials || (words.count == 1 && capitals < word.count) ? String(word) : String(word).lowercased()
    }
  }

  private static func startsWord(_ characters: [Character], _ index: Int, letters: [Character]) -> Bool {
    let (before, here) = (characters[index - 1], characters[index])
    if here.isUppercase {
      if before.isLowercase { return true }
      // The last capital of a run belongs to the word behind it: XMLFile.
      return before.isUppercase && index + 1 < characters.count && characters[index + 1].isLowercase
    }
    // fox2 is two words, mp3 and h2o are one.
    let digitsEnd = characters[index...].allSatisfy(\.isWholeNumber)
    return digitsEnd && before.isLetter && letters.count >= 3 && letters.allSatisfy(\.isLetter)
  }

  private static func capitalized(_ word: String) -> String {
    let characters = Array(word)
    // iPhone keeps its small letter.
    if characters.count > 1, characters[1].isUppercase { return word }
    return word.prefix(1).uppercased() + word.dropFirst()
  }
}
