import AssetCatalog
import Codecs
import Imaging

/// One entry of an icon set's description.
private struct IconEntry {
  var index: Int
  var filename: String?
  var size: PointSize?
  var scale: IconScale?
  var idiom: String
  var platform: String?
  var hasAppearance: Bool

  init(_ json: JSONValue, index: Int) {
    self.index = index
    filename = json["filename"]?.text
    size = json["size"]?.text.flatMap(PointSize.init)
    scale = json["scale"]?.text.flatMap(IconScale.init(rawValue:))
    idiom = json["idiom"]?.text ?? ""
    platform = json["platform"]?.text
    hasAppearance = json["appearances"] != nil
  }

  /// Whether it is for something else than iOS.
  var isForeign: Bool {
    ["mac", "watch", "watch-marketing", "tv", "car", "vision"].contains(idiom)
      || platform.map { $0 != IconPlatform.ios.rawValue } ?? false
  }

  /// Whether it has a slot's size, scale and idiom; the platform is another matter.
  func matches(_ slot: IconSlot) -> Bool {
    size == slot.size && scale == slot.scale && idiom == slot.idiom.rawValue
  }

  /// The size in pixels; nil where it is none.
  var pixels: PixelSize? {
    guard let size, let idiom = IconIdiom(rawValue: idiom) else { return nil }
    return IconSlot(size: size, scale: scale, idiom: idiom).pixels.map { PixelSize(width: $0.width, height: $0.height) }
  }
}

extension IconSlot {
  /// Sizes of iOS 6 and before, which catalogs still name.
  fileprivate static let old: [IconSlot] =
    [57.0, 29].flatMap { side in
      [IconScale.x1, .x2].map { IconSlot(size: PointSize(side, side), scale: $0, idiom: .iphone) }
    }
    + [50.0, 72].flatMap { side in
      [IconScale.x1, .x2].map { IconSlot(size: PointSize(side, side), scale: $0, idiom: .ipad) }
    }

  fileprivate var shown: String { pixels.map { "\($0.width)x\($0.height)" } ?? "\(size)" }
}

extension CatalogCheck {
  private static let iconKeys: Set<String> = [
    "filename", "idiom", "scale", "size", "platform", "appearances", "role", "subtype", "unassigned",
  ]

  mutating func iconSet(_ path: String, isMessages: Bool) {
    let name = Path.split(Path.name(path)).stem
    if isMessages, name != IconSlot.messagesIconSetName {
      let isCase = name.lowercased() == IconSlot.messagesIconSetName.lowercased()
      add(
        .iconSetName, path,
        isCase ? "\"\(name)\" is \"\(IconSlot.messagesIconSetName)\" in other case" : "it is named \"\(name)\"")
    }
    guard let json = contents(of: path, keys: ["images", "properties"]) else { return }
    let file = Path.join(path, CatalogLayout.contents)
    guard let items = objects(json, "images") else {
      return add(.contentsUnreadable, file, "\"images\" is not a list")
    }
    for (index, item) in items.enumerated() { unknownKeys(item, Self.iconKeys, file, in: "images[\(index)].") }
    let entries = items.enumerated().map { IconEntry($1, index: $0) }.filter { !$0.isForeign }
    if isMessages { messagesSlots(entries, file) } else { appSlots(entries, file) }
    unassigned(entries, isMessages ? IconSlot.messages : IconSlot.legacyAppIcon + IconSlot.old, isMessages, file)
    let files = items.compactMap { $0["filename"]?.text }
    let others = names(in: path).filter { name in hasImageSuffix(name) && !files.contains { Path.same($0, name) } }
    if !others.isEmpty {
      add(.iconUnassigned, path, "no entry names \(others.prefix(3).joined(separator: ", "))")
    }
    icons(entries, in: path)
  }

  private mutating func messagesSlots(_ entries: [IconEntry], _ file: String) {
    var missing: [IconSlot] = []
    for slot in IconSlot.messages {
      let found = entries.filter { $0.matches(slot) && $0.filename != nil }
      if found.isEmpty {
        missing.append(slot)
      } else if slot.platform != nil, !found.contains(where: { $0.platform != nil }) {
        add(.iconPlatform, file, "images[\(found[0].index)], \(slot.shown) px, has no platform")
      }
    }
    tellMissing(missing, nil, file)
  }

  private mutating func appSlots(_ entries: [IconEntry], _ file: String) {
    let single = entries.filter { entry in IconSlot.singleAppIcon().contains { entry.matches($0) } }
    if !single.isEmpty {
      if !single.contains(where: { $0.filename != nil && !$0.hasAppearance }) {
        tellMissing(IconSlot.singleAppIcon(), nil, file)
      }
      return
    }
    let empty = IconSlot.legacyAppIcon.filter { slot in
      let found = entries.filter { $0.matches(slot) }
      let isWanted = !found.isEmpty || slot.idiom == .iosMarketing
      return isWanted && !found.contains { $0.filename != nil }
    }
    tellMissing(empty.filter { $0.idiom == .iosMarketing }, nil, file)
    // Which devices the app is for, a catalog does not say.
    tellMissing(empty.filter { $0.idiom != .iosMarketing }, .warning, file)
  }

  private mutating func tellMissing(_ slots: [IconSlot], _ severity: Severity?, _ file: String) {
    guard !slots.isEmpty else { return }
    let shown = slots.prefix(4).map { "\($0.shown) (\($0.idiom.rawValue))" }.joined(separator: ", ")
    let rest = slots.count > 4 ? " and \(slots.count - 4) more" : ""
    let what = slots.count == 1 ? "1 slot has no icon" : "\(slots.count) slots have no icon"
    add(.iconMissing, as: severity, file, "\(what): \(shown)\(rest)")
  }

  private mutating func unassigned(_ entries: [IconEntry], _ slots: [IconSlot], _ isMessages: Bool, _ file: String) {
    let single = isMessages ? [] : IconSlot.singleAppIcon()
    let lost = entries.filter { entry in
      entry.filename != nil && !(slots + single).contains { entry.matches($0) }
    }
    guard !lost.isEmpty else { return }
    let shown = lost.prefix(3).map { "images[\($0.index)]" }.joined(separator: ", ")
    let what = lost.count == 1 ? "1 entry matches no slot" : "\(lost.count) entries match no slot"
    add(.iconUnassigned, file, "\(what): \(shown)")
  }

  /// The files of the entries, and the look of the largest square one.
  private mutating func icons(_ entries: [IconEntry], in path: String) {
    var largest: (path: String, side: Int)?
    var seen: Set<PathKey> = []
    for entry in entries {
      guard let name = entry.filename, !name.contains("/"), seen.insert(PathKey(name)).inserted else { continue }
      let place = Path.join(path, name)
      guard kind(of: place) == .file else {
        add(.iconMissing, path, "\"\(name)\" is named, and there is no such file")
        continue
      }
      guard let header = header(place) else {
        unreadable(place)
        continue
      }
      for other in entries where other.filename == name {
        guard let pixels = other.pixels, pixels != header.size else { continue }
        add(.iconSize, place, "\(header.size) px, images[\(other.index)] needs \(pixels)")
        break
      }
      if header.hasAlpha, !entry.hasAppearance {
        add(.iconAlpha, place, "\(header.colorModel), which can hold transparency")
      }
      if header.size.isSquare, !entry.hasAppearance, header.size.width > largest?.side ?? 119 {
        largest = (place, header.size.width)
      }
    }
    guard let largest, let bytes = try? disk.read(Path.join(root, largest.path)) else { return }
    findings += MasterCheck(limits: recipe.render.limits).look(bytes, path: largest.path, isFinished: true)
  }
}
