import AssetCatalog
import Codecs
import Imaging
import TestSupport

@testable import Pipeline

private let pack = CatalogFiles.pack
private let icons = CatalogFiles.icons
private let contents = CatalogFiles.contents
private let art = Sketch().disc(150, 150, 130, .gold).disc(120, 120, 30, .black).png

/// Seeds and near-misses of catalogs from elsewhere.
enum CatalogCases {
  static let all = descriptions + listing + pictures + names + SequenceCases.all

  static let descriptions: [CheckCase] = [
    .catalog(.contentsUnreadable, "a pack without a description", true) { $0.files[pack + contents] = nil },
    .catalog(.contentsUnreadable, "a comma too many", true) {
      $0.replace(pack + contents, "\"version\" : 1", "\"version\" : 1,")
    },
    .catalog(.contentsUnreadable, "a list for an object", true) {
      $0.files[pack + "/A.sticker" + contents] = Array("[]".utf8)
    },
    .catalog(.contentsUnreadable, "an icon set without one", true) { $0.files[icons + contents] = nil },
    .catalog(.contentsUnreadable, "as it should be", false),
    .catalog(.contentsUnreadable, "on one line", false) {
      $0.files[pack + contents] = Array(
        #"{"stickers":[{"filename":"A.sticker"},{"filename":"B.sticker"}],"properties":{"grid-size":"small"}}"#.utf8)
    },
    .catalog(.contentsUnreadable, "with another author", false) { $0.replace(pack + contents, "xcode", "somebody") },
    .catalog(.unknownKey, "a misspelled grid size", true) { $0.replace(pack + contents, "grid-size", "gridsize") },
    .catalog(.unknownKey, "a misspelled label", true) {
      $0.replace(pack + "/A.sticker" + contents, "accessibility-label", "accessibility label")
    },
    .catalog(.unknownKey, "a key of the icons", true) {
      $0.replace(icons + contents, "\"scale\" : \"2x\"", "\"scal\" : \"2x\"")
    },
    .catalog(.unknownKey, "as it should be", false),
    .catalog(.unknownKey, "no label", false) {
      $0.files[pack + "/A.sticker" + contents] = StickerContents(filename: "A.png", accessibilityLabel: nil).bytes
    },
    .catalog(.unknownKey, "prerendered icons", false) {
      $0.replace(icons + contents, "\"info\"", "\"properties\" : { \"pre-rendered\" : true }, \"info\"")
    },
    .catalog(.gridSize, "medium", true) { $0.replace(pack + contents, "\"small\"", "\"medium\"") },
    .catalog(.gridSize, "a number", true) { $0.replace(pack + contents, "\"small\"", "300") },
    .catalog(.gridSize, "none", true) { $0.replace(pack + contents, "\"grid-size\" : \"small\"", "") },
    .catalog(.gridSize, "small", false),
    .catalog(.gridSize, "regular", false) { $0.replace(pack + contents, "\"small\"", "\"regular\"") },
    .catalog(.gridSize, "large", false) { $0.replace(pack + contents, "\"small\"", "\"large\"") },
    .catalog(.packCount, "two packs", true) {
      $0.files[CatalogFiles.root + "/Owl.stickerpack" + contents] = $0.files[pack + contents]
    },
    .catalog(.packCount, "three packs in a group", true) {
      for name in ["Owl", "Cat"] {
        $0.files["\(CatalogFiles.root)/More/\(name).stickerpack\(contents)"] = $0.files[pack + contents]
      }
    },
    .catalog(.packCount, "icons alone", true) { catalog in
      catalog.files = catalog.files.filter { !$0.key.hasPrefix(pack) }
    },
    .catalog(.packCount, "one pack", false),
    .catalog(.packCount, "one pack in a group", false) { catalog in
      catalog.files = Dictionary(
        uniqueKeysWithValues: catalog.files.map {
          ($0.key.replacing("/Fox.stickerpack", with: "/More/Fox.stickerpack"), $0.value)
        })
    },
    .catalog(.packCount, "a note beside it", false) { $0.files[CatalogFiles.root + "/Owl.txt"] = [32] },
  ]

  static let listing: [CheckCase] = [
    .catalog(.stickerMissing, "a folder that is not there", true) { $0.list(["A.sticker", "B.sticker", "C.sticker"]) },
    .catalog(.stickerMissing, "a picture that is not there", true) { $0.files[pack + "/A.sticker/A.png"] = nil },
    .catalog(.stickerMissing, "other case", true) { $0.list(["a.sticker", "B.sticker"]) },
    .catalog(.stickerMissing, "a path for a name", true) {
      $0.replace(pack + "/A.sticker" + contents, "\"A.png\"", "\"../B.sticker/B.png\"")
    },
    .catalog(.stickerMissing, "as it should be", false),
    .catalog(.stickerMissing, "another order", false) { $0.list(["B.sticker", "A.sticker"]) },
    .catalog(.stickerMissing, "a picture of another name", false) {
      $0.files[pack + "/A.sticker/A.png"] = nil
      $0.addSticker("A", art, file: "fox 1.png")
    },
    .catalog(.stickerUnlisted, "a sticker", true) { $0.list(["A.sticker"]) },
    .catalog(.stickerUnlisted, "all of them", true) { $0.list([]) },
    .catalog(.stickerUnlisted, "a picture beside the named one", true) { $0.files[pack + "/A.sticker/old.png"] = art },
    .catalog(.stickerUnlisted, "as it should be", false),
    .catalog(.stickerUnlisted, "a text beside it", false) { $0.files[pack + "/A.sticker/read me.txt"] = [32] },
    .catalog(.stickerUnlisted, "a hidden file", false) { $0.files[pack + "/A.sticker/.DS_Store"] = [32] },
    .catalog(.stickerRepeated, "one", true) { $0.list(["A.sticker", "B.sticker", "A.sticker"]) },
    .catalog(.stickerRepeated, "both", true) { $0.list(["A.sticker", "B.sticker", "A.sticker", "B.sticker"]) },
    .catalog(.stickerRepeated, "one after the other", true) { $0.list(["A.sticker", "A.sticker", "B.sticker"]) },
    .catalog(.stickerRepeated, "once each", false),
    .catalog(.stickerRepeated, "the same picture in two", false) {
      $0.addSticker("A", $0.files[pack + "/B.sticker/B.png"]!)
    },
    .catalog(.stickerRepeated, "names that begin alike", false) {
      $0.addSticker("AA", art)
      $0.list(["A.sticker", "AA.sticker", "B.sticker"])
    },
  ]

  private static func noise(_ side: Int) -> [UInt8] { PlainPNG.still(Art.noisy(side, 1)) }

  static let pictures: [CheckCase] = [
    .catalog(.stickerExtension, "apng", true) { $0.renamed("A.apng") },
    .catalog(.stickerExtension, "webp", true) { $0.renamed("A.webp") },
    .catalog(.stickerExtension, "none", true) { $0.renamed("A") },
    .catalog(.stickerExtension, "png", false),
    .catalog(.stickerExtension, "capitals", false) { $0.renamed("A.PNG") },
    .catalog(.stickerExtension, "an animation named png", false) {
      $0.addSticker(
        "A", animation([Sketch().disc(150, 150, 130, .scarlet), Sketch().disc(150, 150, 130, .azure)], 100))
    },
    .catalog(.stickerFormat, "a JPEG named png", true) { $0.addSticker("A", jpeg) },
    .catalog(.stickerFormat, "a PNG named gif", true) { $0.renamed("A.gif") },
    .catalog(.stickerFormat, "a GIF named png", true) { $0.addSticker("A", gif) },
    .catalog(.stickerFormat, "a PNG named png", false),
    .catalog(.stickerFormat, "a JPEG named jpeg", false) { $0.renamed("A.jpeg", jpeg) },
    .catalog(.stickerFormat, "a GIF named gif", false) { $0.renamed("A.gif", gif) },
    .catalog(.stickerSize, "a smaller one", true) { $0.addSticker("A", Sketch(200).disc(100, 100, 90, .scarlet).png) },
    .catalog(.stickerSize, "the sizes of another grid", true) { $0.replace(pack + contents, "\"small\"", "\"large\"") },
    .catalog(.stickerSize, "not square", true) {
      $0.addSticker("A", Sketch(300, 200).disc(150, 100, 90, .scarlet).png)
    },
    .catalog(.stickerSize, "all of the grid's", false),
    .catalog(.stickerSize, "one of them animated", false) {
      $0.addSticker(
        "A", animation([Sketch().disc(150, 150, 130, .scarlet), Sketch().disc(150, 150, 130, .azure)], 100))
    },
    .catalog(.stickerSize, "small margins", false) { $0.addSticker("A", Sketch().disc(150, 150, 100, .scarlet).png) },
    .catalog(.tooHeavy, "500,000 bytes", true) { $0.addSticker("A", padded(500_000)) },
    .catalog(.tooHeavy, "512,001 bytes", true) { $0.addSticker("A", padded(512_001)) },
    .catalog(.tooHeavy, "noise", true) { $0.addSticker("A", noise(400)) },
    .catalog(.tooHeavy, "499,999 bytes", false) { $0.addSticker("A", padded(499_999)) },
    .catalog(.tooHeavy, "little", false),
    .catalog(.tooHeavy, "two that are heavy together", false) {
      $0.addSticker("A", padded(300_000))
      $0.addSticker("B", padded(300_000))
    },
  ]

  /// A picture of a number of bytes: a chunk without a meaning fills it.
  private static func padded(_ bytes: Int) -> [UInt8] {
    let bitmap = Sketch(8, 8, .scarlet).bitmap
    let least = PlainPNG.still(bitmap, extra: [("tEXt", [])]).count
    return PlainPNG.still(bitmap, extra: [("tEXt", [UInt8](repeating: 65, count: bytes - least))])
  }

  private static let gif: [UInt8] = {
    var gif = GIFMaker(width: 2, height: 2)
    gif.addImage(width: 2, height: 2, indices: [0, 1, 1, 0])
    return gif.finish()
  }()

  private static let jpeg = JPEGMaker().finish([[[200, 90, 40]]])

  static let names: [CheckCase] = [
    .catalog(.stickerNames, "case", true) { $0.addSticker("a", art) },
    .catalog(.stickerNames, "case of a letter with a mark", true) {
      $0.addSticker("\u{c4}rger", art)
      $0.addSticker("\u{e4}rger", art)
    },
    .catalog(.stickerNames, "a sticker and a sequence", true) {
      $0.files[pack + "/A.stickersequence/1.png"] = art
      $0.files[pack + "/A.stickersequence" + contents] =
        StickerSequenceContents(duration: 5, durationType: .fps, accessibilityLabel: "A fox", frames: ["1.png"]).bytes
    },
    .catalog(.stickerNames, "two letters", false),
    .catalog(.stickerNames, "a longer name", false) { $0.addSticker("Aa", art) },
    .catalog(.stickerNames, "an accent", false) { $0.addSticker("\u{c4}", art) },
    .catalog(.labelMissing, "none", true) { $0.label("A", nil) },
    .catalog(.labelMissing, "an empty one", true) { $0.label("A", "") },
    .catalog(.labelMissing, "a space", true) { $0.label("B", " ") },
    .catalog(.labelMissing, "all have one", false),
    .catalog(.labelMissing, "an emoji", false) { $0.label("A", "🦊") },
    .catalog(.labelMissing, "one letter", false) { $0.label("A", "X") },
    .catalog(.labelIsName, "a file's name", true) { $0.label("A", "fox-01.png") },
    .catalog(.labelIsName, "the stem of the file", true) {
      $0.renamed("fox_wave2.png")
      $0.label("A", "fox_wave2", file: "fox_wave2.png")
    },
    .catalog(.labelIsName, "the folder's name", true) {
      $0.addSticker("IMG_0042", art, label: "IMG_0042")
    },
    .catalog(.labelIsName, "a word that is a name, too", false) { $0.addSticker("Hello", art, label: "Hello") },
    .catalog(.labelIsName, "a sentence", false) { $0.label("A", "A fox says hi") },
    .catalog(.labelIsName, "a dot in it", false) { $0.label("A", "Fox no. 1") },
    .catalog(.labelTooLong, "151 characters", true) { $0.label("A", String(repeating: "x", count: 151)) },
    .catalog(.labelTooLong, "a story", true) { $0.label("A", String(repeating: "A fox goes out. ", count: 20)) },
    .catalog(.labelTooLong, "76 flags of two scalars", true) { $0.label("A", String(repeating: "🇦🇹", count: 76)) },
    .catalog(.labelTooLong, "150 characters", false) { $0.label("A", String(repeating: "x", count: 150)) },
    .catalog(.labelTooLong, "75 flags", false) { $0.label("A", String(repeating: "🇦🇹", count: 75)) },
    .catalog(.labelTooLong, "short ones", false),
    .catalog(.labelRepeated, "the same", true) { $0.label("A", "A fox, B") },
    .catalog(.labelRepeated, "the same in capitals", true) { $0.label("A", "A FOX, B") },
    .catalog(.labelRepeated, "three times", true) {
      $0.label("A", "A fox, B")
      $0.addSticker("C", art, label: "A fox, B")
    },
    .catalog(.labelRepeated, "different ones", false),
    .catalog(.labelRepeated, "a letter more", false) { $0.label("A", "A fox, BB") },
    .catalog(.labelRepeated, "none twice", false) {
      $0.label("A", nil)
      $0.label("B", nil)
    },
  ]
}

/// Seeds and near-misses of icon sets.
enum IconSetCases {
  private static let large = IconSlot.messages[7]
  private static let small = IconSlot.messages[8]
  private static let app = "Assets.xcassets/AppIcon.appiconset"

  private static func file(_ slot: IconSlot) -> String { icons + "/" + slot.filename }

  /// An app icon set of some slots.
  private static func appSet(_ rule: CheckRule, _ name: String, _ isSeeded: Bool, _ images: [IconSetContents.Image])
    -> CheckCase
  {
    var files = ["Assets.xcassets" + contents: RootContents().bytes]
    files[app + contents] = IconSetContents(images: images).bytes
    for image in images { image.filename.map { files[app + "/" + $0] = CatalogFiles.icon(image.slot) } }
    return CheckCase(rule: rule, name: name, isSeeded: isSeeded, files: files, subject: "Assets.xcassets")
  }

  /// A dark icon may be translucent.
  private static let dark: CheckCase = {
    let slots = IconSlot.singleAppIcon([.dark])
    var one = appSet(.iconAlpha, "a dark icon", false, slots.map { .init(filename: $0.filename, slot: $0) })
    one.files[app + "/" + slots[1].filename] = Sketch(1024, 1024, RGBA8(200, 40, 40, 128)).png
    return one
  }()

  private static let legacy = IconSetContents(slots: IconSlot.legacyAppIcon).images

  static let all: [CheckCase] = [
    .catalog(.iconAlpha, "RGBA", true) { $0.files[file(large)] = Sketch(1024, 1024, .scarlet).png },
    .catalog(.iconAlpha, "a translucent one", true) { $0.files[file(small)] = Sketch(54, 40, RGBA8(9, 9, 9, 90)).png },
    .catalog(.iconAlpha, "a palette with transparency", true) {
      $0.files[file(small)] = PlainPNG.indexed(Sketch(54, 40, .scarlet).bitmap, palette: [.scarlet, .clear])
    },
    .catalog(.iconAlpha, "RGB", false),
    .catalog(.iconAlpha, "gray", false) {
      let rows = Array(repeating: [UInt8](repeating: 90, count: 54), count: 40)
      $0.files[file(small)] = PNGMaker(PixelSize(width: 54, height: 40), colorType: 0, rows: rows).bytes
    },
    dark,
    .catalog(.iconSize, "a pixel wider", true) { $0.files[file(small)] = CatalogFiles.icon(small, 1) },
    .catalog(.iconSize, "two exchanged", true) {
      ($0.files[file(small)], $0.files[file(large)]) = ($0.files[file(large)], $0.files[file(small)])
    },
    .catalog(.iconSize, "1023 px", true) { $0.files[file(large)] = CatalogFiles.icon(large, -1) },
    .catalog(.iconSize, "as it should be", false),
    appSet(.iconSize, "1024 px for an app", false, [.init(filename: "a.png", slot: IconSlot.singleAppIcon()[0])]),
    appSet(.iconSize, "half points", false, legacy),
    .catalog(.iconMissing, "no file", true) { $0.files[file(large)] = nil },
    .catalog(.iconMissing, "an empty slot", true) {
      $0.replace(icons + contents, "\"filename\" : \"\(small.filename)\",", "")
    },
    .catalog(.iconMissing, "no entry", true) {
      $0.files[icons + contents] = IconSetContents(slots: Array(IconSlot.messages.dropLast())).bytes
    },
    appSet(.iconMissing, "no icon of the App Store", true, Array(legacy.dropLast())),
    .catalog(.iconMissing, "as it should be", false),
    appSet(.iconMissing, "one icon for an app", false, [.init(filename: "a.png", slot: IconSlot.singleAppIcon()[0])]),
    appSet(.iconMissing, "an app for phones alone", false, legacy.filter { $0.slot.idiom != .ipad }),
    .catalog(.iconPlatform, "all five", true) { $0.replace(icons + contents, "\"platform\" : \"ios\",", "") },
    .catalog(.iconPlatform, "one", true) {
      var images = IconSetContents(slots: IconSlot.messages).images
      images[12].slot.platform = nil
      $0.files[icons + contents] = IconSetContents(images: images).bytes
    },
    .catalog(.iconPlatform, "two", true) {
      var images = IconSetContents(slots: IconSlot.messages).images
      images[8].slot.platform = nil
      images[9].slot.platform = nil
      $0.files[icons + contents] = IconSetContents(images: images).bytes
    },
    .catalog(.iconPlatform, "as it should be", false),
    .catalog(.iconPlatform, "one more than needed", false) {
      var images = IconSetContents(slots: IconSlot.messages).images
      images[0].slot.platform = .ios
      $0.files[icons + contents] = IconSetContents(images: images).bytes
    },
    appSet(.iconPlatform, "older app icons have none", false, legacy),
    .catalog(.iconUnassigned, "a size of no slot", true) {
      var images = IconSetContents(slots: IconSlot.messages).images
      images.append(.init(filename: "x.png", slot: IconSlot(size: PointSize(30, 30), scale: .x2, idiom: .iphone)))
      $0.files[icons + contents] = IconSetContents(images: images).bytes
      $0.files[icons + "/x.png"] = CatalogFiles.icon(images[13].slot)
    },
    .catalog(.iconUnassigned, "another idiom", true) { $0.replace(icons + contents, "\"ipad\"", "\"pad\"") },
    .catalog(.iconUnassigned, "a file beside them", true) { $0.files[icons + "/old.png"] = art },
    .catalog(.iconUnassigned, "as it should be", false),
    appSet(.iconUnassigned, "older app icons", false, legacy),
    .catalog(.iconUnassigned, "an empty entry", false) {
      $0.replace(icons + contents, "\"images\" : [", "\"images\" : [ { \"idiom\" : \"iphone\", \"size\" : \"30x30\" },")
    },
    named(true, "imessage app icon"), named(true, "Fox Icon"), named(true, "iMessage App Icon 2"),
    named(false, "iMessage App Icon"),
    appSet(.iconSetName, "an app's", false, legacy),
    appSet(.iconSetName, "one app icon", false, [.init(filename: "a.png", slot: IconSlot.singleAppIcon()[0])]),
    .catalog(.iconSetMissing, "none", true) { catalog in
      catalog.files = catalog.files.filter { !$0.key.hasPrefix(icons) }
    },
    .catalog(.iconSetMissing, "an app's alone", true) { $0.move(icons, CatalogFiles.root + "/AppIcon.appiconset") },
    .catalog(.iconSetMissing, "a folder of the name without a suffix", true) {
      $0.move(icons, CatalogFiles.root + "/iMessage App Icon")
    },
    .catalog(.iconSetMissing, "there", false),
    .catalog(.iconSetMissing, "in a group", false) {
      $0.move(icons, CatalogFiles.root + "/Icons/iMessage App Icon.stickersiconset")
    },
    appSet(.iconSetMissing, "an app's catalog", false, legacy),
  ]

  private static func named(_ isSeeded: Bool, _ name: String) -> CheckCase {
    .catalog(.iconSetName, name, isSeeded) { $0.move(icons, CatalogFiles.root + "/\(name).stickersiconset") }
  }
}

extension CatalogFiles {
  /// Gives the picture of the first sticker another name, and other bytes where they are given.
  fileprivate mutating func renamed(_ file: String, _ bytes: [UInt8]? = nil) {
    let old = Self.pack + "/A.sticker/A.png"
    let bytes = bytes ?? files[old] ?? []
    files[old] = nil
    addSticker("A", bytes, file: file)
  }

  fileprivate mutating func label(_ name: String, _ label: String?, file: String? = nil) {
    files["\(Self.pack)/\(name).sticker\(Self.contents)"] =
      StickerContents(filename: file ?? name + ".png", accessibilityLabel: label).bytes
  }

  fileprivate mutating func move(_ folder: String, _ other: String) {
    files = Dictionary(
      uniqueKeysWithValues: files.map {
        ($0.key.hasPrefix(folder + "/") ? other + $0.key.dropFirst(folder.count) : $0.key, $0.value)
      })
  }
}
