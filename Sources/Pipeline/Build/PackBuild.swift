import AssetCatalog

extension Builder {
  /// Presses a pack, or as much of it as the build before does not do for.
  ///
  /// Paths in the configuration are relative to `root`. A sticker that fails does not stop the others. Where no
  /// sticker can be made nothing is written. Throws `BuildRefusal`
  /// before anything is written, and `CancellationError`.
  public func build(_ configuration: Configuration, root: String) async throws -> BuildSummary {
    let configuration = configuration.resolved()
    let output = Path.join(root, configuration.output)
    var lock = isDry ? nil : try await lock(output, shown: configuration.output)
    let isNew = lock == nil && !isDry
    defer {
      if isNew { _ = try? disk.removeDirectoryIfEmpty(output) }
      lock?.release()
    }
    var run = StageTimes.measure(.look) { PackRun(self, configuration, root: root, output: output) }
    if let summary = StageTimes.measure(.look, run.replay) { return summary }
    try StageTimes.measure(.look) { () throws(BuildRefusal) in try run.prepare() }
    if isNew {
      lock = try await run.builder.lockNew(output, shown: configuration.output)
      // What another build has made in a new folder meanwhile counts.
      try run.readPrevious()
    }
    return try await run.press()
  }

  /// Tells the observer.
  func tell(_ diagnostics: [Diagnostic]) { diagnostics.forEach { observer.receive(.diagnostic($0)) } }
}

/// One build of a pack, step by step.
struct PackRun: Sendable {
  /// The builder, whose disk is traced where there is a state folder.
  var builder: Builder
  let configuration: Configuration
  let root: String
  let output: String
  /// What is known of earlier builds; nil without a state folder.
  let history: JobHistory?
  let options: Digest
  /// The log, where all is as it says.
  private var current: LogFile?
  private var art = Discovery()
  private var previous = PreviousBuild()

  init(_ builder: Builder, _ configuration: Configuration, root: String, output: String) {
    (self.builder, self.configuration, self.root, self.output) = (builder, configuration, root, output)
    options = Digest(configuration, builder)
    guard let state = builder.state else {
      history = nil
      return
    }
    let disk = builder.disk
    let file = (try? disk.read(state.log(of: output, on: disk))).flatMap { try? LogFile($0, root: root) }
    if !builder.force, let file, file.isCurrent(options: options, on: disk) { current = file }
    let log =
      current == nil || builder.isDetailed
      ? file.flatMap { try? $0.all(output: output, masters: configuration.icon.masters, disk: disk) } : nil
    let traced = TracedDisk(
      disk, known: log?.files ?? SeenFiles(), now: builder.now, makeRoom: { state.empty(on: disk) })
    history = JobHistory(
      disk: traced, output: output, log: log,
      cache: JobCache(disk: disk, folders: traced, folder: state.path), isForced: builder.force)
    self.builder.disk = traced
  }

  /// What the last build came to, where this one would see the same.
  func replay() -> BuildSummary? {
    guard let current else { return nil }
    var summary = (builder.isDetailed ? history?.log?.replay : nil) ?? BuildSummary(current.brief)
    if builder.isDetailed { summary.inputs = inputs((current.files, [])) }
    builder.tell(summary.diagnostics)
    return summary
  }

  /// What was read of all that was seen.
  func inputs(_ seen: (files: SeenFiles, unstable: [SeenFile])) -> [String] {
    let own = [output, builder.state?.path ?? output]
    func read(_ files: some Sequence<SeenFile>) -> [String] {
      files.lazy.filter { file in
        let isRead = file.digest != nil || file.prefix != nil || file.names != nil
        return isRead && file.stamp != nil && !own.contains { Path.contains($0, file.path) }
      }.map(\.path)
    }
    return (read(seen.files) + read(seen.unstable)).sorted(by: Path.precedes)
  }

  /// Looks at all there is to look at before the first pixel; throws `BuildRefusal` with every problem.
  mutating func prepare() throws(BuildRefusal) {
    (art, previous) = try builder.prepare(configuration, root: root, headers: history?.disk)
  }

  /// Reads the manifest once more.
  mutating func readPrevious() throws(BuildRefusal) {
    previous = try builder.readPrevious(configuration.output, root: root)
  }

  /// Does the jobs and publishes.
  mutating func press() async throws -> BuildSummary {
    let plan = BuildPlan(configuration, art: art, limits: builder.limits, kept: keptFolder)
    if builder.adopts {
      let adoption = Adoption(disk: builder.disk, output: output, previous: previous)
      builder.observer.receive(.adopting(replaced: adoption.replaced(by: plan)))
    }
    // The icons come first.
    let jobs = (plan.icons == nil ? 0 : -1)..<plan.stickers.count
    builder.observer.receive(.planned(jobs: jobs.count))
    builder.tell(plan.diagnostics)
    let stock = history.map { StickerStock($0.cache, plan, disk: builder.disk) }
    let done = try await perform(jobs, of: plan, stock)
    try Task.checkCancellation()
    if builder.isDry { return dry(plan, done) }
    var summary = publish(done, of: consume plan)
    stock?.close()
    StageTimes.measure(.write) { keep(done, &summary) }
    return summary
  }

  /// Does the jobs at these places.
  private func perform(_ jobs: Range<Int>, of plan: BuildPlan, _ stock: StickerStock?) async throws -> [DoneJob] {
    let budget = JobBudget(of: builder)
    return try await boundedMap(jobs, limit: builder.jobs) { try await perform($0, of: plan, stock, budget) }
  }

  /// Publishes what was made and sums the build up.
  private mutating func publish(_ done: [DoneJob], of plan: consuming BuildPlan) -> BuildSummary {
    var pack = PressedPack(
      configuration: configuration, plan: plan, previous: previous, keepsEarlier: builder.keepsEarlier)
    pack.stickers.reserveCapacity(done.count)
    var leftOut: Set<PathKey> = []
    for one in done {
      switch one {
      case .icons(let icons): pack.icons = icons.outcome
      case .sticker(let sticker):
        if let record = sticker.record {
          pack.stickers.append(record)
        } else {
          leftOut.insert(PathKey(sticker.provisional ?? ""))
        }
      }
    }
    if !leftOut.isEmpty {
      // As if it were not there yet.
      art.assets.removeAll { leftOut.contains(PathKey($0.path)) }
      pack.plan = BuildPlan(configuration, art: art, limits: builder.limits, kept: keptFolder)
    }
    // It is long, and the plan has what counts of it.
    art = Discovery()
    let provisional = done.compactMap(\.provisional)
    // Where nothing else changed, what is said of half-written art is no news.
    let waits = !provisional.isEmpty && done.allSatisfy { $0.report.map { $0.origin == .kept } ?? true }
    var summary = waits ? PackFiles(pack).summary(PublishReport()) : builder.publish(pack, root: root)
    (summary.jobs, summary.provisional) = (done.compactMap(\.report), provisional)
    if waits { summary.icons = pack.icons?.sets.reduce(0) { $0 + $1.icons.count } ?? 0 }
    return summary
  }

  /// The folder in the pack of a sticker that has no source and that Decal did not write.
  private func keptFolder(_ name: String) -> String? {
    let folder = Path.split(name).suffix == "stickersequence" ? name : CatalogName.stickerFolder(name)
    guard ManifestFile.isInside(folder), Path.components(folder).count == 1 else { return nil }
    let contents = CatalogLayout(pack: configuration.name).packFolder + "/" + folder + "/" + CatalogLayout.contents
    guard !previous.files.contains(where: { Path.same($0.path, contents) }) else { return nil }
    let status = try? builder.disk.status(Path.join(output, contents), followLinks: true)
    return status?.kind == .file ? folder : nil
  }

  private func dry(_ plan: BuildPlan, _ done: [DoneJob]) -> BuildSummary {
    var summary = BuildSummary()
    summary.jobs = done.compactMap(\.report)
    summary.diagnostics = plan.diagnostics + done.flatMap(\.diagnostics)
    return summary
  }
}

/// One piece of work of a pack that is over.
enum DoneJob: Sendable {
  indirect case icons(DoneIcons)
  case sticker(DoneSticker)

  /// What was decided.
  var report: JobReport? {
    switch self {
    case .icons(let icons): icons.report
    case .sticker(let sticker): sticker.report
    }
  }

  /// All that it was made from; nil where nothing is kept of it.
  var fingerprint: Digest? {
    switch self {
    case .icons(let icons): icons.record?.fingerprint.digest
    case .sticker(let sticker): sticker.record?.fingerprint.digest
    }
  }

  /// The source that is not done with, as it may be half-written.
  var provisional: String? {
    switch self {
    case .icons(let icons): icons.provisional
    case .sticker(let sticker): sticker.provisional
    }
  }

  /// What there is to tell.
  var diagnostics: [Diagnostic] {
    switch self {
    case .icons(let icons): icons.outcome.diagnostics
    case .sticker(let sticker): sticker.diagnostics
    }
  }
}

extension DoneSticker {
  /// What there is to tell.
  var diagnostics: [Diagnostic] { record?.outcome.diagnostics ?? [] }
}
