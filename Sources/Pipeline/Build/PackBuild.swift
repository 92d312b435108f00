import AssetCatalog
import Codecs

extension Builder {
  /// Presses a pack.
  ///
  /// Paths in the configuration are relative to `root`. A sticker that fails does not stop the others; where an earlier build
  /// made it at this grid size, that one stays. Where no sticker can be made nothing is written. Throws `BuildRefusal`
  /// before anything is written, and `CancellationError`.
  public func build(_ configuration: Configuration, root: String) async throws -> BuildSummary {
    let configuration = configuration.resolved()
    let output = Path.join(root, configuration.output)
    var lock = try await lock(output, shown: configuration.output)
    let isNew = lock == nil
    let (plan, found) = try prepare(configuration, root: root)
    if isNew { lock = try await lockNew(output, shown: configuration.output) }
    // What another build has made in a new folder meanwhile counts.
    let previous = isNew ? try readPrevious(configuration.output, root: root) : found
    defer {
      if isNew { _ = try? disk.removeDirectoryIfEmpty(output) }
      lock?.release()
    }
    let jobs = (plan.icons.map { [PackJob.icons($0)] } ?? []) + plan.stickers.map { .sticker($0) }
    observer.receive(.planned(jobs: jobs.count))
    tell(plan.diagnostics)
    let outcomes = try await boundedMap(jobs, limit: self.jobs) { try run($0, root: root) }
    try Task.checkCancellation()
    var pack = PressedPack(configuration: configuration, plan: plan, previous: previous)
    for outcome in outcomes {
      switch outcome {
      case .icons(let icons): pack.icons = icons
      case .sticker(let sticker): pack.stickers.append(sticker)
      }
    }
    return publish(pack, root: root)
  }

  /// Tells the observer.
  func tell(_ diagnostics: [Diagnostic]) { diagnostics.forEach { observer.receive(.diagnostic($0)) } }
}

/// One piece of work of a pack.
private enum PackJob: Sendable {
  case icons(IconOptions)
  case sticker(StickerJob)
}

/// What became of one piece of work.
private enum PackOutcome: Sendable {
  case icons(IconOutcome)
  case sticker(StickerOutcome)
}

extension Builder {
  private func run(_ job: PackJob, root: String) throws -> PackOutcome {
    switch job {
    case .icons(let options): return .icons(try press(options, IconSetKind.all(for: options), root: root))
    case .sticker(let job): return .sticker(try press(job))
    }
  }

  /// Makes a sticker and tells of it.
  func press(_ job: StickerJob) throws -> StickerOutcome {
    try observed(job.source.name) {
      let outcome = try StickerPress(disk: disk).press(job)
      return (outcome, outcome.diagnostics)
    }
  }

  /// Makes icon sets and tells of it.
  func press(_ options: IconOptions, _ kinds: [IconSetKind], root: String) throws -> IconOutcome {
    try observed(IconSlot.messagesIconSetName) {
      let outcome = try IconPress(disk: disk, root: root, limits: limits).press(options, kinds)
      return (outcome, outcome.diagnostics)
    }
  }

  private func observed<Outcome>(_ name: String, _ work: () throws -> (Outcome, [Diagnostic])) throws -> Outcome {
    observer.receive(.started(name: name))
    let (outcome, diagnostics) = try work()
    tell(diagnostics)
    observer.receive(.finished(name: name))
    return outcome
  }
}

// MARK: - Before the work

extension Builder {
  /// Looks at all there is to look at before the first pixel; throws `BuildRefusal` with every problem.
  private func prepare(_ configuration: Configuration, root: String) throws(BuildRefusal) -> (BuildPlan, PreviousBuild)
  {
    var refusals: [Diagnostic] = []
    var art = Discovery()
    var previous = PreviousBuild()
    if let problem = CatalogName.problem(configuration.name) {
      refusals.append(
        Diagnostic(.error, path: "name", "\"\(configuration.name)\" \(problem.message)", id: "bad-name"))
    }
    do throws(BuildRefusal) {
      previous = try readPrevious(configuration.output, root: root)
    } catch { refusals += error.diagnostics }
    refusals += missingMasters(configuration.icon, root: root)
    do throws(BuildRefusal) {
      var discoverer = Discoverer(disk: disk, root: root, limits: limits)
      art = try discoverer.discover(
        configuration.stickers, excluding: [configuration.output] + configuration.icon.masters)
      if art.assets.isEmpty { throw noArt(configuration.stickers, art.diagnostics) }
    } catch { refusals += error.diagnostics }
    guard refusals.isEmpty else { throw BuildRefusal(refusals) }
    return (BuildPlan(configuration, art: art, limits: limits), previous)
  }

  /// Refuses a run that has nothing to do.
  func noArt(_ inputs: [String], _ diagnostics: [Diagnostic]) -> BuildRefusal {
    let place = inputs.joined(separator: ", ")
    return BuildRefusal(
      diagnostics + [
        Diagnostic(
          .error, path: place.isEmpty ? nil : place, "no art found; put PNG, APNG, GIF, JPEG or WebP files there",
          id: "no-art")
      ])
  }

  private func readPrevious(_ output: String, root: String) throws(BuildRefusal) -> PreviousBuild {
    let folder = Path.join(root, output)
    let path = Path.join(folder, Manifest.filename)
    let problem: Diagnostic
    do throws(DiskError) {
      guard let status = try disk.status(folder, followLinks: true) else { return PreviousBuild() }
      if status.kind != .directory {
        problem = Diagnostic(
          .error, path: output, "the output is not a folder; choose another", id: "output-not-folder")
      } else {
        guard try disk.status(path, followLinks: true) != nil else { return PreviousBuild() }
        if let previous = PreviousBuild(manifest: try disk.read(path)) { return previous }
        problem = Diagnostic(
          .error, path: Path.join(output, Manifest.filename),
          "not written by this version of decal; move it away or choose another output", id: "in-the-way")
      }
    } catch {
      problem = Diagnostic(.error, path: output, error.message, id: "unreadable")
    }
    throw BuildRefusal([problem])
  }

  /// The masters that are not there.
  func missingMasters(_ icon: IconOptions, root: String) -> [Diagnostic] {
    icon.masters.compactMap { path in
      do throws(DiskError) {
        switch try disk.status(Path.join(root, path), followLinks: true)?.kind {
        case .file: return nil
        case nil:
          return Diagnostic(
            .error, path: path, "there is no such file; check the path of the icon", id: "missing-input")
        default:
          return Diagnostic(.error, path: path, "not a file; give the path of an image", id: "missing-input")
        }
      } catch {
        return Diagnostic(.error, path: path, error.message, id: "unreadable")
      }
    }
  }
}

extension IconOptions {
  /// The paths of all masters.
  var masters: [String] { [master, messages, dark, tinted].compactMap { $0 } }
}
