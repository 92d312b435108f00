import Dispatch
import Pipeline
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs the process's own command line and ends the process.
///
/// The first SIGINT or SIGTERM cancels the work, which ends at the next point where nothing is half-done; a second one
/// ends the process at once.
public func runProcess() async -> Never {
  let work = Task.detached {
    await run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: readEnvironment(), io: .standard,
      disk: SystemDisk())
  }
  let watch = SignalWatch { work.cancel() }
  let code = await work.value
  if code == .interrupted, watch.received == SIGTERM { exit(ExitCode.terminated.rawValue) }
  if code == .success, !IO.outputIsWhole {
    IO.standard.standardError("decal: error: cannot write all of the output [cannot-write]\n")
    exit(ExitCode.assetFailed.rawValue)
  }
  exit(code.rawValue)
}

/// Waits for SIGINT and SIGTERM.
private final class SignalWatch: Sendable {
  private let first = Atomic<Int32>(0)
  // Never changed after the initializer; held so that they go on listening.
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  /// The first signal that came, or 0.
  var received: Int32 { first.load(ordering: .relaxed) }

  init(_ cancel: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "decal.signals")
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { @Sendable [unowned self] in
        guard first.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged else {
          _exit(128 + number)
        }
        cancel()
      }
      source.resume()
      sources.append(source)
    }
  }
}
