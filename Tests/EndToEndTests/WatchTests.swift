import Codecs
import Foundation
import Imaging
import Pipeline
import Testing

/// A watcher that runs in a pack's folder until the test is over.
private final class Watching {
  let scratch: Scratch
  let running: Program.Running

  init(_ scratch: Scratch, _ arguments: [String] = []) throws {
    self.scratch = scratch
    running = try Program.start(["watch"] + arguments, in: scratch)
    try wait("it watches") { $0.said.contains("watching; Ctrl-C ends it") }
  }

  deinit {
    kill(running.process.processIdentifier, SIGKILL)
    running.process.waitUntilExit()
  }

  var said: String { running.outputSoFar }
  var errors: String { running.errorsSoFar }
  /// One line a build after the first.
  var builds: [String] { said.split(separator: "\n").map(String.init).filter { $0.hasSuffix(" ms") } }

  /// Waits for something that comes sooner or later.
  func wait(_ what: String, _ condition: (Watching) -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 60)
    while !condition(self) {
      if Date() > end || !running.process.isRunning {
        Issue.record("\(what): did not come\n\(said)\n\(errors)")
        throw CancellationError()
      }
      usleep(5_000)
    }
  }

  func sticker(_ name: String) -> [UInt8]? {
    scratch.bytes("out/Stickers.xcstickers/Fox.stickerpack/\(name).sticker/\(name).png")
  }

  /// Waits until the output is that of a clean build of what is there now.
  func waitForCleanTree() throws {
    let clean = Scratch()
    // What the watcher writes may come and go meanwhile.
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    where name != "out" && name != ".decal" {
      try FileManager.default.copyItem(atPath: scratch.path + "/" + name, toPath: clean.path + "/" + name)
    }
    _ = try Program.run(["build"], in: clean)
    // A watched page looks for the next one, another does not.
    func pack(_ scratch: Scratch) -> [String: [UInt8]] { scratch.tree("out").filter { !$0.key.hasPrefix("preview") } }
    let wanted = pack(clean)
    try wait("the tree of a clean build") { pack($0.scratch) == wanted }
  }
}

private let blue = RGBA8(20, 40, 220)

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct WatchingAFolder {
  @Test(arguments: [[], ["--poll"]])
  func whatIsSavedIsPressedOnce(_ arguments: [String]) throws {
    let watching = try Watching(smallPack(), arguments)
    let before = watching.sticker("s1")
    watching.scratch.add("art/s1.png", picture(blue))
    try watching.wait("a build") { $0.builds.count == 1 }
    #expect(watching.sticker("s1") != before)
    #expect(watching.builds[0].hasPrefix("pressed s1 (art/s1.png changed); 3 files written in "))
    try watching.waitForCleanTree()
  }

  @Test func aFileThatIsReplacedAsEditorsDoNeverLeavesThePack() throws {
    let watching = try Watching(smallPack())
    let scratch = watching.scratch
    scratch.add("art/.s0.tmp", picture(blue))
    rename(scratch.path + "/art/.s0.tmp", scratch.path + "/art/s0.png")
    try watching.wait("a build") { $0.builds.count == 1 }
    rename(scratch.path + "/art/s0.png", scratch.path + "/art/s0.png~")
    usleep(20_000)
    scratch.add("art/s0.png", picture(RGBA8(1, 200, 1)))
    scratch.removeTree("art/s0.png~")
    try watching.wait("another build") {
      #expect($0.sticker("s0") != nil)
      return $0.builds.count == 2
    }
    #expect(watching.builds.allSatisfy { $0.hasPrefix("pressed s0 ") } && !watching.errors.contains("error"))
    try watching.waitForCleanTree()
  }

  /// `closes`: whether the writer lets go of the file after each piece.
  @Test(arguments: [false, true])
  func aSlowWriterIsWaitedFor(closes: Bool) throws {
    let watching = try Watching(smallPack())
    let before = watching.sticker("s0")
    let bytes = noise(seed: 3, side: 300)
    var longestPause = 0.0
    var file = open(watching.scratch.path + "/art/s0.png", O_WRONLY | O_TRUNC)
    for piece in 0..<10 {
      let range = bytes.count * piece / 10..<bytes.count * (piece + 1) / 10
      #expect(bytes[range].withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == range.count)
      if closes || piece == 9 {
        close(file)
        file = open(watching.scratch.path + "/art/s0.png", O_WRONLY | O_APPEND)
      }
      if piece < 9 { #expect(watching.sticker("s0") == before) }
      let start = Date()
      usleep(piece == 5 ? 600_000 : 100_000)
      longestPause = max(longestPause, Date().timeIntervalSince(start))
    }
    close(file)
    // The line comes after the files that it is about.
    try watching.wait("a build") { !$0.builds.isEmpty }
    try watching.waitForCleanTree()
    #expect(watching.builds.count == 1, "\(watching.said)")
    // A machine under load may stop this writer for so long that half a picture is a mistake.
    if longestPause < 1.5 { #expect(!watching.errors.contains("error"), "\(watching.errors)") }
  }

  @Test func artThatGoesBadKeepsItsLastGoodStickerAndIsToldOf() throws {
    let watching = try Watching(smallPack())
    let before = watching.sticker("s0")
    watching.scratch.add("art/s0.png", Array(picture(blue).prefix(60)))
    try watching.wait("an error") { $0.errors.contains("art/s0.png: error: ") }
    #expect(watching.sticker("s0") == before)
    watching.scratch.add("art/s0.png", picture(blue))
    try watching.wait("a good one") { $0.said.contains("art/s0.png: well again") }
    #expect(watching.sticker("s0") != before)
    #expect(watching.errors.split(separator: "\n").count { $0.contains("art/s0.png: error: ") } == 1)
    try watching.waitForCleanTree()
  }

  @Test func aStormEndsInTheTreeOfACleanBuild() throws {
    let watching = try Watching(smallPack())
    let scratch = watching.scratch
    for index in 0..<300 { scratch.add("art/storm\(index)x.png", picture(RGBA8(UInt8(index % 250), 9, 9), side: 16)) }
    for index in 0..<100 { scratch.removeTree("art/storm\(index)x.png") }
    for index in 100..<150 {
      rename(scratch.path + "/art/storm\(index)x.png", scratch.path + "/art/renamed\(index)x.png")
    }
    try watching.waitForCleanTree()
  }

  @Test func foldersComeMoveGoAndAreRefilled() throws {
    let watching = try Watching(smallPack())
    let scratch = watching.scratch
    scratch.add("art/new/deep/a.png", picture(blue))
    try watching.waitForCleanTree()
    scratch.add("art/new/deep/b.png", picture(blue, side: 20))
    try watching.waitForCleanTree()
    rename(scratch.path + "/art/new", scratch.path + "/moved")
    try watching.waitForCleanTree()
    rename(scratch.path + "/moved", scratch.path + "/art/back")
    try watching.waitForCleanTree()
    scratch.add("art/back/deep/c.png", picture(blue, side: 30))
    try watching.waitForCleanTree()
    let names = ["a", "b", "c"].map { "art/back/deep/\($0).png" }
    let bytes = names.map { scratch.bytes($0)! }
    names.forEach { scratch.removeTree($0) }
    usleep(200_000)
    for (name, bytes) in zip(names, bytes) {
      #expect(watching.sticker("a") != nil)
      scratch.add(name, bytes)
    }
    try watching.waitForCleanTree()
    scratch.removeTree("art/back")
    try watching.waitForCleanTree()
    #expect(watching.sticker("a") == nil)
  }

  @Test func aConfigurationThatIsWrongKeepsThePack() throws {
    let watching = try Watching(smallPack())
    let before = watching.scratch.tree("out")
    watching.scratch.add("decal.json", #"{ "name": "Fox", "grid": "medium" }"#)
    try watching.wait("an error") { $0.errors.contains("decal.json:1: error: ") }
    watching.scratch.add("art/s0.png", picture(blue))
    usleep(300_000)
    #expect(watching.scratch.tree("out") == before)
    watching.scratch.add("decal.json", #"{ "name": "Fox", "grid": "regular", "effort": "fast" }"#)
    try watching.waitForCleanTree()
  }

  @Test func whatWasToldOfThePackIsNotToldAgainAfterAMistakeInItsConfiguration() throws {
    let scratch = smallPack()
    scratch.add("art/small.png", picture(side: 200))
    let watching = try Watching(scratch)
    func count(_ word: String) -> Int { watching.errors.components(separatedBy: word).count - 1 }
    #expect(count("[upscaled]") == 1)
    for turn in 1...2 {
      scratch.add("decal.json", #"{ "name": "Fox", "grid": "medium" }"#)
      try watching.wait("an error") { _ in count("decal.json:1: error: ") == turn }
      scratch.add("decal.json", #"{ "name": "Fox\#(turn)", "grid": "small", "effort": "fast" }"#)
      try watching.wait("a build") { $0.builds.count == turn }
    }
    #expect(count("[upscaled]") == 1, "\(watching.errors)")
  }

  @Test func theMasterIconIsWatched() throws {
    let scratch = smallPack(1)
    scratch.add("decal.json", #"{ "name": "Fox", "grid": "small", "icon": "brand/icon.png" }"#)
    scratch.add("brand/icon.png", master())
    let watching = try Watching(scratch)
    scratch.add("brand/icon.png", encodeRGBA8(Bitmap(size: PixelSize(square: 1024), fill: blue)))
    try watching.wait("a build") { $0.builds.count == 1 }
    try watching.waitForCleanTree()
  }

  @Test(arguments: ["art/out", "./art/../art/out", "link"])
  func anOutputInsideTheArtIsNoChange(_ output: String) throws {
    let scratch = smallPack()
    scratch.add("art/out/.keep", "")
    symlink("art/out", scratch.path + "/link")
    let watching = try Watching(scratch, ["-o", output])
    scratch.add("art/s0.png", picture(blue))
    try watching.wait("a build") { $0.builds.count == 1 }
    // What came of it is told by now, and comes to nothing.
    usleep(1_500_000)
    let time = watching.running.processorTime
    sleep(2)
    // Watching takes a tick at most where other programs wake it; looking at all files again would take more.
    #expect(watching.running.processorTime <= time + 1)
    #expect(watching.builds.count == 1)
  }

  @Test func aCommandGetsWhatChanged() throws {
    let watching = try Watching(smallPack(), ["--on-change", "cat > told.json; exit 3"])
    try watching.wait("the command") { $0.errors.contains("--on-change ended with 3") }
    let told = String(decoding: watching.scratch.bytes("told.json") ?? [], as: UTF8.self)
    #expect(told.contains(#""event""#) && told.contains("s0.png"))
  }

  @Test func aCommandNeedNotReadAndTheNextOneWaits() throws {
    let script = "echo begin >> told; while [ ! -e go ]; do sleep 0.05; done; echo end >> told"
    let watching = try Watching(smallPack(200), ["--on-change", script])
    func told() -> String { String(decoding: watching.scratch.bytes("told") ?? [], as: UTF8.self) }
    try watching.wait("the command") { _ in told() == "begin\n" }
    // What changes meanwhile is built at once.
    watching.scratch.add("art/s1.png", picture(blue))
    try watching.wait("a build") { $0.builds.count == 1 && $0.errors.contains("still runs") }
    #expect(told() == "begin\n")
    watching.scratch.add("go", "")
    try watching.wait("both ends") { _ in told() == "begin\nend\nbegin\nend\n" }
    #expect(!watching.errors.contains("ended with"), "\(watching.errors)")
  }

  @Test func aSignalEndsACommandThatHangs() throws {
    let watching = try Watching(smallPack(1), ["--on-change", "echo $$ > pid; sleep 1000; true"])
    try watching.wait("the command") { $0.scratch.bytes("pid")?.last == UInt8(ascii: "\n") }
    let text = String(decoding: watching.scratch.bytes("pid") ?? [], as: UTF8.self)
    let group = try #require(Int32(text.dropLast()))
    kill(watching.running.process.processIdentifier, SIGINT)
    watching.running.process.waitUntilExit()
    #expect(watching.running.outcome.code == 130)
    let end = Date(timeIntervalSinceNow: 20)
    while kill(-group, 0) == 0, Date() < end { usleep(10_000) }
    #expect(kill(-group, 0) != 0 && errno == ESRCH)
  }

  @Test(arguments: [[], ["--poll"]])
  func artBehindLinksIsWatchedWhereItLies(_ arguments: [String]) throws {
    let scratch = smallPack(1)
    scratch.add("shared/cat.png", picture())
    scratch.add("elsewhere/dogs/dog.png", picture(side: 70))
    symlink("../shared/cat.png", scratch.path + "/art/cat.png")
    symlink("../elsewhere/dogs", scratch.path + "/art/dogs")
    let watching = try Watching(scratch, arguments)
    scratch.add("shared/cat.png", picture(blue))
    try watching.waitForCleanTree()
    scratch.add("elsewhere/dogs/dog.png", picture(blue, side: 80))
    try watching.waitForCleanTree()
    rename(scratch.path + "/elsewhere/dogs", scratch.path + "/elsewhere/away")
    try watching.wait("it is gone") { $0.sticker("dog") == nil }
    rename(scratch.path + "/elsewhere/away", scratch.path + "/elsewhere/dogs")
    try watching.waitForCleanTree()
    #expect(watching.sticker("dog") != nil)
  }

  @Test func aPackThatIsReplacedAsAWholeIsFoundAgain() throws {
    let scratch = Scratch()
    let pack = smallPack()
    try FileManager.default.copyItem(atPath: pack.path, toPath: scratch.path + "/pack")
    let watching = try Watching(scratch, ["pack"])
    // The watcher may still write there while the folder is emptied.
    for _ in 0..<100 where FileManager.default.fileExists(atPath: scratch.path + "/pack") {
      try? FileManager.default.removeItem(atPath: scratch.path + "/pack")
      usleep(20_000)
    }
    try watching.wait("an error") { $0.errors.contains("no such folder") }
    pack.add("art/s0.png", picture(blue))
    rename(pack.path, scratch.path + "/pack")
    let sticker = "pack/out/Stickers.xcstickers/Fox.stickerpack/s0.sticker/s0.png"
    try watching.wait("a build") { $0.scratch.bytes(sticker) != nil }
    let before = scratch.bytes(sticker)
    scratch.add("pack/art/s0.png", picture(RGBA8(1, 200, 1)))
    try watching.wait("another one") { $0.scratch.bytes(sticker) != before }
  }

  @Test(arguments: zip([SIGINT, SIGTERM], [Int32(130), 143]))
  func aSignalEndsItCleanly(_ signal: Int32, _ code: Int32) throws {
    let watching = try Watching(smallPack())
    kill(watching.running.process.processIdentifier, signal)
    watching.running.process.waitUntilExit()
    #expect(watching.running.outcome.code == code)
  }
}

extension Program.Running {
  /// The time that the program has used a processor, in the system's ticks; zero where the system does not tell.
  fileprivate var processorTime: Int {
    let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }
}
