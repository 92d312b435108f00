import AssetCatalog

/// How a path in the output folder stands to a file that is to be there.
enum FileState: Hashable {
  /// Nothing is there.
  case absent
  /// The very bytes are there.
  case same
  /// What Decal wrote is there, unchanged since.
  case ours
  /// Decal wrote it, and somebody changed it since.
  case edited
  /// Something that Decal did not write is there: this path.
  case foreign(String)
}

/// Whose the files in an output folder are.
///
/// Decal's are those that the manifest lists, and those of the journal: what a build that was killed had set out to
/// write. A file is unchanged where its digest is the manifest's or the journal's.
struct Ownership: Sendable {
  /// The journal's name in the output folder; it is there while a build publishes, and after one that was killed.
  static let journalName = ".decal-journal"

  private let disk: any Disk
  private let output: String
  /// Digests under which a path's bytes are Decal's.
  private var digests: [PathKey: Set<Digest>] = [:]
  /// All paths that are Decal's, those of the journal included, sorted.
  private(set) var paths: [String] = []
  /// The paths by their names in lower case, for file systems that ignore case or normalization.
  private var folded: [String: [String]] = [:]
  /// What a killed build left.
  private var journal: [ManifestFile] = []
  /// Whether a killed build left something, be it an empty list.
  let hasJournal: Bool

  /// Reads the journal, where there is one.
  init(disk: any Disk, output: String, previous: PreviousBuild) {
    self.disk = disk
    self.output = output
    let left = Ownership.readJournal(disk, output)
    (journal, hasJournal) = (left ?? [], left != nil)
    for file in previous.files + journal { digests[PathKey(file.path), default: []].insert(file.digest) }
    var seen: Set<PathKey> = []
    paths = (previous.files + journal).map(\.path).filter { seen.insert(PathKey($0)).inserted }
      .sorted(by: Path.precedes)
    for path in paths { folded[CatalogName.collisionKey(path), default: []].append(path) }
  }

  /// Whether the manifest or the journal lists a path.
  func lists(_ path: String) -> Bool { digests[PathKey(path)] != nil }

  /// How a path stands to bytes that are to be there; without bytes, to what Decal wrote there.
  func state(of path: String, for digest: Digest?) -> FileState {
    if let blocker = blocker(of: path) { return .foreign(blocker) }
    let location = Path.join(output, path)
    guard let status = try? disk.status(location, followLinks: false) else { return .absent }
    let known = digests[PathKey(path)] ?? digestsOfOtherSpelling(path, status)
    guard status.kind != .directory, let found = (try? disk.digest(location)).flatMap({ Digest(hex: $0) })
    else {
      return known == nil || status.kind == .directory ? .foreign(path) : .edited
    }
    if found == digest { return .same }
    guard let known else { return .foreign(path) }
    // Decal writes no links: one that stands in a file's place was put there.
    return known.contains(found) && status.kind == .file ? .ours : .edited
  }

  /// The digests of a listed path that is the same file under another spelling.
  private func digestsOfOtherSpelling(_ path: String, _ status: FileStatus) -> Set<Digest>? {
    let spelling = folded[CatalogName.collisionKey(path)]?.first { other in
      let found = try? disk.status(Path.join(output, other), followLinks: false)
      return found.map { FileIdentity($0) == FileIdentity(status) } ?? false
    }
    return spelling.flatMap { digests[PathKey($0)] }
  }

  /// The first part of a path's folder that is no folder.
  private func blocker(of path: String) -> String? {
    var folder = ""
    for part in Path.components(path).dropLast() {
      folder = Path.join(folder, part)
      guard let status = try? disk.status(Path.join(output, folder), followLinks: true) else { return nil }
      if status.kind != .directory { return folder }
    }
    return nil
  }

  private static func readJournal(_ disk: any Disk, _ output: String) -> [ManifestFile]? {
    guard let bytes = try? disk.read(Path.join(output, journalName)), let json = try? JSONValue(parsing: bytes),
      case .array(let files)? = json["files"]
    else { return nil }
    return files.compactMap { ManifestFile($0) }
  }

  /// The journal for files about to be written; what is there already stays listed.
  func journal(for files: [ManifestFile]) -> JSONDocument {
    let sorted = Set(journal + files).sorted {
      Path.same($0.path, $1.path) ? $0.digest.hex < $1.digest.hex : Path.precedes($0.path, $1.path)
    }
    return JSONDocument([.init("files", .list(count: sorted.count) { sorted[$0].json })])
  }
}
