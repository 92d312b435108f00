import Dispatch
import Synchronization

/// What a function makes of each number below `count`, in their order, by so many workers at once.
func sideBySide<Result: Sendable>(
  _ count: Int, workers: Int, _ body: @Sendable (Int) -> Result
) -> [Result] {
  guard count > 1, workers > 1 else { return (0..<count).map(body) }
  let next = Atomic(0)
  var results = [Result?](repeating: nil, count: count)
  results.withUnsafeMutableBufferPointer { results in
    // Each place is written once, by one worker.
    nonisolated(unsafe) let results = results
    DispatchQueue.concurrentPerform(iterations: min(workers, count)) { _ in
      while true {
        let item = next.add(1, ordering: .relaxed).oldValue
        guard item < count else { return }
        results[item] = body(item)
      }
    }
  }
  return results.map { $0! }
}
