import Dispatch
import Synchronization

/// The processors that jobs may use together: where there are fewer jobs than processors, one job takes several.
///
/// What a job makes never depends on how many it gets.
package final class SpareProcessors: Sendable {
  /// Those that the encoders at work may take.
  @TaskLocal static var ofEncoding: SpareProcessors?

  /// How many are free; negative where a job began while its processor was lent.
  private let free: Mutex<Int>

  /// Makes so many.
  package init(_ count: Int) { free = Mutex(count) }

  /// Does a job on a processor of its own, which may take those that are spare.
  package func occupy<Result>(_ job: () throws -> Result) rethrows -> Result {
    free.withLock { $0 -= 1 }
    defer { give() }
    return try SpareProcessors.$ofEncoding.withValue(self, operation: job)
  }

  fileprivate func take(atMost wanted: Int) -> Int {
    free.withLock { free in
      let taken = max(0, min(wanted, free))
      free -= taken
      return taken
    }
  }

  fileprivate func give() { free.withLock { $0 += 1 } }

  fileprivate var areMissed: Bool { free.withLock { $0 < 0 } }
}

/// Workers at the items of one list.
final class Team: Sendable {
  /// The one that this work is part of.
  @TaskLocal static var current: Team?

  private struct State {
    var items: Range<Int>
    var workers: Int
    var isStopped = false
  }

  private let state: Mutex<State>
  private let processors: SpareProcessors

  fileprivate init(items: Int, workers: Int, _ processors: SpareProcessors) {
    state = Mutex(State(items: 0..<items, workers: workers))
    self.processors = processors
  }

  /// The next item; nil where the worker shall leave: the last one stays until all is done.
  fileprivate func next() -> Int? {
    let isMissed = processors.areMissed
    let (item, givesBack) = state.withLock { state -> (Int?, Bool) in
      if !state.isStopped, !(isMissed && state.workers > 1), let item = state.items.popFirst() { return (item, false) }
      state.workers -= 1
      return (nil, state.workers > 0)
    }
    if givesBack { processors.give() }
    return item
  }

  fileprivate func stop() { state.withLock { $0.isStopped = true } }

  /// Ends work that another worker has given up.
  func check() throws {
    if state.withLock({ $0.isStopped }) { throw CancellationError() }
  }
}

/// What a function makes of each of `count` numbers, in their order; spare processors help.
///
/// Calls overlap, in no order: each must be right alone. Where one throws, that error is thrown and the others end soon.
func concurrently<Result>(_ count: Int, _ body: (Int) throws -> Result) throws -> [Result] {
  guard count > 1, let processors = SpareProcessors.ofEncoding else { return try (0..<count).map(body) }
  let helpers = processors.take(atMost: count - 1)
  guard helpers > 0 else { return try (0..<count).map(body) }
  let team = Team(items: count, workers: helpers + 1, processors)
  let time = TimeLimit.ofEncoding
  var results = [Swift.Result<Result, any Error>?](repeating: nil, count: count)
  withoutActuallyEscaping(body) { body in
    results.withUnsafeMutableBufferPointer { results in
      // Each place is written once, by one worker; the caller vouches for the body.
      nonisolated(unsafe) let (results, body) = (results, body)
      DispatchQueue.concurrentPerform(iterations: helpers + 1) { _ in
        TimeLimit.$ofEncoding.withValue(time) {
          Team.$current.withValue(team) {
            while let item = team.next() {
              results[item] = Swift.Result { try body(item) }
              if case .failure = results[item] { team.stop() }
            }
          }
        }
      }
    }
  }
  let errors = results.compactMap { result -> (any Error)? in
    if case .failure(let error) = result { error } else { nil }
  }
  // The error that stopped the others, not what they then ended with.
  if let error = errors.first(where: { !($0 is CancellationError) }) ?? errors.first { throw error }
  return try results.map { try $0!.get() }
}
