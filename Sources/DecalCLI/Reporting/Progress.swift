import Pipeline
import Synchronization

/// A bar on the terminal while jobs run, wiped away when they are done.
final class Progress: BuildObserver {
  private struct State {
    var total = 0
    var done = 0
    var isDrawn = false
  }

  private let io: IO
  private let isShown: Bool
  private let isSilent: Bool
  private let state = Mutex(State())

  /// A bar that is drawn only where a person sees it.
  init(_ context: Context, _ arguments: Arguments) {
    io = context.io
    isSilent = arguments.quiet || arguments.json
    isShown = io.errorIsTerminal && !isSilent && context.environment["TERM"] != "dumb"
  }

  /// Counts, and draws.
  func receive(_ event: BuildEvent) {
    if case .waiting(let output) = event, !isSilent {
      io.standardError(visible("decal: another build of \(output) runs; waiting for it") + "\n")
    }
    guard isShown else { return }
    state.withLock { state in
      switch event {
      case .planned(let jobs): state.total = jobs
      case .started(let name): draw(&state, name)
      case .finished(let name):
        state.done += 1
        draw(&state, name)
      case .diagnostic, .waiting: break
      }
    }
  }

  /// Wipes the bar.
  func clear() {
    state.withLock { state in
      if state.isDrawn { io.standardError("\r\u{1B}[K") }
      state.isDrawn = false
    }
  }

  private func draw(_ state: inout State, _ name: String) {
    guard state.total > 0 else { return }
    let cells = 24
    let filled = min(cells, state.done * cells / state.total)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
    var line = "[\(bar)] \(state.done)/\(state.total) \(visible(name))"
    while line.columns >= io.width, !line.isEmpty { line.removeLast() }
    io.standardError("\r\u{1B}[K" + line)
    state.isDrawn = true
  }
}
