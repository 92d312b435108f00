import AssetCatalog
import Imaging

// What there is to show of a pack, as JSON: what the manifest says of it, and where the pictures are.

extension PackFiles {
  /// The data of the page.
  func preview(_ outcomes: [GroupOutcome], _ links: PreviewLinks, portable: PortablePaths, refreshes: Bool)
    -> JSONDocument
  {
    let listed = Set(listed(outcomes))
    let stickers = JSONDocument.Content.list(count: pack.plan.entries.count) { place in
      switch pack.plan.entries[place] {
      case .sticker(let index): sticker(index, outcomes, links, portable, isListed: listed.contains(index))
      case .kept(let folder): adopted(folder, links)
      }
    }
    let diagnostics = pack.plan.diagnostics + (pack.icons?.diagnostics ?? [])
    let grid = pack.plan.grid
    return JSONDocument([
      .init("version", .value(.string(decalVersion))), .init("name", .value(.string(pack.plan.name))),
      .init(
        "grid",
        .value(
          .object([
            .init("name", .string(grid.rawValue)), .init("pixels", .int(grid.pixels)),
            .init("points", .int(grid.points)), .init("columns", .int(grid.columns)),
          ]))),
      .init("inline", .value(.bool(links.isInline))), .init("refreshes", .value(.bool(refreshes))),
      .init("stickers", stickers),
      .init("icons", .value(.array(icons(outcomes, portable).compactMap { icon($0, links) }))),
      .init("diagnostics", .value(.array(diagnostics.map { ManifestEntry.diagnostic($0, portable) }))),
    ])
  }

  private func sticker(
    _ index: Int, _ outcomes: [GroupOutcome], _ links: PreviewLinks, _ portable: PortablePaths, isListed: Bool
  ) -> JSONValue {
    let (job, outcome) = (pack.plan.stickers[index], outcome(index, outcomes))
    let output = isListed ? output(index, outcomes) : nil
    let entry = ManifestEntry.sticker(job, outcome: outcome, output: output, portable: portable)
    guard case .object(var members) = entry else { return entry }
    if case .string(let path)? = output?["path"] {
      var digest: String?
      if case .string(let text)? = output?["sha256"] { digest = text }
      members += [.init("picture", links.picture(path, digest: digest).map(JSONValue.string) ?? .null)]
    }
    let recipe = job.recipe
    members += [.init("budget", .int(recipe.budget)), .init("before", before(job, outcome, links))]
    return .object(members)
  }

  /// A source: the addresses of its files or why there are none, how long each frame of several is shown, and where the
  /// whole of it lies on the sticker, in parts of the canvas.
  private func before(_ job: StickerJob, _ outcome: StickerOutcome, _ links: PreviewLinks) -> JSONValue {
    let source = links.source(job.source.files, digest: outcome.source?.digest.hex)
    var members: [JSONValue.Member] = [
      .init("addresses", .array(source.addresses.map(JSONValue.string))),
      .init("why", source.why.map(JSONValue.string) ?? .null), .init("files", .int(job.source.files.count)),
    ]
    if job.source.files.count > 1 { members.append(.init("delayMs", .double(1000 / job.recipe.fps.value))) }
    if let extent = outcome.extent {
      let side = Double(job.recipe.render.side)
      let parts = [extent.x, extent.y, extent.width, extent.height].map { JSONValue.double($0 / side) }
      members.append(.init("extent", .array(parts)))
    }
    return .object(members)
  }

  /// A sticker of somebody else that the pack lists.
  private func adopted(_ folder: String, _ links: PreviewLinks) -> JSONValue {
    let place = pack.layout.packFolder + "/" + folder
    let name = Path.split(folder).stem
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("status", .string("adopted")), .init("diagnostics", .array([])),
    ]
    let bytes = try? links.disk.read(Path.join(links.output, place + "/" + CatalogLayout.contents))
    let properties = bytes.flatMap { try? JSONValue(parsing: $0) }?["properties"]
    var picture = properties?["filename"]
    if case .array(let frames)? = properties?["frames"] { picture = frames.first?["filename"] }
    if case .string(let file)? = picture, ManifestFile.isInside(file) {
      let path = place + "/" + file
      let digest = try? links.disk.digest(Path.join(links.output, path))
      members.append(.init("picture", links.picture(path, digest: digest).map(JSONValue.string) ?? .null))
    }
    if case .string(let label)? = properties?["accessibility-label"] { members.append(.init("label", .string(label))) }
    return .object(members)
  }

  /// An icon of the manifest, with its slot.
  private func icon(_ entry: JSONValue, _ links: PreviewLinks) -> JSONValue? {
    guard case .object(var members) = entry, case .string(let path)? = entry["output"]?["path"],
      case .string(let digest)? = entry["output"]?["sha256"], let address = links.picture(path, digest: digest)
    else { return nil }
    let isMessages = Path.contains(CatalogLayout.messagesIconSet, path)
    let slots =
      isMessages ? IconSlot.messages : IconSlot.legacyAppIcon + IconSlot.singleAppIcon(IconAppearance.allCases)
    guard let slot = slots.first(where: { $0.filename == Path.name(path) }) else { return nil }
    members += [
      .init("picture", .string(address)), .init("set", .string(isMessages ? "messages" : "app")),
      .init("file", .string(Path.name(path))),
      .init("points", .array([.double(slot.size.width), .double(slot.size.height)])),
      .init("scale", .int(slot.scale?.factor ?? 1)), .init("idiom", .string(slot.idiom.rawValue)),
    ]
    if let appearance = slot.appearance { members.append(.init("appearance", .string(appearance.rawValue))) }
    return .object(members)
  }
}
