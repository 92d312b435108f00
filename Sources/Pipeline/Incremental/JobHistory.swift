import AssetCatalog
import Codecs

/// What is known of earlier builds while one runs: decides job by job, and keeps what was made.
struct JobHistory: Sendable {
  /// The build's disk.
  let disk: TracedDisk
  /// The output folder.
  let output: String
  /// The log of the build before.
  let log: BuildLog?
  /// Finished files of all builds.
  let cache: JobCache
  /// Whether everything is made again.
  let isForced: Bool
  private let texts = RecipeTexts()
  private let records: [PathKey: StickerRecord]

  init(disk: TracedDisk, output: String, log: BuildLog?, cache: JobCache, isForced: Bool) {
    (self.disk, self.output, self.log, self.cache, self.isForced) = (disk, output, log, cache, isForced)
    records = Dictionary(
      (log?.stickers ?? []).map { (PathKey($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A sticker's job when it is over.
struct DoneSticker: Sendable {
  /// Nil where the source had a problem before it was read.
  var report: JobReport?
  /// What came of it; nil where there is nothing of it yet that could be in the pack.
  var record: StickerRecord?
  /// The source, where it may be half-written.
  var provisional: String?
}

/// The icons' job when it is over.
struct DoneIcons: Sendable {
  var outcome: IconOutcome
  var report: JobReport?
  var record: IconRecord?
  /// The master, where one of them may be half-written.
  var provisional: String?
}

// MARK: - Stickers

extension JobHistory {
  /// What the last build made of a source, where that is in the output.
  func record(of job: StickerJob) -> StickerRecord? {
    guard let record = records[PathKey(job.source.name)], Path.same(record.source, job.source.path),
      let sticker = record.outcome.sticker, difference(record.path, sticker.bytes.digest) == nil
    else { return nil }
    return record
  }

  /// What a sticker job is made from; nil where a file cannot be read.
  func fingerprints(_ job: StickerJob) -> StickerFingerprints? {
    var inputs: [JobInput] = []
    for file in job.source.files {
      // What is too large is refused without being read.
      guard (try? disk.checkSize(of: file.location, job.recipe.render.limits)) != nil else { return nil }
      guard let digest = (try? disk.digest(file.location)).flatMap({ Digest(hex: $0) }) else { return nil }
      inputs.append(JobInput(name: Path.name(file.path), digest: digest))
    }
    return StickerFingerprints(job, inputs: inputs, tool: .current, texts: texts)
  }

  /// Whether the result of before is right; where it is, that.
  func decide(_ job: StickerJob, _ prints: StickerFingerprints, path: String) -> (Decision, StickerOutcome?) {
    if isForced { return (.build(.forced), nil) }
    guard let log else { return (.build(.noLog), nil) }
    guard log.tool == .current else { return (.build(.tool), nil) }
    guard let record = records[PathKey(job.source.name)] else { return (.build(.new), nil) }
    guard Path.same(record.source, job.source.path) else { return (.build(.added([job.source.path])), nil) }
    guard record.isOf(prints, budget: job.recipe.budget) else {
      let art = if case .file = job.source.content { Path.parent(job.source.path) } else { job.source.path }
      let reason = Reason.between(record.inputs, prints.inputs, recipes: (record.recipe, prints.recipe), art: art)
      return (.build(reason ?? .failedBefore), nil)
    }
    if let sticker = record.outcome.sticker, let reason = difference(path, sticker.bytes.digest) {
      return (.build(reason), nil)
    }
    return (.upToDate, record.outcome)
  }

  /// What a finished file has against it.
  private func difference(_ path: String, _ digest: Digest) -> Reason? {
    let location = Path.join(output, path)
    guard (try? disk.status(location, followLinks: false))?.kind == .file else { return .missing(path) }
    return (try? disk.digest(location)) == digest.hex ? nil : .edited(path)
  }

  /// What an earlier build made of the same.
  func cached(_ job: StickerJob, _ prints: StickerFingerprints) -> (StickerOutcome, Fingerprint)? {
    guard !isForced else { return nil }
    let art = Path.parent(job.source.path)
    if let still = cache.sticker(prints.still, art: art), let sticker = still.sticker, !still.dependsOnBudget,
      sticker.bytes.count <= job.recipe.budget
    {
      return (still, prints.still)
    }
    return cache.sticker(prints.full, art: art).map { ($0, prints.full) }
  }

  /// The fingerprint of what was just made; nil where the art changed meanwhile or the outcome may pass.
  func settled(_ job: StickerJob, _ prints: StickerFingerprints, _ outcome: StickerOutcome) -> Fingerprint? {
    guard outcome.isReproducible(job.recipe.render.limits), fingerprints(job)?.full == prints.full else { return nil }
    return outcome.dependsOnBudget ? prints.full : prints.still
  }
}

extension StickerRecord {
  /// Whether it is of a job with these fingerprints.
  fileprivate func isOf(_ prints: StickerFingerprints, budget: Int) -> Bool {
    if fingerprint == prints.full { return true }
    guard fingerprint == prints.still, !outcome.dependsOnBudget, let sticker = outcome.sticker else { return false }
    return sticker.bytes.count <= budget
  }
}

// MARK: - Icons

extension JobHistory {
  /// What the icons are made from; nil where a master cannot be read.
  ///
  /// `root` is what the masters' paths are relative to.
  func fingerprint(_ options: IconOptions, root: String, limits: DecodeLimits) -> IconFingerprint? {
    var inputs: [JobInput] = []
    for (role, path) in options.roles {
      guard let digest = (try? disk.digest(Path.join(root, path))).flatMap({ Digest(hex: $0) }) else { return nil }
      inputs.append(JobInput(name: role, digest: digest))
    }
    return IconFingerprint(options, limits: limits, inputs: inputs, tool: .current)
  }

  /// Whether the icons of before are right; where they are, they.
  func decide(_ options: IconOptions, _ print: IconFingerprint) -> (Decision, IconOutcome?) {
    if isForced { return (.build(.forced), nil) }
    guard let log else { return (.build(.noLog), nil) }
    guard log.tool == .current else { return (.build(.tool), nil) }
    guard let record = log.icons else { return (.build(.new), nil) }
    guard record.fingerprint == print.fingerprint else {
      let reason = Reason.between(
        record.inputs, print.inputs, recipes: (record.recipe, print.recipe), art: ".")
      return (.build(reason ?? .failedBefore), nil)
    }
    for set in record.outcome.sets {
      for icon in set.icons {
        if let reason = difference(set.folder + "/" + icon.filename, icon.bytes.digest) { return (.build(reason), nil) }
      }
    }
    return (.upToDate, record.outcome)
  }
}

extension IconOptions {
  /// The masters that there are, with the names of their keys.
  var roles: [(role: String, path: String)] {
    [("master", master), ("messages", messages), ("dark", dark), ("tinted", tinted)].compactMap { role, path in
      path.map { (role, $0) }
    }
  }
}
