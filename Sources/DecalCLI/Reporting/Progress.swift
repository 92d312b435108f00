import Pipeline
import Synchronization

/// A bar on the terminal while jobs run, wiped away when they are done.
final class Progress: BuildObserver {
  private struct State {
    var total = 0
    var done = 0
    var isDrawn = false
    var start: Duration?
  }

  private let io: IO
  private let isShown: Bool
  private let isSilent: Bool
  private let state = Mutex(State())

  private let time: @Sendable () -> Duration

  /// A bar that is drawn only where a person sees it; `time` is the time since some moment.
  init(
    _ context: Context, _ arguments: Arguments, time: @escaping @Sendable () -> Duration = Progress.systemTime()
  ) {
    io = context.io
    self.time = time
    isSilent = arguments.quiet || arguments.json
    isShown = io.errorIsTerminal && !isSilent && context.environment["TERM"] != "dumb"
  }

  /// Counts, and draws.
  func receive(_ event: BuildEvent) {
    if !isSilent { say(event) }
    guard isShown else { return }
    state.withLock { state in
      switch event {
      case .planned(let jobs): (state.total, state.done, state.start) = (jobs, 0, time())
      case .started(let name): draw(&state, name)
      case .finished(let name):
        state.done += 1
        draw(&state, name)
      case .diagnostic, .waiting, .adopting: break
      }
    }
  }

  /// What is told at once, also where no bar is drawn.
  private func say(_ event: BuildEvent) {
    switch event {
    case .waiting(let output):
      io.standardError(visible("decal: another build of \(output) runs; waiting for it") + "\n")
    case .adopting(let replaced):
      let list = replaced.map { "  " + visible($0) + "\n" }.joined()
      io.standardError(
        "adopting: \(counted(replaced.count, "file")) of somebody else to be replaced or removed\n" + list)
    default: break
    }
  }

  /// Wipes the bar.
  func clear() {
    state.withLock { state in
      if state.isDrawn { io.standardError("\r\u{1B}[K") }
      state.isDrawn = false
    }
  }

  /// The time since this call.
  static func systemTime() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { start.duration(to: .now) }
  }

  /// What is left, by the time that was taken; nothing is said of the first two jobs, of which little follows.
  private func timeLeft(_ state: State) -> String {
    guard let start = state.start, state.done >= 3, state.done < state.total else { return "" }
    let left = (time() - start) / state.done * (state.total - state.done)
    let seconds = left.components.seconds + 1
    let rest = String(seconds % 60)
    return seconds < 60 ? ", \(seconds) s left" : ", \(seconds / 60):\(rest.count < 2 ? "0" : "")\(rest) left"
  }

  private func draw(_ state: inout State, _ name: String) {
    guard state.total > 0 else { return }
    let cells = 24
    let filled = min(cells, state.done * cells / state.total)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
    var line = "[\(bar)] \(state.done)/\(state.total)\(timeLeft(state)) \(visible(name))"
    while line.columns >= io.width, !line.isEmpty { line.removeLast() }
    io.standardError("\r\u{1B}[K" + line)
    state.isDrawn = true
  }
}
