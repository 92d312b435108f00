import AssetCatalog
import Imaging
import TestSupport
import Testing

@testable import Pipeline

@Suite("When a build begins") struct ChangeGateTests {
  @Test func nothingIsDueWhileNothingHappens() { #expect(ChangeGate().due == nil) }

  @Test func aBuildBeginsWhenItHasBeenQuiet() {
    var gate = ChangeGate()
    gate.note(.edited("a"), at: .seconds(1))
    #expect(gate.due == .seconds(1) + ChangeGate.quiet)
    gate.note(.edited("b"), at: .seconds(1) + .milliseconds(60))
    #expect(gate.due == .seconds(1) + .milliseconds(60) + ChangeGate.quiet)
    #expect(gate.open() == ["a", "b"])
    #expect(gate.due == nil)
  }

  @Test func whatWentIsWaitedForLongerUntilItComesBack() {
    var gate = ChangeGate()
    gate.note(.removed("a"), at: .zero)
    #expect(gate.due == ChangeGate.removalQuiet)
    gate.note(.removed("b"), at: .milliseconds(10))
    gate.note(.edited("a"), at: .milliseconds(20))
    #expect(gate.due == .milliseconds(20) + ChangeGate.removalQuiet)
    gate.note(.edited("b"), at: .milliseconds(30))
    #expect(gate.due == .milliseconds(30) + ChangeGate.quiet)
  }

  @Test func aStormIsOneBuildAndCutWhereItDoesNotEnd() {
    var gate = ChangeGate()
    for index in 0..<1000 { gate.note(.edited("\(index)"), at: .milliseconds(index)) }
    #expect(gate.due == .milliseconds(999) + ChangeGate.quiet)
    var time = Duration.zero
    while time < ChangeGate.patience + .seconds(1), gate.due.map({ $0 > time }) ?? false {
      gate.note(.edited("x"), at: time)
      time += .milliseconds(50)
    }
    #expect(time == ChangeGate.patience)
  }

  @Test func anOverflowAsksForABuildToo() {
    var gate = ChangeGate()
    gate.note(.overflow, at: .seconds(5))
    #expect(gate.due == .seconds(5) + ChangeGate.quiet && gate.open() == [])
  }

  @Test func aRetryIsDueAtItsTimeAndDelaysNothing() {
    var gate = ChangeGate()
    gate.retry(at: .seconds(3))
    #expect(gate.due == .seconds(3))
    gate.note(.edited("a"), at: .seconds(3))
    gate.retry(at: .seconds(9))
    #expect(gate.due == .seconds(3) + ChangeGate.quiet)
  }
}

@Suite("Art that may be half-written") struct ProvisionalErrorsTests {
  @Test func itIsLookedAtAgainLessAndLessOften() {
    var errors = ProvisionalErrors()
    #expect(errors.judge(failed: [], provisional: ["a"], at: .zero).retry == .milliseconds(200))
    #expect(errors.judge(failed: [], provisional: ["a"], at: .seconds(1)).retry == .milliseconds(1400))
    #expect(errors.judge(failed: [], provisional: ["a"], at: .seconds(2)).retry == .milliseconds(2800))
    #expect(errors.judge(failed: [], provisional: ["a"], at: .seconds(3)).retry == .milliseconds(3800))
    #expect(errors.judge(failed: [], provisional: [], at: .seconds(4)).retry == nil)
    #expect(errors.judge(failed: [], provisional: ["b"], at: .seconds(5)).retry == .milliseconds(5200))
  }

  @Test func onlyWhatWasCalledBadIsClearedAndOnce() {
    var errors = ProvisionalErrors()
    #expect(errors.judge(failed: ["a", "b"], provisional: ["c"], at: .zero).cleared == [])
    #expect(errors.judge(failed: ["b"], provisional: ["a"], at: .zero).cleared == [])
    #expect(errors.judge(failed: ["b"], provisional: [], at: .zero).cleared == ["a"])
    #expect(errors.judge(failed: [], provisional: [], at: .zero).cleared == ["b"])
    #expect(errors.judge(failed: [], provisional: [], at: .zero).cleared == [])
  }

  private func pack() async throws -> StatefulPack {
    let pack = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png(9, 9))])
    try await pack.build { _ in
    } builder: {
      $0.keepsEarlier = true
    }
    return pack
  }

  private func build(_ pack: StatefulPack, secondsLater: Int) async throws -> BuildSummary {
    let now = pack.disk.clock + secondsLater * 1_000_000_000
    return try await pack.build { _ in
    } builder: {
      $0.keepsEarlier = true
      $0.now = { now }
    }
  }

  @Test(arguments: [[], Array(Art.noise(40).prefix(900))])
  func itIsNeverPublishedAndNotToldOfUntilItStandsStill(_ half: [UInt8]) async throws {
    let pack = try await pack()
    let before = pack.output
    pack.disk.overwrite("/pack/art/cat.png", half)
    let young = try await build(pack, secondsLater: 1)
    #expect(young.provisional == ["art/cat.png"] && !young.hasErrors && pack.output == before)
    #expect(pack.writes.isEmpty)
    let old = try await build(pack, secondsLater: 3)
    #expect(old.provisional.isEmpty && old.hasErrors)
    #expect(pack.output.keys == before.keys)
    pack.disk.overwrite("/pack/art/cat.png", Art.png(12, 12, RGBA8(1, 2, 3)))
    #expect(try await build(pack, secondsLater: 1).pressed == ["cat"])
  }

  @Test func aClockThatWasSetBackMakesNothingYoungForEver() async throws {
    let pack = try await pack()
    pack.disk.overwrite("/pack/art/cat.png", Array(Art.noise(40).prefix(900)))
    let summary = try await build(pack, secondsLater: -3600)
    #expect(summary.provisional.isEmpty && summary.hasErrors)
  }

  @Test func newArtComesIntoThePackWhenItIsWhole() async throws {
    let pack = try await pack()
    let before = pack.output
    pack.disk.add("/pack/art/new.png", Array(Art.noise(40).prefix(900)))
    let young = try await build(pack, secondsLater: 0)
    #expect(young.provisional == ["art/new.png"] && pack.output == before)
    pack.disk.add("/pack/art/new.png", Art.noise(40))
    #expect(try await build(pack, secondsLater: 1).pressed == ["new"])
  }

  @Test func anAnimationThatLacksFramesIsNotTakenWhileItIsYoung() async throws {
    let whole = try Art.animation(40, colors: [RGBA8(220, 30, 30), RGBA8(30, 200, 60), RGBA8(1, 2, 200)])
    let pack = StatefulPack([("wave.png", whole)])
    try await pack.build { _ in
    } builder: {
      $0.keepsEarlier = true
    }
    let before = pack.output
    pack.disk.overwrite("/pack/art/wave.png", Array(whole.prefix(whole.count - 60)))
    #expect(try await build(pack, secondsLater: 1).provisional == ["art/wave.png"])
    #expect(pack.output == before)
    let old = try await build(pack, secondsLater: 3)
    #expect(old.provisional.isEmpty && old.diagnostics.contains { $0.id == "damaged-frames" })
  }

  @Test func aMasterThatIsHalfWrittenKeepsTheIcons() async throws {
    let pack = StatefulPack([("cat.png", Art.png())])
    pack.disk.add("/pack/icon.png", Art.plain(1024))
    let build: (Int) async throws -> BuildSummary = { seconds in
      let now = pack.disk.clock + seconds * 1_000_000_000
      return try await pack.build {
        $0.icon.master = "icon.png"
      } builder: {
        $0.keepsEarlier = true
        $0.now = { now }
      }
    }
    _ = try await build(100)
    let before = pack.output
    pack.disk.overwrite("/pack/icon.png", Array(Art.plain(1024).prefix(200)))
    let young = try await build(1)
    #expect(young.provisional == ["icon.png"] && pack.output == before && young.icons == 13)
    #expect(try await build(3).hasErrors)
    #expect(pack.output.keys == before.keys)
  }
}

@Suite("What is watched") struct WatchScopeTests {
  private let disk = MemoryDisk()

  init() {
    disk.add("/pack/art/sub/cat.png", [1])
    disk.add("/masters/icon.png", [1])
    disk.addDirectory("/pack/art/out/Stickers.xcstickers")
    disk.addLink("/pack/link", to: "art/out")
  }

  private func scope(_ output: String) -> WatchScope {
    var scope = WatchScope(disk: disk, root: "/pack", own: [output, "/pack/.decal"])
    scope.follow(
      ["/masters/icon.png", "/pack/art", "/pack/art/sub", "/pack/art/sub/cat.png"],
      sources: ["/pack/art", "/pack/new/art"])
    return scope
  }

  @Test func foldersThatWereReadAndThoseAboveThemAreWatched() {
    #expect(scope("/pack/art/out").folders == ["/pack", "/pack/art", "/pack/art/sub", "/masters"])
  }

  @Test(arguments: ["/pack/art/out", "/pack/./art/../art/out", "/pack/link"])
  func theOutputDoesNotCountWhateverItIsCalled(output: String) {
    let scope = scope(output)
    for path in ["/pack/art/out", "/pack/art/out/manifest.json", "/pack/art/out/Stickers.xcstickers/x", "/pack/.decal"]
    {
      #expect(!scope.counts(.edited(path)) && !scope.counts(.removed(path)), "\(path)")
    }
    for path in ["/pack/art/cat.png", "/pack/art/output", "/pack/decal.json", "/pack/art"] {
      #expect(scope.counts(.edited(path)), "\(path)")
    }
    #expect(scope.counts(.overflow))
  }

  @Test func whatLinksLeadToIsWatchedByName() {
    disk.add("/shared/deep/dog.png", [1])
    disk.addLink("/pack/art/dog.png", to: "../links/dog")
    disk.addLink("/pack/links/dog", to: "/shared/deep/dog.png")
    disk.addLink("/pack/art/gone", to: "/shared/missing/folder")
    disk.addLink("/pack/decal.json", to: "/shared/fox.json")
    var scope = WatchScope(disk: disk, root: "/pack", own: ["/pack/out"])
    scope.follow(["/pack/art", "/pack/art/dog.png", "/pack/art/gone"], sources: [])
    #expect(scope.folders == ["/pack", "/pack/art", "/pack/art/../links", "/shared", "/shared/deep"])
    for path in ["/shared/deep/dog.png", "/pack/art/../links/dog", "/shared/missing", "/shared/fox.json"] {
      #expect(scope.counts(.edited(path)), "\(path)")
    }
    for path in ["/shared/deep/other.png", "/shared/other", "/pack/art/../links/cat"] {
      #expect(!scope.counts(.edited(path)), "\(path)")
    }
  }

  @Test(arguments: ["/packs/fox", "/packs/fox/"]) func aPackThatIsGoneIsWaitedFor(_ root: String) {
    disk.addDirectory("/packs")
    var scope = WatchScope(disk: disk, root: root, own: [])
    scope.add(sources: ["/packs/fox/art"], from: WatchScope(disk: disk, root: "/pack", own: []))
    #expect(scope.folders == ["/packs", "/packs/fox", "/pack"])
    #expect(scope.counts(.edited("/packs/fox")) && !scope.counts(.edited("/packs/owl")))
    #expect(scope.counts(.edited("/pack/decal.json")))
  }

  @Test func thePackOfTheWorkingFolderHasOneName() {
    #expect(WatchScope(disk: disk, root: "", own: []).folders == ["."])
    #expect(WatchScope(disk: disk, root: "", own: []).counts(.edited("decal.json")))
  }

  @Test func namesOfEditorsAndSystemsDoNotCount() {
    for name in [".cat.png.swp", "cat.png~", ".DS_Store", ".decal-tmp-1-1"] {
      #expect(!scope("/pack/out").counts(.edited("/pack/art/" + name)))
    }
  }

  @Test func pollingTellsWhatCameChangedAndWent() async throws {
    let source = PollingSource(disk: disk, interval: nil)
    #expect(try source.watch(["/pack/art", "/pack/art/sub"]))
    #expect(try !source.watch(["/pack/art", "/pack/art/sub"]))
    source.look()
    disk.add("/pack/art/new.png", [1])
    disk.add("/pack/art/sub/cat.png", [2])
    source.look()
    disk.remove("/pack/art/new.png")
    source.look()
    source.stop()
    var found: [Change] = []
    for await change in source.changes { found.append(change) }
    #expect(Set(found.prefix(2)) == [.edited("/pack/art/new.png"), .edited("/pack/art/sub/cat.png")])
    #expect(found.dropFirst(2) == [.removed("/pack/art/new.png")])
  }
}
