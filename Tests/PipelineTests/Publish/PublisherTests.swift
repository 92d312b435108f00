import AssetCatalog
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// A pack of made-up pictures, published without any image work.
private struct FakePack: Sendable {
  var name = "Pack"
  /// Sticker names and the bytes of their pictures.
  var stickers: [(name: String, bytes: [UInt8])]
  var force = false
  var workers = 1

  @discardableResult
  func publish(on disk: MemoryDisk) -> PublishReport {
    let previous = disk.bytes("/out/manifest.json").flatMap { PreviousBuild(manifest: $0) } ?? PreviousBuild()
    let layout = CatalogLayout(pack: name)
    let groups = stickers.map { sticker in
      OutputGroup(
        source: "art/\(sticker.name).png", folder: layout.stickerFolder(sticker.name),
        pictures: [OutputFile(layout.stickerFile(sticker.name), sticker.bytes)],
        contents: OutputFile(
          layout.stickerContents(sticker.name),
          StickerContents(filename: sticker.name + ".png", accessibilityLabel: sticker.name).bytes))
    }
    let names = stickers.map(\.name)
    return Publisher(disk: disk, output: "/out", previous: previous, force: force, workers: workers).publish(
      Publication(
        groups: OutputGroups(count: groups.count) { groups[$0] }, carried: [],
        structure: { outcomes in
          let listed = zip(names, outcomes).filter { $0.1.isPublished || $0.1.isKept }.map { $0.0 + ".sticker" }
          return [
            OutputFile(
              layout.packFolder + "/Contents.json", StickerPackContents(gridSize: .small, stickers: listed).bytes),
            OutputFile("Stickers.xcstickers/Contents.json", RootContents().bytes),
          ]
        },
        manifest: { _, files in
          Manifest(
            options: .object([]), icons: [], stickers: .value(.array([])), diagnostics: [], files: files
          ).bytes
        }))
  }
}

extension GroupOutcome {
  fileprivate var isPublished: Bool { if case .published = self { true } else { false } }
}

extension PublishReport {
  fileprivate var allPublished: Bool { outcomes.allSatisfy { $0.isPublished } }
  fileprivate var nonePublished: Bool { outcomes.allSatisfy { !$0.isPublished } }
}

private let file = "/out/Stickers.xcstickers/Pack.stickerpack"

private func paths(_ disk: MemoryDisk) -> [String] { disk.tree("/out").map(\.path) }

private func same(_ a: MemoryDisk, _ b: MemoryDisk) -> Bool {
  let (left, right) = (a.tree("/out"), b.tree("/out"))
  return left.map(\.path) == right.map(\.path) && left.map(\.bytes) == right.map(\.bytes)
    && a.directories("/out") == b.directories("/out")
}

/// The files that a `Contents.json` on the disk names and that are not there.
private func missingFiles(_ disk: MemoryDisk) -> [String] {
  disk.tree("/out").filter { $0.path.hasSuffix("/Contents.json") }.flatMap { path, bytes -> [String] in
    let folder = "/out/" + Path.parent(path)
    if let pack = try? StickerPackContents(parsing: bytes) {
      return pack.stickers.map { "\(folder)/\($0)/Contents.json" }.filter { disk.bytes($0) == nil }
    }
    guard let sticker = try? StickerContents(parsing: bytes) else { return [] }
    return ["\(folder)/\(sticker.filename)"].filter { disk.bytes($0) == nil }
  }
}

@Suite("Publishing") struct PublisherTests {
  private let first = FakePack(stickers: [("cat", [1]), ("dog", [2]), ("fox", [3])])

  @Test func everyLevelOfTheCatalogIsWritten() {
    let disk = MemoryDisk()
    let report = first.publish(on: disk)
    #expect(report.written.count == 9)
    #expect(missingFiles(disk).isEmpty)
    #expect(paths(disk).first == "Stickers.xcstickers/Contents.json")
    #expect(!paths(disk).contains(".decal-journal"))
  }

  @Test func severalAtOnceWriteWhatOneWrites() {
    var many = FakePack(stickers: (0..<40).map { ("s\($0)", [UInt8($0)]) })
    let (one, several) = (MemoryDisk(), MemoryDisk())
    let report = many.publish(on: one)
    many.workers = 4
    several.setFault { operation, path, _ in operation == .write && path.hasSuffix("s7.png") ? 5 : nil }
    let other = many.publish(on: several)
    #expect(other.outcomes.count { !$0.isPublished } == 1)
    #expect(!paths(several).contains { $0.contains("s7.sticker") })
    several.setFault(nil)
    many.publish(on: several)
    #expect(same(one, several))
    #expect(report.written.count == other.written.count + 2)
  }

  @Test func nothingIsWrittenWhereNothingChanged() {
    let disk = MemoryDisk()
    first.publish(on: disk)
    disk.forget()
    let report = first.publish(on: disk)
    #expect(disk.writes.isEmpty && disk.removals.isEmpty)
    #expect(report.written.isEmpty && report.unchanged.count == 9)
  }

  @Test func onlyWhatChangedIsWritten() {
    let disk = MemoryDisk()
    first.publish(on: disk)
    disk.forget()
    var second = first
    second.stickers[1].bytes = [9]
    #expect(
      second.publish(on: disk).written == [
        "Stickers.xcstickers/Pack.stickerpack/dog.sticker/dog.png", "manifest.json",
      ])
  }

  @Test func aStickerThatIsGoneOrRenamedLeavesTheTreeOfACleanBuild() {
    let disk = MemoryDisk()
    first.publish(on: disk)
    let second = FakePack(stickers: [("dog", [2]), ("wolf", [3])])
    let report = second.publish(on: disk)
    let clean = MemoryDisk()
    second.publish(on: clean)
    #expect(same(disk, clean))
    #expect(report.removed.count == 4)
  }

  @Test func aPackThatIsRenamedLeavesTheTreeOfACleanBuild() {
    let disk = MemoryDisk()
    first.publish(on: disk)
    var second = first
    second.name = "Other"
    second.publish(on: disk)
    let clean = MemoryDisk()
    second.publish(on: clean)
    #expect(same(disk, clean))
  }

  @Test func whatDecalDidNotWriteIsNeverTouchedAndIsNamed() {
    let disk = MemoryDisk()
    first.publish(on: disk)
    for name in ["Contents 2.json", "mine.sticker/mine.png", "notes.txt", ".DS_Store"] {
      disk.add("\(file)/\(name)", [7])
    }
    for _ in 0..<2 {
      let report = FakePack(stickers: [("cat", [1])]).publish(on: disk)
      #expect(report.diagnostics.map(\.id) == ["foreign-file", "foreign-file", "foreign-file"])
    }
    #expect(disk.bytes(file + "/mine.sticker/mine.png") == [7] && disk.bytes(file + "/notes.txt") == [7])
    #expect(disk.bytes(file + "/Contents 2.json") == [7])
  }

  @Test func aFileInTheWayStopsItsStickerAlone() throws {
    let disk = MemoryDisk()
    disk.add(file + "/dog.sticker/dog.png", [7])
    let report = first.publish(on: disk)
    #expect(report.outcomes.compactMap(\.diagnostic).map(\.id) == ["in-the-way"])
    #expect(disk.bytes(file + "/dog.sticker/dog.png") == [7])
    let pack = try StickerPackContents(parsing: disk.bytes(file + "/Contents.json") ?? [])
    #expect(pack.stickers == ["cat.sticker", "fox.sticker"])
    #expect(missingFiles(disk).isEmpty)
  }

  @Test func theSameBytesInTheWayAreTakenOver() {
    let disk = MemoryDisk()
    disk.add(file + "/dog.sticker/dog.png", [2])
    #expect(first.publish(on: disk).allPublished)
    #expect(FakePack(stickers: [("cat", [1])]).publish(on: disk).removed.count == 4)
  }

  @Test(
    "A description of the catalog in the way stops everything, and nothing is written",
    arguments: [file + "/Contents.json", "/out/Stickers.xcstickers/Contents.json", "/out/Stickers.xcstickers"])
  func structureInTheWay(path: String) {
    let disk = MemoryDisk()
    disk.add(path, [7])
    let report = first.publish(on: disk)
    #expect(report.nonePublished)
    #expect((report.diagnostics + report.outcomes.compactMap(\.diagnostic)).map(\.id).contains("in-the-way"))
    #expect(disk.writes.isEmpty)
  }

  @Test func anEditedFileIsKeptAndNamedUnlessForced() {
    let disk = MemoryDisk()
    first.publish(on: disk)
    disk.add(file + "/dog.sticker/dog.png", [7])
    disk.add(file + "/fox.sticker/Contents.json", [8])
    var second = FakePack(stickers: [("cat", [1]), ("dog", [9])])
    for _ in 0..<2 {
      let report = second.publish(on: disk)
      #expect(report.outcomes.compactMap(\.diagnostic).map(\.id) == ["edited-output"])
      #expect(disk.bytes(file + "/dog.sticker/dog.png") == [7])
      #expect(disk.bytes(file + "/fox.sticker/Contents.json") == [8])
      #expect(missingFiles(disk).isEmpty)
    }
    second.force = true
    #expect(second.publish(on: disk).allPublished)
    #expect(disk.bytes(file + "/dog.sticker/dog.png") == [9])
  }

  @Test func aLinkInAFilesPlaceIsNotFollowed() {
    let disk = MemoryDisk()
    disk.add("/elsewhere/cat.png", [7])
    first.publish(on: disk)
    disk.remove(file + "/cat.sticker/cat.png")
    disk.addLink(file + "/cat.sticker/cat.png", to: "/elsewhere/cat.png")
    #expect(first.publish(on: disk).outcomes[0].diagnostic?.id == "edited-output")
    var second = first
    second.force = true
    second.publish(on: disk)
    #expect(disk.bytes("/elsewhere/cat.png") == [7])
    #expect(disk.bytes(file + "/cat.sticker/cat.png") == [1])
  }

  @Test func whatKilledWritesLeftIsRemoved() {
    let disk = MemoryDisk()
    first.publish(on: disk)
    disk.add(file + "/cat.sticker/.decal-tmp-7-1", [7])
    disk.add("/out/.decal-tmp-7-2", [7])
    first.publish(on: disk)
    #expect(!paths(disk).contains { $0.contains("decal-tmp") })
  }

  @Test func aManifestThatLeadsOutOfTheFolderIsNotFollowed() throws {
    let disk = MemoryDisk()
    disk.add("/precious", [1])
    let digest = Digest(of: [1])
    let files = ["../precious", "/precious", "a/../../precious", ""].map {
      ManifestFile(path: $0, bytes: 1, digest: digest)
    }
    let manifest = Manifest(
      options: .null, icons: [], stickers: .value(.array([])), diagnostics: [], files: files)
    disk.add("/out/manifest.json", try manifest.bytes.load())
    first.publish(on: disk)
    #expect(disk.bytes("/precious") == [1])
  }
}

@Suite("The journal of a build") struct JournalTests {
  private let path = "/pack/out/" + Ownership.journalName

  /// The files of a pack that had icons, which no `Contents.json` of its own lists, when they are removed.
  private func withoutIcons(_ change: (StatefulPack) -> Void = { _ in }) async throws -> StatefulPack {
    let pack = try StatefulPack.mixed()
    pack.disk.add("/pack/icon.png", Art.plain(1024))
    try await pack.build { $0.icon.master = "icon.png" }
    change(pack)
    let summary = try await pack.build()
    #expect(summary.removed.count > 13)
    return pack
  }

  @Test func itGoesWhereFilesAreOnlyRemoved() async throws {
    let pack = try await withoutIcons()
    #expect(pack.disk.bytes(path) == nil && pack.disk.writes.contains(path))
  }

  @Test func anEmptyOneThatWasLeftGoes() async throws {
    let pack = try await withoutIcons { pack in pack.disk.add(path, Array("{ \"files\": [] }".utf8)) }
    #expect(pack.disk.bytes(path) == nil)
  }

  @Test func aFileOfItsNameThatIsNoneStays() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    pack.disk.add(path, [1, 2])
    try await pack.build()
    #expect(pack.disk.bytes(path) == [1, 2])
  }
}

@Suite("A build that is killed") struct KilledBuildTests {
  private let before = FakePack(stickers: [("cat", [1]), ("dog", [2]), ("fox", [3])])
  /// One changed, one the same, one removed, one new.
  private let after = FakePack(stickers: [("cat", [9]), ("dog", [2]), ("wolf", [4])])
  /// After both: everything differs from what the killed build was about.
  private let later = FakePack(stickers: [("wolf", [5]), ("dog", [6])])

  private func clean(_ pack: FakePack) -> MemoryDisk {
    let disk = MemoryDisk()
    pack.publish(on: disk)
    return disk
  }

  @Test(arguments: [true, false], [1, 3])
  func aKilledBuildLeavesAWholeCatalogAndTheNextOneRepairsIt(hasEarlierBuild: Bool, workers: Int) {
    var after = after
    after.workers = workers
    let cleanAfter = clean(after)
    let cleanLater = clean(later)
    let counted = MemoryDisk()
    if hasEarlierBuild { before.publish(on: counted) }
    counted.forget()
    after.publish(on: counted)
    let total = counted.changes
    #expect(total > 8)
    for moment in 0..<total {
      for (next, expected) in [(after, cleanAfter), (later, cleanLater)] {
        let disk = MemoryDisk()
        if hasEarlierBuild { before.publish(on: disk) }
        disk.forget()
        let broken = Mutex<[String]>([])
        disk.setAfterChange { disk in broken.withLock { $0 += missingFiles(disk) } }
        // From this moment on every change fails, as if the process were gone.
        disk.setFault { operation, _, changes in
          changes >= moment && [.write, .create, .remove].contains(operation) ? 5 : nil
        }
        after.publish(on: disk)
        #expect(missingFiles(disk).isEmpty)
        disk.setFault(nil)
        let report = next.publish(on: disk)
        #expect(report.allPublished, "after \(moment) changes")
        #expect(report.diagnostics.isEmpty, "after \(moment) changes")
        #expect(broken.withLock { $0 }.isEmpty, "after \(moment) changes")
        #expect(same(disk, expected), "after \(moment) changes")
      }
    }
  }

  @Test func twoKilledBuildsInARowAreRepaired() {
    let cleanLater = clean(later)
    for first in 0..<12 {
      for second in 0..<12 {
        let disk = clean(before)
        for (pack, moment) in [(after, first), (before, second)] {
          disk.forget()
          disk.setFault { operation, _, changes in
            changes >= moment && [.write, .create, .remove].contains(operation) ? 5 : nil
          }
          pack.publish(on: disk)
        }
        disk.setFault(nil)
        later.publish(on: disk)
        #expect(same(disk, cleanLater), "after \(first) and \(second) changes")
      }
    }
  }

  @Test func oneFileThatCannotBeWrittenStopsItsStickerAlone() throws {
    let disk = clean(before)
    disk.setFault { operation, path, _ in operation == .write && path.hasSuffix("cat.png") ? 13 : nil }
    let report = after.publish(on: disk)
    #expect(report.outcomes.map(\.isPublished) == [false, true, true])
    #expect(report.outcomes[0].isKept)
    let pack = try StickerPackContents(parsing: disk.bytes(file + "/Contents.json") ?? [])
    #expect(pack.stickers == ["cat.sticker", "dog.sticker", "wolf.sticker"])
    #expect(missingFiles(disk).isEmpty)
    disk.setFault(nil)
    after.publish(on: disk)
    #expect(same(disk, clean(after)))
  }

  @Test func aNewStickerThatCannotBeWrittenIsNotListed() throws {
    let disk = clean(before)
    disk.setFault { operation, path, _ in operation == .write && path.hasSuffix("wolf.png") ? 13 : nil }
    let pack = FakePack(stickers: before.stickers + [("wolf", [4])])
    let report = pack.publish(on: disk)
    #expect(
      report.outcomes[3].diagnostic?.message.hasPrefix("Stickers.xcstickers/Pack.stickerpack/wolf.sticker/wolf.png: ")
        == true)
    #expect(try StickerPackContents(parsing: disk.bytes(file + "/Contents.json") ?? []).stickers.count == 3)
    #expect(missingFiles(disk).isEmpty)
    disk.setFault(nil)
    pack.publish(on: disk)
    #expect(same(disk, clean(pack)))
  }

  @Test func aFullDiskLeavesTheEarlierOutput() {
    let disk = clean(before)
    let tree = disk.tree("/out").map(\.bytes)
    disk.setFault { operation, _, _ in operation == .write ? 28 : nil }
    let report = after.publish(on: disk)
    #expect(report.diagnostics.map(\.id) == ["cannot-write"])
    #expect(report.diagnostics[0].message.contains("no space left"))
    #expect(disk.tree("/out").map(\.bytes) == tree)
  }
}
