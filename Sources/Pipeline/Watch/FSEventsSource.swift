#if os(macOS)
  import CoreServices
  import Dispatch
  import Foundation
  import Synchronization

  /// Changes as macOS tells them.
  ///
  /// Written by the documentation; it was never run by the authors.
  final class FSEventsSource: ChangeSource {
    let changes: AsyncStream<Change>
    private let send: AsyncStream<Change>.Continuation
    private let queue = DispatchQueue(label: "decal.watch")
    private let state = Mutex(State())

    private struct State: @unchecked Sendable {
      var stream: FSEventStreamRef?
      var folders: Set<String> = []
    }

    init() { (changes, send) = AsyncStream.makeStream() }

    deinit { stop() }

    func watch(_ folders: Set<String>) throws(DiskError) -> Bool {
      state.withLock { state in
        let hasNew = !folders.isSubset(of: state.folders)
        guard folders != state.folders else { return false }
        end(&state)
        state.folders = folders
        var context = FSEventStreamContext(
          version: 0, info: Unmanaged.passUnretained(self).toOpaque(), retain: nil, release: nil, copyDescription: nil)
        let flags =
          kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagNoDefer
          | kFSEventStreamCreateFlagWatchRoot | kFSEventStreamCreateFlagUseCFTypes
        state.stream = FSEventStreamCreate(
          nil, FSEventsSource.callback, &context, folders.map { $0.isEmpty ? "." : $0 } as CFArray,
          FSEventStreamEventId(kFSEventStreamEventIdSinceNow), 0.02, FSEventStreamCreateFlags(flags))
        if let stream = state.stream {
          FSEventStreamSetDispatchQueue(stream, queue)
          FSEventStreamStart(stream)
        }
        return hasNew
      }
    }

    func stop() {
      state.withLock { end(&$0) }
      send.finish()
    }

    private func end(_ state: inout State) {
      guard let stream = state.stream else { return }
      FSEventStreamStop(stream)
      FSEventStreamInvalidate(stream)
      FSEventStreamRelease(stream)
      state.stream = nil
    }

    private static let callback: FSEventStreamCallback = { _, info, count, paths, flags, _ in
      guard let info, let names = unsafeBitCast(paths, to: NSArray.self) as? [String] else { return }
      let source = Unmanaged<FSEventsSource>.fromOpaque(info).takeUnretainedValue()
      let lost = FSEventStreamEventFlags(
        kFSEventStreamEventFlagMustScanSubDirs | kFSEventStreamEventFlagUserDropped
          | kFSEventStreamEventFlagKernelDropped
          | kFSEventStreamEventFlagRootChanged)
      for index in 0..<count {
        if flags[index] & lost != 0 {
          source.send.yield(.overflow)
        } else {
          // The flags tell all that ever happened: whether it is there decides.
          var info = stat()
          source.send.yield(lstat(names[index], &info) == 0 ? .edited(names[index]) : .removed(names[index]))
        }
      }
    }
  }
#endif
