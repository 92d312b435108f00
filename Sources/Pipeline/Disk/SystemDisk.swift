import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Names of temporary files begin so; the rest is the process and a running number.
private let temporaryPrefix = ".decal-tmp-"

/// Whether a name is that of a temporary file of an atomic write; one that is older than the run was left by a killed one.
public func isTemporaryName(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }

/// Running numbers of temporary files in this process.
private let temporaryCount = Atomic<Int>(0)

/// The file system of the machine.
public struct SystemDisk: Disk {
  /// Makes one.
  public init() {}

  /// The time that files are stamped with, nanoseconds since 1970.
  public static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }

  /// See `Disk`; a name that is not UTF-8 comes with replacement characters.
  public func list(_ directory: String) throws(DiskError) -> [String] {
    guard let stream = opendir(directory) else { throw DiskError("list", directory) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw DiskError("list", directory) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// See `Disk`.
  public func status(_ path: String, followLinks: Bool) throws(DiskError) -> FileStatus? {
    var info = stat()
    guard (followLinks ? stat(path, &info) : lstat(path, &info)) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw DiskError("read", path)
    }
    let kind: FileKind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    #if canImport(Darwin)
      let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
    #else
      let (modified, changed) = (info.st_mtim, info.st_ctim)
    #endif
    func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }
    return FileStatus(
      kind: kind, size: Int(info.st_size), modified: nanoseconds(modified), changed: nanoseconds(changed),
      device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(truncatingIfNeeded: info.st_ino))
  }

  /// See `Disk`; half a thousand at a time, side by side.
  public func statuses(_ paths: [(path: String, followLinks: Bool)]) -> [FileStatus?] {
    let piece = 512
    let pieces = (paths.count + piece - 1) / piece
    let results = Mutex([FileStatus?](repeating: nil, count: paths.count))
    DispatchQueue.concurrentPerform(iterations: pieces) { index in
      let range = index * piece..<min(paths.count, (index + 1) * piece)
      let found = paths[range].map { (try? status($0.path, followLinks: $0.followLinks)) ?? nil }
      results.withLock { $0.replaceSubrange(range, with: found) }
    }
    return results.withLock { $0 }
  }

  /// See `Disk`.
  public func read(_ path: String) throws(DiskError) -> [UInt8] { try read(path, atMost: Int.max) }

  /// See `Disk`.
  public func readPrefix(_ path: String, count: Int) throws(DiskError) -> [UInt8] { try read(path, atMost: count) }

  /// See `Disk`; of a large file only a piece is in memory.
  public func digest(_ path: String) throws(DiskError) -> String {
    var hash = SHA256()
    try read(path, atMost: Int.max, inPieces: 1 << 18) { hash.update($0) }
    return hash.hexDigest()
  }

  private func read(_ path: String, atMost limit: Int) throws(DiskError) -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path, atMost: limit, inPieces: Int.max) { piece in
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  /// Hands the first bytes over, in one piece where that may be so long.
  private func read(
    _ path: String, atMost limit: Int, inPieces length: Int, _ take: ([UInt8]) -> Void
  ) throws(DiskError) {
    // A pipe must not stop the run: it opens without waiting, and the check below refuses it.
    let file = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { throw DiskError("read", path) }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0 else { throw DiskError("read", path) }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw DiskError(
        operation: "read", path: path, code: info.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    var done = 0
    // One byte more than the size, so that the end is met without growing.
    var chunk = min(limit, max(Int(info.st_size), 0) + 1)
    while done < limit {
      let wanted = min(chunk, limit - done, length)
      var failed = false
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let got = retrying { Int(Platform.read(file, buffer.baseAddress!, wanted)) }
        failed = got < 0
        count = max(got, 0)
      }
      if failed { throw DiskError("read", path) }
      if piece.isEmpty { break }
      take(piece)
      done += piece.count
      chunk = max(64 * 1024, chunk - piece.count)
    }
  }

  /// See `Disk`; a file that is there keeps its mode, that of another is 0644 as the umask allows.
  public func write(_ bytes: [UInt8], to path: String) throws(DiskError) {
    try write(to: path) { put in put(bytes) }
  }

  /// See `Disk`.
  public func write(to path: String, pieces: (_ put: ([UInt8]) -> Void) -> Void) throws(DiskError) {
    let (file, temporary) = try createTemporary(beside: path)
    var info = stat()
    if lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG { _ = fchmod(file, info.st_mode & 0o777) }
    var written = true
    var writeError: Int32 = 0
    pieces { piece in
      guard written, !piece.withUnsafeBytes({ writeAll($0, to: file) }) else { return }
      (written, writeError) = (false, errno)
    }
    let closed = close(file) == 0
    let closeError = errno
    if written, closed, rename(temporary, path) == 0 { return }
    let code = !written ? writeError : !closed ? closeError : errno
    unlink(temporary)
    throw DiskError(operation: "write", path: path, code: code)
  }

  /// See `Disk`.
  public func touch(_ path: String, at time: Int?) throws(DiskError) {
    let result: Int32
    if let time {
      let stamp = timespec(tv_sec: time / 1_000_000_000, tv_nsec: time % 1_000_000_000)
      result = utimensat(AT_FDCWD, path, [stamp, stamp], 0)
    } else {
      // Now may be set by all who may write, another time by the owner alone.
      result = utimensat(AT_FDCWD, path, nil, 0)
    }
    guard result == 0 else { throw DiskError("touch", path) }
  }

  /// See `Disk`.
  public func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// See `Disk`.
  public func isAbandoned(_ temporaryName: String) -> Bool {
    let number = temporaryName.dropFirst(temporaryPrefix.count).prefix { $0 != "-" }
    guard let process = Int32(number), process > 0 else { return true }
    return process != getpid() && kill(process, 0) != 0 && errno == ESRCH
  }

  private func createTemporary(beside path: String) throws(DiskError) -> (file: Int32, path: String) {
    let folder = Path.parent(path)
    while true {
      let number = temporaryCount.wrappingAdd(1, ordering: .relaxed).newValue
      let temporary = Path.join(folder, "\(temporaryPrefix)\(getpid())-\(number)")
      let file = retrying { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
      if file >= 0 { return (file, temporary) }
      // A killed run with this process number may have left its file; the next number is free.
      if errno != EEXIST { throw DiskError("write", path) }
    }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = retrying { Int(Platform.write(file, bytes.baseAddress! + done, bytes.count - done)) }
      if count < 0 { return false }
      done += count
    }
    return true
  }

  /// See `Disk`.
  public func createDirectory(_ path: String) throws(DiskError) {
    if mkdir(path, 0o777) == 0 { return }
    if errno == ENOENT, Path.parent(path) != path {
      try createDirectory(Path.parent(path))
      if mkdir(path, 0o777) == 0 { return }
    }
    let code = errno
    if code == EEXIST, try status(path, followLinks: true)?.kind == .directory { return }
    // A read-only file system answers so even where the folder is there.
    if code == EROFS, try status(path, followLinks: true)?.kind == .directory { return }
    throw DiskError(operation: "create", path: path, code: code)
  }

  /// See `Disk`.
  public func removeFile(_ path: String) throws(DiskError) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw DiskError("remove", path)
  }

  /// See `Disk`.
  public func removeDirectoryIfEmpty(_ path: String) throws(DiskError) -> Bool {
    if rmdir(path) == 0 { return true }
    if [ENOTEMPTY, EEXIST, ENOENT].contains(errno) { return false }
    throw DiskError("remove", path)
  }

  /// See `Disk`.
  public func lock(_ directory: String) throws(DiskError) -> (any DiskLock)? { try SystemLock.take(directory) }

  /// See `Disk`.
  public func canonicalPath(_ path: String) throws(DiskError) -> String {
    if let resolved = realpath(path.isEmpty ? "." : path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    guard errno == ENOENT, Path.parent(path) != path else { throw DiskError("read", path) }
    let parent = try canonicalPath(Path.parent(path))
    let name = Path.name(path)
    return name == ".." ? Path.parent(parent) : Path.join(parent, name)
  }
}

/// The calls whose names `SystemDisk` has taken for its own methods.
private enum Platform {
  static func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(file, buffer, count)
    #else
      Glibc.read(file, buffer, count)
    #endif
  }

  static func write(_ file: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(file, buffer, count)
    #else
      Glibc.write(file, buffer, count)
    #endif
  }
}

/// Calls again while a signal interrupts the call.
private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

extension DiskError {
  /// What the system's last call failed with.
  fileprivate init(_ operation: String, _ path: String) {
    self.init(operation: operation, path: path, code: errno)
  }
}
