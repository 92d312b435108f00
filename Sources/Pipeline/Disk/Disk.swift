/// What a path is.
public enum FileKind: Sendable, Hashable {
  /// A regular file.
  case file
  /// A directory.
  case directory
  /// A symbolic link (only from `status(_:followLinks: false)`).
  case link
  /// A pipe, socket or device.
  case other
}

/// What the file system says of a path.
public struct FileStatus: Sendable, Hashable {
  /// What it is.
  public var kind: FileKind
  /// Bytes.
  public var size: Int
  /// Modification time, nanoseconds since 1970.
  public var modified: Int
  /// When the file or its entry last changed, nanoseconds since 1970: programs cannot set it.
  public var changed: Int
  /// The device and the inode, equal for two names of one file.
  public var device: UInt64
  /// See `device`.
  public var inode: UInt64

  /// Makes a status.
  public init(kind: FileKind, size: Int, modified: Int, changed: Int, device: UInt64, inode: UInt64) {
    self.kind = kind
    self.size = size
    self.modified = modified
    self.changed = changed
    self.device = device
    self.inode = inode
  }
}

/// Why the disk did not do what was asked.
public struct DiskError: Error, Hashable, Sendable {
  /// What was being done: `read`, `list`, `write`, `rename`, `remove`, `create`.
  public var operation: String
  /// The path.
  public var path: String
  /// The system's error number.
  public var code: Int32

  /// Makes an error.
  public init(operation: String, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}

/// A lock that is held until it is let go or forgotten.
public protocol DiskLock: AnyObject, Sendable {
  /// Lets go; nothing where that was done.
  func release()
}

/// The file system as the library sees it: a parameter, so that tests can record it and make it fail.
///
/// Paths are as given, absolute or relative to the working directory. Every method throws `DiskError`.
public protocol Disk: Sendable {
  /// The names in a directory, in no order, without `.` and `..`.
  func list(_ directory: String) throws(DiskError) -> [String]
  /// The status of a path, or nil where nothing is there.
  func status(_ path: String, followLinks: Bool) throws(DiskError) -> FileStatus?
  /// The status of many paths, in their order; nil also where it cannot be told.
  func statuses(_ paths: [(path: String, followLinks: Bool)]) -> [FileStatus?]
  /// The whole of a file.
  func read(_ path: String) throws(DiskError) -> [UInt8]
  /// The first bytes of a file, at most `count`.
  func readPrefix(_ path: String, count: Int) throws(DiskError) -> [UInt8]
  /// The SHA-256 of a file, read or known.
  func digest(_ path: String) throws(DiskError) -> String
  /// Sets a file's time: nanoseconds since 1970, or now.
  func touch(_ path: String, at time: Int?) throws(DiskError)
  /// Whether the run that made a temporary file is over.
  func isAbandoned(_ temporaryName: String) -> Bool
  /// Replaces a file atomically: a temporary file beside it, then a rename. A symbolic link is replaced, not followed.
  ///
  /// What a killed run leaves behind is named so that `isTemporaryName` knows it.
  func write(_ bytes: [UInt8], to path: String) throws(DiskError)
  /// The same for bytes that are made piece by piece, again where they are needed again.
  func write(to path: String, pieces: (_ put: ([UInt8]) -> Void) -> Void) throws(DiskError)
  /// Makes a directory and those above it; nothing where it is there.
  func createDirectory(_ path: String) throws(DiskError)
  /// Removes a file or a link; nothing where it is not there.
  func removeFile(_ path: String) throws(DiskError)
  /// Removes a directory if it is empty; answers whether it went.
  func removeDirectoryIfEmpty(_ path: String) throws(DiskError) -> Bool
  /// Takes the lock of a directory that is there; nil where another run holds it.
  ///
  /// It ends with its holder, however that ends, and leaves nothing behind. Where the file system has no locks, each run
  /// gets one.
  func lock(_ directory: String) throws(DiskError) -> (any DiskLock)?
  /// The path with links, `.` and `..` resolved, also where its last parts do not exist yet.
  func canonicalPath(_ path: String) throws(DiskError) -> String
  /// What a symbolic link says, whether or not something is there; nil where the path is no link.
  func linkTarget(_ path: String) -> String?
}

extension Disk {
  /// One after the other.
  public func statuses(_ paths: [(path: String, followLinks: Bool)]) -> [FileStatus?] {
    paths.map { (try? status($0.path, followLinks: $0.followLinks)) ?? nil }
  }

  /// All pieces at once.
  public func write(to path: String, pieces: (_ put: ([UInt8]) -> Void) -> Void) throws(DiskError) {
    var bytes: [UInt8] = []
    pieces { bytes += $0 }
    try write(bytes, to: path)
  }

  /// Removes from a folder the temporary files of runs that are over.
  package func removeAbandoned(in folder: String) {
    for name in (try? list(folder)) ?? [] where isTemporaryName(name) && isAbandoned(name) {
      try? removeFile(Path.join(folder, name))
    }
  }

  /// Reads the file.
  public func digest(_ path: String) throws(DiskError) -> String { SHA256.hexDigest(try read(path)) }
}
