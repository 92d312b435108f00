import AssetCatalog
import Codecs
import Imaging

// The folders of single stickers.
extension CatalogCheck {
  /// Extensions that an upload takes.
  private static let extensions = ["png", "gif", "jpg", "jpeg"]

  mutating func sticker(_ path: String, grid: Int) {
    guard let json = contents(of: path, keys: ["properties"]) else { return }
    let file = Path.join(path, CatalogLayout.contents)
    let properties = json["properties"]
    unknownKeys(properties, ["filename", "accessibility-label"], file, in: "properties.")
    labels.append(label(properties, path))
    guard let name = properties?["filename"]?.text else {
      return add(.stickerMissing, file, "no \"filename\" among the properties")
    }
    unnamed(in: path, beside: [name])
    guard let picture = picture(name, in: path, file) else { return }
    pictures.append(job(path, .file(picture), grid: grid))
  }

  mutating func sequence(_ path: String, grid: Int) {
    guard let json = contents(of: path, keys: ["properties", "frames"]) else { return }
    let file = Path.join(path, CatalogLayout.contents)
    let properties = json["properties"]
    unknownKeys(
      properties, ["duration", "duration-type", "repetitions", "accessibility-label"], file, in: "properties.")
    labels.append(label(properties, path))
    guard let items = objects(json, "frames"), !items.isEmpty else {
      return add(.stickerMissing, file, "no frames are listed")
    }
    var names: [String] = []
    for (index, item) in items.enumerated() {
      unknownKeys(item, ["filename"], file, in: "frames[\(index)].")
      if let name = item["filename"]?.text {
        names.append(name)
      } else {
        add(.stickerMissing, file, "frames[\(index)] has no \"filename\"")
      }
    }
    unnamed(in: path, beside: names)
    let frames = names.compactMap { picture($0, in: path, file) }
    guard !frames.isEmpty, let fps = rate(properties, frames: names.count, file) else { return }
    var job = job(path, .frames(frames), grid: grid)
    job.recipe.fps = fps
    pictures.append(job)
    rewritten.append(job)
  }

  /// Looks for animations, which do not belong there; everything else about image sets is the app's.
  mutating func imageSet(_ path: String) {
    for name in names(in: path) where hasImageSuffix(name) {
      let place = Path.join(path, name)
      guard let header = header(place), header.frameCount > 1 else { continue }
      let file = SourceFile(location: Path.join(root, place), path: place)
      rewritten.append(job(path, .file(file), grid: recipe.render.side))
    }
  }

  /// Frames a second, to thousandths.
  private mutating func rate(_ properties: JSONValue?, frames: Int, _ file: String) -> Rational? {
    guard let duration = properties?["duration"]?.number, duration > 0, duration < 100_000 else {
      add(.contentsUnreadable, file, "\"duration\" is not a number above 0")
      return nil
    }
    let type = properties?["duration-type"]?.text
    guard let type = type.flatMap(DurationType.init(rawValue:)) else {
      add(.contentsUnreadable, file, "\"duration-type\" is not \"fixed\" or \"fps\"")
      return nil
    }
    let rate = type == .fps ? duration : Double(frames) / duration
    return Rational(max(1, Int(min(rate, 1000) * 1000)), 1000)
  }

  private func label(_ properties: JSONValue?, _ path: String) -> LabelCheck.Entry {
    LabelCheck.Entry(
      path: path, name: Path.split(Path.name(path)).stem, label: properties?["accessibility-label"]?.text,
      filename: properties?["filename"]?.text)
  }

  private func job(_ path: String, _ content: SourceAsset.Content, grid: Int) -> StickerJob {
    var recipe = recipe
    recipe.render = RenderOptions(side: grid)
    recipe.render.limits = self.recipe.render.limits
    let name = Path.split(Path.name(path)).stem
    let shown = if case .file(let file) = content { file.path } else { path }
    return StickerJob(source: SourceAsset(name: name, path: shown, content: content), recipe: recipe, label: "")
  }

  private mutating func unnamed(in path: String, beside names: [String]) {
    let others = self.names(in: path).filter { name in
      hasImageSuffix(name) && !names.contains { Path.same($0, name) }
    }
    guard !others.isEmpty else { return }
    let shown = others.prefix(3).joined(separator: ", ") + (others.count > 3 ? ", …" : "")
    add(.stickerUnlisted, path, "not named in the Contents.json: \(shown)")
  }

  /// A picture that a description names; nil where it cannot be looked at.
  private mutating func picture(_ name: String, in folder: String, _ file: String) -> SourceFile? {
    guard !name.isEmpty, !name.contains("/"), name != "." && name != ".." else {
      add(.stickerMissing, file, "\"\(name)\" is not the bare name of a file in the folder")
      return nil
    }
    let path = Path.join(folder, name)
    guard kind(of: path) == .file, let size = (try? disk.status(Path.join(root, path), followLinks: true))?.size else {
      add(.stickerMissing, file, "\"\(name)\" is named, and there is no such file")
      return nil
    }
    let suffix = Path.split(name).suffix.lowercased()
    if !Self.extensions.contains(suffix) {
      add(.stickerExtension, path, suffix.isEmpty ? "it has no extension" : "\"\(suffix)\" is not taken")
    }
    if size > CatalogCheck.refusedBytes {
      add(.tooHeavy, as: .error, path, "\(size) bytes, more than \(CatalogCheck.refusedBytes)")
    } else if size > Configuration.appleLimit {
      add(.tooHeavy, path, "\(size) bytes, \(Configuration.appleLimit) are the most")
    }
    guard let header = header(path) else {
      unreadable(path)
      return nil
    }
    if let wanted = CatalogCheck.format(suffix), wanted != header.format || !header.isTaken {
      add(.stickerFormat, path, "it is \(header.format.rawValue.uppercased()), named .\(suffix)")
    }
    return SourceFile(location: Path.join(root, path), path: path)
  }

  /// The size above which a sticker is reported to be refused when the app runs.
  static let refusedBytes = 512_000

  private static func format(_ suffix: String) -> ImageFormat? {
    switch suffix {
    case "png": .png
    case "gif": .gif
    case "jpg", "jpeg": .jpeg
    default: nil
    }
  }

  /// What a picture's header says; nil where it cannot be read.
  func header(_ path: String) -> ImageHeader? {
    let limits = recipe.render.limits
    let location = Path.join(root, path)
    guard (try? disk.checkSize(of: location, limits)) != nil, let bytes = try? disk.read(location) else { return nil }
    return try? ImageReader(bytes: bytes, limits: limits).header
  }

  /// Tells why.
  mutating func unreadable(_ path: String) {
    let location = Path.join(root, path)
    do {
      try disk.checkSize(of: location, recipe.render.limits)
      _ = try ImageReader(bytes: try disk.read(location), limits: recipe.render.limits)
    } catch {
      findings.append(CheckFinding(Diagnostic(failure: error, path: path)))
    }
  }
}

extension ImageHeader {
  /// Whether Messages shows the format.
  fileprivate var isTaken: Bool { format != .webp }
}
