import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

private let blue = RGBA8(40, 60, 220)

@Suite("The state folder") struct StateTests {
  @Test func deletingItChangesNoByte() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    let before = pack.output
    _ = try StateFolder(path: "/pack/.decal").clean(on: pack.disk)
    #expect(pack.disk.directories("/pack").allSatisfy { !$0.hasPrefix(".decal") })
    let summary = try await pack.build()
    #expect(pack.writes.isEmpty && pack.output == before)
    #expect(summary.pressed.count == 3 && summary.reason("cat") == .noLog)
  }

  @Test func marksOfSomebodyElseStay() async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.add("/pack/.decal/.gitignore", Array("mine".utf8))
    pack.disk.add("/pack/.decal/CACHEDIR.TAG", Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8))
    try await pack.build()
    #expect(try StateFolder(path: "/pack/.decal").clean(on: pack.disk).files > 0)
    #expect(pack.disk.tree("/pack/.decal").map(\.path) == [".gitignore", "CACHEDIR.TAG"])
  }

  @Test(arguments: 0..<40)
  func damageMeansBuildAgain(_ place: Int) async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png(9, 9, blue))])
    try await pack.build()
    let before = pack.output
    for path in pack.state("logs") + pack.state("entries") {
      var bytes = pack.disk.bytes(path)!
      if place % 4 == 0 {
        bytes.removeLast(1 + bytes.count * place / 40)
      } else {
        bytes[bytes.count * place / 40] ^= 0x55
      }
      pack.disk.add(path, bytes)
    }
    // Also where the output is gone, so that all of it would be needed.
    if place % 2 == 0 { for (path, _) in before { pack.disk.remove("/pack/out/" + path) } }
    #expect(try await pack.build().pressed == ["cat", "dog"])
    #expect(pack.output == before)
    try await pack.build()
    #expect(pack.disk.writes.isEmpty)
  }

  @Test func anEntryUnderAnotherNameIsNotTaken() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png(9, 9, blue))])
    try await pack.build()
    let before = pack.output
    let entries = pack.state("entries")
    let bytes = entries.map { pack.disk.bytes($0)! }
    for (path, bytes) in zip(entries, bytes.reversed()) { pack.disk.add(path, bytes) }
    for path in pack.state("logs") { pack.disk.remove(path) }
    for (path, _) in before { pack.disk.remove("/pack/out/" + path) }
    #expect(try await pack.build().pressed == ["cat", "dog"])
    #expect(pack.output == before)
  }

  @Test func anotherCheckoutTakesWhatIsInTheCache() async throws {
    let art = [("cat.png", Art.png()), ("clear.png", Art.png(12, 12, .clear))]
    let first = StatefulPack(art)
    first.disk.add("/pack/icon.png", Art.plain(1024))
    let said = try await first.build { $0.icon.master = "icon.png" }
    let other = StatefulPack(art, root: "/ci/job 7")
    other.disk.add("/ci/icon.png", Art.plain(1024))
    for path in first.state("entries") + first.state("logs") {
      other.disk.add("/ci/job 7" + path.dropFirst("/pack".count), first.disk.bytes(path)!)
    }
    let summary = try await other.build {
      $0.icon.master = "../icon.png"
      $0.stickers = ["/ci/job 7/art"]
    }
    #expect(summary.pressed.isEmpty && summary.cached == ["iMessage App Icon", "cat", "clear"])
    func made(_ pack: StatefulPack) -> [String: [UInt8]] { pack.output.filter { $0.key.contains("/") } }
    #expect(made(other) == made(first) && !made(first).isEmpty)
    #expect(said.diagnostics.filter { $0.id == "empty-art" }.map(\.path) == ["art/clear.png"])
    #expect(summary.diagnostics.filter { $0.id == "empty-art" }.map(\.path) == ["/ci/job 7/art/clear.png"])
  }

  @Test func aFinishedFileThatIsGoneComesFromTheCache() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    let before = pack.output
    pack.disk.remove("/pack/" + StatefulPack.folder + "/cat.sticker/cat.png")
    let summary = try await pack.build()
    #expect(summary.cached == ["cat"] && summary.pressed.isEmpty)
    guard case .missing? = summary.reason("cat") else {
      Issue.record("another reason")
      return
    }
    #expect(pack.output == before)
  }

  @Test func anEditedFileStaysAndIsToldOfAtEveryBuild() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    pack.disk.overwrite("/pack/" + StatefulPack.folder + "/cat.sticker/cat.png", [7])
    for _ in 0..<2 {
      #expect(try await pack.build().diagnostics.contains { $0.id == "edited-output" })
      #expect(pack.output[String(StatefulPack.folder.dropFirst(4)) + "/cat.sticker/cat.png"] == [7])
    }
    try await pack.build { _ in
    } builder: {
      $0.force = true
    }
    #expect(pack.output[String(StatefulPack.folder.dropFirst(4)) + "/cat.sticker/cat.png"] != [7])
  }

  @Test func aNewVersionMakesAllAgain() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    let path = pack.state("logs")[0]
    var log = try BuildLog(pack.disk.bytes(path)!, root: "/pack", output: "/pack/out", masters: [], disk: pack.disk)
    log.tool = ToolIdentity(text: "decal 0.0.1")
    pack.disk.add(path, try log.bytes(root: "/pack", masters: []).load())
    let summary = try await pack.build()
    #expect(summary.jobs.allSatisfy { $0.decision == .build(.tool) })
  }

  @Test func theLogReadsBackAsItWas() async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.add("/pack/icon.png", Art.plain(1024))
    pack.disk.add("/pack/art/bad.png", [1])
    try await pack.build { $0.icon.master = "icon.png" }
    let bytes = pack.disk.bytes(pack.state("logs")[0])!
    let log = try BuildLog(bytes, root: "/pack", output: "/pack/out", masters: ["icon.png"], disk: pack.disk)
    #expect(try log.bytes(root: "/pack", masters: ["icon.png"]).load() == bytes)
    #expect(log.isReplayable && log.stickers.count == 4 && log.icons?.outcome.sets.count == 1)
    let moved = try BuildLog(bytes, root: "/else", output: "/else/out", masters: ["icon.png"], disk: pack.disk)
    #expect(moved.files.allSatisfy { $0.path.hasPrefix("/else") })
  }

  /// What `OutcomeCoding.swift` keeps of each type: a property that is added must be kept, too.
  @Test func everyPropertyIsKept() {
    func properties(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
    let size = PixelSize(square: 1)
    #expect(
      properties(EncodingReport(method: .lossless, colors: nil))
        == ["method", "colors", "sourceFrames", "keptFrames", "mergedFrames", "attempts"])
    #expect(
      properties(PictureFacts(size: size, frames: 1, duration: .zero, plays: 0, digest: .none))
        == ["size", "frames", "duration", "plays", "digest"])
    #expect(
      properties(SourceFacts(format: .png, size: size, frames: 1, digest: .none))
        == ["format", "size", "frames", "digest"])
    #expect(
      properties(StickerOutcome(diagnostics: []))
        == ["sticker", "source", "extent", "diagnostics", "dependsOnBudget"])
    #expect(properties(PixelRegion(x: 0, y: 0, width: 1, height: 1)) == ["x", "y", "width", "height"])
    #expect(properties(AnimationQuality.lossless) == ["score", "flicker", "holdingShare"])
    #expect(properties(IconOutcome()) == ["sets", "masters", "diagnostics"])
    #expect(properties(Diagnostic(.note, path: nil, "", id: "")) == ["path", "severity", "message", "id"])
  }

  @Test func itsSizeIsBoundAndTheLongestUnusedGoesFirst() async throws {
    let pack = StatefulPack([("cat.png", Art.noise(40)), ("dog.png", Art.noise(40, seed: 2))])
    try await pack.build { $0.defaults.kernel = .nearest }
    let entries = pack.state("entries")
    let bytes = entries.reduce(0) { $0 + pack.disk.bytes($1)!.count }
    pack.disk.add("/pack/art/cat.png", Art.noise(40, seed: 3))
    let limit = bytes + 9000
    let summary = try await pack.build {
      $0.defaults.kernel = .nearest
    } builder: {
      $0.state = StateFolder(path: "/pack/.decal", limit: limit)
    }
    #expect(summary.pressed == ["cat"])
    let left = pack.state("entries")
    #expect(left.count == 2 && left.filter { entries.contains($0) }.count == 1)
    // The one that went is that of the cat before.
    #expect(
      try await pack.build {
        $0.defaults.kernel = .nearest; $0.output = "b"
      }.cached == ["cat", "dog"])
  }

  @Test func aPackComesBeforeTheCacheWhereTheDiskIsFull() async throws {
    let pack = try StatefulPack.mixed()
    let disk = pack.disk
    // No room for both.
    disk.setFault { operation, path, _ in
      let isFull = disk.tree("/pack/.decal/entries").count >= 3
      return operation == .write && path.hasPrefix("/pack/out/") && isFull ? 28 : nil
    }
    let summary = try await pack.build()
    #expect(!summary.hasErrors && pack.output.count == 10)
    #expect(pack.state("entries").isEmpty)
  }

  @Test func whereItCannotBeKeptThatIsSaidAndThePackIsMade() async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.setFault { operation, path, _ in operation == .create && path.contains(".decal") ? 13 : nil }
    let summary = try await pack.build()
    #expect(!summary.hasErrors && summary.diagnostics.map(\.id).contains("state-not-kept"))
    #expect(pack.output.count == 10)
  }

  @Test func filesOfSomebodyElseAreLeftInIt() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    pack.disk.add("/pack/.decal/mine.txt", [1])
    pack.disk.add("/pack/.decal/logs/.decal-tmp-1-1", [1])
    let (files, bytes) = try StateFolder(path: "/pack/.decal").clean(on: pack.disk)
    #expect(files > 5 && bytes > 1000)
    #expect(pack.disk.tree("/pack/.decal").map(\.path) == ["mine.txt"])
    // A folder that is no state is none of Decal's business.
    #expect(try StateFolder(path: "/pack/art").clean(on: pack.disk).files == 0)
  }

  @Test(arguments: [1, 3, 8, 11])
  func whatComesInPiecesIsSealedAsAWhole(length: Int) throws {
    let bytes = (0..<50).map { UInt8($0 * 7 % 256) }
    var writer = StateWriter()
    for byte in bytes { writer.put(byte & 1 == 1) }
    var pieces: [UInt8] = []
    StateWriter.seal("kind", to: { pieces += $0 }) { take in
      for start in stride(from: 0, to: 50, by: length) { take(Array(writer.bytes[start..<min(start + length, 50)])) }
    }
    #expect(pieces == writer.sealed("kind"))
    for turned in [5, 30, pieces.count - 1] {
      var damaged = pieces
      damaged[turned] ^= 4
      #expect(throws: StateDamage.self) { _ = try StateReader(damaged, kind: "kind") }
    }
  }

  @Test func numbersAndTextsReadBack() throws {
    var writer = StateWriter()
    let numbers = [0, 1, -1, 63, 64, 300, Int.max, Int.min]
    writer.put(numbers) { $0.put($1) }
    writer.put("é\u{0}狐")
    let digest = Digest(of: "decal")
    writer.put(digest)
    var reader = try StateReader(writer.sealed("k"), kind: "k")
    #expect(try reader.list { reader throws(StateDamage) in try reader.int() } == numbers)
    #expect(try reader.string() == "é\u{0}狐")
    #expect(try reader.digest() == digest && Digest(hex: digest.hex) == digest)
    #expect(throws: StateDamage.self) { _ = try reader.flag() }
    #expect(throws: StateDamage.self) { _ = try StateReader(writer.sealed("k"), kind: "j") }
  }
}
