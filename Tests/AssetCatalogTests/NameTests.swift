import Testing

@testable import AssetCatalog

@Suite struct Names {
  /// SE-07: what would leave the folder, or hide in it.
  @Test(arguments: [
    ("", NameProblem.empty), ("  ", .empty), ("../evil", .separator("/")), ("/tmp/evil", .separator("/")),
    ("a/../../b", .separator("/")), ("C:\\x", .separator(":")), ("a\\b", .separator("\\")), ("..", .leadingDot),
    (".", .leadingDot), ("...", .leadingDot), (".hidden", .leadingDot), ("new\nline", .controlCharacter),
    ("Icon\r", .controlCharacter), ("nul\0", .controlCharacter), ("del\u{7F}", .controlCharacter),
    ("line\u{2028}", .controlCharacter), ("a/\u{301}b", .separator("/")), (".\u{301}a", .leadingDot),
  ])
  func `unsafe names are refused`(name: String, problem: NameProblem) { #expect(CatalogName.problem(name) == problem) }

  @Test(arguments: ["cat", "-rf", "CON", "say \"hi\"", "señor", "😀👍🏽", "👨‍👩‍👧", "a.b", "two..dots", "한글"])
  func `plain names are safe and stay as they are`(name: String) {
    #expect(CatalogName.problem(name) == nil)
    #expect(Array(CatalogName.sanitized(name).unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test func `a long name is refused by its bytes`() {
    #expect(CatalogName.problem(String(repeating: "x", count: 200)) == nil)
    #expect(CatalogName.problem(String(repeating: "é", count: 101)) == .tooLong(bytes: 202))
  }

  /// AC-04 and SE-07: any stem of a file gets a safe name.
  @Test(arguments: [
    ("say \"hi\" \\ wow", "say \"hi\" - wow"), ("back\\slash", "back-slash"), ("new\nline", "new-line"),
    ("tab\t", "tab"), ("Icon\r", "Icon"), ("..", "Sticker"), ("...", "Sticker"), ("..png", "png"), ("\u{7}", "Sticker"),
    (" cat ", "cat"), ("C:\\x", "C--x"),
  ])
  func `unsafe stems become safe names`(stem: String, name: String) {
    #expect(CatalogName.sanitized(stem) == name)
    #expect(CatalogName.problem(name) == nil)
  }

  @Test func `a long stem is cut between characters`() {
    let name = CatalogName.sanitized(String(repeating: "👨‍👩‍👧", count: 40))
    #expect(CatalogName.problem(name) == nil)
    #expect(name == String(repeating: "👨‍👩‍👧", count: 11))
  }

  /// AC-08 and AC-10.
  @Test func `names that differ in case or normalization collide`() {
    for (a, b) in [
      ("Cat", "cat"), ("CAT", "cat"), ("se\u{F1}or", "sen\u{303}or"), ("É", "e\u{301}"),
      ("한", "\u{1112}\u{1161}\u{11AB}"),
    ] {
      #expect(CatalogName.collisionKey(a) == CatalogName.collisionKey(b))
      #expect(Set([CatalogName.collisionKey(a), CatalogName.collisionKey(b)]).count == 1)
    }
  }

  /// AC-07: other spellings are other names.
  @Test func `names that differ in a separator do not collide`() {
    #expect(Set(["walk-in", "walk_in", "walk in", "walkin"].map(CatalogName.collisionKey)).count == 4)
  }

  @Test func `folders and files are named after the sticker`() {
    #expect(CatalogName.stickerFolder("wave") == "wave.sticker")
    // AC-15: also an animation.
    #expect(CatalogName.stickerFile("wave") == "wave.png")
    #expect(CatalogName.packFolder("Sticker Pack") == "Sticker Pack.stickerpack")
  }

  /// AC-06.
  @Test(arguments: [
    ("cat", "cat", 1, false), ("cat@2x", "cat", 2, true), ("cat@3x", "cat", 3, true), ("dog@3X", "dog", 3, true),
    ("cat@1x", "cat", 1, true), ("@2x", "@2x", 1, false), ("cat@x", "cat@x", 1, false), ("cat@0x", "cat@0x", 1, false),
    ("cat2x", "cat2x", 1, false), ("cat@2x@3x", "cat@2x", 3, true), ("cat@12x", "cat@12x", 1, false),
    ("🦊@2x", "🦊", 2, true),
  ])
  func `a scale suffix is no part of the name`(stem: String, name: String, scale: Int, isPresent: Bool) {
    let suffix = ScaleSuffix(stem: stem)
    #expect(suffix.name == name && suffix.scale == scale && suffix.isPresent == isPresent)
  }

  @Test(arguments: [
    ("waving-fox_2", "Waving fox 2"), ("wavingFox2", "Waving fox 2"), ("WavingFox", "Waving fox"), ("fox", "Fox"),
    ("big-Fox", "Big Fox"), ("LOL", "LOL"), ("omg-LOL", "Omg LOL"), ("OMGCat", "OMG cat"), ("WAVING_FOX", "Waving fox"),
    ("iPhone", "iPhone"), ("mp3", "Mp3"), ("cat01", "Cat 01"), ("3d", "3d"), ("👋-wave", "👋 wave"), ("fox🦊", "Fox🦊"),
    ("👨‍👩‍👧", "👨‍👩‍👧"), ("señor_gato", "Señor gato"), ("élan", "Élan"), ("  two   spaces ", "Two spaces"), ("---", "---"),
    ("рыжаяЛиса", "Рыжая лиса"), ("きつね_手", "きつね 手"), ("don't-worry", "Don't worry"),
  ])
  func `a stem becomes a readable label`(stem: String, label: String) { #expect(StickerLabel.readable(stem) == label) }

  @Test func `a label has at most 150 characters`() {
    #expect(!StickerLabel.isTooLong(String(repeating: "x", count: 150)))
    #expect(StickerLabel.isTooLong(String(repeating: "x", count: 151)))
    let words = StickerLabel.readable(String(repeating: "word-", count: 60))
    #expect(words.count == 149 && words.hasSuffix(" word"))
    #expect(StickerLabel.readable(String(repeating: "x", count: 400)).count == 150)
  }
}
