import AssetCatalog
import Codecs
import Imaging
import TestSupport

@testable import Pipeline

/// Seeds and near-misses of masters.
enum MasterCases {
  static let all = look + shape

  private static let plate = Sketch(240, 240, .azure).disc(120, 120, 60, .white)

  /// Small colored boxes everywhere.
  private static func jumble(_ step: Int) -> Sketch {
    Sketch(240).painted { x, y in
      let value = x / step * 37 + y / step * 71 + (x / step) * (y / step) * 13
      return RGBA8(UInt8(value * 53 % 256), UInt8(value * 91 % 256), UInt8(value * 29 % 256))
    }
  }

  static let look: [CheckCase] = [
    .master(.iconCorners, "transparent corners", true, Sketch(240).box(0, 0, 240, 240, radius: 52, .azure)),
    .master(
      .iconCorners, "white corners", true,
      Sketch(240, 240, .white).box(0, 0, 240, 240, radius: 52, .azure)
        .disc(120, 120, 50, .gold)),
    .master(.iconCorners, "black corners", true, Sketch(240, 240, .black).box(0, 0, 240, 240, radius: 36, .gold)),
    .master(
      .iconCorners, "a rounded plate with a margin", true,
      Sketch(240, 240, .white)
        .box(20, 20, 200, 200, radius: 44, .scarlet)),
    .master(.iconCorners, "square corners", false, plate),
    .master(.iconCorners, "a round logo on white", false, Sketch(240, 240, .white).disc(120, 120, 118, .azure)),
    .master(
      .iconCorners, "a small card on white", false, Sketch(240, 240, .white).box(60, 60, 120, 120, radius: 20, .scarlet)
    ),
    .master(.iconCorners, "corners of a bevel", false, Sketch(240).box(0, 0, 240, 240, radius: 6, .azure)),
    .master(.iconBusy, "small boxes everywhere", true, jumble(6)),
    .master(.iconBusy, "larger boxes everywhere", true, jumble(10)),
    .master(.iconBusy, "noise", true, Sketch(240).painted { Art.noisy(240, 3).bitmapColor($0, $1) }),
    .master(.iconBusy, "a disc on a plain ground", false, plate),
    .master(
      .iconBusy, "a disc on a gradient", false,
      Sketch(240).painted { RGBA8(UInt8($0), UInt8($1), 120) }
        .disc(120, 120, 70, .white)),
    .master(
      .iconBusy, "detail in the middle alone", false,
      plate.painted { x, y in
        (80..<160).contains(x) && (80..<160).contains(y) ? jumble(6).bitmap[x, y] : nil
      }),
  ]

  static let shape: [CheckCase] = [
    .master(.iconSmall, "512 px", true, Sketch(512, 512, .azure)),
    .master(.iconSmall, "64 px", true, Sketch(64, 64, .scarlet)),
    .master(.iconSmall, "1000 px", true, Sketch(1000, 1000, .scarlet)),
    .master(.iconSmall, "1024 px", false, Sketch(1024, 1024, .scarlet)),
    .master(.iconSmall, "1200 px", false, Sketch(1200, 1200, .scarlet)),
    .master(.iconSmall, "1024 px, not square", false, Sketch(1024, 768, .scarlet)),
    .master(.iconTransparent, "a logo", true, Sketch(240).disc(120, 120, 90, .scarlet)),
    .master(
      .iconTransparent, "a hole", true, plate.painted { abs($0 - 120) < 20 && abs($1 - 120) < 20 ? .clear : nil }),
    .master(.iconTransparent, "a veil", true, Sketch(240, 240, RGBA8(200, 40, 40, 128))),
    .master(.iconTransparent, "opaque", false, plate),
    .master(.iconTransparent, "white", false, Sketch(240, 240, .white)),
    .master(.iconTransparent, "rounded corners alone", false, Sketch(240).box(0, 0, 240, 240, radius: 52, .azure)),
    .master(.iconNotSquare, "4:3", true, Sketch(320, 240, .scarlet)),
    .master(.iconNotSquare, "upright", true, Sketch(200, 240, .scarlet)),
    .master(.iconNotSquare, "a little wide", true, Sketch(256, 240, .scarlet)),
    .master(.iconNotSquare, "square", false, plate),
    .master(.iconNotSquare, "square to a pixel", false, Sketch(241, 240, .scarlet)),
    .master(
      .iconNotSquare, "a square plate on a wide canvas", false,
      Sketch(280, 240)
        .box(25, 5, 230, 230, radius: 40, .azure)),
  ]
}

extension Bitmap {
  fileprivate func bitmapColor(_ x: Int, _ y: Int) -> RGBA8 { self[x, y] }
}

/// A catalog of two stickers and a full icon set, and ways to spoil it.
struct CatalogFiles {
  var files: [String: [UInt8]] = [:]

  static let root = "Stickers.xcstickers"
  static let pack = root + "/Fox.stickerpack"
  static let icons = root + "/iMessage App Icon.stickersiconset"
  static let contents = "/Contents.json"

  init() {
    files[Self.root + Self.contents] = RootContents().bytes
    files[Self.pack + Self.contents] =
      StickerPackContents(gridSize: .small, stickers: ["A.sticker", "B.sticker"]).bytes
    addSticker("A", Sketch().disc(150, 150, 130, .scarlet).png)
    addSticker("B", Sketch().disc(150, 150, 130, .azure).disc(150, 150, 50, .white).png)
    files[Self.icons + Self.contents] = IconSetContents(slots: IconSlot.messages).bytes
    files.merge(Self.pictures) { $1 }
  }

  private static let pictures = Dictionary(
    uniqueKeysWithValues: IconSlot.messages.map { (icons + "/" + $0.filename, icon($0)) })

  static func icon(_ slot: IconSlot, _ change: Int = 0) -> [UInt8] {
    let pixels = slot.pixels ?? (1, 1)
    let bitmap = Bitmap(size: PixelSize(width: pixels.width + change, height: pixels.height), fill: .azure)
    return StillEncoder(effort: .fast, forcesRGB: true).encode(bitmap).bytes
  }

  mutating func addSticker(_ name: String, _ bytes: [UInt8], file: String? = nil, label: String? = nil) {
    let file = file ?? name + ".png"
    files["\(Self.pack)/\(name).sticker/\(file)"] = bytes
    files["\(Self.pack)/\(name).sticker\(Self.contents)"] =
      StickerContents(filename: file, accessibilityLabel: label ?? "A fox, \(name)").bytes
  }

  /// Replaces a part of a description.
  mutating func replace(_ path: String, _ old: String, _ new: String) {
    let text = String(decoding: files[path] ?? [], as: UTF8.self)
    precondition(text.contains(old), "\(path) has \(old)")
    files[path] = Array(text.replacing(old, with: new).utf8)
  }

  /// Lists stickers.
  mutating func list(_ folders: [String]) {
    files[Self.pack + Self.contents] = StickerPackContents(gridSize: .small, stickers: folders).bytes
  }
}

extension CheckCase {
  /// A catalog that was changed.
  static func catalog(
    _ rule: CheckRule, _ name: String, _ isSeeded: Bool, _ change: (inout CatalogFiles) -> Void = { _ in }
  ) -> CheckCase {
    var catalog = CatalogFiles()
    change(&catalog)
    return CheckCase(rule: rule, name: name, isSeeded: isSeeded, files: catalog.files, subject: CatalogFiles.root)
  }
}
