import Testing

@testable import AssetCatalog

private func text(_ document: some CatalogDocument) -> String { String(decoding: document.bytes, as: UTF8.self) }

private func failure<Document: CatalogDocument>(_: Document.Type, _ text: String) -> CatalogError? {
  do throws(CatalogError) {
    _ = try Document(parsing: Array(text.utf8))
    return nil
  } catch { return error }
}

@Suite struct Contents {
  @Test func `the catalog's own file holds nothing but its info`() throws {
    #expect(text(RootContents()) == "{\n  \"info\" : {\n    \"author\" : \"xcode\",\n    \"version\" : 1\n  }\n}\n")
    #expect(try RootContents(parsing: RootContents().bytes) == RootContents())
  }

  @Test func `a pack lists its stickers in order under its grid size`() throws {
    let pack = StickerPackContents(gridSize: .large, stickers: ["b.sticker", "a.sticker"])
    #expect(
      text(pack) == """
        {
          "info" : {
            "author" : "xcode",
            "version" : 1
          },
          "properties" : {
            "grid-size" : "large"
          },
          "stickers" : [
            {
              "filename" : "b.sticker"
            },
            {
              "filename" : "a.sticker"
            }
          ]
        }

        """)
    #expect(try StickerPackContents(parsing: pack.bytes) == pack)
  }

  @Test func `a sticker names its file and its label`() throws {
    let sticker = StickerContents(filename: "say \"hi\" 😀.png", accessibilityLabel: "Señor \\ é")
    #expect(
      text(sticker) == """
        {
          "info" : {
            "author" : "xcode",
            "version" : 1
          },
          "properties" : {
            "accessibility-label" : "Señor \\\\ é",
            "filename" : "say \\"hi\\" 😀.png"
          }
        }

        """)
    #expect(try StickerContents(parsing: sticker.bytes) == sticker)
    let silent = StickerContents(filename: "a.png", accessibilityLabel: nil)
    #expect(!text(silent).contains("accessibility"))
    #expect(try StickerContents(parsing: silent.bytes) == silent)
  }

  @Test(arguments: [(0, 0), (1, 2), (4, 5), (Int.max, Int.max)])
  func `a sequence counts its plays after the first`(repetitions: Int, plays: Int) throws {
    let sequence = StickerSequenceContents(
      duration: 1.25, durationType: .fixed, repetitions: repetitions, accessibilityLabel: "Dance",
      frames: ["1.png", "2.png"])
    #expect(sequence.playCount == plays)
    #expect(try StickerSequenceContents(parsing: sequence.bytes) == sequence)
    #expect(text(sequence).contains("\"duration\" : 1.25,\n    \"duration-type\" : \"fixed\",\n    \"repetitions\" : "))
  }

  /// AC-03: Apple's own sample spells keys and words that Xcode does not read.
  @Test func `the misspelled words of Apple's sample are written nowhere and refused`() {
    let written = [
      text(RootContents()), text(StickerPackContents(gridSize: .small, stickers: ["a.sticker"])),
      text(StickerContents(filename: "a.png", accessibilityLabel: "a")),
      text(StickerSequenceContents(duration: 15, durationType: .fps, accessibilityLabel: nil, frames: ["1.png"])),
      text(IconSetContents(slots: IconSlot.messages)), text(IconSetContents(slots: IconSlot.legacyAppIcon)),
      text(IconSetContents(slots: IconSlot.singleAppIcon([.dark, .tinted]))),
    ].joined()
    for word in ["grid-space", "repetions", "iPhone", "iPad", "medium"] { #expect(!written.contains(word)) }
    #expect(
      failure(StickerPackContents.self, #"{"properties":{"grid-space":"small"},"stickers":[]}"#)
        == .missingKey("properties.grid-size"))
    #expect(
      failure(StickerPackContents.self, #"{"properties":{"grid-size":"medium"},"stickers":[]}"#)
        == .unknownWord(key: "properties.grid-size", value: "medium", accepted: ["small", "regular", "large"]))
    #expect(
      failure(IconSetContents.self, #"{"images":[{"idiom":"iPhone","size":"29x29","scale":"2x"}]}"#)
        == .unknownWord(
          key: "images[0].idiom", value: "iPhone", accepted: ["iphone", "ipad", "universal", "ios-marketing"]))
  }

  @Test func `an error names the key and what was expected`() {
    #expect(failure(StickerContents.self, "[]") == .wrongKind(key: "the document", expected: "an object"))
    #expect(failure(StickerContents.self, "{}") == .missingKey("properties"))
    #expect(
      failure(StickerContents.self, "{")?.message
        == "line 1, column 2: expected a key in double quotes, found the end of the file")
    #expect(
      failure(StickerPackContents.self, #"{"properties":{"grid-size":"small"},"stickers":[{"filename":1}]}"#)?.message
        == "stickers[0].filename is not a text")
    #expect(
      failure(IconSetContents.self, #"{"images":[{"idiom":"ipad","size":"0x29"}]}"#)?.message
        == "images[0].size is not a size such as 60x45")
  }
}

@Suite struct IconTables {
  /// IC-07: the list that the store checks.
  @Test func `the Messages set has its 13 slots with their platforms`() throws {
    let table = IconSlot.messages.map { slot -> String in
      let pixels = slot.pixels!
      return "\(slot.size)@\(slot.scale!.rawValue) \(pixels.width)x\(pixels.height) \(slot.idiom.rawValue)"
        + (slot.platform.map { " \($0.rawValue)" } ?? "")
    }
    #expect(
      table == [
        "29x29@2x 58x58 iphone", "29x29@3x 87x87 iphone", "60x45@2x 120x90 iphone", "60x45@3x 180x135 iphone",
        "29x29@2x 58x58 ipad", "67x50@2x 134x100 ipad", "74x55@2x 148x110 ipad",
        "1024x1024@1x 1024x1024 ios-marketing", "27x20@2x 54x40 universal ios", "27x20@3x 81x60 universal ios",
        "32x24@2x 64x48 universal ios", "32x24@3x 96x72 universal ios", "1024x768@1x 1024x768 ios-marketing ios",
      ])
  }

  /// IC-06: points times scale, never rounded to even numbers.
  @Test func `the older app icons have 18 slots of exact sizes`() {
    let slots = IconSlot.legacyAppIcon
    #expect(slots.count == 18)
    #expect(slots.first { $0.size.width == 83.5 }?.pixels?.width == 167)
    #expect(
      slots.map { $0.pixels!.width } == [40, 60, 58, 87, 80, 120, 120, 180, 20, 40, 29, 58, 40, 80, 76, 152, 167, 1024])
    #expect(slots.allSatisfy { $0.platform == nil && $0.pixels!.width == $0.pixels!.height })
  }

  /// IC-15: the entries of dark and tinted icons stand only where there are such icons.
  @Test func `the single app icon has one slot an appearance`() {
    let plain = text(IconSetContents(slots: IconSlot.singleAppIcon()))
    #expect(!plain.contains("appearance") && !plain.contains("scale"))
    #expect(
      text(IconSetContents(slots: IconSlot.singleAppIcon([.dark, .tinted]))).hasSuffix(
        """
            {
              "appearances" : [
                {
                  "appearance" : "luminosity",
                  "value" : "tinted"
                }
              ],
              "filename" : "Icon-1024x1024-tinted.png",
              "idiom" : "universal",
              "platform" : "ios",
              "size" : "1024x1024"
            }
          ],
          "info" : {
            "author" : "xcode",
            "version" : 1
          }
        }

        """))
  }

  @Test(arguments: [IconSlot.messages, IconSlot.legacyAppIcon, IconSlot.singleAppIcon([.dark, .tinted])])
  func `every table reads back equal and its file names are unique`(slots: [IconSlot]) throws {
    let contents = IconSetContents(slots: slots)
    #expect(try IconSetContents(parsing: contents.bytes) == contents)
    let names = contents.images.compactMap(\.filename)
    #expect(Set(names.map { $0.lowercased() }).count == slots.count)
    #expect(names.allSatisfy { CatalogName.problem($0) == nil && $0.hasSuffix(".png") })
  }

  @Test func `file names say size, scale and idiom`() {
    #expect(IconSlot.messages[2].filename == "Icon-60x45@2x-iphone.png")
    #expect(IconSlot.legacyAppIcon[16].filename == "Icon-83.5x83.5@2x-ipad.png")
    #expect(IconSlot.singleAppIcon()[0].filename == "Icon-1024x1024.png")
  }

  @Test(arguments: ["", "60", "60x", "x45", "60x45x2", "-1x1", "0x0", "nanx1", "infx1", "20.3x20", "99999x1"])
  func `what is no size in points is refused`(text: String) { #expect(PointSize(text) == nil) }

  @Test(arguments: [("small", 300), ("regular", 408), ("large", 618)])
  func `a grid size has its pixels`(word: String, pixels: Int) { #expect(GridSize(rawValue: word)?.pixels == pixels) }
}
