/// Which folders are watched, and which changes in them count.
public struct WatchScope: Sendable {
  /// The folders, as the disk has them.
  public var folders: Set<String> { whole.union(parts.keys) }
  /// Folders in which everything counts.
  private var whole: Set<String>
  /// Folders in which only these names count.
  private var parts: [String: Set<String>] = [:]
  private let disk: any Disk
  private let own: [String]
  private let root: String

  /// `own` are folders in which nothing counts, wherever they lie and whatever leads to them: the output and the state.
  public init(disk: any Disk, root: String, own: [String]) {
    (self.disk, self.root) = (disk, root)
    self.own = own.map { (try? disk.canonicalPath($0)) ?? $0 }
    whole = []
    followRoot()
  }

  /// Takes what a build read: folders, and the folders of files.
  public mutating func follow(_ inputs: [String], sources: [String]) {
    (whole, parts) = ([], [:])
    followRoot()
    for path in inputs + sources { follow(path) }
    sources.forEach { followLinks($0) }
    // Also those that lead nowhere, of which nothing was read.
    for folder in whole {
      for name in (try? disk.list(folder)) ?? [] { followLinks(Path.join(folder, name)) }
    }
  }

  /// Takes what is to be read by the configuration, and what another scope has: nothing could be read.
  public mutating func add(sources: [String], from other: WatchScope) {
    whole.formUnion(other.whole)
    parts.merge(other.parts) { $0.union($1) }
    for path in sources {
      follow(path)
      followLinks(path)
    }
  }

  private mutating func follow(_ path: String) {
    if isFolder(path), !isOwn(path) { whole.insert(WatchScope.spelled(path)) }
    // A folder that goes or comes is told by the one above it; so is one that is not there yet.
    let parent = Path.parent(path)
    if whole.contains(parent) { return }
    if isFolder(parent) {
      if !isOwn(parent) { whole.insert(parent) }
    } else {
      watch(Path.name(path), in: parent)
    }
  }

  /// The folder of the pack may go as a whole and come again; its configuration may be a link.
  private mutating func followRoot() {
    whole.insert(WatchScope.spelled(root))
    followLinks(root)
    followLinks(Path.join(root, "decal.json"))
    if !isFolder(WatchScope.spelled(root)) { watch(Path.name(root), in: Path.parent(root)) }
  }

  /// What a link leads to changes where it lies, and each link on the way there.
  private mutating func followLinks(_ path: String) {
    var path = path
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let target = disk.linkTarget(path) else { return }
      path = Path.join(Path.parent(path), target)
      watch(Path.name(path), in: Path.parent(path))
    }
  }

  /// Watches for one name; where there is no such folder, for that.
  private mutating func watch(_ name: String, in folder: String) {
    var (name, folder) = (name, folder)
    while !isFolder(folder), folder != Path.parent(folder) {
      (name, folder) = (Path.name(folder), Path.parent(folder))
    }
    if !isOwn(folder) { parts[folder, default: []].insert(name) }
  }

  /// One spelling for each folder, as the paths of changes have it.
  private static func spelled(_ folder: String) -> String { Path.join(Path.parent(folder), Path.name(folder)) }

  private func isFolder(_ path: String) -> Bool {
    (try? disk.status(path, followLinks: true))?.kind == .directory
  }

  /// Whether a change may change the pack.
  public func counts(_ change: Change) -> Bool {
    switch change {
    case .overflow: return true
    case .edited(let path), .removed(let path):
      let (folder, name) = (Path.parent(path), Path.name(path))
      let isNamed = parts[folder]?.contains(name) ?? false
      let isOther = parts[folder] != nil && !whole.contains(folder) && !folders.contains(path)
      return (isNamed || !isOther && !SystemNames.contains(name)) && !isOwn(path)
    }
  }

  private func isOwn(_ path: String) -> Bool {
    let place: String
    if folders.contains(path) {
      place = (try? disk.canonicalPath(path)) ?? path
    } else {
      let folder = (try? disk.canonicalPath(Path.parent(path))) ?? Path.parent(path)
      place = Path.join(folder, Path.name(path))
    }
    return own.contains { Path.contains($0, place) }
  }
}
