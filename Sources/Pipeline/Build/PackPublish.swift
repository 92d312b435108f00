import AssetCatalog
import Codecs
import Imaging

/// A pack whose jobs are done.
struct PressedPack: Sendable {
  /// The configuration.
  var configuration: Configuration
  /// The plan.
  var plan: BuildPlan
  /// What the build before left.
  var previous: PreviousBuild
  /// Whether the last good sticker of a source that failed stays; the last good icons always do.
  var keepsEarlier = false
  /// The icons, or nil where there is no master.
  var icons: IconOutcome?
  /// One record a sticker of the plan.
  var stickers: [StickerRecord] = []

  /// Where the files go.
  var layout: CatalogLayout { CatalogLayout(pack: plan.name) }
}

extension Builder {
  /// Brings the output folder up to date and sums the build up.
  func publish(_ pack: PressedPack, root: String) -> BuildSummary {
    let files = PackFiles(pack)
    let output = Path.join(root, pack.configuration.output)
    guard !files.listed(files.groups.map { _ in .published }).isEmpty else { return files.summary(PublishReport()) }
    let publisher = Publisher(
      disk: disk, output: output, previous: pack.previous, force: force, adopts: adopts, workers: jobs)
    let portable = PortablePaths(root: root, inputs: pack.configuration.stickers + pack.configuration.icon.masters)
    var report = StageTimes.measure(.write) {
      publisher.publish(
        Publication(
          groups: files.groups, carried: files.carried, kept: files.keptFolders,
          structure: { files.structure($0) },
          manifest: { files.manifest($0, files: $1, portable: portable).bytes }))
    }
    if !report.isStopped {
      StageTimes.measure(.preview) { showPreview(files, root: root, portable: portable, &report) }
    }
    tell(report.outcomes.compactMap(\.diagnostic) + report.diagnostics + files.keptNotes)
    return files.summary(report)
  }
}

/// The files of a pack, and which of them belong together.
struct PackFiles: Sendable {
  let pack: PressedPack
  /// The icon sets.
  private let iconSets: [OutputGroup]
  /// The stickers that were made, by their places in the plan, and what is known of their `Contents.json`.
  private let made: [(place: Int, contents: (count: Int, digest: Digest))]
  /// For each sticker of the plan its group.
  private let groupOfSticker: [Int?]
  /// Files of the build before that stay because what makes them failed.
  let carried: [ManifestFile]
  /// Stickers of the plan of which the earlier ones stay.
  private let carriedStickers: Set<Int>

  init(_ pack: PressedPack) {
    self.pack = pack
    let master = pack.plan.icons?.master ?? ""
    iconSets = (pack.icons?.sets ?? []).map { $0.group(source: master) }
    let places = pack.stickers.indices.filter { pack.stickers[$0].outcome.sticker != nil }
    made = places.map { place in
      let bytes = PackFiles.contents(pack.plan.stickers[place]).bytes
      return (place, (bytes.count, Digest(of: bytes)))
    }
    var groupOfSticker = [Int?](repeating: nil, count: pack.stickers.count)
    for (index, place) in places.enumerated() { groupOfSticker[place] = iconSets.count + index }
    self.groupOfSticker = groupOfSticker
    (carried, carriedStickers) = PackFiles.carry(pack)
  }

  /// The icon sets, then the stickers that were made.
  var groups: OutputGroups {
    OutputGroups(count: iconSets.count + made.count) { index in
      index < iconSets.count ? iconSets[index] : group(made[index - iconSets.count])
    }
  }

  private func group(_ sticker: (place: Int, contents: (count: Int, digest: Digest))) -> OutputGroup {
    let (job, record) = (pack.plan.stickers[sticker.place], pack.stickers[sticker.place])
    let name = job.source.name
    let path = pack.layout.stickerFile(name)
    let contents = FileBytes(count: sticker.contents.count, digest: sticker.contents.digest) {
      () throws(DiskError) in PackFiles.contents(job).bytes
    }
    return OutputGroup(
      source: job.source.path, folder: pack.layout.stickerFolder(name),
      // One text for both, which lists of files keep.
      pictures: record.outcome.sticker.map { [OutputFile(Path.same(record.path, path) ? record.path : path, $0.bytes)] }
        ?? [],
      contents: OutputFile(pack.layout.stickerContents(name), contents))
  }

  private static func contents(_ job: StickerJob) -> StickerContents {
    StickerContents(filename: CatalogName.stickerFile(job.source.name), accessibilityLabel: job.label)
  }

  /// What stays of the build before.
  private static func carry(_ pack: PressedPack) -> (files: [ManifestFile], stickers: Set<Int>) {
    var files: [ManifestFile] = []
    var carried: Set<Int> = []
    var taken = Set(
      zip(pack.plan.stickers, pack.stickers).filter { $0.1.outcome.sticker != nil }
        .map { CatalogName.collisionKey($0.0.source.name) })
    for (index, job) in pack.plan.stickers.enumerated()
    where pack.keepsEarlier
      && pack.stickers[index].outcome.sticker == nil
    {
      let name = job.source.name
      let paths = [pack.layout.stickerFile(name), pack.layout.stickerContents(name)]
      let entries = pack.previous.files.filter { file in paths.contains { Path.same($0, file.path) } }
      guard entries.count == paths.count, let output = pack.previous.stickers[name]?["output"],
        output["width"] == .int(pack.plan.grid.pixels), taken.insert(CatalogName.collisionKey(name)).inserted
      else { continue }
      files += entries
      carried.insert(index)
    }
    if let icons = pack.icons, icons.sets.isEmpty {
      let folders = [CatalogLayout.messagesIconSet, CatalogLayout.appIconSet]
      files += pack.previous.files.filter { file in folders.contains { Path.contains($0, file.path) } }
    }
    return (files, carried)
  }

  /// The places of stickers in the plan that the pack lists.
  func listed(_ outcomes: [GroupOutcome]) -> [Int] {
    groupOfSticker.indices.filter { index in
      guard let group = groupOfSticker[index] else { return carriedStickers.contains(index) }
      switch outcomes[group] {
      case .published, .kept: return true
      case .refused, .stopped: return false
      }
    }
  }

  /// Folders of somebody else that the pack lists, relative to the output folder.
  var keptFolders: [String] {
    pack.plan.entries.compactMap {
      if case .kept(let folder) = $0 { pack.layout.packFolder + "/" + folder } else { nil }
    }
  }

  /// The `Contents.json` of the pack and the catalogs.
  func structure(_ outcomes: [GroupOutcome]) -> [OutputFile] {
    let listed = Set(listed(outcomes))
    let stickers = pack.plan.entries.compactMap { entry in
      switch entry {
      case .sticker(let index) where listed.contains(index):
        CatalogName.stickerFolder(pack.plan.stickers[index].source.name)
      case .kept(let folder): folder
      case .sticker: nil
      }
    }
    let contents = StickerPackContents(gridSize: pack.plan.grid, stickers: stickers)
    var files = [
      OutputFile(pack.layout.packFolder + "/" + CatalogLayout.contents, contents.bytes),
      OutputFile(CatalogLayout.catalog + "/" + CatalogLayout.contents, RootContents().bytes),
    ]
    // Stickers are in another catalog.
    let paths = iconSets.map(\.folder) + carried.map(\.path)
    if paths.contains(where: { Path.contains(CatalogLayout.appCatalog, $0) }) {
      files.append(OutputFile(CatalogLayout.appCatalog + "/" + CatalogLayout.contents, RootContents().bytes))
    }
    return files
  }

  /// What is said of stickers and icons whose earlier files stay.
  var keptNotes: [Diagnostic] {
    let stickers = carriedStickers.sorted().map { pack.plan.stickers[$0].source.path }
    let icons =
      pack.icons?.sets.isEmpty == true && carried.contains { Path.contains(CatalogLayout.messagesIconSet, $0.path) }
    return (stickers + (icons ? [pack.plan.icons?.master ?? ""] : [])).map {
      Diagnostic(.note, path: $0, "what the last build made of it stays published", id: "kept-earlier")
    }
  }
}

// MARK: - What is told

extension PackFiles {
  /// The manifest.
  func manifest(_ outcomes: [GroupOutcome], files: [ManifestFile], portable: PortablePaths) -> Manifest {
    Manifest(
      options: ManifestEntry.options(pack.configuration, portable: portable),
      icons: icons(outcomes, portable),
      stickers: .list(count: pack.plan.stickers.count) { index in
        ManifestEntry.sticker(
          pack.plan.stickers[index], outcome: outcome(index, outcomes), output: output(index, outcomes),
          portable: portable)
      },
      diagnostics: (pack.plan.diagnostics + (pack.icons?.diagnostics ?? [])).map {
        ManifestEntry.diagnostic($0, portable)
      },
      files: files)
  }

  /// A sticker's outcome, publishing included.
  func outcome(_ index: Int, _ outcomes: [GroupOutcome]) -> StickerOutcome {
    var outcome = pack.stickers[index].outcome
    guard let group = groupOfSticker[index] else { return outcome }
    if case .published = outcomes[group] { return outcome }
    outcome.diagnostics += outcomes[group].diagnostic.map { [$0] } ?? []
    outcome.sticker = nil
    return outcome
  }

  /// The manifest's word on a sticker's file: the new one, or the earlier one where that stays.
  func output(_ index: Int, _ outcomes: [GroupOutcome]) -> JSONValue? {
    let name = pack.plan.stickers[index].source.name
    guard let group = groupOfSticker[index], let sticker = pack.stickers[index].outcome.sticker else {
      return carriedStickers.contains(index) ? pack.previous.stickers[name]?["output"] : nil
    }
    switch outcomes[group] {
    case .published:
      let path = pack.layout.stickerFile(name)
      return ManifestEntry.output(sticker, path: path, digest: sticker.bytes.digest)
    case .kept: return pack.previous.stickers[name]?["output"]
    case .refused, .stopped: return nil
    }
  }

  /// The manifest's word on the icons.
  func icons(_ outcomes: [GroupOutcome], _ portable: PortablePaths) -> [JSONValue] {
    guard let icons = pack.icons else { return [] }
    var entries: [(path: String, json: JSONValue)] = []
    let kept =
      carried.map(\.path) + iconSets.indices.filter { outcomes[$0].isKept }.map { iconSets[$0].folder }
    for entry in pack.previous.icons {
      guard case .string(let path)? = entry["output"]?["path"] else { continue }
      if kept.contains(where: { Path.contains($0, path) }) { entries.append((path, entry)) }
    }
    for (index, set) in icons.sets.enumerated() {
      guard case .published = outcomes[index] else { continue }
      for (icon, file) in zip(set.icons, iconSets[index].pictures) {
        entries.append(
          (file.path, ManifestEntry.icon(icon, file: file, master: icons.masters[icon.master], portable: portable)))
      }
    }
    return entries.sorted { Path.precedes($0.path, $1.path) }.map(\.json)
  }

  /// The summary.
  func summary(_ report: PublishReport) -> BuildSummary {
    var summary = BuildSummary()
    summary.diagnostics = pack.plan.diagnostics + (pack.icons?.diagnostics ?? [])
    for index in 0..<min(iconSets.count, report.outcomes.count) {
      if case .published = report.outcomes[index] { summary.icons += iconSets[index].pictures.count }
    }
    summary.diagnostics += report.outcomes.prefix(iconSets.count).compactMap(\.diagnostic)
    summary.stickers.reserveCapacity(pack.plan.stickers.count)
    for (index, job) in pack.plan.stickers.enumerated() {
      let outcome = report.outcomes.isEmpty ? pack.stickers[index].outcome : outcome(index, report.outcomes)
      let result = StickerResult(job, outcome, output: groupOfSticker[index].map { groups[$0].pictures[0].path })
      summary.diagnostics += result.diagnostics
      summary.stickers.append(result)
    }
    summary.stickerCount = summary.stickers.count
    summary.madeCount = summary.stickers.count { $0.output != nil }
    summary.diagnostics += report.diagnostics + keptNotes
    (summary.written, summary.unchanged, summary.removed) = (report.written, report.unchanged, report.removed)
    return summary
  }
}

extension StickerResult {
  /// Sums a job up; `output` is where its file is if it was made.
  init(_ job: StickerJob, _ outcome: StickerOutcome, output: String?) {
    self.init(name: job.source.name, source: job.source.path, outcome, output: output)
  }

  /// Sums up what was recorded of a job.
  init(_ record: StickerRecord) {
    self.init(name: record.name, source: record.source, record.outcome, output: record.path)
  }

  private init(name: String, source: String, _ outcome: StickerOutcome, output: String?) {
    self.name = name
    self.source = source
    self.output = outcome.sticker == nil ? nil : output
    bytes = outcome.sticker?.bytes.count ?? 0
    size = outcome.sticker?.picture.size ?? PixelSize(square: 0)
    duration = outcome.sticker?.picture.duration ?? .zero
    plays = outcome.sticker?.picture.plays ?? 0
    report = outcome.sticker?.report
    quality = outcome.sticker?.quality
    diagnostics = outcome.diagnostics
  }
}
