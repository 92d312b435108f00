import Testing

@testable import Pipeline

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder of the machine's own disk, for one test.
struct ScratchFolder: ~Copyable {
  let path: String
  let disk = SystemDisk()

  init() {
    var template = Array("/tmp/decal-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)!) }
  }

  deinit { ScratchFolder.remove(path, disk) }

  private static func remove(_ path: String, _ disk: SystemDisk) {
    if (try? disk.status(path, followLinks: false))??.kind == .directory {
      chmod(path, 0o755)
      for name in (try? disk.list(path)) ?? [] { remove("\(path)/\(name)", disk) }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}

@Suite("The machine's disk") struct SystemDiskTests {
  @Test func linksTellWhatTheySayAndTimesCanBeSet() throws {
    let folder = ScratchFolder()
    symlink("no/where", folder.path + "/link")
    #expect(folder.disk.linkTarget(folder.path + "/link") == "no/where")
    #expect(folder.disk.linkTarget(folder.path) == nil && folder.disk.linkTarget(folder.path + "/none") == nil)
    try folder.disk.write([1], to: folder.path + "/file")
    try folder.disk.touch(folder.path + "/file", at: 1_234_567_890_123_456_789)
    #expect(try folder.disk.status(folder.path + "/file", followLinks: true)?.modified == 1_234_567_890_123_456_789)
    let before = SystemDisk.now()
    try folder.disk.touch(folder.path + "/file", at: nil)
    // The clock of a file system may be a tick behind.
    #expect(try folder.disk.status(folder.path + "/file", followLinks: true)!.modified > before - 1_000_000_000)
    #expect(DiskError(operation: "watch", path: "a", code: ENOSPC).message.contains("max_user_watches"))
  }

  @Test func whatIsWrittenIsRead() throws {
    let folder = ScratchFolder()
    for count in [0, 1, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      try folder.disk.write(bytes, to: folder.path + "/file")
      #expect(try folder.disk.read(folder.path + "/file") == bytes)
      #expect(try folder.disk.readPrefix(folder.path + "/file", count: 10) == Array(bytes.prefix(10)))
      try folder.disk.write(to: folder.path + "/file") { put in
        for start in stride(from: 0, to: count, by: 30_000) { put(Array(bytes[start..<min(start + 30_000, count)])) }
      }
      #expect(try folder.disk.read(folder.path + "/file") == bytes)
    }
    #expect(try folder.disk.list(folder.path) == ["file"])
  }

  @Test func aFileHasTheModeThatTheUmaskAllowsAndKeepsItsOwn() throws {
    let folder = ScratchFolder()
    try folder.disk.write([1], to: folder.path + "/file")
    var info = stat()
    stat(folder.path + "/file", &info)
    let mask = umask(0)
    umask(mask)
    #expect(info.st_mode & 0o777 == 0o644 & ~mask)
    for mode: mode_t in [0o600, 0o444] {
      chmod(folder.path + "/file", mode)
      try folder.disk.write([4], to: folder.path + "/file")
      #expect(stat(folder.path + "/file", &info) == 0 && info.st_mode & 0o777 == mode)
    }
  }

  @Test func aLinkIsReplacedAndItsTargetLeftAlone() throws {
    let folder = ScratchFolder()
    try folder.disk.write([1], to: folder.path + "/target")
    symlink("target", folder.path + "/link")
    try folder.disk.write([2], to: folder.path + "/link")
    #expect(try folder.disk.read(folder.path + "/target") == [1])
    #expect(try folder.disk.status(folder.path + "/link", followLinks: false)?.kind == .file)
  }

  @Test func aLockIsHeldByOneAndLeavesNothing() throws {
    let folder = ScratchFolder()
    let lock = try #require(try folder.disk.lock(folder.path))
    #expect(try folder.disk.lock(folder.path) == nil)
    lock.release()
    #expect(try folder.disk.lock(folder.path) != nil)
    #expect(try folder.disk.list(folder.path) == [])
    #expect(throws: DiskError.self) { try folder.disk.lock(folder.path + "/gone") }
  }

  @Test func aWriteThatFailsLeavesNothingBehind() throws {
    let folder = ScratchFolder()
    try folder.disk.createDirectory(folder.path + "/taken/inside")
    #expect(throws: DiskError.self) { try folder.disk.write([1], to: folder.path + "/taken") }
    #expect(try folder.disk.list(folder.path) == ["taken"])
  }

  @Test func aFileWhereAFolderIsNeededIsNamed() throws {
    let folder = ScratchFolder()
    try folder.disk.write([1], to: folder.path + "/file")
    let error = #expect(throws: DiskError.self) { try folder.disk.createDirectory(folder.path + "/file/inside") }
    #expect(error?.message == "cannot create: a file stands where a folder is needed; move it away")
    let other = #expect(throws: DiskError.self) { try folder.disk.createDirectory(folder.path + "/file") }
    #expect(other?.message == error?.message)
  }

  @Test func pathsThatAreNotThereYetAreResolvedAsFarAsTheyGo() throws {
    let folder = ScratchFolder()
    let root = try folder.disk.canonicalPath(folder.path)
    symlink(folder.path, folder.path + "/self")
    #expect(try folder.disk.canonicalPath(folder.path + "/self/self/new/deep") == root + "/new/deep")
    #expect(try folder.disk.canonicalPath(folder.path + "/new/../other") == root + "/other")
  }

  @Test func onlyAnEmptyFolderIsRemoved() throws {
    let folder = ScratchFolder()
    try folder.disk.createDirectory(folder.path + "/a/b")
    #expect(try !folder.disk.removeDirectoryIfEmpty(folder.path + "/a"))
    #expect(try folder.disk.removeDirectoryIfEmpty(folder.path + "/a/b"))
    #expect(try folder.disk.removeDirectoryIfEmpty(folder.path + "/a"))
    #expect(try !folder.disk.removeDirectoryIfEmpty(folder.path + "/a"))
    try folder.disk.removeFile(folder.path + "/nothing")
  }

  @Test func aPipeIsNoFileAndDoesNotStopTheRun() throws {
    let folder = ScratchFolder()
    mkfifo(folder.path + "/pipe", 0o644)
    #expect(try folder.disk.status(folder.path + "/pipe", followLinks: true)?.kind == .other)
    #expect(throws: DiskError.self) { try folder.disk.read(folder.path + "/pipe") }
  }

  @Test func namesWithTwoUnicodeFormsAreTwoFiles() throws {
    let folder = ScratchFolder()
    try folder.disk.write([1], to: folder.path + "/e\u{301}")
    #expect(try folder.disk.list(folder.path).map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
  }
}
