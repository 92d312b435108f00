import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

@Suite("Stickers that the cache holds until they are written")
struct StickerStockTests {
  private let disk = MemoryDisk()
  private let print = Fingerprint(Digest(1, 2, 3, 4))
  private let plan: BuildPlan

  init() {
    disk.add("/art/a.png", Art.plain(8))
    let file = SourceFile(location: "/art/a.png", path: "art/a.png")
    var art = Discovery()
    art.assets = [SourceAsset(name: "a", path: "art/a.png", content: .file(file))]
    plan = BuildPlan(Configuration(), art: art, limits: DecodeLimits())
  }

  /// The sticker's bytes, and what the stock gives for them after a change to the disk.
  private func held(_ change: (JobCache) -> Void) throws -> (made: [UInt8], held: FileBytes) {
    let cache = JobCache(disk: disk, folders: disk, folder: "/state")
    let outcome = try StickerPress(disk: disk).press(plan.stickers[0])
    #expect(cache.store(outcome, print, art: "art"))
    let held = StickerStock(cache, plan, disk: disk).holding(outcome, of: 0, print)
    change(cache)
    return (try #require(outcome.sticker).bytes.load(), try #require(held.sticker).bytes)
  }

  private var entry: String { "/state/entries/00/" + print.digest.hex.dropFirst(2) }

  @Test func theCacheHasThem() throws {
    let (made, held) = try held { _ in disk.add("/art/a.png", [1]) }
    #expect(try held.load() == made)
  }

  @Test func whatIsGoneIsMadeOnceMore() throws {
    let (made, held) = try held { _ in try? disk.removeFile(entry) }
    #expect(disk.bytes(entry) == nil)
    #expect(try held.load() == made)
  }

  @Test func whatIsOfAnotherStickerIsMadeOnceMore() throws {
    let (made, held) = try held { cache in
      disk.add("/art/b.png", Art.plain(9, RGBA8(1, 2, 3)))
      var job = plan.stickers[0]
      job.source.content = .file(SourceFile(location: "/art/b.png", path: "art/b.png"))
      _ = (try? StickerPress(disk: disk).press(job)).map { cache.store($0, print, art: "art") }
    }
    #expect(try held.load() == made)
  }

  @Test func artThatChangedMeanwhileIsAnError() throws {
    let (_, held) = try held { _ in
      try? disk.removeFile(entry)
      disk.add("/art/a.png", Art.plain(9, RGBA8(1, 2, 3)))
    }
    #expect(throws: DiskError.self) { try held.load() }
  }
}
