import AssetCatalog
import Codecs
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

private let blue = RGBA8(40, 60, 220)

@Suite("Building again") struct IncrementalTests {
  @Test func aSecondBuildReadsNothingButTheLogAndWritesNothing() async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.add("/pack/icon.png", Art.plain(1024))
    let first = try await pack.build { $0.icon.master = "icon.png" }
    #expect(first.pressed.count == 4)
    let before = pack.output
    let second = try await pack.build { $0.icon.master = "icon.png" }
    #expect(pack.disk.writes.isEmpty && pack.disk.removals.isEmpty)
    #expect(pack.disk.reads.allSatisfy { $0.hasPrefix("/pack/.decal/logs/") })
    #expect(second.jobs.map(\.decision) == [.upToDate, .upToDate, .upToDate, .upToDate])
    #expect(second.written.isEmpty && second.unchanged == (first.written + first.unchanged).sorted(by: Path.precedes))
    #expect(second.icons == 13 && second.stickers.map(\.bytes) == first.stickers.map(\.bytes))
    #expect(pack.output == before)
  }

  @Test func whatWasSaidIsSaidAgain() async throws {
    let pack = StatefulPack([
      ("bad.png", [1, 2, 3]), ("cat.png", Art.png()), ("clear.png", Art.png(12, 12, .clear)),
      ("d.frames/1.png", Art.png(12, 12)), ("d.frames/2.png", Art.png(20, 12, blue)),
      ("notes.txt", [65]),
    ])
    let first = try await pack.build()
    #expect(first.hasErrors && first.diagnostics.contains { $0.severity == .warning })
    let manifest = pack.output["manifest.json"]
    let second = try await pack.build()
    #expect(pack.disk.writes.isEmpty)
    #expect(second.diagnostics == first.diagnostics)
    #expect(second.stickers.map(\.diagnostics) == first.stickers.map(\.diagnostics))
    // And where some of it is made again.
    pack.disk.add("/pack/art/cat.png", Art.png(12, 12, blue))
    let third = try await pack.build()
    #expect(third.pressed == ["cat"])
    #expect(third.diagnostics == first.diagnostics)
    pack.disk.add("/pack/art/cat.png", Art.png())
    try await pack.build()
    #expect(pack.output["manifest.json"] == manifest)
  }

  @Test func oneChangedFileMakesOneSticker() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    pack.disk.add("/pack/art/cat.png", Art.png(12, 12, blue))
    let summary = try await pack.build()
    #expect(summary.pressed == ["cat"])
    #expect(summary.reason("cat") == .changed(["art/cat.png"]))
    #expect(pack.writes == [StatefulPack.folder + "/cat.sticker/cat.png"] + StatefulPack.summaries)
    #expect(!pack.disk.reads.contains { $0.hasPrefix("/pack/art/wave") || $0.hasPrefix("/pack/art/dance") })
  }

  @Test func oneChangedFrameMakesItsAnimation() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    pack.disk.add("/pack/art/dance/3.png", Art.png())
    #expect(try await pack.build().reason("dance") == .added(["art/dance/3.png"]))
    pack.disk.remove("/pack/art/dance/3.png")
    let summary = try await pack.build()
    #expect(summary.reason("dance") == .removed(["art/dance/3.png"]))
    #expect(summary.cached == ["dance"] && summary.pressed.isEmpty)
  }

  @Test(arguments: [
    ("padding", ["cat", "dance", "wave"]), ("budget", ["dance", "wave"]), ("plays", ["dance", "wave"]),
    ("fps", ["dance"]), ("override", ["wave"]), ("label", []), ("order", []), ("icon", ["iMessage App Icon"]),
    ("time limit", []), ("output", []),
  ])
  func oneChangedOptionMakesWhatDependsOnIt(_ option: String, _ pressed: [String]) async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.add("/pack/icon.png", Art.png(1024, 1024))
    let base: (inout Configuration) -> Void = {
      $0.icon.master = "icon.png"
      $0.icon.background = .white
    }
    try await pack.build(base)
    let summary = try await pack.build {
      base(&$0)
      switch option {
      case "padding": $0.defaults.padding = 3
      case "budget": $0.defaults.budget = 400_000
      case "plays": $0.defaults.plays = 2
      case "fps": $0.defaults.fps = Rational(24)
      case "override":
        $0.overrides["wave"] = {
          var o = StickerOptions(); o.trim = true; return o
        }()
      case "label": $0.labels["cat"] = "A cat"
      case "order": $0.order = ["wave"]
      case "icon": $0.icon.background = .black
      case "time limit": $0.limits.timeLimit = 100
      default: $0.output = "other"
      }
    } builder: {
      if option == "time limit" { $0.limits.time = .init(seconds: 100) }
    }
    #expect(summary.pressed == pressed)
    switch option {
    case "label": #expect(pack.writes == [StatefulPack.folder + "/cat.sticker/Contents.json"] + StatefulPack.summaries)
    case "order": #expect(pack.writes == [StatefulPack.folder + "/Contents.json"] + StatefulPack.summaries)
    case "padding": #expect(summary.reason("cat") == .options(["render.padding 0 -> 3"]))
    case "output": #expect(summary.cached.count == 4 && summary.reason("cat") == .noLog)
    default: break
    }
  }

  @Test func everythingIsMadeAgainWhereThatIsAsked() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    let summary = try await pack.build { _ in
    } builder: {
      $0.force = true
    }
    #expect(summary.pressed.count == 3 && summary.reason("cat") == .forced)
    #expect(pack.writes.isEmpty)
  }

  @Test func aPlanTellsAndTouchesNothing() async throws {
    let pack = try StatefulPack.mixed()
    let plan = try await pack.build { _ in
    } builder: {
      $0.isDry = true
    }
    #expect(plan.jobs.map(\.origin) == [.planned, .planned, .planned])
    #expect(pack.disk.writes.isEmpty && pack.disk.directories("/pack") == ["art", "art/dance"])
    try await pack.build()
    pack.disk.add("/pack/art/cat.png", Art.png(12, 12, blue))
    let next = try await pack.build { _ in
    } builder: {
      $0.isDry = true
    }
    #expect(next.jobs.map(\.origin) == [.planned, .kept, .kept])
    #expect(pack.disk.writes.isEmpty)
  }

  @Test func removedAndRenamedSourcesLeaveTheTreeOfACleanBuild() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png(12, 12, blue)), ("fox.png", Art.png(9, 9))])
    try await pack.build()
    pack.disk.remove("/pack/art/cat.png")
    pack.disk.remove("/pack/art/dog.png")
    pack.disk.add("/pack/art/wolf.png", Art.png(12, 12, blue))
    try await pack.build()
    let clean = StatefulPack([("fox.png", Art.png(9, 9)), ("wolf.png", Art.png(12, 12, blue))])
    try await clean.build()
    #expect(pack.output == clean.output)
  }

  @Test func aFileThatComesIntoTheOutputIsToldOf() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    pack.disk.add("/pack/out/Stickers.xcstickers/notes.txt", [1])
    #expect(try await pack.build().diagnostics.contains { $0.id == "foreign-file" })
    #expect(try await pack.build().diagnostics.contains { $0.id == "foreign-file" })
    #expect(pack.disk.writes.isEmpty)
  }

  @Test func aFileThatBecomesArtIsFound() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("later", [65, 66])])
    try await pack.build()
    pack.disk.overwrite("/pack/art/later", Art.png(12, 12, blue))
    #expect(try await pack.build().pressed == ["later"])
  }
}

@Suite("Telling changed files") struct StampTests {
  @Test func aTouchChangesNoOutput() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    for name in ["cat.png", "wave.png"] {
      pack.disk.overwrite("/pack/art/" + name, pack.disk.bytes("/pack/art/" + name)!)
    }
    let summary = try await pack.build()
    #expect(pack.writes.isEmpty && summary.pressed.isEmpty && summary.cached.isEmpty)
    // The new times are known now.
    try await pack.build()
    #expect(pack.disk.writes.isEmpty && pack.disk.reads.allSatisfy { $0.hasPrefix("/pack/.decal/") })
  }

  @Test func anOlderFileOrOneOfTheSameSizeAndTimeIsMade() async throws {
    let pack = StatefulPack([("cat.png", Art.png())])
    try await pack.build()
    pack.disk.add("/pack/art/cat.png", Art.png(12, 12, blue))
    pack.disk.overwrite("/pack/art/cat.png", Art.png(12, 12, blue), modified: 1)
    #expect(try await pack.build().pressed == ["cat"])
    var other = Art.png(12, 12, RGBA8(40, 61, 220))
    while other.count < Art.png(12, 12, blue).count { other.append(0) }
    pack.disk.overwrite("/pack/art/cat.png", Array(other), modified: 1)
    #expect(try await pack.build().pressed == ["cat"])
  }

  /// Two writes within one tick of the clock, which no stamp tells apart.
  @Test func aYoungFileIsReadOnceMore() async throws {
    let pack = StatefulPack([("cat.png", Art.png(12, 12, blue))])
    let (second, third) = (Art.png(12, 12, RGBA8(41, 60, 220)), Art.png(12, 12, blue))
    #expect(second.count == third.count)
    pack.disk.setClock(50_000_000_001)
    pack.disk.overwrite("/pack/art/cat.png", third, modified: 50_000_000_001, changed: 50_000_000_001)
    try await pack.build { _ in
    } builder: {
      $0.now = { 51_000_000_000 }
    }
    pack.disk.overwrite("/pack/art/cat.png", second, modified: 50_000_000_001, changed: 50_000_000_001)
    #expect(
      try await pack.build { _ in
      } builder: {
        $0.now = { 51_500_000_000 }
      }.pressed == ["cat"])
    // Old enough when it was read, the stamp is trusted: nothing is read.
    pack.disk.overwrite("/pack/art/cat.png", third, modified: 50_000_000_001, changed: 50_000_000_001)
    try await pack.build { _ in
    } builder: {
      $0.now = { 60_000_000_000 }
    }
    try await pack.build { _ in
    } builder: {
      $0.now = { 70_000_000_000 }
    }
    #expect(pack.disk.reads.allSatisfy { $0.hasPrefix("/pack/.decal/") })
  }

  @Test func whatWasReadIsToldAlsoWhereNothingCameOfIt() async throws {
    let pack = StatefulPack([("sub/bad.png", [1, 2, 3])])
    #expect(try await pack.build().inputs == ["/pack/art", "/pack/art/sub", "/pack/art/sub/bad.png"])
    let good = StatefulPack([("sub/cat.png", Art.png())])
    good.disk.add("/pack/.decal", [1])
    #expect(try await good.build().inputs.contains("/pack/art/sub"))
  }

  @Test func artThatChangesWhileItIsPressedIsNotTakenForWhatItWas() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png(9, 9))])
    let disk = pack.disk
    let count = Mutex(0)
    disk.setFault { operation, path, _ in
      guard operation == .read, path.hasSuffix("/cat.png"), path.contains("/art/") else { return nil }
      // Its first bytes and its digest are known; the press reads it now.
      if count.withLock({
        $0 += 1; return $0
      }) == 3 {
        disk.overwrite(path, Art.png(12, 12, blue))
      }
      return nil
    }
    let changing = try await pack.build()
    // Make and a watcher are told of it nevertheless.
    #expect(changing.inputs.contains("/pack/art/cat.png"))
    disk.setFault(nil)
    let summary = try await pack.build()
    #expect(summary.pressed == ["cat"])
    let clean = StatefulPack([("cat.png", Art.png(12, 12, blue)), ("dog.png", Art.png(9, 9))])
    try await clean.build()
    #expect(pack.output == clean.output)
    // The art of before is not found under what was made of the other.
    disk.add("/pack/art/cat.png", Art.png())
    try await pack.build()
    let first = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png(9, 9))])
    try await first.build()
    #expect(pack.output == first.output)
  }
}
