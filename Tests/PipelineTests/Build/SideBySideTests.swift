import Synchronization
import Testing

@testable import Pipeline

@Suite struct SideBySideTests {
  @Test(arguments: [1, 2, 7])
  func `results come in the order of the numbers, each made once`(workers: Int) {
    let calls = Mutex(0)
    let results = sideBySide(200, workers: workers) { number in
      calls.withLock { $0 += 1 }
      return number * 3
    }
    #expect(results == (0..<200).map { $0 * 3 })
    #expect(calls.withLock { $0 } == 200)
  }

  @Test func `nothing is made of nothing`() {
    #expect(sideBySide(0, workers: 4) { $0 }.isEmpty)
  }
}
