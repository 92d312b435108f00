public import Pipeline
import Synchronization

/// A file system in memory that records what is done and fails where a test wants it to.
///
/// Paths are absolute. Directories are made by `add`; links to files and folders are followed.
public final class MemoryDisk: Disk {
  /// What is done to the disk.
  public enum Operation: String, Sendable {
    /// A file is read.
    case read
    /// A folder is listed.
    case list
    /// A file is written.
    case write
    /// A folder is made.
    case create
    /// A file or folder is removed.
    case remove
  }

  /// Decides before an operation whether it fails, and with which error number; the number of changes so far is given.
  public typealias Fault = @Sendable (_ operation: Operation, _ path: String, _ changes: Int) -> Int32?

  fileprivate enum Content {
    case file([UInt8])
    case directory
    case link(String)
  }

  fileprivate struct Node {
    var content: Content
    var inode: UInt64
    var modified: Int
    var changed: Int
  }

  fileprivate struct State {
    var nodes: [[UInt8]: Node] = [Array("/".utf8): Node(content: .directory, inode: 1, modified: 0, changed: 0)]
    var nextInode: UInt64 = 2
    var clock = 0
    var changes = 0
    var reads: [String] = []
    var writes: [String] = []
    var removals: [String] = []
    var fault: Fault?
    var afterChange: (@Sendable (MemoryDisk) -> Void)?
    var locked: Set<[UInt8]> = []
  }

  private let state = Mutex(State())

  /// An empty disk.
  public init() {}

  /// Paths of files that were read, in order.
  public var reads: [String] { state.withLock { $0.reads } }
  /// Paths of files that were written, in order.
  public var writes: [String] { state.withLock { $0.writes } }
  /// Paths of files and folders that were removed, in order.
  public var removals: [String] { state.withLock { $0.removals } }
  /// Files written or removed so far, failed tries not counted.
  public var changes: Int { state.withLock { $0.changes } }

  /// Decides from now on what fails.
  public func setFault(_ fault: Fault?) { state.withLock { $0.fault = fault } }

  /// Calls a check after every file that was written or removed.
  public func setAfterChange(_ check: (@Sendable (MemoryDisk) -> Void)?) { state.withLock { $0.afterChange = check } }

  /// Forgets what was recorded.
  public func forget() {
    state.withLock {
      $0.changes = 0
      $0.reads = []
      $0.writes = []
      $0.removals = []
    }
  }

  /// Puts a file on the disk, unrecorded.
  public func add(_ path: String, _ bytes: [UInt8]) { insert(path, .file(bytes)) }

  /// Puts an empty folder on the disk, unrecorded.
  public func addDirectory(_ path: String) { insert(path, .directory) }

  /// Puts a symbolic link on the disk, unrecorded; a relative target is relative to the link's folder.
  public func addLink(_ path: String, to target: String) { insert(path, .link(target)) }

  /// Takes a file or an empty folder from the disk, unrecorded.
  public func remove(_ path: String) { state.withLock { $0.take(Array(path.utf8)) } }

  /// Writes a file in place, unrecorded: its number stays, its time is the next one or the one that is given.
  public func overwrite(_ path: String, _ bytes: [UInt8], modified: Int? = nil, changed: Int? = nil) {
    state.withLock { state in
      guard let key = state.resolve(path), state.nodes[key] != nil else { return }
      state.clock += 1
      state.nodes[key]?.content = .file(bytes)
      state.stamp(key, modified ?? state.clock, changed ?? state.clock)
    }
  }

  /// Sets the clock by which changes are stamped; each change is one later.
  public func setClock(_ time: Int) { state.withLock { $0.clock = time } }

  /// The time of the last change.
  public var clock: Int { state.withLock { $0.clock } }

  /// The bytes of a file, unrecorded; nil where there is none.
  public func bytes(_ path: String) -> [UInt8]? {
    state.withLock { state in
      guard let key = state.resolve(path), case .file(let bytes)? = state.nodes[key]?.content else { return nil }
      return bytes
    }
  }

  /// All files below a folder with their bytes, by path relative to it, sorted by path; links are files of their target's name.
  public func tree(_ folder: String) -> [(path: String, bytes: [UInt8])] {
    let prefix = Array((folder + "/").utf8)
    return state.withLock { state in
      state.nodes.compactMap { key, node in
        guard key.starts(with: prefix) else { return nil }
        let path = String(decoding: key.dropFirst(prefix.count), as: UTF8.self)
        switch node.content {
        case .file(let bytes): return (path, bytes)
        case .link(let target): return (path, Array(target.utf8))
        case .directory: return nil
        }
      }
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// All folders below a folder, by path relative to it, sorted.
  public func directories(_ folder: String) -> [String] {
    let prefix = Array((folder + "/").utf8)
    return state.withLock { state in
      state.nodes.compactMap { key, node in
        guard key.starts(with: prefix), case .directory = node.content else { return nil }
        return String(decoding: key.dropFirst(prefix.count), as: UTF8.self)
      }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// When a file was last changed, by a clock that ticks at every change.
  public func modified(_ path: String) -> Int? {
    state.withLock { state in state.resolve(path).flatMap { state.nodes[$0]?.modified } }
  }

  private func insert(_ path: String, _ content: Content) {
    state.withLock { state in
      var folder: [UInt8] = []
      for part in path.utf8.split(separator: slash).dropLast() {
        folder += [slash] + part
        if state.nodes[folder] == nil { state.put(folder, .directory) }
      }
      state.put(Array(path.utf8), content)
    }
  }
}

/// The lock of a folder in memory.
private final class MemoryLock: DiskLock {
  private let disk: MemoryDisk
  private let key: [UInt8]
  private let isHeld = Mutex(true)

  init(disk: MemoryDisk, key: [UInt8]) {
    self.disk = disk
    self.key = key
  }

  deinit { release() }

  func release() {
    let wasHeld = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    if wasHeld { disk.unlock(key) }
  }
}

private let slash = UInt8(ascii: "/")
/// The error numbers that a disk answers with; the same on Linux and macOS.
private let (noEntry, isFolder, noFolder): (Int32, Int32, Int32) = (2, 21, 20)

extension MemoryDisk {
  /// See `Disk`.
  public func list(_ directory: String) throws(DiskError) -> [String] {
    try check(.list, directory)
    return try state.withLock { state throws(DiskError) in
      guard let key = state.resolve(directory), let node = state.nodes[key] else {
        throw DiskError(operation: "list", path: directory, code: noEntry)
      }
      guard case .directory = node.content else {
        throw DiskError(operation: "list", path: directory, code: noFolder)
      }
      // A dictionary's order changes from run to run, as a disk's may.
      return state.children(key).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// See `Disk`.
  public func status(_ path: String, followLinks: Bool) throws(DiskError) -> FileStatus? {
    state.withLock { state in
      guard let key = state.resolve(path, followLast: followLinks), let node = state.nodes[key] else { return nil }
      let (kind, size): (FileKind, Int) =
        switch node.content {
        case .file(let bytes): (.file, bytes.count)
        case .directory: (.directory, 0)
        case .link: (.link, 0)
        }
      return FileStatus(
        kind: kind, size: size, modified: node.modified, changed: node.changed, device: 1, inode: node.inode)
    }
  }

  /// See `Disk`.
  public func read(_ path: String) throws(DiskError) -> [UInt8] {
    try check(.read, path)
    return try state.withLock { state throws(DiskError) in
      guard let key = state.resolve(path), let node = state.nodes[key] else {
        throw DiskError(operation: "read", path: path, code: noEntry)
      }
      guard case .file(let bytes) = node.content else {
        throw DiskError(operation: "read", path: path, code: isFolder)
      }
      state.reads.append(path)
      return bytes
    }
  }

  /// See `Disk`.
  public func readPrefix(_ path: String, count: Int) throws(DiskError) -> [UInt8] {
    Array(try read(path).prefix(count))
  }

  /// See `Disk`; the folder must be there.
  public func write(_ bytes: [UInt8], to path: String) throws(DiskError) {
    try check(.write, path)
    try state.withLock { state throws(DiskError) in
      guard let key = state.resolve(path, followLast: false), state.isDirectory(Array(key.parent)) else {
        throw DiskError(operation: "write", path: path, code: noEntry)
      }
      if state.isDirectory(key) { throw DiskError(operation: "write", path: path, code: isFolder) }
      state.put(key, .file(bytes))
      state.changes += 1
      state.writes.append(path)
    }
    state.withLock { $0.afterChange }?(self)
  }

  /// See `Disk`.
  public func createDirectory(_ path: String) throws(DiskError) {
    if try status(path, followLinks: true)?.kind == .directory { return }
    try check(.create, path)
    try state.withLock { state throws(DiskError) in
      var folder: [UInt8] = []
      for part in path.utf8.split(separator: slash) {
        folder += [slash] + part
        if let key = state.resolve(String(decoding: folder, as: UTF8.self)), state.nodes[key] != nil {
          guard state.isDirectory(key) else { throw DiskError(operation: "create", path: path, code: noFolder) }
          folder = key
        } else {
          state.put(folder, .directory)
        }
      }
    }
  }

  /// See `Disk`.
  public func removeFile(_ path: String) throws(DiskError) {
    try check(.remove, path)
    let went = try state.withLock { state throws(DiskError) in
      guard let key = state.resolve(path, followLast: false), state.nodes[key] != nil else { return false }
      if state.isDirectory(key) { throw DiskError(operation: "remove", path: path, code: isFolder) }
      state.take(key)
      state.changes += 1
      state.removals.append(path)
      return true
    }
    if went { state.withLock { $0.afterChange }?(self) }
  }

  /// See `Disk`.
  public func removeDirectoryIfEmpty(_ path: String) throws(DiskError) -> Bool {
    try check(.remove, path)
    return state.withLock { state in
      guard let key = state.resolve(path, followLast: false), state.isDirectory(key), state.children(key).isEmpty
      else { return false }
      state.take(key)
      state.removals.append(path)
      return true
    }
  }

  /// See `Disk`.
  public func canonicalPath(_ path: String) throws(DiskError) -> String {
    state.withLock { state in
      String(decoding: state.resolve(path) ?? Array(path.utf8), as: UTF8.self)
    }
  }

  /// See `Disk`.
  public func lock(_ directory: String) throws(DiskError) -> (any DiskLock)? {
    state.withLock { state in
      guard let key = state.resolve(directory), state.locked.insert(key).inserted else { return nil }
      return MemoryLock(disk: self, key: key)
    }
  }

  /// See `Disk`.
  public func touch(_ path: String, at time: Int?) throws(DiskError) {
    state.withLock { state in
      guard let key = state.resolve(path) else { return }
      state.clock += 1
      state.stamp(key, time ?? state.clock, state.clock)
    }
  }

  /// See `Disk`.
  public func linkTarget(_ path: String) -> String? {
    state.withLock { state in
      guard let key = state.resolve(path, followLast: false), case .link(let target)? = state.nodes[key]?.content else {
        return nil
      }
      return target
    }
  }

  /// See `Disk`.
  public func isAbandoned(_ temporaryName: String) -> Bool { true }

  fileprivate func unlock(_ key: [UInt8]) { state.withLock { _ = $0.locked.remove(key) } }

  private func check(_ operation: Operation, _ path: String) throws(DiskError) {
    let (fault, changes) = state.withLock { ($0.fault, $0.changes) }
    if let code = fault?(operation, path, changes) {
      throw DiskError(operation: operation.rawValue, path: path, code: code)
    }
  }
}

extension MemoryDisk.State {
  /// The key of a path with links, `.` and `..` followed, whether or not something is there; nil in a circle of links.
  fileprivate func resolve(_ path: String, followLast: Bool = true, depth: Int = 0) -> [UInt8]? {
    guard depth < 16 else { return nil }
    var key: [UInt8] = []
    let parts = path.utf8.split(separator: slash).map(Array.init)
    for (index, part) in parts.enumerated() where part != Array(".".utf8) {
      if part == Array("..".utf8) {
        key = key.isEmpty ? [] : Array(key.parent)
        continue
      }
      key += [slash] + part
      if case .link(let target)? = nodes[key]?.content, followLast || index < parts.count - 1 {
        let parent = String(decoding: key.parent, as: UTF8.self)
        let next = target.utf8.first == slash ? target : parent + "/" + target
        guard let resolved = resolve(next, depth: depth + 1) else { return nil }
        key = resolved
      }
    }
    return key.isEmpty ? [slash] : key
  }

  fileprivate func isDirectory(_ key: [UInt8]) -> Bool {
    if case .directory? = nodes[key.isEmpty ? [slash] : key]?.content { return true }
    return false
  }

  fileprivate func children(_ key: [UInt8]) -> [ArraySlice<UInt8>] {
    let prefix = key == [slash] ? key : key + [slash]
    return nodes.keys.compactMap { other in
      guard other.count > prefix.count, other.starts(with: prefix) else { return nil }
      let name = other.dropFirst(prefix.count)
      return name.contains(slash) ? nil : name
    }
  }

  fileprivate mutating func put(_ key: [UInt8], _ content: MemoryDisk.Content) {
    clock += 1
    nodes[key] = MemoryDisk.Node(content: content, inode: nextInode, modified: clock, changed: clock)
    nextInode += 1
    // What a folder holds is a change of the folder.
    let folder = key == [slash] ? key : key.parent.isEmpty ? [slash] : Array(key.parent)
    stamp(folder, clock, clock)
  }

  /// Sets the times of what is there.
  fileprivate mutating func stamp(_ key: [UInt8], _ modified: Int, _ changed: Int) {
    nodes[key]?.modified = modified
    nodes[key]?.changed = changed
  }

  fileprivate mutating func take(_ key: [UInt8]) {
    clock += 1
    nodes[key] = nil
    let folder = key.parent.isEmpty ? [slash] : Array(key.parent)
    stamp(folder, clock, clock)
  }
}

extension [UInt8] {
  /// The bytes before the last slash.
  fileprivate var parent: ArraySlice<UInt8> { prefix(upTo: lastIndex(of: slash) ?? 0) }
}
