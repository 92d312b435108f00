public import AssetCatalog

/// A sticker catalog that stands in an output folder, whoever made it.
public struct FoundCatalog: Sendable, Hashable {
  /// The name of its sticker pack.
  public var name: String
  /// Its grid size; nil where it says none that is known.
  public var grid: GridSize?
  /// The names of its stickers in display order; a sequence's is that of its folder.
  public var order: [String]
  /// The labels that its stickers have.
  public var labels: [String: String]
  /// The names of stickers that it lists and that are not in it.
  public var missing: [String]

  /// Reads the catalog of an output folder; nil where there is none.
  ///
  /// `name` is the pack that is taken of several. What is odd in a description is passed over; throws `BuildRefusal` where
  /// none of them can be read at all.
  public init?(in output: String, named name: String, on disk: any Disk) throws(BuildRefusal) {
    let catalog = Path.join(output, CatalogLayout.catalog)
    let packs = ((try? disk.list(catalog)) ?? []).sorted(by: Path.precedes)
      .filter { Path.split($0).suffix == "stickerpack" }
    let wanted = CatalogName.packFolder(name)
    for folder in packs.filter({ Path.same($0, wanted) }) + packs {
      let place = Path.join(catalog, folder)
      guard let bytes = try? disk.read(Path.join(place, CatalogLayout.contents)),
        let pack = try? JSONValue(parsing: bytes), case .object = pack
      else { continue }
      self.name = Path.split(folder).stem
      (grid, order, labels, missing) = (nil, [], [:], [])
      if case .string(let word)? = pack["properties"]?["grid-size"] { grid = GridSize(rawValue: word) }
      for sticker in FoundCatalog.stickers(pack) {
        let name = Path.split(sticker).suffix == "sticker" ? Path.split(sticker).stem : sticker
        guard !order.contains(name), !missing.contains(name) else { continue }
        let contents = Path.join(Path.join(place, sticker), CatalogLayout.contents)
        guard (try? disk.status(contents, followLinks: true))?.kind == .file else {
          missing.append(name)
          continue
        }
        order.append(name)
        guard let bytes = try? disk.read(contents), let found = try? StickerContents(parsing: bytes) else { continue }
        if let label = found.accessibilityLabel, !label.isEmpty { labels[name] = label }
      }
      return
    }
    guard let pack = packs.first else { return nil }
    let path = "\(CatalogLayout.catalog)/\(pack)/\(CatalogLayout.contents)"
    throw BuildRefusal([
      Diagnostic(
        .error, path: path, "cannot be read as that of a sticker pack; mend it, or move the pack away", id: "in-the-way"
      )
    ])
  }

  private static func stickers(_ pack: JSONValue) -> [String] {
    guard case .array(let entries)? = pack["stickers"] else { return [] }
    return entries.compactMap { if case .string(let name)? = $0["filename"] { name } else { nil } }
  }

  /// The configuration with what it does not say taken from the catalog; name and grid size where nobody set them.
  public func adopted(by configuration: Configuration, setsName: Bool, setsGrid: Bool) -> Configuration {
    var result = configuration
    if setsName { result.name = name }
    if setsGrid, let grid { result.grid = grid }
    if result.order.isEmpty { result.order = order }
    for (name, label) in labels where result.labels[name] == nil && result.overrides[name]?.label == nil {
      result.labels[name] = label
    }
    return result
  }
}

/// Which files of a catalog that Decal did not write a build takes over.
struct Adoption {
  private let disk: any Disk
  private let output: String
  private let previous: PreviousBuild

  init(disk: any Disk, output: String, previous: PreviousBuild) {
    (self.disk, self.output, self.previous) = (disk, output, previous)
  }

  /// What a plan's build would replace or remove, relative to the output folder, sorted.
  func replaced(by plan: BuildPlan) -> [String] {
    let layout = CatalogLayout(pack: plan.name)
    var paths = [CatalogLayout.catalog, layout.packFolder].map { $0 + "/" + CatalogLayout.contents }
    for name in plan.stickers.filter({ $0.source.problem == nil }).map(\.source.name) {
      let folder = layout.stickerFolder(name)
      paths += [layout.stickerFile(name), layout.stickerContents(name)]
      paths += orphans(in: folder, beside: [layout.stickerFile(name)])
    }
    if let options = plan.icons {
      for kind in IconSetKind.all(for: options) {
        let icons = kind.slots(for: options).map { kind.folder + "/" + $0.filename }
        paths += icons + [kind.folder + "/" + CatalogLayout.contents] + orphans(in: kind.folder, beside: icons)
      }
    }
    return Set(paths.filter { isFile($0) && !isListed($0) }).sorted(by: Path.precedes)
  }

  /// The pictures that a description of somebody else names, and that the new one does not.
  func orphans(in folder: String, beside pictures: [String]) -> [String] {
    let contents = folder + "/" + CatalogLayout.contents
    guard !isListed(contents), let bytes = try? disk.read(Path.join(output, contents)) else { return [] }
    var names = (try? StickerContents(parsing: bytes)).map { [$0.filename] } ?? []
    names += (try? IconSetContents(parsing: bytes))?.images.compactMap(\.filename) ?? []
    return names.filter { ManifestFile.isInside($0) && !$0.contains("/") }.map { folder + "/" + $0 }.filter { path in
      isFile(path) && !isListed(path) && !pictures.contains { Path.same($0, path) }
    }
  }

  private func isFile(_ path: String) -> Bool {
    (try? disk.status(Path.join(output, path), followLinks: false))?.kind == .file
  }

  private func isListed(_ path: String) -> Bool { previous.files.contains { Path.same($0.path, path) } }
}
