import Codecs
import Foundation
import Imaging
import Pipeline
import Testing

/// A pack that was built once.
private func builtPack() throws -> (scratch: Scratch, output: [String: [UInt8]]) {
  let scratch = Scratch()
  scratch.add("art/hello.png", picture())
  scratch.add("art/wave.png", picture(RGBA8(20, 160, 60)))
  scratch.add("decal.json", #"{ "name": "Fox", "grid": "small" }"#)
  let outcome = try Program.run(["build"], in: scratch)
  #expect(outcome.code == 0, "\(outcome.errors)")
  let output = scratch.tree("out")
  #expect(!output.isEmpty)
  return (scratch, output)
}

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct Pressing {
  @Test func aFolderAndAnIconBecomeAPackWithoutAConfiguration() throws {
    let scratch = Scratch()
    scratch.add("art/hello.png", picture())
    scratch.add("icon.png", master())
    let outcome = try Program.run(
      ["build", "--icon", "icon.png", "--stickers", "art/", "--grid", "regular", "--output", "out"], in: scratch)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("  hello  "))
    #expect(outcome.output.hasSuffix(" written\n"))
    #expect(scratch.exists("out/manifest.json"))
    #expect(scratch.exists("out/Stickers.xcstickers/Contents.json"))
    let pictures = scratch.tree("out").filter { $0.key.hasSuffix("/hello.png") }
    #expect(try pictures.values.map { try ImageReader(bytes: $0).header.size } == [PixelSize(square: 408)])
  }

  @Test func aSecondBuildWritesNothing() throws {
    let (scratch, output) = try builtPack()
    let outcome = try Program.run(["build"], in: scratch)
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("nothing changed\n"))
    #expect(scratch.tree("out") == output)
  }

  @Test func theSamePackInAnotherFolderHasTheSameBytes() throws {
    let (_, output) = try builtPack()
    let (other, again) = try builtPack()
    #expect(output == again)
    let elsewhere = try Program.run(
      ["build", other.path, "--output", "moved", "-j", "1", "--json"], in: Scratch())
    #expect(elsewhere.code == 0)
    #expect(elsewhere.errors == "")
  }

  @Test func aPackIsBuiltFromOutsideItsFolder() throws {
    let (scratch, output) = try builtPack()
    let outside = Scratch()
    let outcome = try Program.run(["build", scratch.path, "-o", scratch.path + "/second"], in: outside)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(scratch.tree("second") == output)
  }

  @Test func onePictureIsConverted() throws {
    let scratch = Scratch()
    scratch.add("a.png", picture())
    let outcome = try Program.run(["convert", "a.png", "-o", "b.png", "--grid", "large"], in: scratch)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let bytes = try #require(scratch.bytes("b.png"))
    #expect(try ImageReader(bytes: bytes).header.size == PixelSize(square: 618))
  }

  @Test func anInputIsNeverOverwritten() throws {
    let scratch = Scratch()
    scratch.add("a.png", picture())
    let outcome = try Program.run(["convert", "a.png", "-o", "a.png"], in: scratch)
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains(": error: "))
    #expect(scratch.bytes("a.png") == picture())
  }

  @Test func anIconSetIsMadeAlone() throws {
    let scratch = Scratch()
    scratch.add("m.png", master())
    let outcome = try Program.run(["icon", "m.png", "-o", "Icon.stickersiconset"], in: scratch)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(scratch.exists("Icon.stickersiconset/Contents.json"))
    #expect(scratch.tree("Icon.stickersiconset").keys.count { $0.hasSuffix(".png") } > 5)
  }

  @Test func anAppIconIsMadeAloneWithItsDarkAndTintedMasters() throws {
    let scratch = Scratch()
    for name in ["m.png", "d.png", "t.png"] { scratch.add(name, master(side: 64)) }
    let outcome = try Program.run(
      ["icon", "m.png", "-o", "AppIcon.appiconset", "--icon-dark", "d.png", "--icon-tinted", "t.png"], in: scratch)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(scratch.tree("AppIcon.appiconset").count == 4)
    let legacy = try Program.run(["icon", "m.png", "-o", "older", "--app-icon=legacy"], in: scratch)
    #expect(legacy.code == 0, "\(legacy.errors)")
    #expect(scratch.tree("older").keys.contains { $0.hasPrefix("Icon-83.5x83.5") })
    let refused = try Program.run(["icon", "m.png", "-o", "X.stickersiconset", "--icon-dark", "d.png"], in: scratch)
    #expect(refused.code == 2)
    #expect(!scratch.exists("X.stickersiconset"))
    scratch.add("wide.png", encodeRGBA8(Bitmap(size: PixelSize(width: 80, height: 40), fill: .white)))
    let wide = try Program.run(["icon", "wide.png", "-o", "Y.stickersiconset"], in: scratch)
    #expect(wide.code == 1 && wide.output == "nothing was made in Y.stickersiconset\n", "\(wide.output)")
  }
}

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct BadInput {
  @Test func aMissingFolderIsNamedAndTheOutputStays() throws {
    let (scratch, output) = try builtPack()
    for arguments in [["build", "nowhere"], ["build", "--stickers", "nowhere"]] {
      let outcome = try Program.run(arguments, in: scratch)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("nowhere: error: "))
      #expect(scratch.tree("out") == output)
    }
  }

  @Test func anEmptyFolderIsNamedAndTheOutputStays() throws {
    let (scratch, output) = try builtPack()
    try FileManager.default.createDirectory(atPath: scratch.path + "/empty", withIntermediateDirectories: false)
    let outcome = try Program.run(["build", "--stickers", "empty"], in: scratch)
    #expect([1, 2].contains(outcome.code))
    #expect(outcome.errors.contains("empty: error: "))
    #expect(scratch.tree("out") == output)
  }

  @Test(arguments: [
    ("notes.png", Array("these are notes".utf8), "not-an-image"), ("empty.png", [], "not-an-image"),
    ("cut.png", Array(picture().prefix(80)), "damaged-image"),
  ])
  func oneBadFileIsNamedAndTheOthersAreBuilt(_ name: String, _ bytes: [UInt8], _ id: String) throws {
    let (scratch, _) = try builtPack()
    scratch.add("art/" + name, bytes)
    scratch.add("art/new.png", picture(RGBA8(1, 2, 3)))
    let outcome = try Program.run(["build"], in: scratch)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("art/\(name): error: "))
    #expect(outcome.errors.contains("[\(id)]"))
    #expect(scratch.tree("out").keys.contains { $0.hasSuffix("/new.png") })
    #expect(scratch.tree("out").keys.contains { $0.hasSuffix("/hello.png") })
  }

  @Test func anUnknownKeyIsWarnedOfAndBuilt() throws {
    let (scratch, _) = try builtPack()
    scratch.add("decal.json", #"{ "name": "Fox", "gird": "large", "grid": "small" }"#)
    let outcome = try Program.run(["build"], in: scratch)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains(#"decal.json:1: warning: unknown key "gird"; did you mean "grid"? [unknown-key]"#))
  }

  @Test func aWrongValueIsRefusedAndTheOutputStays() throws {
    let (scratch, output) = try builtPack()
    scratch.add("decal.json", #"{ "grid": "medium" }"#)
    let outcome = try Program.run(["build"], in: scratch)
    #expect(outcome.code == 2)
    #expect(scratch.tree("out") == output)
  }

  @Test(.enabled(if: Program.runsUnprivileged, "no way to run as an unprivileged user"))
  func anUnreadableFileIsNamedAndTheOthersAreBuilt() throws {
    let (scratch, _) = try builtPack()
    scratch.add("art/secret.png", picture())
    chmod(scratch.path + "/art/secret.png", 0)
    chmod(scratch.path, 0o777)
    let outcome = try Program.runUnprivileged(["build", "-o", "fresh"], in: scratch)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("secret.png: error: cannot read: permission denied"))
    #expect(scratch.tree("fresh").keys.contains { $0.hasSuffix("/hello.png") })
  }

  @Test(.enabled(if: Program.runsUnprivileged, "no way to run as an unprivileged user"))
  func anOutputThatCannotBeWrittenIsNamedAndStays() throws {
    let (scratch, output) = try builtPack()
    scratch.add("art/hello.png", picture(RGBA8(9, 9, 200)))
    let folders = ["out"] + scratch.folders("out")
    for folder in folders { chmod(scratch.path + "/" + folder, 0o555) }
    let outcome = try Program.runUnprivileged(["build"], in: scratch)
    #expect([1, 2].contains(outcome.code))
    #expect(outcome.errors.contains("permission denied"))
    #expect(scratch.tree("out") == output)
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "no right to mount a small disk"))
  func aFullDiskIsNamedAndTheOutputStays() throws {
    let (scratch, _) = try builtPack()
    let disk = try #require(SmallDisk(in: scratch, named: "small", kilobytes: 400))
    #expect(try Program.run(["build", "-o", "small/out"], in: scratch).code == 0)
    let before = scratch.tree("small/out")
    disk.fill()
    scratch.add("art/hello.png", picture(RGBA8(9, 9, 200)))
    scratch.add("art/noise.png", noise())
    let outcome = try Program.run(["build", "-o", "small/out"], in: scratch)
    #expect([1, 2].contains(outcome.code))
    #expect(outcome.errors.contains("no space left"))
    // Pictures come before the catalog: what is named on the disk is there.
    #expect(scratch.tree("small/out").keys.sorted() == before.keys.sorted())
    #expect(scratch.tree("small/out").values.allSatisfy { !$0.isEmpty })
    // A folder made for what found no room goes again, and is nobody else's.
    #expect(!scratch.folders("small/out").contains { $0.hasSuffix("noise.sticker") })
    #expect(!outcome.errors.contains("foreign-file"), "\(outcome.errors)")
    // With room again, all of it is made.
    scratch.removeTree("small/filler")
    scratch.removeTree("art/noise.png")
    #expect(try Program.run(["build", "-o", "small/out"], in: scratch).code == 0)
    #expect(try Program.run(["build", "-o", "clean/out"], in: scratch).code == 0)
    let isClean = scratch.tree("small/out") == scratch.tree("clean/out")
    #expect(isClean)
  }

  @Test(.enabled(if: Program.runsUnprivileged, "no way to run as an unprivileged user"))
  func aFileThatMayOnlyBeReadIsReplacedWhereItsFolderMayBeWritten() throws {
    let (scratch, _) = try builtPack()
    scratch.add("art/hello.png", picture(RGBA8(9, 9, 200)))
    for name in ["", ".decal", "out"] + scratch.folders("out") + scratch.folders(".decal") {
      chmod(scratch.path + "/" + name, 0o777)
    }
    for name in scratch.tree("out").keys { chmod(scratch.path + "/out/" + name, 0o444) }
    let outcome = try Program.runUnprivileged(["build"], in: scratch)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Program.run(["build", "-o", "clean"], in: scratch).code == 0)
    #expect(scratch.tree("out") == scratch.tree("clean"))
  }

  @Test func aFileInThePlaceOfTheOutputStays() throws {
    let (scratch, _) = try builtPack()
    scratch.add("file", "mine")
    for place in ["file", "file/below"] {
      let outcome = try Program.run(["build", "-o", place], in: scratch)
      #expect([1, 2].contains(outcome.code) && outcome.errors.contains("file"), "\(outcome.errors)")
      #expect(scratch.bytes("file") == Array("mine".utf8))
    }
  }
}

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct ProcessBehavior {
  @Test func aLostStandardOutputIsAnError() throws {
    let scratch = Scratch()
    scratch.add("a.png", picture())
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let outcome = try Program.run(
      ["inspect", "a.png"], in: scratch, prefix: ["/bin/sh", "-c", "\"$0\" \"$@\" > /dev/full"])
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("cannot write all of the output"))
  }

  @Test func twoBuildsOfOneOutputComeOneAfterTheOther() throws {
    let (scratch, output) = try builtPack()
    let lock = try #require(try SystemDisk().lock(scratch.path + "/out"))
    let refused = try Program.run(["build", "--no-wait"], in: scratch)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("out: error: another build of this output runs"))
    let waiting = try Program.start(["build", "--grid", "large"], in: scratch)
    while !waiting.errorsSoFar.contains("waiting for it") { usleep(10_000) }
    #expect(scratch.tree("out") == output)
    lock.release()
    waiting.process.waitUntilExit()
    #expect(waiting.outcome.code == 0, "\(waiting.outcome.errors)")
    #expect(scratch.tree("out") != output)
  }

  @Test func manyBuildsOfOneNewOutputAtOnceLeaveTheTreeOfOne() throws {
    let (scratch, output) = try builtPack()
    scratch.removeTree("out")
    let running = try (0..<6).map { _ in try Program.start(["build"], in: scratch) }
    for one in running {
      one.process.waitUntilExit()
      #expect(one.outcome.code == 0, "\(one.outcome.errors)")
    }
    #expect(scratch.tree("out") == output)
  }

  @Test(arguments: zip([SIGINT, SIGTERM], [Int32(130), 143]))
  func aSignalEndsTheRunWithItsCode(_ signal: Int32, _ code: Int32) throws {
    let scratch = Scratch()
    for index in 0..<40 { scratch.add("art/\(index).png", noise(seed: UInt32(index))) }
    let running = try Program.start(["build", "--stickers", "art", "-j", "1", "--effort", "max"], in: scratch)
    // The program listens from its first milliseconds on; the build takes seconds.
    usleep(300_000)
    kill(running.process.processIdentifier, signal)
    running.process.waitUntilExit()
    #expect(running.outcome.code == code)
    #expect(running.outcome.errors.contains("interrupted"))
    #expect(scratch.tree("out").keys.allSatisfy { !$0.contains(".decal-tmp-") })
  }
}

/// A picture that does not compress.
func noise(seed: UInt32 = 1, side: Int = 400) -> [UInt8] {
  var bitmap = Bitmap(size: PixelSize(square: side), fill: .white)
  var state = seed &* 2_654_435_761 | 1
  for i in 0..<(side * side) {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    bitmap.pixels[i * 4] = UInt8(truncatingIfNeeded: state)
    bitmap.pixels[i * 4 + 1] = UInt8(truncatingIfNeeded: state >> 8)
    bitmap.pixels[i * 4 + 2] = UInt8(truncatingIfNeeded: state >> 16)
  }
  return encodeRGBA8(bitmap)
}
