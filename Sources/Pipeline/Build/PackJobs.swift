import AssetCatalog
import Codecs

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
  func perform(_ place: Int, of plan: BuildPlan, _ stock: StickerStock?, _ budget: JobBudget) async throws
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
