import AssetCatalog
import Codecs

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
  private let options: Digest
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
  private func inputs(_ seen: (files: SeenFiles, unstable: [SeenFile])) -> [String] {
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

// MARK: - The jobs

extension Builder {
  /// Makes a sticker when there is memory for it.
  func press(_ job: StickerJob, _ budget: JobBudget) async throws -> StickerOutcome {
    let header: HeaderFacts? = self.memory == nil ? nil : job.source.files.first.flatMap { self.header($0.location) }
    let sizes = self.memory == nil ? [] : disk.statuses(job.source.files.map { ($0.location, true) })
    let bytes = job.memory(header, file: sizes.compactMap { $0?.size }.max() ?? 0)
    return try await budget.run(bytes) { try StickerPress(disk: disk).press(job) }
  }

  /// Makes icons when there is memory for it.
  func press(
    _ options: IconOptions, _ kinds: [IconSetKind], root: String, _ budget: JobBudget
  ) async throws -> IconOutcome {
    let paths = self.memory == nil ? [] : options.masters.map { Path.join(root, $0) }
    let sizes = disk.statuses(paths.map { ($0, true) })
    let bytes = IconOptions.memory(zip(paths, sizes).map { (header($0), $1?.size ?? 0) })
    return try await budget.run(bytes) {
      try IconPress(disk: disk, root: root, limits: limits).press(options, kinds)
    }
  }

  private func header(_ location: String) -> HeaderFacts? {
    if let traced = disk as? TracedDisk { return traced.header(location, limits: limits) }
    return (try? disk.read(location)).flatMap { HeaderFacts($0, limits: limits) }
  }

  /// Does a job between two events.
  func observed<Outcome>(
    _ name: String, _ work: () async throws -> (Outcome, [Diagnostic])
  ) async throws -> Outcome {
    observer.receive(.started(name: name))
    let (outcome, diagnostics) = try await work()
    tell(diagnostics)
    observer.receive(.finished(name: name))
    return outcome
  }
}

extension PackRun {
  /// Does the job of a sticker by its place in the plan, or of the icons at a negative one.
  private func perform(_ place: Int, of plan: BuildPlan, _ stock: StickerStock?, _ budget: JobBudget) async throws
    -> DoneJob
  {
    if place < 0, let options = plan.icons {
      return .icons(
        try await builder.observed(IconSlot.messagesIconSetName) {
          let done = try await perform(options, budget)
          return (done, done.outcome.diagnostics)
        })
    }
    let job = plan.stickers[place]
    return .sticker(
      try await builder.observed(job.source.name) {
        let path = CatalogLayout(pack: plan.name).stickerFile(job.source.name)
        let done = try await perform(job, path: path, budget) { stock?.holding($0, of: place, $1) ?? $0 }
        return (done, done.diagnostics)
      })
  }

  /// Decides on a sticker and makes it where it must be made; `held` is called for what the cache has.
  private func perform(
    _ job: StickerJob, path: String, _ budget: JobBudget, held: (StickerOutcome, Fingerprint) -> StickerOutcome
  ) async throws -> DoneSticker {
    guard let history, job.source.problem == nil,
      let prints = StageTimes.measure(.look, { history.fingerprints(job) })
    else {
      let outcome = try await builder.press(job, budget)
      return provisional(job, outcome) ?? DoneSticker(report: nil, record: StickerRecord(job, path, outcome))
    }
    let (decision, kept) = StageTimes.measure(.look) { history.decide(job, prints, path: path) }
    var outcome = StickerOutcome(diagnostics: [])
    var fingerprint = Fingerprint(.none)
    var origin = JobOrigin.kept
    if let kept {
      (outcome, fingerprint) = (kept, kept.dependsOnBudget ? prints.full : prints.still)
    } else if let (cached, print) = history.cached(job, prints) {
      (outcome, fingerprint, origin) = (held(cached, print), print, .cached)
    } else if builder.isDry {
      origin = .planned
    } else {
      outcome = try await builder.press(job, budget)
      origin = .pressed
      if let kept = provisional(job, outcome) { return kept }
      if let print = history.settled(job, prints, outcome) {
        fingerprint = print
        if history.cache.store(outcome, print, art: Path.parent(job.source.path)) { outcome = held(outcome, print) }
      }
    }
    return DoneSticker(
      report: JobReport(name: job.source.name, decision: decision, origin: origin),
      record: StickerRecord(job, path, outcome, inputs: prints.inputs, recipe: prints.recipe.text, fingerprint))
  }

  /// Decides on the icons and makes them where they must be made.
  private func perform(_ options: IconOptions, _ budget: JobBudget) async throws -> DoneIcons {
    func press() async throws -> IconOutcome {
      try await builder.press(options, IconSetKind.all(for: options), root: root, budget)
    }
    guard let history,
      let print = StageTimes.measure(.look, { history.fingerprint(options, root: root, limits: builder.limits) })
    else {
      return DoneIcons(outcome: try await press(), report: nil, record: nil)
    }
    let (decision, kept) = history.decide(options, print)
    var outcome = kept ?? IconOutcome()
    var origin = JobOrigin.kept
    var isSettled = true
    if kept == nil {
      if !history.isForced, let cached = history.cache.icons(print.fingerprint, masters: options.masters) {
        (outcome, origin) = (cached, .cached)
      } else if builder.isDry {
        origin = .planned
      } else {
        (outcome, origin) = (try await press(), .pressed)
        if let kept = provisional(options, outcome) { return kept }
        isSettled =
          outcome.isReproducible(builder.limits)
          && history.fingerprint(options, root: root, limits: builder.limits)?.fingerprint == print.fingerprint
        if isSettled { history.cache.store(outcome, print.fingerprint, masters: options.masters) }
      }
    }
    let record = IconRecord(
      inputs: print.inputs, recipe: print.recipe.text, fingerprint: print.fingerprint, outcome: outcome)
    return DoneIcons(
      outcome: outcome, report: JobReport(name: IconSlot.messagesIconSetName, decision: decision, origin: origin),
      record: isSettled ? record : nil)
  }
}

extension StickerRecord {
  /// The record of a job; without a fingerprint nothing is known that would let it stand again.
  fileprivate convenience init(
    _ job: StickerJob, _ path: String, _ outcome: StickerOutcome, inputs: [JobInput] = [], recipe: String = "",
    _ fingerprint: Fingerprint = Fingerprint(.none)
  ) {
    self.init(
      name: job.source.name, source: job.source.path, inputs: inputs, recipe: recipe, fingerprint: fingerprint,
      path: path, outcome: outcome)
  }
}

// MARK: - For the next build

extension PackRun {
  /// Writes the log and tends the cache; where that cannot be done the next build has more to do.
  private func keep(_ done: [DoneJob], _ summary: inout BuildSummary) {
    guard let state = builder.state, let history else { return }
    let disk = history.cache.disk
    let isWorthIt = !summary.written.isEmpty || !summary.unchanged.isEmpty
    do throws(DiskError) {
      // What was read is told in any case.
      defer { if summary.inputs.isEmpty { summary.inputs = inputs(history.disk.finish()) } }
      guard isWorthIt else { return }
      try state.prepare(on: history.disk)
      state.maintain(used: Set(done.compactMap(\.fingerprint)), now: builder.now(), on: disk)
      let seen = history.disk.finish()
      summary.inputs = inputs(seen)
      let log = log(done, summary, seen)
      let path = state.log(of: output, on: disk)
      let bytes = log.bytes(root: root, masters: configuration.icon.masters)
      let isSame =
        (try? disk.status(path, followLinks: true))?.size == bytes.count && (try? disk.digest(path)) == bytes.digest.hex
      if !isSame { try bytes.write(to: path, on: disk) }
    } catch {
      let note = Diagnostic(
        .note, path: state.path, "what spares the next build work is not kept: \(error.message)", id: "state-not-kept")
      builder.tell([note])
      summary.diagnostics.append(note)
    }
  }

  private func log(
    _ done: [DoneJob], _ summary: BuildSummary, _ seen: (files: SeenFiles, unstable: [SeenFile])
  ) -> BuildLog {
    var stickers: [StickerRecord] = []
    var icons: DoneIcons?
    for one in done {
      switch one {
      case .icons(let outcome): icons = outcome
      case .sticker(let sticker): stickers += sticker.record.map { [$0] } ?? []
      }
    }
    let limits = builder.limits
    let isSame =
      summary.provisional.isEmpty && summary.diagnostics.isReproducible
      && !summary.diagnostics.contains { $0.id == "edited-output" }
      && stickers.allSatisfy { $0.outcome.isReproducible(limits) }
      && zip(stickers, summary.stickers).allSatisfy { ($0.outcome.sticker == nil) == ($1.output == nil) }
      && (icons.map { $0.record != nil && $0.outcome.isReproducible(limits) } ?? true)
    return BuildLog(
      tool: .current, options: options, isReplayable: seen.unstable.isEmpty && isSame, files: seen.files,
      stickers: stickers,
      icons: icons?.record, summary: summary)
  }
}
