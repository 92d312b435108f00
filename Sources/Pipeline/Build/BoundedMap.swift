/// Applies a function to all items, at most `limit` at once, and gives the results in the order of the items.
///
/// The first error cancels what runs and is thrown.
func boundedMap<Items: RandomAccessCollection & Sendable, Result: Sendable>(
  _ items: Items, limit: Int, _ transform: @escaping @Sendable (Items.Element) async throws -> Result
) async throws -> [Result] where Items.Index == Int {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    var results = [Result?](repeating: nil, count: items.count)
    var next = 0
    func startNext() {
      guard next < items.count else { return }
      let index = next
      next += 1
      group.addTask {
        try Task.checkCancellation()
        return (index, try await transform(items[items.startIndex + index]))
      }
    }
    for _ in 0..<max(1, limit) { startNext() }
    while let (index, result) = try await group.next() {
      results[index] = result
      startNext()
    }
    return results.map { $0! }
  }
}
