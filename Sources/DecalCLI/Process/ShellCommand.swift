import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs a command of the shell with a text on its standard input; see `IO.shell`.
func runShell(_ command: String, _ input: String) async -> Int32 {
  guard let text = openText(input) else { return ShellCommand.notRun }
  defer { close(text) }
  guard let running = ShellCommand(command, input: text) else { return ShellCommand.notRun }
  return await withTaskCancellationHandler {
    await running.wait()
  } onCancel: {
    running.end()
  }
}

/// A command that runs, in a process group of its own, so that what it starts ends with it.
private final class ShellCommand: Sendable {
  /// What a shell says of a command that it does not find.
  static let notRun: Int32 = 127
  /// How long a command may take to end when it is asked to.
  private static let patience = DispatchTimeInterval.seconds(2)

  private let group: pid_t
  /// Whether its number is still its own.
  private let runs = Mutex(true)

  /// Nil where it cannot be started.
  init?(_ command: String, input: Int32) {
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    // Signals that this program does not take as they come are the command's to take.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    let texts = ["sh", "-c", command]
    var words = texts.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ) == 0 else { return nil }
    group = process
  }

  /// Waits for its end; gives its exit code, 128 and the signal's number where one ended it.
  func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [self] in
        var info = siginfo_t()
        // Not taken away yet, so that the number cannot become another process's meanwhile.
        while waitid(P_PID, id_t(group), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        continuation.resume(returning: collect())
      }
    }
  }

  private func collect() -> Int32 {
    runs.withLock { runs in
      runs = false
      var status: Int32 = 0
      while waitpid(group, &status, 0) < 0, errno == EINTR {}
      return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
    }
  }

  /// Asks it to end, and makes it where it does not.
  func end() {
    signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + ShellCommand.patience) { [self] in signal(SIGKILL) }
  }

  private func signal(_ number: Int32) {
    runs.withLock { if $0 { kill(-group, number) } }
  }
}

/// A text as a file without a name; nil where there can be none.
///
/// A command that does not read it, or only later, stops nothing.
private func openText(_ text: String) -> Int32? {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var template = Array((folder + "/decal-XXXXXX").utf8CString)
  let file = mkstemp(&template)
  guard file >= 0 else { return nil }
  unlink(template)
  _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  guard writeAll(text, to: file), lseek(file, 0, SEEK_SET) == 0 else {
    close(file)
    return nil
  }
  return file
}
