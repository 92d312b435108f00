import AssetCatalog

/// What became of files that are published together.
enum GroupOutcome: Sendable {
  /// They are in the output folder.
  case published
  /// The earlier ones stay, for this reason.
  case kept(Diagnostic)
  /// Nothing of them is published, for this reason.
  case refused(Diagnostic)
  /// Publishing stopped before they were there; the report says why.
  case stopped
}

/// What is to be in the output folder.
struct Publication: Sendable {
  /// The stickers and icon sets.
  var groups: OutputGroups
  /// Files of the build before that stay, although nothing makes them now.
  var carried: [ManifestFile]
  /// Folders of somebody else that stay and are listed.
  var kept: [String] = []
  /// The `Contents.json` above the groups, inner ones first, where these outcomes are theirs.
  var structure: @Sendable ([GroupOutcome]) -> [OutputFile]
  /// The manifest, where these outcomes and files are its.
  var manifest: @Sendable ([GroupOutcome], [ManifestFile]) -> FileBytes
}

/// What was done to the output folder.
struct PublishReport: Sendable {
  /// One outcome a group.
  var outcomes: [GroupOutcome] = []
  /// Files written, relative to the output folder.
  var written: [String] = []
  /// Files whose bytes were right.
  var unchanged: [String] = []
  /// Files removed.
  var removed: [String] = []
  /// What to tell besides the reasons of groups.
  var diagnostics: [Diagnostic] = []
  /// Whether the folder is not what it was to become, as the disk failed or something is in the way.
  var isStopped = false
}

/// Brings an output folder from what it is to what it is to be.
///
/// The laws:
/// 1. At every instant every file that a `Contents.json` names is there: pictures are written first, then the
///    descriptions from the inside out, and removed is last, descriptions from the outside in, then pictures.
/// 2. Only different bytes are written, each file at once by a rename.
/// 3. A file is overwritten or removed only where Decal wrote it and nobody changed it since (`force` waives the latter,
///    `adopts` the former for files that a pack's own take the place of).
/// 4. A build may be killed between any two of these steps. So a journal of what is about to be written stands in the folder
///    from before the first write until after the manifest: the next build knows those files for its own.
struct Publisher {
  let disk: any Disk
  let output: String
  let previous: PreviousBuild
  let ownership: Ownership
  let force: Bool
  private let adopts: Bool
  /// How many files are written at once.
  private let workers: Int
  /// Pictures that only the descriptions of somebody else name.
  private var orphans: [String] = []
  var report = PublishReport()
  private var journaled: [ManifestFile] = []
  /// Whether a journal stands in the folder, this build's or one that a killed build left.
  private var hasJournal: Bool
  /// Files that were there with the bytes that they are to have; of those that were written the disk is asked.
  private var right: Set<ManifestFile> = []
  /// Stale files that could not be removed.
  var stuck: [ManifestFile] = []

  init(
    disk: any Disk, output: String, previous: PreviousBuild, force: Bool, adopts: Bool = false, workers: Int = 1
  ) {
    self.disk = disk
    self.workers = workers
    self.output = output
    self.previous = previous
    self.force = force
    self.adopts = adopts
    ownership = Ownership(disk: disk, output: output, previous: previous)
    hasJournal = ownership.hasJournal
  }

  /// Publishes; a disk that fails is told in the report, and stops where going on would break the laws.
  consuming func publish(_ publication: Publication) -> PublishReport {
    let adoption = Adoption(disk: disk, output: output, previous: previous)
    report.outcomes.reserveCapacity(publication.groups.count)
    for group in publication.groups {
      if adopts { orphans += adoption.orphans(in: group.folder, beside: group.pictures.map(\.path)) }
      let outcome = admission(group)
      report.outcomes.append(outcome)
    }
    let structure = publication.structure(report.outcomes)
    var conflicts: [Diagnostic] = []
    for file in structure {
      if let conflict = conflict(file, source: nil) { conflicts.append(conflict) }
    }
    if !conflicts.isEmpty {
      report.outcomes = report.outcomes.map { _ in .stopped }
      report.isStopped = true
      report.diagnostics = conflicts
      return report
    }
    do throws(DiskError) {
      try replace(publication, structure)
    } catch {
      report.isStopped = true
      report.diagnostics.append(Diagnostic(writing: error))
      for (index, group) in publication.groups.enumerated() {
        guard case .published = report.outcomes[index], !group.files.allSatisfy({ isRight($0) }) else { continue }
        report.outcomes[index] = .stopped
      }
    }
    report.written.sort(by: Path.precedes)
    report.unchanged.sort(by: Path.precedes)
    report.removed.sort(by: Path.precedes)
    return report
  }

  /// The steps, in the order that the laws ask for.
  private mutating func replace(_ publication: Publication, _ structure: [OutputFile]) throws(DiskError) {
    let stale = stalePaths(publication, structure)
    removeTemporaryFiles()
    try journal(pending(publication.groups, structure), removing: !stale.isEmpty)
    writePictures(publication.groups)
    try writeContents(publication.groups)
    // What could not be written is not listed.
    let structure = publication.structure(report.outcomes)
    try journal(structure.filter { !isRight($0) }.map(\.entry), removing: false)
    // It is long, and not asked for any more.
    journaled = []
    try note(writer.write(structure))
    for path in orphans {
      try disk.removeFile(location(path))
      report.removed.append(path)
    }
    for path in stale { remove(path) }
    let files = current(publication, structure)
    let manifest = OutputFile(Manifest.filename, publication.manifest(report.outcomes, files))
    try note(writer.write([manifest]))
    tellForeign(files, kept: publication.kept)
    if hasJournal { try disk.removeFile(location(Ownership.journalName)) }
  }

  func location(_ path: String) -> String { Path.join(output, path) }

  private var writer: FileWriter { FileWriter(disk: disk, output: output, ownership: ownership, right: right) }

  private func isRight(_ file: OutputFile) -> Bool { writer.isRight(file) }
}

// MARK: - What may be written

extension Publisher {
  /// Whether a group may be published.
  private mutating func admission(_ group: OutputGroup) -> GroupOutcome {
    for file in group.files {
      guard let conflict = conflict(file, source: group.source) else { continue }
      let stays = group.files.allSatisfy { ownership.lists($0.path) && exists($0.path) }
      return stays ? .kept(conflict) : .refused(conflict)
    }
    return .published
  }

  /// Why a file may not be written; nil where it may.
  private mutating func conflict(_ file: OutputFile, source: String?) -> Diagnostic? {
    switch ownership.state(of: file.path, for: file.digest) {
    case .same:
      right.insert(file.entry)
      return nil
    case .absent, .ours: return nil
    case .edited where force: return nil
    case .edited:
      return Diagnostic(
        .error, path: source ?? file.path,
        "\(file.path) was edited since decal wrote it and is kept; move it away, or replace it with --force",
        id: "edited-output")
    case .foreign(let path) where adopts && Path.same(path, file.path) && exists(path): return nil
    case .foreign(let path):
      return Diagnostic(
        .error, path: source ?? path,
        "\(path) is in the way and was not written by decal; move it away, or take it over with --adopt",
        id: "in-the-way")
    }
  }

  private func exists(_ path: String) -> Bool {
    (try? disk.status(location(path), followLinks: true))?.kind == .file
  }

  private func isPublished(_ group: Int) -> Bool {
    if case .published = report.outcomes[group] { true } else { false }
  }

  /// What is to be written.
  private func pending(_ groups: OutputGroups, _ structure: [OutputFile]) -> [ManifestFile] {
    var entries: [ManifestFile] = []
    for index in groups.indices where isPublished(index) {
      for file in groups[index].files where !isRight(file) { entries.append(file.entry) }
    }
    return entries + structure.filter { !isRight($0) }.map(\.entry)
  }

  /// The files that stand in the folder at the end and are Decal's.
  private func current(_ publication: Publication, _ structure: [OutputFile]) -> [ManifestFile] {
    let listed = Dictionary(previous.files.map { (PathKey($0.path), $0) }, uniquingKeysWith: { first, _ in first })
    let kept = zip(publication.groups, report.outcomes).flatMap { group, outcome -> [ManifestFile] in
      // Under the digest that Decal wrote, so that the next build knows them for edited.
      if case .kept = outcome { group.files.compactMap { listed[PathKey($0.path)] } } else { [] }
    }
    var files = structure.map(\.entry) + kept + publication.carried + stuck
    files.reserveCapacity(files.count + 2 * publication.groups.count)
    for index in publication.groups.indices where isPublished(index) {
      files += publication.groups[index].files.map(\.entry)
    }
    files.sort { Path.precedes($0.path, $1.path) }
    return files
  }
}

// MARK: - Writing

extension Publisher {
  /// Says on disk what is about to be written.
  private mutating func journal(_ entries: [ManifestFile], removing: Bool) throws(DiskError) {
    let new = journaled.isEmpty ? entries : entries.filter { !journaled.contains($0) }
    guard !new.isEmpty || (removing && journaled.isEmpty) else { return }
    journaled += new
    try disk.createDirectory(output)
    let journal = ownership.journal(for: journaled)
    try disk.write(to: location(Ownership.journalName)) { journal.write(.pretty, to: $0) }
    hasJournal = true
  }

  /// Writes the groups' pictures; a group of which one fails leaves the earlier group, or none.
  private mutating func writePictures(_ groups: OutputGroups) {
    let published = groups.indices.filter { isPublished($0) }
    // What is above several groups is made before they are written side by side.
    for folder in Set(published.map { Path.parent(groups[$0].folder) }) where folder != "." {
      // A group whose folder cannot be made says so itself.
      try? disk.createDirectory(location(folder))
    }
    let writer = writer
    let reports = sideBySide(published.count, workers: workers) { writer.write(groups[published[$0]].pictures) }
    for (index, files) in zip(published, reports) {
      do throws(DiskError) {
        try note(files)
      } catch {
        let group = groups[index]
        let path = files.failure?.file.path ?? group.folder
        let diagnostic = Diagnostic(.error, path: group.source, "\(path): \(error.message)", id: "cannot-write")
        let stays = group.files.allSatisfy { ownership.lists($0.path) && exists($0.path) }
        try? removeEmptyFolders(above: path)
        report.outcomes[index] = stays ? .kept(diagnostic) : .refused(diagnostic)
      }
    }
  }

  /// Writes the descriptions that name the groups' pictures.
  private mutating func writeContents(_ groups: OutputGroups) throws(DiskError) {
    let published = groups.indices.filter { isPublished($0) }
    let writer = writer
    let reports = sideBySide(published.count, workers: workers) { writer.write([groups[published[$0]].contents]) }
    for files in reports { try note(files) }
  }

  /// Reports what was written; throws what stopped it.
  private mutating func note(_ files: FileWriter.Report) throws(DiskError) {
    report.written += files.written
    report.unchanged += files.unchanged
    if let failure = files.failure { throw failure.error }
  }
}

extension GroupOutcome {
  /// Whether the earlier files stay.
  var isKept: Bool { if case .kept = self { true } else { false } }

  /// Why it was not published.
  var diagnostic: Diagnostic? {
    switch self {
    case .published, .stopped: nil
    case .kept(let diagnostic), .refused(let diagnostic): diagnostic
    }
  }
}

extension Diagnostic {
  /// A file or folder that could not be written or removed.
  init(writing error: DiskError) {
    self.init(.error, path: error.path, error.message, id: "cannot-write")
  }
}
