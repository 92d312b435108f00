import AssetCatalog
import Codecs
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// What jobs take at once.
private final class Taken: Sendable {
  private let state = Mutex((bytes: 0, jobs: 0, most: 0, many: 0))

  func add(_ bytes: Int, _ jobs: Int) {
    state.withLock {
      $0.bytes += bytes
      $0.jobs += jobs
      ($0.most, $0.many) = (max($0.most, $0.bytes), max($0.many, $0.jobs))
    }
  }

  /// The most bytes, and the most jobs.
  var peak: (bytes: Int, jobs: Int) { state.withLock { ($0.most, $0.many) } }
}

@Suite("Memory for jobs") struct MemoryBudgetTests {
  /// Runs jobs of these sizes and gives the most that were taken at once, and the most jobs.
  private func peak(_ sizes: [Int], limit: Int?) async -> (bytes: Int, jobs: Int) {
    let budget = MemoryBudget(limit)
    let taken = Taken()
    await withTaskGroup(of: Void.self) { group in
      for size in sizes {
        group.addTask {
          await budget.take(size)
          taken.add(size, 1)
          for _ in 0..<20 { await Task.yield() }
          taken.add(-size, -1)
          await budget.give(size)
        }
      }
    }
    return taken.peak
  }

  @Test func jobsTogetherStayWithinIt() async {
    let sizes = (0..<200).map { $0 * 37 % 60 + 1 }
    #expect(await peak(sizes, limit: 100).bytes <= 100)
  }

  @Test func oneThatWantsMoreRunsAlone() async {
    #expect(await peak([500, 1, 1, 500, 1], limit: 100).jobs <= 3)
    #expect(await peak([500, 500, 500], limit: 100).jobs == 1)
    #expect(await peak([500, 500], limit: 0).jobs == 1)
  }

  @Test func theResultIsTheSameWhateverItIs() async throws {
    var trees: [[String: [UInt8]]] = []
    for (memory, jobs) in [(nil, 1), (1, 8), (40_000_000, 3)] as [(Int?, Int)] {
      let pack = try StatefulPack.mixed()
      let summary = try await pack.build { _ in
      } builder: {
        ($0.memory, $0.jobs) = (memory, jobs)
      }
      #expect(summary.stickers.map(\.name) == ["cat", "dance", "wave"])
      trees.append(pack.output)
    }
    #expect(trees[1] == trees[0] && trees[2] == trees[0])
  }

  @Test func largeArtAndLongAnimationsAreExpectedToTakeMore() throws {
    var discoverer = Discoverer(disk: StatefulPack([("cat.png", Art.png())]).disk, root: "/pack")
    let asset = try discoverer.discover(["art"]).assets[0]
    let job = StickerJob(
      source: asset, recipe: StickerRecipe(StickerOptions(), grid: .large, limits: .init()), label: "")
    func megabytes(_ side: Int, _ frames: Int, file: Int = 0) -> Int {
      job.memory(HeaderFacts(width: side, height: side, frames: frames), file: file << 20) >> 20
    }
    // Measured at the grid size large, in MB: a small still; 4000 px that packs well and that does not; 5290 px of 16 bit;
    // animations of 618 px, of 10 and of 30 frames.
    #expect(21..<40 ~= megabytes(100, 1))
    #expect(84..<180 ~= megabytes(4000, 1, file: 3) && 143..<230 ~= megabytes(4000, 1, file: 61))
    #expect(244..<280 ~= megabytes(5290, 1, file: 9))
    #expect(48..<140 ~= megabytes(618, 10, file: 1) && 163..<280 ~= megabytes(618, 30, file: 3))
  }
}
