/// Which folders are watched, and which changes in them count.
public struct WatchScope: Sendable {
  /// The folders, as the disk has them.
  public private(set) var folders: Set<String>
  private let disk: any Disk
  private let own: [String]
  private let root: String

  /// `own` are folders in which nothing counts, wherever they lie and whatever leads to them: the output and the state.
  public init(disk: any Disk, root: String, own: [String]) {
    (self.disk, self.root) = (disk, root)
    self.own = own.map { (try? disk.canonicalPath($0)) ?? $0 }
    folders = [root]
  }

  /// Takes what a build read: folders, and the folders of files.
  public mutating func follow(_ inputs: [String], sources: [String]) {
    folders = [root]
    for path in inputs + sources { follow(path) }
  }

  /// Takes what is to be read by the configuration, beside what was there: nothing could be read.
  public mutating func add(sources: [String]) {
    for path in sources { follow(path) }
  }

  private mutating func follow(_ path: String) {
    let isFolder = (try? disk.status(path, followLinks: true))?.kind == .directory
    if isFolder, !isOwn(path) { folders.insert(path) }
    // A folder that goes or comes is told by the one above it; so is one that is not there yet.
    var parent = Path.parent(path)
    if folders.contains(parent) { return }
    while (try? disk.status(parent, followLinks: true))?.kind != .directory, parent != Path.parent(parent) {
      parent = Path.parent(parent)
    }
    if !isOwn(parent) { folders.insert(parent) }
  }

  /// Whether a change may change the pack.
  public func counts(_ change: Change) -> Bool {
    switch change {
    case .overflow: return true
    case .edited(let path), .removed(let path): return !SystemNames.contains(Path.name(path)) && !isOwn(path)
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
