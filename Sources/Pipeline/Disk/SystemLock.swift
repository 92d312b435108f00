import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An advisory lock on a directory itself: no file is made for it, and the system takes it back when a process is gone.
final class SystemLock: DiskLock {
  private let descriptor: Mutex<Int32>

  private init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  deinit { release() }

  func release() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// Takes the lock; nil where another run holds it.
  static func take(_ directory: String) throws(DiskError) -> SystemLock? {
    while true {
      let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else {
        // A folder that may be written but not read has no lock; neither has one that is just gone.
        if errno == EACCES || errno == EPERM { return SystemLock(-1) }
        throw DiskError(operation: "lock", path: directory, code: errno)
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        let isHeld = errno == EWOULDBLOCK || errno == EINTR
        close(descriptor)
        // Some network file systems know no locks.
        return isHeld ? nil : SystemLock(-1)
      }
      if isStill(directory, descriptor) { return SystemLock(descriptor) }
      close(descriptor)
    }
  }

  /// Whether the path still leads to what was locked; the holder before may have removed it.
  private static func isStill(_ directory: String, _ descriptor: Int32) -> Bool {
    var (held, found) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && stat(directory, &found) == 0 && held.st_dev == found.st_dev
      && held.st_ino == found.st_ino
  }
}
