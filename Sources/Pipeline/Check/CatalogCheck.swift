import AssetCatalog
import Codecs
import Imaging

/// Looks at catalogs and their parts, whoever made them; Xcode passes over most of what is wrong without a word.
struct CatalogCheck {
  /// The disk.
  let disk: any Disk
  /// What the shown paths are relative to.
  let root: String
  /// How pictures are rendered to be looked at.
  let recipe: StickerRecipe

  /// What was found.
  var findings: [CheckFinding] = []
  /// The pictures whose art is to be looked at.
  var pictures: [StickerJob] = []
  /// The animations that Xcode writes anew, without a palette.
  var rewritten: [StickerJob] = []
  /// What VoiceOver reads.
  var labels: [LabelCheck.Entry] = []

  init(disk: any Disk, root: String, recipe: StickerRecipe) {
    (self.disk, self.root, self.recipe) = (disk, root, recipe)
  }

  /// The suffixes of folders that are catalogs or parts of them.
  static let suffixes = [
    "xcstickers", "xcassets", "stickerpack", "sticker", "stickersequence", "stickersiconset", "appiconset",
    "imageset",
  ]

  static func suffix(_ path: String) -> String { Path.split(Path.name(path)).suffix }

  /// Looks at a folder by its suffix.
  mutating func check(_ path: String) {
    switch Self.suffix(path) {
    case "xcstickers", "xcassets": catalog(path)
    case "stickerpack": pack(path)
    case "sticker": sticker(path, grid: recipe.render.side)
    case "stickersequence": sequence(path, grid: recipe.render.side)
    case "stickersiconset": iconSet(path, isMessages: true)
    case "appiconset": iconSet(path, isMessages: false)
    case "imageset": imageSet(path)
    default: break
    }
  }

  mutating func add(
    _ rule: CheckRule, as severity: Severity? = nil, _ path: String, _ message: String
  ) {
    findings.append(CheckFinding(rule, severity, path: path, message))
  }

  /// The names in a folder that no system put there, sorted.
  func names(in path: String) -> [String] {
    ((try? disk.list(Path.join(root, path))) ?? []).filter { !SystemNames.contains($0) && !$0.hasPrefix(".") }
      .sorted(by: Path.precedes)
  }

  func kind(of path: String) -> FileKind? {
    (try? disk.status(Path.join(root, path), followLinks: true))?.kind
  }

  /// A folder's description; tells why it cannot be read.
  mutating func contents(of folder: String, keys: Set<String>) -> JSONValue? {
    let path = Path.join(folder, CatalogLayout.contents)
    guard kind(of: path) == .file else {
      add(.contentsUnreadable, path, "there is no such file")
      return nil
    }
    do {
      let json = try JSONValue(parsing: try disk.read(Path.join(root, path)))
      guard case .object = json else {
        add(.contentsUnreadable, path, "not an object")
        return nil
      }
      unknownKeys(json, keys.union(["info"]), path, in: "")
      return json
    } catch let error as JSONSyntaxError {
      add(.contentsUnreadable, path, "not JSON: line \(error.line), column \(error.column): \(error.message)")
    } catch let error as DiskError {
      add(.contentsUnreadable, path, error.message)
    } catch {
      add(.contentsUnreadable, path, "\(error)")
    }
    return nil
  }

  /// Tells of the keys of an object that the format does not have.
  mutating func unknownKeys(_ json: JSONValue?, _ known: Set<String>, _ path: String, in place: String) {
    guard case .object(let members)? = json else { return }
    for member in members where !known.contains(member.key) {
      let hint = suggestion(for: member.key, among: known.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
      add(.unknownKey, path, "\"\(place + member.key)\" is no key of this file\(hint)")
    }
  }

  /// The objects of a list, or nil where it is none.
  func objects(_ json: JSONValue, _ key: String) -> [JSONValue]? {
    guard case .array(let items)? = json[key] else { return nil }
    return items
  }
}

extension JSONValue {
  /// A text, or nil.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// A number, or nil.
  var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}

// MARK: - Catalogs and packs

extension CatalogCheck {
  private mutating func catalog(_ path: String) {
    _ = contents(of: path, keys: ["properties"])
    let parts = parts(of: path)
    let packs = parts.filter { Self.suffix($0) == "stickerpack" }
    let isSticker = Self.suffix(path) == "xcstickers"
    if packs.count > 1 {
      add(.packCount, path, "\(packs.count) sticker packs: \(packs.map(Path.name).joined(separator: ", "))")
    } else if packs.isEmpty, isSticker {
      add(.packCount, as: .warning, path, "no sticker pack")
    }
    if isSticker || !packs.isEmpty, !parts.contains(where: { Self.suffix($0) == "stickersiconset" }) {
      add(.iconSetMissing, path, "no icon set")
    }
    parts.forEach { check($0) }
  }

  /// The packs, icon sets and image sets of a catalog, those in its groups included.
  private func parts(of folder: String) -> [String] {
    names(in: folder).map { Path.join(folder, $0) }.filter { kind(of: $0) == .directory }.flatMap { path in
      switch Self.suffix(path) {
      case "stickerpack", "stickersiconset", "appiconset", "imageset": [path]
      case "": parts(of: path)
      default: [String]()
      }
    }
  }

  private mutating func pack(_ path: String) {
    guard let json = contents(of: path, keys: ["properties", "stickers"]) else { return }
    let file = Path.join(path, CatalogLayout.contents)
    unknownKeys(json["properties"], ["grid-size"], file, in: "properties.")
    let grid = grid(json, file)
    var listed: [String] = []
    guard let items = objects(json, "stickers") else {
      return add(.contentsUnreadable, file, "\"stickers\" is not a list")
    }
    for (index, item) in items.enumerated() {
      unknownKeys(item, ["filename"], file, in: "stickers[\(index)].")
      guard let name = item["filename"]?.text else {
        add(.stickerMissing, file, "stickers[\(index)] has no \"filename\"")
        continue
      }
      if listed.contains(where: { Path.same($0, name) }) {
        add(.stickerRepeated, file, "\"\(name)\" is listed twice")
      } else {
        listed.append(name)
      }
    }
    let present = names(in: path).filter { ["sticker", "stickersequence"].contains(Self.suffix($0)) }
    for name in listed where !present.contains(where: { Path.same($0, name) }) {
      add(.stickerMissing, file, "\"\(name)\" is listed, and there is no such folder")
    }
    for name in present where !listed.contains(where: { Path.same($0, name) }) {
      add(.stickerUnlisted, Path.join(path, name), "not listed in the pack's Contents.json")
    }
    collisions(present, in: path)
    let before = pictures.count
    for name in present {
      let place = Path.join(path, name)
      if Self.suffix(name) == "sticker" {
        sticker(place, grid: grid.pixels)
      } else {
        sequence(place, grid: grid.pixels)
      }
    }
    sizes(Array(pictures[before...]), grid, path)
  }

  private mutating func grid(_ json: JSONValue, _ file: String) -> GridSize {
    guard let value = json["properties"]?["grid-size"] else {
      add(.gridSize, as: .warning, file, "no grid size; Xcode takes regular")
      return .regular
    }
    guard let grid = value.text.flatMap(GridSize.init(rawValue:)) else {
      add(.gridSize, file, "\(value.serialized(.compact)) is no grid size; use small, regular or large")
      return .regular
    }
    return grid
  }

  private mutating func collisions(_ names: [String], in path: String) {
    var seen: [String: String] = [:]
    for name in names {
      let key = CatalogName.collisionKey(Path.split(name).stem)
      if let other = seen[key] {
        add(.stickerNames, Path.join(path, name), "one name with \(other) where neither case nor Unicode form counts")
      }
      seen[key] = name
    }
  }

  /// Tells once of all pictures of another size than the grid's, as most packs have one or none.
  private mutating func sizes(_ pictures: [StickerJob], _ grid: GridSize, _ path: String) {
    var counts: [PixelSize: Int] = [:]
    for picture in pictures {
      guard let size = header(picture.source.files[0].path)?.size else { continue }
      counts[size, default: 0] += 1
    }
    let wanted = PixelSize(square: grid.pixels)
    let all = counts.values.reduce(0, +)
    let off = all - (counts[wanted] ?? 0)
    guard off > 0 else { return }
    let shown = counts.sorted { ($1.value, $0.key.width) < ($0.value, $1.key.width) }.prefix(3)
      .map { "\($0.value) of \($0.key) px" }.joined(separator: ", ")
    // One size that the grid's can be made of, or art that is not square, is scaled evenly.
    let isEven = counts.count == 1
    add(
      .stickerSize, as: isEven ? .note : nil, path,
      "\(off) of \(all) stickers are not \(wanted) px, the size of the grid \(grid.rawValue): \(shown)")
  }
}
