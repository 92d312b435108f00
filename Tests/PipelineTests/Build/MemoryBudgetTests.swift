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
      pack.disk.add("/pack/icon.png", Art.plain(64))
      let summary = try await pack.build {
        $0.icon.master = "icon.png"
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
    func megabytes(_ side: Int, _ frames: Int, file: Int = 0, pixelBytes: Int = 8) -> Int {
      let header = HeaderFacts(width: side, height: side, frames: frames, pixelBytes: pixelBytes)
      return job.memory(header, file: file << 20) >> 20
    }
    // Measured at the grid size large, in MB: a small still; 4000 px that packs well and that does not; 5290 px of 16 bit;
    // animations of 618 px, of 10 and of 30 frames.
    #expect(21..<40 ~= megabytes(100, 1))
    #expect(84..<180 ~= megabytes(4000, 1, file: 3) && 143..<230 ~= megabytes(4000, 1, file: 61))
    #expect(244..<280 ~= megabytes(5290, 1, file: 9))
    #expect(48..<140 ~= megabytes(618, 10, file: 1) && 163..<280 ~= megabytes(618, 30, file: 3))
  }

  @Test func progressivePicturesAndInksAreExpectedToTakeMore() throws {
    func facts(_ bytes: [UInt8]) throws -> HeaderFacts { try #require(HeaderFacts(bytes, limits: .init())) }
    var inks = JPEGMaker()
    inks.addAdobe(transform: 0)
    let expected = [
      (try facts(inks.finish([[[1, 2, 3, 4]]])), 12), (try facts(JPEGMaker().finish([[[1, 2, 3]]])), 10),
      (try facts(Art.png()), 8),
    ]
    for (facts, bytes) in expected { #expect(facts.pixelBytes == bytes) }
    let asset = SourceAsset(
      name: "a", path: "a.jpg", content: .file(SourceFile(location: "/a.jpg", path: "a.jpg")))
    let job = StickerJob(
      source: asset, recipe: StickerRecipe(StickerOptions(), grid: .large, limits: .init()), label: "")
    // Measured of 5000 x 4000 px, in MB, with a file of 30, 14 and 20 MB.
    for (pixelBytes, file, measured) in [(12, 30, 272), (10, 14, 219), (9, 20, 205)] {
      let header = HeaderFacts(width: 5000, height: 4000, frames: 1, pixelBytes: pixelBytes)
      #expect(measured..<measured * 5 / 4 ~= job.memory(header, file: file << 20) >> 20)
    }
  }

  @Test func iconsAreExpectedToTakeWhatTheirMastersDo() {
    func master(_ side: Int, _ pixelBytes: Int, megabytes: Int) -> (header: HeaderFacts?, file: Int) {
      (HeaderFacts(width: side, height: side, frames: 1, pixelBytes: pixelBytes), megabytes << 20)
    }
    let (large, photo) = (master(4000, 8, megabytes: 36), master(4000, 10, megabytes: 6))
    let small = master(1500, 8, megabytes: 5)
    // Measured, in MB: one master, with another for the 4:3 icons, with two more for the app's.
    #expect(122..<160 ~= IconOptions.memory([small]) >> 20)
    #expect(223..<360 ~= IconOptions.memory([large]) >> 20)
    #expect(273..<460 ~= IconOptions.memory([large, photo]) >> 20)
    #expect(473..<660 ~= IconOptions.memory([large, photo, large, large]) >> 20)
    #expect(IconOptions.memory([(header: nil, file: 100)]) > 100)
  }
}
