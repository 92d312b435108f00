import DecalCLI
import Pipeline
import Synchronization
import TestSupport

/// What a run wrote and how it ended.
struct Outcome {
  var code: ExitCode
  var output: String
  var errors: String

  /// The lines on the standard error.
  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}

private final class Recorder: Sendable {
  let output = Mutex("")
  let errors = Mutex("")
}

/// Runs a command line in process; `/w` is the working directory.
func decal(
  _ arguments: String..., on disk: any Disk = MemoryDisk(), environment: [String: String] = [:],
  terminal: Bool = false, width: Int = 80
) async -> Outcome {
  let recorder = Recorder()
  let io = IO(
    standardOutput: { text in recorder.output.withLock { $0 += text } },
    standardError: { text in recorder.errors.withLock { $0 += text } }, errorIsTerminal: terminal, width: width,
    workingDirectory: "/w")
  let code = await run(arguments: arguments, environment: environment, io: io, disk: disk)
  return Outcome(code: code, output: recorder.output.withLock { $0 }, errors: recorder.errors.withLock { $0 })
}

/// A disk with the files of a pack in `/w`.
func disk(_ files: [String: String]) -> MemoryDisk {
  let disk = MemoryDisk()
  disk.addDirectory("/w")
  for (path, text) in files { disk.add("/w/" + path, Array(text.utf8)) }
  return disk
}

/// Records what is written.
final class TextRecorder: Sendable {
  private let recorder = Recorder()
  private let terminal: Bool
  private let width: Int

  init(terminal: Bool = false, width: Int = 80) {
    self.terminal = terminal
    self.width = width
  }

  var output: String { recorder.output.withLock { $0 } }
  var errors: String { recorder.errors.withLock { $0 } }

  var io: IO {
    IO(
      standardOutput: { [recorder] text in recorder.output.withLock { $0 += text } },
      standardError: { [recorder] text in recorder.errors.withLock { $0 += text } }, errorIsTerminal: terminal,
      width: width)
  }
}
