/// Tells of changes in folders.
public protocol ChangeSource: Sendable {
  /// What happens; it ends where the source is stopped.
  var changes: AsyncStream<Change> { get }
  /// Watches these folders, not those below them, and no others any more; answers whether new ones are among them.
  ///
  /// Throws `DiskError` where the system cannot watch so much.
  func watch(_ folders: Set<String>) throws(DiskError) -> Bool
  /// Ends.
  func stop()
}

/// Makes the source that suits the system; `polls` takes one that looks again and again in any case.
///
/// The second value says why nothing better was taken.
public func makeChangeSource(disk: any Disk, folder: String, polls: Bool) -> (source: any ChangeSource, why: String?) {
  if polls { return (PollingSource(disk: disk), nil) }
  #if os(Linux)
    if isRemote(folder) { return (PollingSource(disk: disk), "the folder lies on another machine") }
    if let source = InotifySource() { return (source, nil) }
    return (PollingSource(disk: disk), "the system gives no more watches; raise fs.inotify.max_user_instances")
  #elseif os(macOS)
    return (FSEventsSource(), nil)
  #else
    return (PollingSource(disk: disk), "the system has no watch that decal knows")
  #endif
}
