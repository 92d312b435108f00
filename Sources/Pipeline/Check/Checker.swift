import AssetCatalog
public import Codecs
public import Imaging

/// Looks at art, catalogs and packs, and tells what Apple or a reader would object to; writes nothing.
public struct Checker: Sendable {
  /// The disk.
  public var disk: any Disk
  /// Bounds on what is decoded.
  public var limits: DecodeLimits
  /// Pictures that are looked at at once, at least 1.
  public var jobs: Int
  /// The most bytes that they may take together, by estimate; nil for no bound.
  public var memory: Int?

  /// Makes a checker.
  public init(disk: any Disk, limits: DecodeLimits = DecodeLimits(), jobs: Int = 2, memory: Int? = nil) {
    (self.disk, self.limits, self.jobs, self.memory) = (disk, limits, jobs, memory)
  }

  /// Looks at a pack: its art as it would be pressed, its masters, and its output where that stands.
  ///
  /// Paths in the configuration are relative to `root`. `state` is where builds keep what is no art. Throws
  /// `CancellationError`.
  public func check(pack configuration: Configuration, root: String, state: StateFolder? = nil) async throws
    -> [CheckFinding]
  {
    let configuration = configuration.resolved()
    var findings: [CheckFinding] = []
    var art = Discovery()
    do throws(BuildRefusal) {
      var discoverer = Discoverer(disk: disk, root: root, limits: limits)
      art = try discoverer.discover(
        configuration.stickers,
        excluding: [configuration.output] + configuration.icon.masters + (state.map { [$0.path] } ?? []))
    } catch { findings += error.diagnostics.map(CheckFinding.init) }
    if art.assets.isEmpty, findings.isEmpty {
      findings = Builder(disk: disk).noArt(configuration.stickers, art.diagnostics).diagnostics.map(CheckFinding.init)
    }
    let plan = BuildPlan(configuration, art: art, limits: limits) { kept($0, configuration, root: root) }
    findings += plan.diagnostics.filter { $0.id != CheckRule.labelTooLong.id }.map(CheckFinding.init)
    findings += labels(plan, configuration)
    findings += masters(configuration, root: root)
    findings += try await look(plan.stickers, isPack: true)
    let output = Path.join(root, configuration.output)
    if !catalogs(in: output).isEmpty {
      findings += try await checkOutput(configuration.output, root: root, looks: false)
    }
    return findings
  }

  /// Looks at a picture, a folder of art, a built output, a catalog or a part of one; `recipe` is how art is rendered.
  ///
  /// `path` is shown as it is and is relative to `root`. Only `grid` and `defaults` of the configuration count. Throws
  /// `BuildRefusal` where nothing is there, and `CancellationError`.
  public func check(_ path: String, root: String, configuration: Configuration) async throws -> [CheckFinding] {
    let recipe = StickerRecipe(configuration.defaults, grid: configuration.grid, limits: limits)
    let isFolder = (try? disk.status(Path.join(root, path), followLinks: true))?.kind == .directory
    if isFolder, CatalogCheck.suffixes.contains(CatalogCheck.suffix(path)) {
      return try await check(catalogs: [path], root: root, recipe, looks: true)
    }
    if isFolder, !catalogs(in: Path.join(root, path)).isEmpty {
      return try await checkOutput(path, root: root, looks: true)
    }
    var discoverer = Discoverer(disk: disk, root: root, limits: limits)
    let art = try discoverer.discover([path])
    if art.assets.isEmpty {
      throw BuildRefusal(
        art.diagnostics + [
          Diagnostic(.error, path: path, "no art, no catalog and no decal.json; nothing to check", id: "no-art")
        ])
    }
    let jobs = art.assets.map { StickerJob(source: $0, recipe: recipe, label: "") }
    return art.diagnostics.map(CheckFinding.init) + (try await look(jobs, isPack: false))
  }

  /// Looks at a master icon; `path` is shown as it is and is relative to `root`.
  public func check(icon path: String, root: String, fit: Fit? = nil) -> [CheckFinding] {
    let location = Path.join(root, path)
    do {
      try disk.checkSize(of: location, limits)
      return MasterCheck(limits: limits, fit: fit).look(try disk.read(location), path: path)
    } catch {
      return [CheckFinding(Diagnostic(failure: error, path: path))]
    }
  }
}

extension Checker {
  /// The catalogs that lie in a folder, such as an output.
  private func catalogs(in location: String) -> [String] {
    ((try? disk.list(location)) ?? []).filter { ["xcstickers", "xcassets"].contains(CatalogCheck.suffix($0)) }
      .sorted(by: Path.precedes)
  }

  private func checkOutput(_ path: String, root: String, looks: Bool) async throws -> [CheckFinding] {
    let recipe = StickerRecipe(StickerOptions(), grid: .regular, limits: limits)
    let paths = catalogs(in: Path.join(root, path)).map { Path.join(path, $0) }
    return try await check(catalogs: paths, root: root, recipe, looks: looks)
  }

  /// Looks at catalogs, and at the art in them unless its sources were looked at.
  private func check(catalogs paths: [String], root: String, _ recipe: StickerRecipe, looks: Bool) async throws
    -> [CheckFinding]
  {
    var check = CatalogCheck(disk: disk, root: root, recipe: recipe)
    paths.forEach { check.check($0) }
    var findings = check.findings + LabelCheck.findings(check.labels)
    findings += try await weigh(check.rewritten)
    return looks ? findings + (try await look(check.pictures, isPack: false, isFinished: true)) : findings
  }

  /// The folder in the output's pack of a sticker that has no source and that Decal did not write.
  private func kept(_ name: String, _ configuration: Configuration, root: String) -> String? {
    let folder = Path.split(name).suffix == "stickersequence" ? name : CatalogName.stickerFolder(name)
    guard ManifestFile.isInside(folder), Path.components(folder).count == 1 else { return nil }
    let contents = CatalogLayout(pack: configuration.name).packFolder + "/" + folder + "/" + CatalogLayout.contents
    let previous = (try? Builder(disk: disk).readPrevious(configuration.output, root: root)) ?? PreviousBuild()
    guard !previous.files.contains(where: { Path.same($0.path, contents) }) else { return nil }
    let place = Path.join(Path.join(root, configuration.output), contents)
    return (try? disk.status(place, followLinks: true))?.kind == .file ? folder : nil
  }

  private func labels(_ plan: BuildPlan, _ configuration: Configuration) -> [CheckFinding] {
    let said = plan.stickers.filter {
      configuration.labels[$0.source.name] != nil || configuration.overrides[$0.source.name]?.label != nil
    }
    return LabelCheck.findings(
      said.map { job in
        LabelCheck.Entry(
          path: job.source.path, name: job.source.name, label: job.label, filename: Path.name(job.source.path))
      })
  }

  private func masters(_ configuration: Configuration, root: String) -> [CheckFinding] {
    let icon = configuration.icon
    let missing = Builder(disk: disk, limits: limits).missingMasters(icon, root: root)
    guard missing.isEmpty else { return missing.map(CheckFinding.init) }
    return icon.master.map { check(icon: $0, root: root, fit: icon.fit) } ?? []
  }
}

// MARK: - Art

/// What was found in one piece of art, and its small copy.
private struct LookedAt: Sendable {
  var findings: [CheckFinding]
  var name: String
  var path: String
  var print: Thumbprint?
}

extension Checker {
  /// Renders art and looks at it; `isPack` art has options that can be edited, finished art has its size.
  private func look(_ jobs: [StickerJob], isPack: Bool, isFinished: Bool = false) async throws -> [CheckFinding] {
    let looked = try await bounded(jobs) { try look($0, isPack: isPack, isFinished: isFinished) }
    return looked.flatMap(\.findings) + Self.duplicates(looked)
  }

  /// Does work on several jobs at once, as many as memory allows.
  func bounded<Result: Sendable>(
    _ jobs: [StickerJob], _ work: @escaping @Sendable (StickerJob) throws -> Result
  ) async throws -> [Result] {
    let budget = MemoryBudget(memory)
    return try await boundedMap(jobs, limit: self.jobs) { job in
      let header =
        budgetNeedsHeader
        ? job.source.files.first.flatMap { file in
          (try? disk.read(file.location)).flatMap { HeaderFacts($0, limits: limits) }
        }
        : nil
      let sizes = budgetNeedsHeader ? disk.statuses(job.source.files.map { ($0.location, true) }) : []
      let bytes = job.memory(header, file: sizes.compactMap { $0?.size }.max() ?? 0)
      await budget.take(bytes)
      defer { Task { await budget.give(bytes) } }
      return try work(job)
    }
  }

  private var budgetNeedsHeader: Bool { memory != nil }

  private func look(_ job: StickerJob, isPack: Bool, isFinished: Bool) throws -> LookedAt {
    var looked = LookedAt(findings: [], name: job.source.name, path: job.source.path)
    if let problem = job.source.problem {
      looked.findings = [CheckFinding(problem)]
      return looked
    }
    do {
      for file in job.source.files { try disk.checkSize(of: file.location, limits) }
      let rendered = try StickerPress(disk: disk).render(job).0
      looked.findings = rendered.diagnostics.filter { !isFinished || $0.severity > .note }.map(CheckFinding.init)
      var art = CheckedArt(rendered, rendered.animation, job)
      if !isPack { art.name = nil }
      looked.findings += ArtCheck(art).all
      looked.findings += try source(job, rendered, art, isFinished: isFinished)
      looked.print = Thumbprint(of: rendered.animation)
    } catch let error as CancellationError {
      throw error
    } catch {
      looked.findings.append(CheckFinding(Diagnostic(failure: error, path: job.source.path)))
    }
    return looked
  }

  /// What the first frame of a source tells before it is scaled: blocks of enlarged pixel art, and the color of its rim.
  private func source(_ job: StickerJob, _ rendered: RenderedSticker, _ art: CheckedArt, isFinished: Bool) throws
    -> [CheckFinding]
  {
    guard let file = job.source.files.first,
      let frame = try ImageReader(bytes: try disk.read(file.location), limits: limits).nextFrame()
    else { return [] }
    var findings: [CheckFinding] = []
    let path = job.source.path
    let side = isFinished || rendered.placement.exactSource != nil ? 1 : Enlargement.blockSide(of: frame.raster)
    if side > 1 {
      let size = PixelSize(width: frame.raster.size.width / side, height: frame.raster.size.height / side)
      findings.append(
        CheckFinding(
          .looksEnlarged, path: path, "made of blocks of \(side)x\(side) px: pixel art of \(size) px that was enlarged")
      )
    }
    if job.recipe.render.defringe == .off, let matte = frame.raster.matte() {
      let how = matte.edge == .soft ? "soft" : "hard"
      findings.append(
        CheckFinding(
          .matteFringe, path: path, "its \(how) edges show \(matte.rgba8.hexadecimal.prefix(7))",
          edit: art.edit(.defringe, .string("auto"))))
    }
    return findings
  }

  /// Up to these differences two pictures look alike at a glance.
  private static let likeness = (most: 12.0, mean: 2.0)

  private static func duplicates(_ looked: [LookedAt]) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    for (index, one) in looked.enumerated() {
      guard let print = one.print else { continue }
      let alike = looked[..<index].first { other in
        guard let difference = other.print?.difference(from: print) else { return false }
        return difference.most <= likeness.most && difference.mean <= likeness.mean
      }
      guard let alike, let difference = alike.print?.difference(from: print) else { continue }
      let how =
        difference.most == 0 ? "the same as" : "differs by \(decimal(difference.mean)) of 255 levels from"
      findings.append(CheckFinding(.nearDuplicate, path: one.path, "\(how) \(alike.path)"))
    }
    return findings
  }
}

extension CheckedArt {
  /// Finished pixels of a job; `animation` is as it is played.
  init(_ rendered: RenderedSticker, _ animation: SizedAnimation, _ job: StickerJob) {
    self.init(
      path: job.source.path, name: job.source.name, animation: animation, placement: rendered.placement,
      sourceSize: rendered.sourceSize, recipe: job.recipe, told: Set(rendered.diagnostics.map(\.id)))
    if case .frames = job.source.content { isNumbered = true }
    sidecar = job.source.sidecar?.options ?? sidecar
  }
}
