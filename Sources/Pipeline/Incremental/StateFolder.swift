/// Where a build keeps what spares the next one work, and how much of it.
public struct StateFolder: Sendable, Hashable {
  /// The folder.
  public var path: String
  /// The most bytes that finished files take in it.
  public var limit: Int

  /// Unless said otherwise.
  public static let defaultLimit = 1_000_000_000
  /// The folder's name beside a configuration or in an output.
  public static let name = ".decal"

  /// Names a folder.
  public init(path: String, limit: Int = StateFolder.defaultLimit) {
    self.path = path
    self.limit = limit
  }

  /// The log of an output folder.
  func log(of output: String, on disk: any Disk) -> String {
    let place = (try? disk.canonicalPath(output)) ?? output
    return "\(path)/logs/\(Digest(of: place).hex.prefix(16))"
  }

  /// Marks by which the folder is known, to people and programs.
  private static let marks: [(name: String, text: String)] = [
    // What backup programs go by: https://bford.info/cachedir/
    ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# Made by decal; it may be deleted at any time.\n"),
    (".gitignore", "*\n"),
  ]

  /// Makes the folder; throws where it cannot be made or written.
  func prepare(on disk: any Disk) throws(DiskError) {
    try disk.createDirectory(path + "/logs")
    for (name, text) in StateFolder.marks where try disk.status(path + "/" + name, followLinks: false) == nil {
      try disk.write(Array(text.utf8), to: path + "/" + name)
    }
  }
}

// MARK: - Its size

extension StateFolder {
  private struct Entry {
    var path: String
    var bytes: Int
    var used: Int
  }

  /// How stale an entry's mark of use may be; a finer one would be written at every build.
  private static let markAge = 86_400_000_000_000

  /// Marks what was used, removes what killed builds left, and the longest unused entries where there is too much.
  func maintain(used: Set<Digest>, now: Int, on disk: any Disk) {
    var entries: [Entry] = []
    for file in files(on: disk) {
      if isTemporaryName(Path.name(file)) {
        if disk.isAbandoned(Path.name(file)) { try? disk.removeFile(file) }
        continue
      }
      guard let status = try? disk.status(file, followLinks: false) else { continue }
      var entry = Entry(path: file, bytes: status.size, used: status.modified)
      if let digest = Digest(hex: Path.name(Path.parent(file)) + Path.name(file)), used.contains(digest) {
        if now - status.modified > StateFolder.markAge { try? disk.touch(file, at: nil) }
        entry.used = Int.max
      }
      entries.append(entry)
    }
    var total = entries.reduce(0) { $0 + $1.bytes }
    guard total > limit else { return }
    for entry in entries.sorted(by: { ($0.used, $0.path) < ($1.used, $1.path) }) where total > limit {
      try? disk.removeFile(entry.path)
      total -= entry.bytes
    }
  }

  /// Removes all finished files: a pack comes before what spares work.
  func empty(on disk: any Disk) {
    for file in files(on: disk) where Path.name(Path.parent(file)) != "logs" { try? disk.removeFile(file) }
  }

  /// All that Decal makes in the folder, marks excepted.
  private func files(on disk: any Disk) -> [String] {
    func list(_ folder: String) -> [String] {
      ((try? disk.list(folder)) ?? []).sorted(by: Path.precedes).map { folder + "/" + $0 }
    }
    func isHex(_ path: String, _ count: Int) -> Bool {
      let name = Path.name(path)
      return name.utf8.count == count && name.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
    let entries = list(path + "/entries").filter { isHex($0, 2) }.flatMap { list($0) }
      .filter { isHex($0, 62) || isTemporaryName(Path.name($0)) }
    let logs = list(path + "/logs").filter { isHex($0, 16) || isTemporaryName(Path.name($0)) }
    return entries + logs + list(path).filter { isTemporaryName(Path.name($0)) }
  }

  /// Removes all that Decal made there, and the folder where nothing else is in it; answers the files and their bytes.
  public func clean(on disk: any Disk) throws(DiskError) -> (files: Int, bytes: Int) {
    guard try disk.status(path + "/" + StateFolder.marks[0].name, followLinks: false) != nil else { return (0, 0) }
    var (count, bytes) = (0, 0)
    // Marks that somebody else made stay theirs.
    let marks = StateFolder.marks.reversed().filter { (try? disk.read(path + "/" + $0.name)) == Array($0.text.utf8) }
    for file in files(on: disk) + marks.map({ path + "/" + $0.name }) {
      guard let status = try disk.status(file, followLinks: false) else { continue }
      try disk.removeFile(file)
      count += 1
      bytes += status.size
    }
    for name in (try? disk.list(path + "/entries")) ?? [] {
      _ = try disk.removeDirectoryIfEmpty(path + "/entries/" + name)
    }
    for folder in [path + "/entries", path + "/logs", path] { _ = try disk.removeDirectoryIfEmpty(folder) }
    return (count, bytes)
  }
}
