import Codecs
import Imaging
import Pipeline
import TestSupport
import Testing

@testable import DecalCLI

/// A GIF of two 2x1 frames, 50 and 0 ms, for ever: the second frame is one pixel over a transparent index.
private let gif: [UInt8] = gifParts.flatMap { $0 }
private let gifParts: [[UInt8]] = [
  Array("GIF89a".utf8), [2, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255],
  [0x21, 0xFF, 11], Array("NETSCAPE2.0".utf8), [3, 1, 0, 0, 0],
  [0x21, 0xF9, 4, 0x04, 5, 0, 0, 0], [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0], [2, 2, 0x44, 0x0A, 0],
  [0x21, 0xF9, 4, 0x04, 0, 0, 0, 0], [0x2C, 1, 0, 0, 0, 1, 0, 1, 0, 0], [2, 2, 0x44, 0x01, 0], [0x3B],
]

private func disk() -> MemoryDisk {
  let disk = MemoryDisk()
  disk.addDirectory("/w")
  disk.add("/w/two.gif", gif)
  disk.add("/w/not.png", Array("hello".utf8))
  return disk
}

@Suite struct Inspecting {
  @Test func aFileIsToldInAFewLines() async {
    let outcome = await decal("inspect", "two.gif", on: disk())
    #expect(outcome.code == .success)
    #expect(outcome.output.hasPrefix("two.gif: GIF, 2x1 px, \(gif.count) bytes\n"))
    #expect(outcome.output.contains("  delays   50 ms, 0 ms\n"))
    #expect(outcome.output.contains("plays for ever\n"))
    #expect(outcome.errors.hasPrefix("two.gif: warning: "))
    #expect(outcome.errors.hasSuffix("[short-delay]\n"))
  }

  @Test func JSONHoldsExactDelays() async {
    let outcome = await decal("inspect", "two.gif", "--json", on: disk())
    #expect(outcome.errors == "")
    for part in [#""format": "gif""#, #""plays": 0"#, #""frames": 2"#, #""id": "short-delay""#, #""file": "two.gif""#] {
      #expect(outcome.output.contains(part), "\(part)")
    }
    let squeezed = outcome.output.filter { !$0.isWhitespace }
    #expect(squeezed.contains(#""delays":[[1,20],[0,1]]"#))
  }

  @Test func aFileThatCannotBeReadDoesNotStopTheOthers() async {
    let disk = disk()
    disk.addDirectory("/w/folder")
    let outcome = await decal("inspect", "not.png", "nowhere.png", "folder", "two.gif", "-q", on: disk)
    #expect(outcome.code == .assetFailed)
    #expect(outcome.output == "")
    #expect(outcome.errorLines.count == 4)
    #expect(outcome.errorLines[0].hasPrefix("not.png: error: not an image"))
    #expect(outcome.errorLines[1] == "nowhere.png: error: there is no such file [no-such-file]")
    #expect(outcome.errorLines[2] == "folder: error: is a folder; give the files in it [not-a-file]")
  }

  @Test func aLimitNamesItself() async {
    let outcome = await decal("inspect", "two.gif", "--max-pixels", "1", on: disk())
    #expect(outcome.code == .assetFailed)
    #expect(outcome.errors.contains("[over-limit]"))
  }

  @Test func limitsAreSetByOptionAndByConfiguration() async {
    let help = await decal("help", "limits")
    for option in Option.limits { #expect(help.output.contains(option.name)) }
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let typed = await decal("inspect", "two.gif", "--max-frames", "1", on: disk())
    #expect(typed.code == .assetFailed && typed.errors.contains("--max-frames"))
    let disk = disk()
    disk.add("/w/decal.json", Array(#"{ "stickers": "two.gif", "limits": { "maxFrames": 1 } }"#.utf8))
    let configured = await decal("build", on: disk)
    #expect(configured.code == .assetFailed && configured.errors.contains("--max-frames sets it"))
    let overridden = await decal("build", "--max-frames", "2", on: disk)
    #expect(overridden.code == .success, "\(overridden.errors)")
  }

  @Test func strictRefusesADamagedAnimation() async {
    let disk = disk()
    disk.add("/w/cut.gif", Array(gif.dropLast(4)))
    let kept = await decal("convert", "cut.gif", "-o", "kept.png", on: disk)
    #expect(kept.code == .success && kept.errors.contains("[damaged-frames]"), "\(kept.errors)")
    let refused = await decal("convert", "cut.gif", "-o", "refused.png", "--strict", on: disk)
    #expect(refused.code == .assetFailed && refused.errors.contains("[damaged-image]"), "\(refused.errors)")
  }
}

@Suite struct WritingFrames {
  private func list(_ disk: MemoryDisk, _ folder: String) -> [String] { disk.tree(folder).map(\.path) }

  @Test func everyFrameIsWrittenComposedWithItsDelays() async throws {
    let disk = disk()
    let outcome = await decal("inspect", "two.gif", "--frames", "f", on: disk)
    #expect(outcome.code == .success)
    #expect(list(disk, "/w/f") == ["0000.png", "0001.png", "frames.json"])
    let frames = try ["0000.png", "0001.png"].map { name in
      let bytes = try #require(disk.bytes("/w/f/" + name))
      #expect(bytes[25] == 6, "color type RGBA")
      #expect(bytes[24] == 8, "8 bits")
      return try #require(try ImageReader(bytes: bytes).nextFrame()).raster.rgba8
    }
    let original = try ImageReader(bytes: gif)
    for frame in frames { #expect(try original.nextFrame()?.raster.rgba8 == frame) }
    let json = String(decoding: try #require(disk.bytes("/w/f/frames.json")), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(
      json == #"{"frames":[{"delay":[1,20],"file":"0000.png","storedDelay":[1,20]},"#
        + #"{"delay":[1,10],"file":"0001.png","storedDelay":[0,1]}],"plays":0}"#)
  }

  @Test func colorUnderAlphaZeroIsKept() throws {
    let pixels: [UInt8] = [1, 2, 3, 0, 250, 128, 7, 0, 9, 8, 7, 6, 255, 255, 255, 255]
    let bitmap = Bitmap(size: PixelSize(width: 2, height: 2), pixels: pixels)
    let frame = try #require(try ImageReader(bytes: encodeRGBA8(bitmap)).nextFrame())
    #expect(frame.raster.rgba8 == pixels)
  }

  @Test func anEarlierRunIsReplacedWhole() async {
    let disk = disk()
    disk.add("/w/f/0000.png", [1])
    disk.add("/w/f/0007.png", [1])
    disk.add("/w/f/frames.json", [1])
    #expect((await decal("inspect", "two.gif", "--frames", "f", on: disk)).code == .success)
    #expect(list(disk, "/w/f") == ["0000.png", "0001.png", "frames.json"])
  }

  @Test(arguments: ["f/notes.txt", "f/0000.png", "f/sub/x"])
  func aFolderWithOtherThingsIsLeftAlone(_ path: String) async {
    let disk = disk()
    disk.add("/w/" + path, [1])
    let outcome = await decal("inspect", "two.gif", "--frames", "f", on: disk)
    #expect(outcome.code == .assetFailed)
    #expect(outcome.errors.contains("f: error: holds "))
    #expect(disk.writes == [])
  }

  @Test func anInputIsNeverOverwritten() async {
    let disk = disk()
    disk.add("/w/f/0000.png", gif)
    disk.add("/w/f/frames.json", [1])
    let outcome = await decal("inspect", "f/0000.png", "--frames", "f", on: disk)
    #expect(outcome.code == .assetFailed)
    #expect(disk.writes == [])
  }

  @Test func severalFilesHaveFoldersOfTheirOwn() async {
    let disk = disk()
    disk.add("/w/other/two.gif", gif)
    let outcome = await decal("inspect", "two.gif", "other/two.gif", "--frames", "f", on: disk)
    #expect(outcome.code == .success)
    let names = ["0000.png", "0001.png", "frames.json"]
    #expect(list(disk, "/w/f/two.gif") == names)
    #expect(list(disk, "/w/f/two.gif-2") == names)
  }

  @Test func aDiskThatFailsIsNamed() async {
    let disk = disk()
    disk.setFault { operation, _, _ in operation == .write ? 28 : nil }
    let outcome = await decal("inspect", "two.gif", "--frames", "f", on: disk)
    #expect(outcome.code == .assetFailed)
    #expect(outcome.errors.contains("no space left"))
  }
}
