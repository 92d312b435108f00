import Synchronization

/// Looks at all folders again and again: works everywhere, and costs a little all the time.
final class PollingSource: ChangeSource {
  let changes: AsyncStream<Change>
  private let send: AsyncStream<Change>.Continuation
  private let state = Mutex(State())
  private let disk: any Disk
  private let task = Mutex<Task<Void, Never>?>(nil)

  private struct State {
    var folders: Set<String> = []
    var seen: [String: [String: FileStamp]] = [:]
  }

  /// Looks each `interval`; nil looks only where `look` is called.
  init(disk: any Disk, interval: Duration? = .milliseconds(300)) {
    self.disk = disk
    (changes, send) = AsyncStream.makeStream()
    guard let interval else { return }
    let task = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: interval)
        self?.look()
      }
    }
    self.task.withLock { $0 = task }
  }

  func watch(_ folders: Set<String>) throws(DiskError) -> Bool {
    let new = state.withLock { state in
      let new = folders.subtracting(state.folders)
      state.folders = folders
      state.seen = state.seen.filter { folders.contains($0.key) }
      return new
    }
    // A folder that is new is as it is now; what is read of it comes later.
    for folder in new {
      let content = content(of: folder)
      state.withLock { $0.seen[folder] = content }
    }
    return !new.isEmpty
  }

  func stop() {
    task.withLock { $0?.cancel() }
    send.finish()
  }

  /// Compares with what was there.
  func look() {
    for folder in state.withLock({ $0.folders }) {
      let now = content(of: folder)
      let before = state.withLock { state in
        guard state.folders.contains(folder) else { return now }
        return state.seen.updateValue(now, forKey: folder) ?? now
      }
      for (name, stamp) in now where before[name] != stamp { send.yield(.edited(Path.join(folder, name))) }
      for name in before.keys where now[name] == nil { send.yield(.removed(Path.join(folder, name))) }
    }
  }

  private func content(of folder: String) -> [String: FileStamp] {
    var result: [String: FileStamp] = [:]
    for name in (try? disk.list(folder)) ?? [] {
      guard let status = try? disk.status(Path.join(folder, name), followLinks: true) else { continue }
      var stamp = FileStamp(status)
      // What a folder holds is its own matter.
      if status.kind == .directory { (stamp.modified, stamp.changed) = (0, 0) }
      result[name] = stamp
    }
    return result
  }
}
