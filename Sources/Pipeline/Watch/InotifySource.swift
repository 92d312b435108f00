#if os(Linux)
  import Dispatch
  import Glibc
  import Synchronization

  /// Changes as the kernel tells them, folder by folder.
  ///
  /// A file counts when its writer closes it, not when it begins; a half-written one that is met for another reason is
  /// what `ProvisionalErrors` is for.
  final class InotifySource: ChangeSource {
    let changes: AsyncStream<Change>
    private let send: AsyncStream<Change>.Continuation
    private let descriptor: Int32
    // Never changed after the initializer; the queue is its own.
    nonisolated(unsafe) private let reader: any DispatchSourceRead
    private let watches = Mutex(Watches())

    private struct Watches {
      var numbers: [String: Int32] = [:]
      /// Several names may lead to one folder, which has one number.
      var folders: [Int32: Set<String>] = [:]
    }

    private static let mask =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
      | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

    /// Nil where the system gives none.
    init?() {
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      (changes, send) = AsyncStream.makeStream()
      reader = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "decal.watch"))
      reader.setEventHandler { @Sendable [unowned self] in take() }
      reader.setCancelHandler { @Sendable [descriptor] in close(descriptor) }
      reader.resume()
    }

    deinit { reader.cancel() }

    func stop() {
      reader.cancel()
      send.finish()
    }

    func watch(_ folders: Set<String>) throws(DiskError) -> Bool {
      try watches.withLock { watches throws(DiskError) in
        for (folder, number) in watches.numbers where !folders.contains(folder) {
          watches.numbers[folder] = nil
          watches.folders[number]?.remove(folder)
          if watches.folders[number]?.isEmpty == true {
            watches.folders[number] = nil
            inotify_rm_watch(descriptor, number)
          }
        }
        var hasNew = false
        for folder in folders where watches.numbers[folder] == nil {
          let number = inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, InotifySource.mask)
          guard number >= 0 else {
            // A folder that is gone again is told by the one above it.
            if errno == ENOENT || errno == ENOTDIR || errno == EACCES { continue }
            throw DiskError(operation: "watch", path: folder, code: errno)
          }
          watches.numbers[folder] = number
          watches.folders[number, default: []].insert(folder)
          hasNew = true
        }
        return hasNew
      }
    }

    /// Reads all that is there.
    private func take() {
      withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress!, buffer.count)
          guard count > 0 else { return }
          var offset = 0
          while offset + MemoryLayout<inotify_event>.size <= count {
            let event = buffer.baseAddress! + offset
            let header = event.load(as: inotify_event.self)
            let name = event + MemoryLayout<inotify_event>.size
            tell(header, header.len == 0 ? "" : String(cString: name.assumingMemoryBound(to: CChar.self)))
            offset += MemoryLayout<inotify_event>.size + Int(header.len)
          }
        }
      }
    }

    private func tell(_ event: inotify_event, _ name: String) {
      func isSet(_ flag: some BinaryInteger) -> Bool { event.mask & UInt32(truncatingIfNeeded: flag) != 0 }
      if isSet(IN_Q_OVERFLOW) { return void(send.yield(.overflow)) }
      let folders = watches.withLock { watches in
        let folders = watches.folders[event.wd] ?? []
        if isSet(IN_IGNORED) || isSet(IN_MOVE_SELF) {
          // The number is no longer this folder's: it is watched anew where it is found again.
          if isSet(IN_MOVE_SELF) { inotify_rm_watch(descriptor, event.wd) }
          watches.folders[event.wd] = nil
          for folder in folders { watches.numbers[folder] = nil }
        }
        return folders
      }
      for folder in folders {
        let path = name.isEmpty ? folder : Path.join(folder, name)
        // A new file counts when it is closed; a link, or a second name of a file, is never closed.
        if isSet(IN_CREATE), !isSet(IN_ISDIR), isPlainFile(path) { continue }
        if isSet(IN_DELETE) || isSet(IN_MOVED_FROM) || isSet(IN_DELETE_SELF) || isSet(IN_MOVE_SELF) {
          send.yield(.removed(path))
        } else if !isSet(IN_IGNORED) {
          send.yield(.edited(path))
        }
      }
    }

    private func isPlainFile(_ path: String) -> Bool {
      var info = stat()
      return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_nlink == 1
    }

    private func void(_ result: AsyncStream<Change>.Continuation.YieldResult) {}
  }

  /// Whether a folder lies on another machine, whose changes the kernel does not tell: by the kind of its mount.
  func isRemote(_ folder: String) -> Bool {
    var info = stat()
    guard stat(folder.isEmpty ? "." : folder, &info) == 0,
      let mounts = try? SystemDisk().read("/proc/self/mountinfo")
    else { return false }
    // The numbers of a device as the mount table has them: makedev(3).
    let device = UInt64(info.st_dev)
    let number = "\((device >> 8 & 0xfff) | (device >> 32 & ~0xfff)):\((device & 0xff) | (device >> 12 & ~0xff))"
    for line in String(decoding: mounts, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == number, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
        continue
      }
      let kind = fields[dash + 1]
      return ["nfs", "nfs4", "cifs", "smb3", "9p", "afs", "fuse.sshfs", "vboxsf", "fuse.vmhgfs-fuse"].contains(kind)
    }
    return false
  }
#endif
