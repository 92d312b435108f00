import AssetCatalog
import Foundation
import Imaging
import Pipeline
import Testing

/// A pack of a few stills in a folder of its own.
func smallPack(_ count: Int = 3) -> Scratch {
  let scratch = Scratch()
  for index in 0..<count {
    scratch.add("art/s\(index).png", picture(RGBA8(UInt8(index * 30 % 256), 90, 40)))
  }
  scratch.add("decal.json", #"{ "name": "Fox", "grid": "small", "effort": "fast" }"#)
  return scratch
}

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct BuildingAgain {
  @Test func aSecondBuildChangesNoFileAtAll() throws {
    let scratch = smallPack()
    #expect(try Program.run(["build"], in: scratch).code == 0)
    let before = scratch.stamps(".")
    let outcome = try Program.run(["build"], in: scratch)
    #expect(outcome.code == 0 && outcome.output == "3 stickers in out: nothing changed\n")
    #expect(scratch.stamps(".") == before)
  }

  @Test func theReasonsAreTold() throws {
    let scratch = smallPack()
    _ = try Program.run(["build"], in: scratch)
    scratch.add("art/s1.png", picture(RGBA8(1, 2, 3)))
    let plan = try Program.run(["build", "--dry-run"], in: scratch)
    #expect(plan.output.contains("s0: up to date\ns1: to be pressed: art/s1.png changed\ns2: up to date\n"))
    #expect(
      plan.output.contains("nothing was written; in out 1 would be pressed, 0 taken from the cache, 2 are up to date"))
    let built = try Program.run(["build", "--explain"], in: scratch)
    #expect(built.output.contains("s1: pressed: art/s1.png changed\n"))
    #expect(built.output.hasSuffix("3 stickers in out: 3 files written, 7 unchanged\n"))
  }

  @Test func theTimeOfEachStageIsTold() throws {
    let scratch = smallPack()
    func stages(_ output: String) -> [String] {
      output.split(separator: "\n").filter { $0.hasPrefix("  ") && $0.hasSuffix(" %") }
        .map { String($0.split(separator: " ")[0]) }
    }
    let built = try Program.run(["build", "--timings"], in: scratch)
    let made = ["look", "read", "survey", "decode", "render", "encode", "verify", "check", "write", "preview"]
    #expect(stages(built.output) == made)
    #expect(built.output.contains(" of processors, "))
    // What is not asked for is not told, and what has nothing to do only looks.
    #expect(try !Program.run(["build"], in: scratch).output.contains("%"))
    #expect(stages(try Program.run(["build", "--timings"], in: scratch).output) == ["look"])
    let machine = try Program.run(["build", "--timings", "--force", "--json"], in: scratch)
    let done = try JSONValue(parsing: Array(machine.output.split(separator: "\n").last!.utf8))
    #expect(done["timings"]?["stages"]?["encode"] != nil && done["timings"]?["peakMemory"] != .int(0))
  }

  @Test func theStateIsInTheOutputWithoutAConfiguration() throws {
    let scratch = smallPack()
    scratch.removeTree("decal.json")
    #expect(try Program.run(["build", "--stickers", "art"], in: scratch).code == 0)
    #expect(scratch.exists("out/.decal/logs") && !scratch.exists(".decal"))
    #expect(try Program.run(["clean"], in: scratch).code == 0)
    #expect(!scratch.exists("out/.decal") && scratch.exists("out/manifest.json"))
  }

  @Test func artAndStateMayShareAFolder() throws {
    let scratch = smallPack()
    scratch.add("decal.json", #"{ "stickers": ".", "grid": "small", "effort": "fast", "output": "art/out" }"#)
    #expect(try Program.run(["build", "--cache-dir", "state"], in: scratch).code == 0)
    let before = scratch.stamps(".")
    #expect(try Program.run(["build", "--cache-dir", "state"], in: scratch).output.hasSuffix(": nothing changed\n"))
    #expect(scratch.stamps(".") == before)
  }

  @Test(arguments: [["-o", "art/out"], ["-o", "./art/../art/out"]])
  func theSameOutputUnderAnotherSpellingIsUpToDate(_ arguments: [String]) throws {
    let scratch = smallPack()
    #expect(try Program.run(["build", "-o", "art/out"], in: scratch).code == 0)
    let outcome = try Program.run(["build"] + arguments, in: scratch)
    #expect(outcome.output.hasSuffix(": nothing changed\n"))
  }
}

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct FieldCases {
  /// Files as sync clients, people and other tools leave them in a catalog.
  @Test func filesOfSomebodyElseInTheCatalogAreKeptAndNamed() throws {
    let scratch = smallPack()
    #expect(try Program.run(["build"], in: scratch).code == 0)
    let pack = "out/Stickers.xcstickers/Fox.stickerpack/"
    let contents = scratch.bytes(pack + "Contents.json")
    let foreign = [
      "Contents 2.json": Array("{}".utf8), "notes.txt": Array("mine".utf8), "mine.sticker/mine.png": picture(),
      "s0.sticker/s0 copy.png": picture(),
    ]
    for (name, bytes) in foreign { scratch.add(pack + name, bytes) }
    for arguments in [["build"], ["build"], ["build", "--force"]] {
      let outcome = try Program.run(arguments, in: scratch)
      #expect(outcome.code == 0)
      for (name, bytes) in foreign {
        #expect(scratch.bytes(pack + name) == bytes)
        #expect(
          outcome.errors.contains(pack.dropFirst("out/".count) + (name.split(separator: "/").first ?? "")), "\(name)")
      }
    }
    #expect(scratch.bytes(pack + "Contents.json") == contents)
  }

  @Test func theBytesDoNotDependOnLocaleTimeZoneJobsOrTheOrderOfFiles() throws {
    var trees: [[String: [UInt8]]] = []
    for (order, environment, jobs) in [
      (Array(0..<20), ["LC_ALL=C", "TZ=UTC"], "1"),
      (Array((0..<20).reversed()), ["LC_ALL=tr_TR.UTF-8", "TZ=Asia/Kathmandu"], "8"),
    ] {
      let scratch = smallPack(0)
      for index in order {
        scratch.add("art/İi\(index).png", picture(RGBA8(UInt8(index * 12), 40, 90), side: 20 + index))
      }
      let outcome = try Program.run(["build", "-j", jobs], in: scratch, prefix: ["/usr/bin/env"] + environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
      trees.append(scratch.tree("out"))
    }
    #expect(trees[0].count == 44 && trees[0] == trees[1])
  }

  @Test func fiftyTouchedFilesChangeNoOutput() throws {
    let scratch = smallPack(50)
    #expect(try Program.run(["build"], in: scratch).code == 0)
    let before = scratch.stamps("out")
    for index in 0..<50 { scratch.add("art/s\(index).png", scratch.bytes("art/s\(index).png")!) }
    let outcome = try Program.run(["build", "--json"], in: scratch)
    #expect(outcome.code == 0 && !outcome.output.contains(#""pressed""#))
    #expect(scratch.stamps("out") == before)
  }
}

extension Scratch {
  /// Number, size and times of all files below a folder, and the folders.
  func stamps(_ folder: String) -> [String: FileStatus] {
    var result: [String: FileStatus] = [:]
    let names = FileManager.default.enumerator(atPath: path + "/" + folder)?.compactMap { $0 as? String } ?? []
    for name in names {
      result[name] = try? SystemDisk().status(path + "/" + folder + "/" + name, followLinks: false)
    }
    return result
  }
}
