#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DiskError {
  /// Whether the disk has no space left.
  var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// One line for people, lower case, with the next step where there is one; without the path.
  public var message: String {
    switch (operation, code) {
    case ("watch", ENOSPC): "the system watches no more folders; raise fs.inotify.max_user_watches"
    case (_, EACCES), (_, EPERM): "cannot \(operation): permission denied; change its mode or owner"
    case (_, ENOSPC): "cannot \(operation): no space left on the disk; free some and run again"
    case (_, EDQUOT): "cannot \(operation): the disk quota is used up; free some space and run again"
    case (_, EROFS): "cannot \(operation): the file system is read-only; choose another output folder"
    case (_, EISDIR): "cannot \(operation): it is a folder, not a file; move it away"
    case (_, ENOTDIR): "cannot \(operation): a file stands where a folder is needed; move it away"
    case ("create", EEXIST): "cannot create: a file stands where a folder is needed; move it away"
    case (_, ENOENT): "cannot \(operation): there is no such file or folder"
    case (_, ELOOP): "cannot \(operation): its symbolic links go in a circle"
    case (_, ENAMETOOLONG): "cannot \(operation): the name is too long; shorten it"
    case (_, EMFILE), (_, ENFILE): "cannot \(operation): too many open files; run fewer jobs with -j"
    case (_, ESTALE): "cannot \(operation): it changed meanwhile; run again"
    case (_, EIO): "cannot \(operation): the disk reports an input/output error"
    default: "cannot \(operation): \(systemMessage)"
    }
  }

  private var systemMessage: String {
    var buffer = [CChar](repeating: 0, count: 256)
    strerror_r(code, &buffer, buffer.count)
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? "error \(code)" : text.lowercased()
  }
}
