extension Builder {
  /// Takes the lock of an output folder, waiting for another build of it; nil where there is no such folder.
  ///
  /// `shown` is the folder as the user knows it. Throws `BuildRefusal` where it must not wait, and `CancellationError`.
  func lock(_ folder: String, shown: String) async throws -> (any DiskLock)? {
    var isTold = false
    while (try? disk.status(folder, followLinks: true))?.kind == .directory {
      try Task.checkCancellation()
      do throws(DiskError) {
        if let lock = try disk.lock(folder) { return lock }
      } catch {
        // The holder before may have taken the folder away; all else is for the writing to say.
        return nil
      }
      guard waits else {
        throw BuildRefusal([
          Diagnostic(
            .error, path: shown, "another build of this output runs; wait for it, or leave --no-wait out",
            id: "output-locked")
        ])
      }
      if !isTold { observer.receive(.waiting(output: shown)) }
      isTold = true
      try await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Makes an output folder and takes its lock; nil where it cannot be made, which the writing will say.
  func lockNew(_ folder: String, shown: String) async throws -> (any DiskLock)? {
    guard (try? disk.createDirectory(folder)) != nil else { return nil }
    return try await lock(folder, shown: shown)
  }
}
