import Foundation
import Imaging
import Pipeline
import Testing

/// A pack of a few stills in a folder of its own.
func smallPack(_ count: Int = 3) -> Scratch {
  let scratch = Scratch()
  for index in 0..<count {
    scratch.add("art/s\(index).png", picture(RGBA8(UInt8(index * 30), 90, 40)))
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
    #expect(built.output.hasSuffix("3 stickers in out: 2 files written, 7 unchanged\n"))
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
