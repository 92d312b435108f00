import AssetCatalog
import Codecs

extension Builder {
  /// Makes finished stickers from files or folders: one file to a named file, or a folder's art into a folder.
  ///
  /// Only `grid`, `defaults`, `imposed` and sidecars count. An output that is a folder, or has no extension, is a folder
  /// and gets `<name>.png` of all art; one that ends in `.png` is a file, made of the one input: a folder's pictures are its
  /// frames. Files of these names are overwritten, an input never. Throws `BuildRefusal` before anything is written, and
  /// `CancellationError`.
  public func convert(_ inputs: [String], to output: String, configuration: Configuration) async throws -> BuildSummary
  {
    let conversion = try prepare(inputs, output: output, configuration: configuration)
    observer.receive(.planned(jobs: conversion.jobs.count))
    disk.removeAbandoned(in: conversion.isFile ? Path.parent(output) : output)
    tell(conversion.diagnostics)
    let budget = JobBudget(of: self)
    let outcomes = try await boundedMap(conversion.jobs, limit: jobs) { job in
      let outcome = try await observed(job.source.name) {
        let outcome = try await press(job, budget)
        return (outcome, outcome.diagnostics)
      }
      return StageTimes.measure(.write) { write(outcome, to: conversion.target(of: job)) }
    }
    var summary = BuildSummary()
    summary.diagnostics = conversion.diagnostics
    for (job, outcome) in zip(conversion.jobs, outcomes) {
      let name = Path.name(conversion.target(of: job))
      let result = StickerResult(job, outcome.sticker, output: name)
      summary.stickers.append(result)
      summary.diagnostics += result.diagnostics
      switch outcome.change {
      case .written: summary.written.append(name)
      case .unchanged: summary.unchanged.append(name)
      case nil: break
      }
    }
    summary.stickerCount = summary.stickers.count
    summary.madeCount = summary.stickers.count { $0.output != nil }
    summary.written.sort(by: Path.precedes)
    summary.unchanged.sort(by: Path.precedes)
    return summary
  }

  private func write(_ outcome: StickerOutcome, to path: String) -> (sticker: StickerOutcome, change: FileChange?) {
    guard let sticker = outcome.sticker else { return (outcome, nil) }
    do throws(DiskError) {
      return (outcome, try disk.replace(path, with: sticker.bytes.load()))
    } catch {
      var failed = outcome
      failed.sticker = nil
      failed.diagnostics.append(Diagnostic(writing: error))
      tell([Diagnostic(writing: error)])
      return (failed, nil)
    }
  }

  private func prepare(
    _ inputs: [String], output: String, configuration: Configuration
  ) throws(BuildRefusal) -> Conversion {
    let isFile = try isFile(output, inputs: inputs)
    var discoverer = Discoverer(disk: disk, root: "", limits: limits)
    discoverer.pack = configuration
    let art = try discoverer.discover(inputs, excluding: [output], asFrames: isFile)
    if art.assets.isEmpty { throw noArt(inputs, art.diagnostics) }
    let jobs = art.assets.map { asset in
      let options = configuration.options(of: asset)
      return StickerJob(
        source: asset, recipe: StickerRecipe(options, grid: configuration.grid, limits: limits), label: "")
    }
    let conversion = Conversion(jobs: jobs, output: output, isFile: isFile, diagnostics: art.diagnostics)
    try refuseOverwriting(conversion)
    return conversion
  }

  /// Whether the output is one file.
  private func isFile(_ output: String, inputs: [String]) throws(BuildRefusal) -> Bool {
    if (try? disk.status(output, followLinks: true))?.kind == .directory || output.hasSuffix("/") { return false }
    guard hasImageSuffix(output) else {
      guard (try? disk.status(output, followLinks: true)) == nil else {
        throw BuildRefusal([
          Diagnostic(.error, path: output, "a file, but not an image; name another output", id: "output-not-folder")
        ])
      }
      return false
    }
    guard Path.split(Path.name(output)).suffix.lowercased() == "png" else {
      let name = Path.split(Path.name(output)).stem + ".png"
      throw BuildRefusal([
        Diagnostic(
          .error, path: output, "finished stickers are PNG files, animated ones too; name it \(name)",
          id: "output-not-png")
      ])
    }
    guard inputs.count == 1 else {
      throw BuildRefusal([
        Diagnostic(.error, path: output, "\(inputs.count) inputs need a folder as output", id: "output-not-folder")
      ])
    }
    return true
  }

  private func refuseOverwriting(_ conversion: Conversion) throws(BuildRefusal) {
    var inputs: Set<FileIdentity> = []
    for file in conversion.jobs.flatMap({ $0.source.files }) {
      if let status = try? disk.status(file.location, followLinks: true) { inputs.insert(FileIdentity(status)) }
    }
    var refusals: [Diagnostic] = []
    for job in conversion.jobs {
      let target = conversion.target(of: job)
      guard let status = try? disk.status(target, followLinks: true), inputs.contains(FileIdentity(status)) else {
        continue
      }
      refusals.append(
        Diagnostic(.error, path: target, "would overwrite an input; name another output", id: "output-is-input"))
    }
    guard refusals.isEmpty else { throw BuildRefusal(refusals) }
  }
}

/// What a conversion is to do.
private struct Conversion: Sendable {
  var jobs: [StickerJob]
  var output: String
  var isFile: Bool
  var diagnostics: [Diagnostic]

  func target(of job: StickerJob) -> String {
    isFile ? output : Path.join(output, CatalogName.stickerFile(job.source.name))
  }
}

/// What became of a file's bytes on disk.
enum FileChange: Sendable {
  /// They were written.
  case written
  /// They were there.
  case unchanged
}

extension Disk {
  /// Writes a file, and its folder, where it has other bytes.
  func replace(_ path: String, with bytes: [UInt8]) throws(DiskError) -> FileChange {
    if let status = try status(path, followLinks: true), status.kind == .file, status.size == bytes.count,
      (try? read(path)) == bytes
    {
      return .unchanged
    }
    try createDirectory(Path.parent(path))
    try write(bytes, to: path)
    return .written
  }
}
