/// What says without reading that a file or folder is the one of before.
///
/// The time of the last change to the file's entry tells what size and modification time do not: those can be set back.
/// The device is left out: it has another number after a restart.
struct FileStamp: Hashable, Sendable {
  /// What it is.
  var kind: FileKind
  /// Bytes; 0 for a folder.
  var size: Int
  /// Modification time, nanoseconds since 1970.
  var modified: Int
  /// Time of the last change to the entry.
  var changed: Int
  /// Its number on the file system.
  var inode: UInt64

  init(_ status: FileStatus) {
    kind = status.kind
    size = status.kind == .directory ? 0 : status.size
    (modified, changed, inode) = (status.modified, status.changed, status.inode)
  }

  /// How young a file's time may not be to be trusted: two writes within it may leave one time.
  ///
  /// FAT counts in 2 seconds.
  static let distrust = 3_000_000_000
  /// The same for what Decal wrote itself, by a rename, on a file system that counts in parts of a second: its clock
  /// ticks every 1 to 10 ms.
  static let ownDistrust = 20_000_000

  /// Whether a later change is sure to give another stamp, where this one was taken at a time.
  func isSettled(takenAt now: Int, isOwn: Bool) -> Bool {
    let youngest = max(modified, changed)
    let countsFinely = youngest % 1_000_000_000 != 0
    return now - youngest >= (isOwn && countsFinely ? FileStamp.ownDistrust : FileStamp.distrust)
  }
}

/// What an image's header says of the work that it is.
struct HeaderFacts: Hashable, Sendable {
  var width: Int
  var height: Int
  var frames: Int
  /// What a pixel of a still takes at most while it is read.
  var pixelBytes = 8

  /// Pixels of the canvas.
  var area: Int { width * height }
}

/// What a build saw of a path.
struct SeenFile: Hashable, Sendable {
  // Lists are long: in this order there are no gaps.

  /// Where the disk has it.
  var path: String
  /// What few paths have.
  private var rare: Shared<RareFacts>?
  /// Nil where nothing was there.
  var stamp: FileStamp?
  /// The digest of the file, where all of it was read.
  var digest: Digest?
  /// Whether it is the link itself that was looked at.
  var isLink: Bool
  /// Whether an equal stamp means an equal file.
  var isSettled: Bool

  init(
    path: String, isLink: Bool, stamp: FileStamp?, isSettled: Bool, digest: Digest? = nil, prefix: [UInt8]? = nil,
    header: HeaderFacts? = nil, names: Digest? = nil
  ) {
    (self.path, self.isLink, self.stamp, self.isSettled, self.digest) = (path, isLink, stamp, isSettled, digest)
    set { ($0.prefix, $0.header, $0.names) = (prefix, header, names) }
  }

  /// The first bytes, where they were read, as many as tell what it is.
  var prefix: [UInt8]? {
    get { rare?.wrappedValue.prefix }
    set { set { $0.prefix = newValue } }
  }

  /// What the header of an image says, where it was asked for; nil where it is none.
  var header: HeaderFacts? {
    get { rare?.wrappedValue.header }
    set { set { $0.header = newValue } }
  }

  /// The digest of the names in a folder, where they were listed.
  var names: Digest? {
    get { rare?.wrappedValue.names }
    set { set { $0.names = newValue } }
  }

  private mutating func set(_ change: (inout RareFacts) -> Void) {
    var facts = rare?.wrappedValue ?? RareFacts()
    change(&facts)
    rare = facts == RareFacts() ? nil : Shared(wrappedValue: facts)
  }
}

extension SeenFile {
  /// Whether a path is as it was seen.
  func isCurrent(on disk: any Disk) -> Bool {
    isCurrent((try? disk.status(path, followLinks: !isLink)) ?? nil, on: disk)
  }

  /// The same where it is known what stands there.
  func isCurrent(_ status: FileStatus?, on disk: any Disk) -> Bool {
    guard let status else { return stamp == nil }
    guard let stamp, stamp.kind == status.kind else { return false }
    if digest == nil, prefix == nil, names == nil { return true }
    if FileStamp(status) == stamp, isSettled { return true }
    // A folder's time also tells of names that do not count.
    return (FileStamp(status) == stamp || names != nil) && hasSameContent(on: disk)
  }

  private func hasSameContent(on disk: any Disk) -> Bool {
    if let names { return (try? disk.list(path)).map { Digest(names: $0) } == names }
    if let digest { return (try? disk.digest(path)) == digest.hex }
    guard let prefix else { return true }
    let found = try? disk.readPrefix(path, count: ContentKind.prefixLength)
    return found.map(ContentKind.telling) == prefix
  }
}

/// What `SeenFile` says of few paths.
private struct RareFacts: Hashable {
  var prefix: [UInt8]?
  var header: HeaderFacts?
  var names: Digest?
}

extension Digest {
  /// The digest of the names in a folder, whatever their order; names that are passed over do not count, but for what a
  /// killed build left.
  init(names: [String]) {
    let sorted = names.filter { !SystemNames.contains($0) || isTemporaryName($0) }.sorted(by: Path.precedes)
    self.init(of: sorted.joined(separator: "\0"))
  }
}
