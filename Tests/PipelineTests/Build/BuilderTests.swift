import AssetCatalog
import Codecs
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

private let pack = "/pack/out/Stickers.xcstickers/Sticker Pack.stickerpack"

/// A disk with art in `/pack/art`.
private func disk(_ art: [(String, [UInt8])]) -> MemoryDisk {
  let disk = MemoryDisk()
  for (name, bytes) in art { disk.add("/pack/art/" + name, bytes) }
  return disk
}

private func build(
  _ disk: MemoryDisk, root: String = "/pack", jobs: Int = 2, force: Bool = false, keepsEarlier: Bool = false,
  _ change: (inout Configuration) -> Void = { _ in }
) async throws -> BuildSummary {
  var configuration = Configuration()
  configuration.grid = .small
  configuration.defaults.effort = .fast
  change(&configuration)
  var builder = Builder(disk: disk, jobs: jobs, force: force)
  builder.keepsEarlier = keepsEarlier
  return try await builder.build(configuration, root: root)
}

private func tree(_ disk: MemoryDisk, _ folder: String = "/pack/out") -> [String: String] {
  Dictionary(uniqueKeysWithValues: disk.tree(folder).map { ($0.path, SHA256.hexDigest($0.bytes)) })
}

private let red = RGBA8(220, 30, 30)
private let green = RGBA8(30, 200, 60)
private let blue = RGBA8(40, 60, 220)

@Suite("Building a pack") struct BuilderTests {
  @Test(arguments: GridSize.allCases)
  func everyLevelOfTheCatalogIsThereInTheOrderAsked(grid: GridSize) async throws {
    let disk = disk([
      ("a.png", Art.png()), ("dance/1.png", Art.png(12, 12, red)), ("dance/2.png", Art.png(12, 12, blue)),
      ("wave.apng", try Art.animation(colors: [red, green, blue])), ("z.png", Art.png()),
    ])
    let summary = try await build(disk) {
      $0.grid = grid
      $0.order = ["z"]
    }
    #expect(!summary.hasErrors)
    let contents = try StickerPackContents(parsing: disk.bytes(pack + "/Contents.json") ?? [])
    #expect(contents.gridSize == grid)
    #expect(contents.stickers == ["z.sticker", "a.sticker", "dance.sticker", "wave.sticker"])
    for name in ["a", "dance", "wave", "z"] {
      let sticker = try StickerContents(parsing: disk.bytes("\(pack)/\(name).sticker/Contents.json") ?? [])
      #expect(sticker.filename == name + ".png")
      let picture = try PictureFacts(decoding: disk.bytes("\(pack)/\(name).sticker/\(name).png") ?? [])
      #expect(picture.size == PixelSize(square: grid.pixels))
      #expect(picture.frames == ["dance": 2, "wave": 3][name] ?? 1)
    }
    #expect(disk.bytes("/pack/out/Stickers.xcstickers/Contents.json") == RootContents().bytes)
  }

  @Test func anAnimationKeepsItsTimeAndItsPlays() async throws {
    let disk = disk([("wave.png", try Art.animation(colors: [red, green, blue], plays: 3))])
    let summary = try await build(disk)
    #expect(summary.stickers[0].duration == Rational(3, 10))
    #expect(summary.stickers[0].plays == 3)
    let once = try await build(disk) { $0.defaults.plays = 1 }
    #expect(once.stickers[0].plays == 1)
  }

  /// Times `numerator / 50021`, `/ 50023` and so on, whose sums have terms of more than 64 bits.
  @Test(arguments: [1, 2, 4, 7]) func delaysWithoutACommonDenominatorKeepTheirTime(equalFrames: Int) async throws {
    var png = TestSupport.PNGMaker(width: 8, height: 8, colorType: 2)
    png.addAnimation(frames: 60)
    for frame in 0..<60 {
      png.addFrame(width: 8, height: 8, delay: (2000, 50021 + 2 * frame))
      let rows = solidRows([UInt8(frame / equalFrames * 4), 90, 200], width: 8, height: 8)
      if frame == 0 { png.addPicture(rows) } else { png.addFrameData(rows) }
    }
    let summary = try await build(disk([("odd.png", png.finish())]))
    #expect(!summary.hasErrors)
    let sum = (0..<60).map { 2000.0 / Double(50021 + 2 * $0) }.reduce(0, +)
    #expect(abs(summary.stickers[0].duration.value - sum) < 0.001)
  }

  @Test func anAnimationAmongStillsKeepsAllFramesWhateverItsName() async throws {
    let colors = [red, green, blue, RGBA8.white, .black]
    let disk = disk([("a.png", Art.png()), ("dance.png", try Art.animation(colors: colors)), ("z.png", Art.png())])
    let summary = try await build(disk)
    #expect(summary.stickers.map(\.name) == ["a", "dance", "z"])
    let dance = disk.bytes(pack + "/dance.sticker/dance.png") ?? []
    #expect(try StrictAPNG(dance).frames.count == 5)
    #expect(try PictureFacts(decoding: dance).frames == 5)
  }

  @Test func wideColorsAreTheSameInAStillInAnAnimationAndUnderAPalette() async throws {
    let profile = [(name: "iCCP", data: Array("x".utf8) + [0, 0] + zlib(ICCMaker.rgb(ICCMaker.displayP3)))]
    let noise = Art.noisy(300, 7)
    /// Two patches over noise that moves, or over a gradient.
    func art(_ shift: Int?) -> Bitmap {
      var bitmap = Bitmap(size: PixelSize(square: 300))
      for y in 0..<300 {
        for x in 0..<300 {
          bitmap[x, y] =
            y < 100
            ? (x < 150 ? RGBA8(200, 80, 60) : RGBA8(120, 180, 90))
            : shift.map { noise[(x + $0 * 7) % 300, y] } ?? RGBA8(UInt8(x % 256), UInt8(y % 256), 40)
        }
      }
      return bitmap
    }
    let disk = disk([
      ("still.png", PlainPNG.still(art(nil), extra: profile)),
      ("fits.png", PlainPNG.animation([(art(nil), 100), (art(0), 100)], extra: profile)),
      ("large.png", PlainPNG.animation((0..<16).map { (art($0), 40) }, extra: profile)),
    ])
    let summary = try await build(disk)
    #expect(summary.stickers.map { $0.report?.method } == [.lossless, .palette, .lossless], "fits, large, still")
    for name in ["still", "fits", "large"] {
      let reader = try ImageReader(bytes: disk.bytes("\(pack)/\(name).sticker/\(name).png") ?? [])
      #expect(reader.header.color == .sRGB)
      while let frame = try reader.nextFrame() {
        for (x, color) in [(75, [216, 69, 50]), (225, [100, 182, 76])] {
          let at = (50 * 300 + x) * 4
          for (value, wanted) in zip(frame.raster.rgba8[at..<at + 3], color) {
            #expect(abs(Int(value) - wanted) <= 4, "\(name)")
          }
        }
      }
    }
  }

  @Test func filesOverTheLimitAreRefusedUnread() async throws {
    let disk = disk([("big.png", Art.noise(40)), ("small.png", Art.png())])
    for number in 1...4 { disk.add("/pack/art/run/\(number).png", Art.noise(40, seed: UInt64(number))) }
    disk.add("/pack/icon.png", Art.noise(64))
    var configuration = Configuration()
    configuration.grid = .small
    configuration.icon.master = "icon.png"
    var limits = DecodeLimits()
    limits.fileBytes = 2000
    let summary = try await Builder(disk: disk, limits: limits).build(configuration, root: "/pack")
    let refused = summary.diagnostics.filter { $0.id == "over-limit" }
    #expect(Set(refused.map { $0.path ?? "" }).isSuperset(of: ["art/big.png", "icon.png"]))
    #expect(refused.allSatisfy { $0.message.contains("--max-file-bytes") })
    // The first bytes tell what a file is; the whole is not read.
    #expect(disk.reads.filter { $0 == "/pack/icon.png" }.isEmpty)
    for name in ["big.png", "run/1.png", "run/4.png"] {
      #expect(disk.reads.filter { $0 == "/pack/art/" + name }.count == 1)
    }
  }

  @Test func theTimeLimitCoversReadingScalingAndEncoding() async throws {
    let looks = Mutex(0)
    // A clock that goes on by a second at each look.
    let clock: @Sendable () -> Duration = {
      looks.withLock { looks in
        looks += 1
        return .seconds(looks)
      }
    }
    func build(_ seconds: Int) async throws -> (BuildSummary, [String: String]) {
      let disk = disk([("wave.png", PlainPNG.animation((0..<4).map { (Art.noisy(300, UInt64($0)), 100) }))])
      var limits = DecodeLimits()
      limits.time = TimeLimit(seconds: seconds, now: clock)
      var configuration = Configuration()
      configuration.grid = .small
      configuration.defaults.effort = .fast
      looks.withLock { $0 = 0 }
      return (try await Builder(disk: disk, jobs: 1, limits: limits).build(configuration, root: "/pack"), tree(disk))
    }
    let free = try await build(80_000)
    #expect(!free.0.hasErrors)
    let needed = looks.withLock { $0 }
    #expect(needed > 20, "it is looked at between the frames of every pass")
    #expect(try await build(needed).1 == free.1)
    let hasty = try await build(needed - 2)
    #expect(hasty.0.diagnostics.map(\.id).contains("over-limit"))
    #expect(hasty.0.diagnostics.contains { $0.message.contains("--time-limit") })
  }

  @Test func numberedFramesAreShownAtTheRateOfTheConfiguration() async throws {
    let disk = disk([("d.frames/1.png", Art.png(12, 12, red)), ("d.frames/2.png", Art.png(12, 12, blue))])
    #expect(try await build(disk).stickers[0].duration == Rational(2, 15))
    #expect(try await build(disk) { $0.defaults.fps = Rational(24) }.stickers[0].duration == Rational(1, 12))
  }

  @Test func badFilesAreNamedAndTheOthersAreBuilt() async throws {
    var art = (1...9).map { ("good\($0).png", Art.png()) }
    art += [("bad.png", Array("random".utf8)), ("empty.png", []), ("half.png", Array(Art.noise(40).prefix(900)))]
    let disk = disk(art)
    disk.addDirectory("/pack/art/directory.png")
    let summary = try await build(disk)
    let errors = summary.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.path) == ["art/bad.png", "art/directory.png", "art/empty.png", "art/half.png"])
    #expect(summary.stickers.filter { $0.output != nil }.count == 9)
    #expect(summary.hasErrors)
    let manifest = try JSONValue(parsing: disk.bytes("/pack/out/manifest.json") ?? [])
    guard case .array(let stickers)? = manifest["stickers"] else { throw ManifestMissing() }
    #expect(stickers.filter { $0["status"] == .string("failed") }.count == 4)
  }

  @Test func aStickerThatTurnsBadGoes() async throws {
    let disk = disk([("cat.png", Art.png()), ("dog.png", Art.png(12, 12, blue))])
    _ = try await build(disk)
    disk.add("/pack/art/dog.png", Array("random".utf8))
    let summary = try await build(disk)
    #expect(summary.diagnostics.last?.id == "not-an-image" && summary.hasErrors)
    let contents = try StickerPackContents(parsing: disk.bytes(pack + "/Contents.json") ?? [])
    #expect(contents.stickers == ["cat.sticker"])
    #expect(disk.bytes(pack + "/dog.sticker/dog.png") == nil)
  }

  @Test func aStickerThatTurnsBadStaysAsItWasWhereThatIsAsked() async throws {
    let disk = disk([("cat.png", Art.png()), ("dog.png", Art.png(12, 12, blue))])
    _ = try await build(disk, keepsEarlier: true)
    let before = tree(disk)
    disk.add("/pack/art/dog.png", Array("random".utf8))
    let summary = try await build(disk, keepsEarlier: true)
    #expect(summary.diagnostics.map(\.id).suffix(2) == ["not-an-image", "kept-earlier"])
    #expect(summary.hasErrors)
    let after = tree(disk)
    #expect(after.filter { $0.key.contains("/") } == before.filter { $0.key.contains("/") })
    // At another grid size it no longer fits in.
    _ = try await build(disk, keepsEarlier: true) { $0.grid = .regular }
    #expect(disk.bytes(pack + "/dog.sticker/dog.png") == nil)
    disk.add("/pack/art/dog.png", Art.png(12, 12, blue))
    _ = try await build(disk, keepsEarlier: true)
    #expect(tree(disk) == before)
  }

  @Test func whereAllFailNothingIsWritten() async throws {
    let disk = disk([("bad.png", Array("random".utf8))])
    let summary = try await build(disk)
    #expect(summary.hasErrors && disk.writes.isEmpty)
  }

  @Test func aFrameThatCannotBeReadIsNamedAsTheUserKnowsIt() async throws {
    let disk = disk([("d.frames/1.png", Art.png()), ("d.frames/2.png", Art.png()), ("x.png", Art.png())])
    disk.setFault { operation, path, _ in
      // The first bytes are read when art is found; a file may vanish or be locked after that.
      operation == .read && path.hasSuffix("2.png") ? 13 : nil
    }
    let summary = try await build(disk)
    #expect(summary.diagnostics.first { $0.severity == .error }?.path == "art/d.frames/2.png")
    #expect(summary.stickers.filter { $0.output != nil }.map(\.name) == ["x"])
  }

  @Test func framesThatAllLookTheSameAreOneStill() async throws {
    let disk = disk([("d.frames/1.png", Art.png()), ("d.frames/2.png", Art.png())])
    let summary = try await build(disk)
    #expect(!summary.hasErrors)
    #expect(summary.stickers.map(\.duration) == [.zero])
  }

  @Test func collidingSourcesFailAndTheRestIsBuilt() async throws {
    let disk = disk([("a/cat.png", Art.png()), ("b/Cat.png", Art.png()), ("fox.png", Art.png())])
    let summary = try await build(disk)
    #expect(summary.diagnostics.filter { $0.severity == .error }.map(\.path) == ["art/a/cat.png", "art/b/Cat.png"])
    #expect(summary.stickers.filter { $0.output != nil }.map(\.name) == ["fox"])
  }

  @Test func aStickerThatIsOverBudgetIsNotPublished() async throws {
    let disk = disk([("cat.png", Art.png()), ("noise.png", Art.noise(300))])
    let summary = try await build(disk) { $0.defaults.budget = 2000 }
    #expect(summary.diagnostics.filter { $0.severity == .error }.map(\.id) == ["over-budget"])
    #expect(disk.bytes(pack + "/noise.sticker/noise.png") == nil)
    #expect((disk.bytes(pack + "/cat.sticker/cat.png")?.count ?? 9999) <= 2000)
  }

  @Test func oneHeavyStickerDoesNotChangeTheOthers() async throws {
    let light = [("a.png", Art.png()), ("b.png", Art.png(20, 12, blue)), ("noise.png", Art.noise(300))]
    let together = disk(light)
    let summary = try await build(together) { $0.defaults.budget = 60000 }
    #expect(!summary.hasErrors)
    #expect(summary.stickers.map { $0.report?.method } == [.lossless, .lossless, .palette])
    for (name, bytes) in light {
      let alone = disk([(name, bytes)])
      _ = try await build(alone) { $0.defaults.budget = 60000 }
      let path = "\(pack)/\(name.dropLast(4)).sticker/\(name)"
      #expect(alone.bytes(path) == together.bytes(path))
    }
  }

  @Test func theBytesDoNotDependOnTheNumberOfJobsNorOnTheFolderNorOnTheOrderOfFiles() async throws {
    let art: [(String, [UInt8])] = (0..<20).map { ("s\($0).png", Art.png(10 + $0, 12, RGBA8(UInt8($0 * 10), 90, 30))) }
    let one = disk(art)
    _ = try await build(one, jobs: 1)
    let eight = MemoryDisk()
    for (name, bytes) in art.reversed() { eight.add("/elsewhere/deep/art/" + name, bytes) }
    _ = try await build(eight, root: "/elsewhere/deep", jobs: 8) {
      $0.stickers = ["/elsewhere/deep/art"]
      $0.output = "/away/out"
    }
    // The page alone names the way to the sources.
    let (here, away) = (tree(one), tree(eight, "/away/out"))
    #expect(here.filter { $0.key != "preview.html" } == away.filter { $0.key != "preview.html" })
    #expect(here.count == 44 && away.count == 44)
  }

  @Test func aSecondBuildWritesNothing() async throws {
    let disk = disk([("cat.png", Art.png()), ("wave.png", try Art.animation(colors: [red, blue]))])
    _ = try await build(disk)
    disk.forget()
    let summary = try await build(disk)
    #expect(disk.writes.isEmpty && disk.removals.isEmpty)
    #expect(summary.written.isEmpty && summary.unchanged.count == 8)
  }

  @Test func removedAndRenamedSourcesLeaveTheTreeOfACleanBuild() async throws {
    let disk = disk([("cat.png", Art.png()), ("dog.png", Art.png(12, 12, blue)), ("fox.png", Art.png(12, 12, green))])
    _ = try await build(disk)
    disk.remove("/pack/art/cat.png")
    disk.remove("/pack/art/dog.png")
    disk.add("/pack/art/wolf.png", Art.png(12, 12, blue))
    _ = try await build(disk)
    let clean = MemoryDisk()
    clean.add("/pack/art/wolf.png", Art.png(12, 12, blue))
    clean.add("/pack/art/fox.png", Art.png(12, 12, green))
    _ = try await build(clean)
    #expect(tree(disk) == tree(clean))
  }

  @Test func anOutputInsideTheArtIsNotPressedAgain() async throws {
    let disk = disk([("cat.png", Art.png())])
    for _ in 0..<2 {
      let summary = try await build(disk) { $0.output = "art/out" }
      #expect(summary.stickers.map(\.name) == ["cat"])
    }
  }

  @Test func aCancelledBuildWritesNothing() async throws {
    let disk = disk([("cat.png", Art.png())])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await build(disk)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(disk.writes.isEmpty)
  }

  @Test func aDiskThatIsFullNamesTheFileAndKeepsTheEarlierOutput() async throws {
    let disk = disk([("cat.png", Art.png())])
    _ = try await build(disk)
    let before = tree(disk)
    disk.add("/pack/art/cat.png", Art.png(12, 12, blue))
    disk.setFault { operation, _, _ in operation == .write ? 28 : nil }
    let summary = try await build(disk)
    #expect(summary.hasErrors && tree(disk) == before)
    #expect(summary.stickers[0].output == nil)
    #expect(summary.diagnostics.last?.message == "cannot write: no space left on the disk; free some and run again")
  }

  @Test func aReadOnlyOutputIsNamed() async throws {
    let disk = disk([("cat.png", Art.png())])
    disk.setFault { operation, _, _ in operation == .create ? 30 : nil }
    let summary = try await build(disk)
    #expect(
      summary.diagnostics.last?.line.hasPrefix("/pack/out: error: cannot create: the file system is read-only") == true)
  }
}

private struct ManifestMissing: Error {}

@Suite("Refusing to build") struct RefusalTests {
  private func refusal(_ disk: MemoryDisk, _ change: (inout Configuration) -> Void = { _ in }) async -> [String] {
    do {
      _ = try await build(disk, change)
      return []
    } catch {
      #expect(disk.writes.isEmpty)
      return (error as? BuildRefusal)?.diagnostics.map(\.id) ?? ["\(error)"]
    }
  }

  @Test func everythingWrongIsSaidAtOnce() async {
    let disk = MemoryDisk()
    disk.add("/pack/out", [1])
    let ids = await refusal(disk) {
      $0.name = "a/../b"
      $0.icon.master = "icon.png"
    }
    #expect(ids == ["bad-name", "output-not-folder", "missing-input", "missing-input"])
  }

  @Test func aFolderWithoutArtIsRefused() async {
    let disk = MemoryDisk()
    disk.add("/pack/art/notes.txt", [1])
    #expect(await refusal(disk) == ["skipped", "no-art"])
  }

  @Test(arguments: ["..", ".", "", "a/b", "/tmp/x", ".hidden", "a\u{0}b"])
  func packNamesAreSafeSingleComponents(name: String) async {
    #expect(await refusal(disk([("cat.png", Art.png())])) { $0.name = name } == ["bad-name"])
  }

  @Test func aManifestOfSomebodyElseIsNotOverwritten() async {
    let disk = disk([("cat.png", Art.png())])
    disk.add("/pack/out/manifest.json", Array("{\"name\": \"my web app\"}".utf8))
    #expect(await refusal(disk) == ["in-the-way"])
  }
}

@Suite("Converting") struct ConversionTests {
  private func convert(_ disk: MemoryDisk, _ inputs: [String], to output: String) async throws -> BuildSummary {
    var configuration = Configuration()
    configuration.grid = .small
    return try await Builder(disk: disk).convert(inputs, to: output, configuration: configuration)
  }

  private func refusal(_ disk: MemoryDisk, _ inputs: [String], to output: String) async -> [String] {
    do {
      _ = try await convert(disk, inputs, to: output)
      return []
    } catch { return (error as? BuildRefusal)?.diagnostics.map(\.id) ?? ["\(error)"] }
  }

  @Test func oneFileBecomesTheNamedFileAndReplacesIt() async throws {
    let disk = disk([("wave.apng", try Art.animation(colors: [red, blue]))])
    disk.add("/pack/wave.png", [7])
    let summary = try await convert(disk, ["/pack/art/wave.apng"], to: "/pack/wave.png")
    #expect(summary.written == ["wave.png"])
    #expect(try PictureFacts(decoding: disk.bytes("/pack/wave.png") ?? []).frames == 2)
    #expect(try await convert(disk, ["/pack/art/wave.apng"], to: "/pack/wave.png").unchanged == ["wave.png"])
  }

  @Test func aFolderBecomesAFolderOfStickers() async throws {
    let disk = disk([("a.png", Art.png()), ("sub/b.gif", Art.png()), ("bad.png", [1])])
    let summary = try await convert(disk, ["/pack/art"], to: "/pack/new/out")
    #expect(summary.written == ["a.png", "b.png"])
    #expect(disk.tree("/pack/new").map(\.path) == ["out/a.png", "out/b.png"])
    #expect(summary.hasErrors)
  }

  @Test func aFolderOfFramesBecomesAFile() async throws {
    let disk = disk([("1.png", Art.png(12, 12, red)), ("2.png", Art.png(12, 12, blue))])
    #expect(try await convert(disk, ["/pack/art"], to: "/pack/dance.png").stickers[0].duration == Rational(2, 15))
  }

  @Test func anInputIsNeverOverwritten() async throws {
    let disk = disk([("a.png", Art.png())])
    disk.addLink("/pack/link.png", to: "art/a.png")
    let before = disk.bytes("/pack/art/a.png")
    #expect(await refusal(disk, ["/pack/art/a.png"], to: "/pack/art/a.png") == ["output-is-input"])
    #expect(await refusal(disk, ["/pack/art/a.png"], to: "/pack/link.png") == ["output-is-input"])
    #expect(await refusal(disk, ["/pack/art"], to: "/pack/art") == ["output-is-input"])
    #expect(await refusal(disk, ["/pack/art/a.png"], to: "/pack/art/") == ["output-is-input"])
    #expect(disk.bytes("/pack/art/a.png") == before && disk.writes.isEmpty)
  }

  @Test func outputsThatCannotBeStickersAreRefused() async {
    let disk = disk([("a.png", Art.png()), ("b.png", Art.png())])
    #expect(await refusal(disk, ["/pack/art/a.png"], to: "/pack/a.gif") == ["output-not-png"])
    #expect(await refusal(disk, ["/pack/art/a.png", "/pack/art/b.png"], to: "/pack/c.png") == ["output-not-folder"])
    #expect(await refusal(disk, ["/pack/gone.png"], to: "/pack/c.png") == ["missing-input"])
  }
}
