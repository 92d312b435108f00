/// Applies a function to all items, at most `limit` at once, and gives the results in the order of the items.
///
/// The first error cancels what runs and is thrown.
func boundedMap<Item: Sendable, Result: Sendable>(
  _ items: [Item], limit: Int, _ transform: @escaping @Sendable (Item) async throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    var results = [Result?](repeating: nil, count: items.count)
    var next = 0
    func startNext() {
      guard next < items.count else { return }
      let index = next
      next += 1
      group.addTask {
        try Task.checkCancellation()
        return (index, try await transform(items[index]))
      }
    }
    for _ in 0..<max(1, limit) { startNext() }
    while let (index, result) = try await group.next() {
      results[index] = result
      startNext()
    }
    return results.compactMap { $0 }
  }
}
