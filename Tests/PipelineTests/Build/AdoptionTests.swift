import AssetCatalog
import Codecs
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

private final class Adopted: BuildObserver {
  let paths = Mutex<[String]?>(nil)
  let disk: MemoryDisk
  let writes = Mutex(0)

  init(_ disk: MemoryDisk) { self.disk = disk }

  func receive(_ event: BuildEvent) {
    guard case .adopting(let replaced) = event else { return }
    paths.withLock { $0 = replaced }
    writes.withLock { $0 = disk.writes.count }
  }
}

private let folder = "/pack/out/Stickers.xcstickers/Cats.stickerpack"

@Suite("Adopting a catalog") struct AdoptionTests {
  /// A catalog as Xcode leaves one: names of its own, one sticker without art, a sequence, notes.
  private func pack() -> StatefulPack {
    let pack = StatefulPack([("dog.png", Art.png()), ("cat.png", Art.png(9, 9)), ("new.png", Art.png(8, 8))])
    let disk = pack.disk
    disk.add("/pack/out/Stickers.xcstickers/Contents.json", RootContents().bytes)
    let stickers = ["dog.sticker", "old.sticker", "spin.stickersequence", "cat.sticker"]
    disk.add(folder + "/Contents.json", StickerPackContents(gridSize: .small, stickers: stickers).bytes)
    for (name, file, label) in [("dog", "IMG_1.png", "A dog"), ("old", "old.png", "Old one"), ("cat", "cat.png", "")] {
      disk.add("\(folder)/\(name).sticker/\(file)", [1, 2, 3])
      let contents = StickerContents(filename: file, accessibilityLabel: label.isEmpty ? nil : label)
      disk.add("\(folder)/\(name).sticker/Contents.json", contents.bytes)
    }
    disk.add(folder + "/spin.stickersequence/Contents.json", Array("{}".utf8))
    disk.add(folder + "/notes.txt", [7])
    return pack
  }

  private func configuration(_ pack: StatefulPack) throws -> Configuration {
    let found = try #require(try FoundCatalog(in: "/pack/out", named: "Sticker Pack", on: pack.disk))
    #expect(found.name == "Cats" && found.grid == .small)
    var configuration = Configuration()
    configuration.defaults.effort = .fast
    return found.adopted(by: configuration, setsName: true, setsGrid: true)
  }

  private func listed(_ pack: StatefulPack) throws -> [String] {
    try StickerPackContents(parsing: pack.disk.bytes(folder + "/Contents.json") ?? []).stickers
  }

  @Test func whatIsOddInACatalogIsPassedOver() async throws {
    let pack = pack()
    let text = """
      { "properties": { "grid-size": "huge" }, "stickers": [
        { "filename": "dog.sticker" }, { "odd": 1 }, 7, { "filename": 8 }, { "filename": "cat.sticker" },
        { "filename": "ghost.sticker" } ] }
      """
    pack.disk.add(folder + "/Contents.json", Array(text.utf8))
    let found = try #require(try FoundCatalog(in: "/pack/out", named: "Sticker Pack", on: pack.disk))
    #expect(found.name == "Cats" && found.grid == nil && found.order == ["dog", "cat"])
    #expect(found.labels == ["dog": "A dog"] && found.missing == ["ghost"])
    #expect(found.adopted(by: Configuration(), setsName: true, setsGrid: true).grid == Configuration().grid)
    let summary = try await pack.build {
      $0 = found.adopted(by: $0, setsName: true, setsGrid: true)
    } builder: {
      $0.adopts = true
    }
    #expect(!summary.hasErrors, "\(summary.diagnostics)")
  }

  @Test(arguments: ["", "{", "[]"]) func aPackThatCannotBeReadIsRefused(_ text: String) throws {
    let pack = pack()
    pack.disk.add(folder + "/Contents.json", Array(text.utf8))
    #expect(throws: BuildRefusal.self) {
      try FoundCatalog(in: "/pack/out", named: "Sticker Pack", on: pack.disk)
    }
  }

  @Test func whatIsReplacedIsListedFirstAndTheRestStays() async throws {
    let pack = pack()
    let adopted = try configuration(pack)
    let observer = Adopted(pack.disk)
    let summary = try await pack.build {
      $0 = adopted
    } builder: {
      ($0.adopts, $0.observer) = (true, observer)
    }
    #expect(!summary.hasErrors, "\(summary.diagnostics)")
    #expect(observer.writes.withLock { $0 } == 0)
    let stem = "Stickers.xcstickers/Cats.stickerpack"
    #expect(
      observer.paths.withLock { $0 }
        == [
          "Stickers.xcstickers/Cats.stickerpack/Contents.json", stem + "/cat.sticker/Contents.json",
          stem + "/cat.sticker/cat.png", stem + "/dog.sticker/Contents.json", stem + "/dog.sticker/IMG_1.png",
          "Stickers.xcstickers/Contents.json",
        ].sorted(by: Path.precedes))
    #expect(
      try listed(pack) == ["dog.sticker", "old.sticker", "spin.stickersequence", "cat.sticker", "new.sticker"])
    #expect(pack.disk.bytes(folder + "/dog.sticker/IMG_1.png") == nil)
    #expect(pack.disk.bytes(folder + "/old.sticker/old.png") == [1, 2, 3])
    #expect(pack.disk.bytes(folder + "/notes.txt") == [7])
    let dog = try StickerContents(parsing: pack.disk.bytes(folder + "/dog.sticker/Contents.json") ?? [])
    #expect(dog == StickerContents(filename: "dog.png", accessibilityLabel: "A dog"))
    #expect(
      summary.diagnostics.filter { $0.id == "kept-sticker" }.map(\.path) == ["order.old", "order.spin.stickersequence"])
    // From now on it is a pack like any other; what has no source stays.
    let again = try await pack.build { $0 = adopted }
    #expect(!again.hasErrors && again.written.isEmpty)
    pack.disk.add("/pack/art/dog.png", Art.png(12, 12, RGBA8(1, 2, 3)))
    try await pack.build { $0 = adopted }
    #expect(try listed(pack).count == 5)
  }

  @Test func withoutItNothingIsTouched() async throws {
    let pack = pack()
    let before = pack.output
    let adopted = try configuration(pack)
    let summary = try await pack.build { $0 = adopted }
    #expect(summary.hasErrors && summary.diagnostics.contains { $0.id == "in-the-way" })
    #expect(pack.output == before)
  }

  @Test func aPlanListsWhatWouldBeReplaced() async throws {
    let pack = pack()
    let before = pack.output
    let adopted = try configuration(pack)
    let observer = Adopted(pack.disk)
    _ = try await pack.build {
      $0 = adopted
    } builder: {
      ($0.adopts, $0.observer, $0.isDry) = (true, observer, true)
    }
    #expect(observer.paths.withLock { $0?.count } == 6 && pack.output == before)
  }

  @Test func aStickerOfDecalsOwnWhoseSourceWentIsNotKept() async throws {
    let pack = pack()
    let adopted = try configuration(pack)
    try await pack.build {
      $0 = adopted
    } builder: {
      $0.adopts = true
    }
    pack.disk.remove("/pack/art/dog.png")
    let summary = try await pack.build { $0 = adopted }
    #expect(summary.diagnostics.contains { $0.id == "order-missing" })
  }

  @Test func keysArePutInAndAllElseOfTheTextStays() throws {
    let members = [JSONValue.Member("order", .array([.string("a")])), .init("grid", .string("small"))]
    func added(_ text: String?) -> String? {
      Configuration.text(text.map { Array($0.utf8) }, adding: members).map { String(decoding: $0, as: UTF8.self) }
    }
    let text = "// { no\n/* {{ */ {\n  \"name\": \"Fox\", // a fox\n}\n"
    let result = try #require(added(text))
    #expect(
      result.hasPrefix("// { no\n/* {{ */ {\n  \"order\": ") && result.hasSuffix("\n  \"name\": \"Fox\", // a fox\n}\n")
    )
    #expect(Configuration.parse(Array(result.utf8), file: "f").configuration.order == ["a"])
    #expect(added("{}") != nil && added(nil)?.contains("\"order\"") == true)
    #expect(added("[]") == nil && added("{ \"order\": }") == nil)
  }
}
