import Codecs
import Imaging
import Synchronization

/// A disk that keeps what a build saw of every path, and spares it reading what an earlier one read.
///
/// The laws:
/// 1. A stamp is taken before the content; what is seen is never newer than its stamp says.
/// 2. A path that was seen in two states is unstable and never matches, unless this build made the change.
/// 3. An equal stamp stands for equal content only where it is settled: `FileStamp.isSettled`.
/// 4. Of a folder the last listing counts, and what this build did in it since.
final class TracedDisk: Disk {
  private let base: any Disk
  private let now: @Sendable () -> Int
  private let known: [PathKey: SeenFile]
  private let makeRoom: @Sendable () -> Void
  private let state = Mutex(Sights())

  /// `known` is what an earlier build saw; `makeRoom` removes what can be spared where the disk is full.
  init(
    _ base: any Disk, known: SeenFiles, now: @escaping @Sendable () -> Int,
    makeRoom: @escaping @Sendable () -> Void = {}
  ) {
    self.base = base
    self.now = now
    self.makeRoom = makeRoom
    self.known = Dictionary(
      known.lazy.filter { !$0.isLink && $0.isSettled }.map { (PathKey($0.path), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  private func knownFile(_ path: String, _ status: FileStatus?) -> SeenFile? {
    guard let status, let file = known[PathKey(path)], file.stamp == FileStamp(status) else { return nil }
    return file
  }
}

// MARK: - Looking

extension TracedDisk {
  func status(_ path: String, followLinks: Bool) throws(DiskError) -> FileStatus? {
    let time = now()
    let status = try base.status(path, followLinks: followLinks)
    see(path, isLink: status?.kind == .link, status, at: time)
    return status
  }

  func list(_ directory: String) throws(DiskError) -> [String] {
    let time = now()
    let status = try base.status(directory, followLinks: true)
    let names = try base.list(directory)
    see(directory, status, at: time, names: Set(names))
    return names
  }

  func read(_ path: String) throws(DiskError) -> [UInt8] {
    let time = now()
    let status = try base.status(path, followLinks: true)
    if status == nil { see(path, nil, at: time) }
    let bytes = try base.read(path)
    let isSame = (try? base.status(path, followLinks: true)) == status
    see(path, status, at: time, isUnstable: !isSame) { $0.digest = Digest(of: bytes) }
    return bytes
  }

  func readPrefix(_ path: String, count: Int) throws(DiskError) -> [UInt8] {
    let time = now()
    let status = try base.status(path, followLinks: true)
    let known = knownFile(path, status)?.prefix
    let prefix = if let known { known } else { ContentKind.telling(try base.readPrefix(path, count: count)) }
    see(path, status, at: time) { $0.prefix = prefix }
    return prefix
  }

  func digest(_ path: String) throws(DiskError) -> String {
    let time = now()
    let status = try base.status(path, followLinks: true)
    if let digest = knownFile(path, status)?.digest {
      see(path, status, at: time) { $0.digest = digest }
      return digest.hex
    }
    if status == nil { see(path, nil, at: time) }
    let digest = try base.digest(path)
    let isSame = (try? base.status(path, followLinks: true)) == status
    see(path, status, at: time, isUnstable: !isSame) { $0.digest = Digest(hex: digest) }
    return digest
  }

  /// What the header of an image says; nil where it cannot be read.
  func header(_ path: String, limits: DecodeLimits) -> HeaderFacts? {
    let time = now()
    let status = try? base.status(path, followLinks: true)
    if let size = status?.size, size > limits.fileBytes { return nil }
    let header = knownFile(path, status)?.header ?? (try? read(path)).flatMap { HeaderFacts($0, limits: limits) }
    see(path, status, at: time) { $0.header = header }
    return header
  }

  func canonicalPath(_ path: String) throws(DiskError) -> String { try base.canonicalPath(path) }

  func lock(_ directory: String) throws(DiskError) -> (any DiskLock)? { try base.lock(directory) }

  func isAbandoned(_ temporaryName: String) -> Bool { base.isAbandoned(temporaryName) }

  func touch(_ path: String, at time: Int?) throws(DiskError) { try base.touch(path, at: time) }

  func linkTarget(_ path: String) -> String? { base.linkTarget(path) }

  private func see(
    _ path: String, isLink: Bool = false, _ status: FileStatus?, at time: Int, names: Set<String>? = nil,
    isUnstable: Bool = false, _ add: (inout SeenFile) -> Void = { _ in }
  ) {
    let stamp = status.map { FileStamp($0) }
    let fresh = SeenFile(path: path, isLink: isLink, stamp: stamp, isSettled: knownFile(path, status) != nil)
    state.withLock { sights in
      var sight = sights[path, isLink: isLink] ?? Sight(file: fresh, time: time)
      if let names {
        (sight.file, sight.time, sight.names, sight.isEdited) = (fresh, time, names, false)
      } else if sight.file.stamp != stamp, stamp?.kind != .directory || sight.file.stamp?.kind != .directory {
        sight.isUnstable = true
      }
      let digest = sight.file.digest
      add(&sight.file)
      sight.isUnstable = sight.isUnstable || isUnstable || (digest != nil && digest != sight.file.digest)
      sights[path, isLink: isLink] = sight
    }
  }
}

// MARK: - Changing

extension TracedDisk {
  func write(_ bytes: [UInt8], to path: String) throws(DiskError) {
    try makingRoom { () throws(DiskError) in try base.write(bytes, to: path) }
    own(path) { $0.digest = Digest(of: bytes) }
  }

  func write(to path: String, pieces: (_ put: ([UInt8]) -> Void) -> Void) throws(DiskError) {
    var digest: String?
    try makingRoom { () throws(DiskError) in
      var hash = SHA256()
      try base.write(to: path) { put in
        withoutActuallyEscaping(put) { put in
          pieces { piece in
            hash.update(piece)
            put(piece)
          }
        }
      }
      digest = hash.hexDigest()
    }
    own(path) { $0.digest = digest.flatMap { Digest(hex: $0) } }
  }

  /// Writes, once more where the disk was full and what can be spared is gone.
  private func makingRoom(_ write: () throws(DiskError) -> Void) throws(DiskError) {
    do throws(DiskError) {
      try write()
    } catch  where error.isFull {
      makeRoom()
      try write()
    }
  }

  func createDirectory(_ path: String) throws(DiskError) {
    var new: [String] = []
    var folder = path
    while try base.status(folder, followLinks: true) == nil, Path.parent(folder) != folder {
      new.append(folder)
      folder = Path.parent(folder)
    }
    try base.createDirectory(path)
    for folder in new { own(folder) }
  }

  func removeFile(_ path: String) throws(DiskError) {
    try base.removeFile(path)
    disown(path)
  }

  func removeDirectoryIfEmpty(_ path: String) throws(DiskError) -> Bool {
    guard try base.removeDirectoryIfEmpty(path) else { return false }
    disown(path)
    return true
  }

  private func own(_ path: String, _ add: (inout SeenFile) -> Void = { _ in }) {
    let time = now()
    let status = try? base.status(path, followLinks: false)
    var file = SeenFile(path: path, isLink: false, stamp: status.map { FileStamp($0) }, isSettled: false)
    add(&file)
    state.withLock { sights in
      sights[path, isLink: true] = nil
      sights[path, isLink: false] = Sight(file: file, time: time, isOwn: true)
      TracedDisk.edit(&sights, folderOf: path) { $0.insert(Path.name(path)) }
    }
  }

  private func disown(_ path: String) {
    let time = now()
    state.withLock { sights in
      sights[path, isLink: true] = nil
      let gone = SeenFile(path: path, isLink: false, stamp: nil, isSettled: true)
      sights[path, isLink: false] = Sight(file: gone, time: time, isOwn: true)
      TracedDisk.edit(&sights, folderOf: path) { $0.remove(Path.name(path)) }
    }
  }

  private static func edit(
    _ sights: inout Sights, folderOf path: String, _ change: (inout Set<String>) -> Void
  ) {
    let folder = Path.parent(path)
    guard var sight = sights[folder, isLink: false] else { return }
    // The names are changed where they are: nobody else may hold them.
    sights[folder, isLink: false] = nil
    (sight.isOwn, sight.isEdited) = (true, true)
    if var names = sight.names {
      sight.names = nil
      change(&names)
      sight.names = names
    }
    sights[folder, isLink: false] = sight
  }
}

// MARK: - The end

extension TracedDisk {
  /// What was seen in one state only, sorted, and what was seen in several; it is forgotten then.
  func finish() -> (files: SeenFiles, unstable: [SeenFile]) {
    let end = now()
    var sights = state.withLock { sights in
      defer { sights = Sights() }
      return sights
    }
    var unstable: [SeenFile] = []
    let files = sights.empty { sight in
      if sight.names != nil { finishFolder(&sight, at: end) }
      if !sight.isUnstable { settle(&sight, at: end) }
      if sight.isUnstable { unstable.append(sight.file) }
      return !sight.isUnstable
    }
    return (files, unstable)
  }

  /// Looks once more at a folder in which this build worked: it must hold what it held, and what was done.
  private func finishFolder(_ sight: inout Sight, at end: Int) {
    guard let expected = sight.names.map({ Digest(names: Array($0)) }) else { return }
    sight.file.names = expected
    guard sight.isEdited else { return }
    sight.time = end
    guard let status = try? base.status(sight.file.path, followLinks: true),
      let names = try? base.list(sight.file.path), Digest(names: names) == expected
    else {
      sight.isUnstable = true
      return
    }
    sight.file.stamp = FileStamp(status)
    sight.file.isSettled = false
  }

  private func settle(_ sight: inout Sight, at end: Int) {
    guard !sight.file.isSettled, let stamp = sight.file.stamp else { return }
    sight.file.isSettled = stamp.isSettled(takenAt: sight.time, isOwn: sight.isOwn)
    // What was too young when it was read may be old enough by now: read once more, it counts.
    guard !sight.file.isSettled, stamp.isSettled(takenAt: end, isOwn: sight.isOwn) else { return }
    sight.file.isSettled = sight.file.isCurrent(on: base)
  }
}

extension HeaderFacts {
  /// Reads the header of an image; nil where that is none.
  init?(_ bytes: [UInt8], limits: DecodeLimits) {
    guard let header = try? ImageReader(bytes: bytes, limits: limits).header else { return nil }
    self.init(
      width: header.size.width, height: header.size.height, frames: header.frameCount, pixelBytes: header.pixelBytes)
  }
}

extension ImageHeader {
  /// What a pixel of a still takes at most while it is read, measured.
  ///
  /// A progressive JPEG has two bytes of coefficients a sample beside the sample; a baseline one counts as it, as the header
  /// does not tell them apart. libwebp keeps alpha in a plane of its own beside the picture. All else are samples of at
  /// most 16 bits.
  fileprivate var pixelBytes: Int {
    switch format {
    case .jpeg: colorModel == "cmyk" || colorModel == "ycck" ? 12 : 10
    case .webp: 9
    default: 8
    }
  }
}
