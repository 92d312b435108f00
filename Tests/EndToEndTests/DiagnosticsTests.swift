import AssetCatalog
import Foundation
import Imaging
import Testing

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct WhatABuildSays {
  /// A pack with one good still, one that gives a warning and one that cannot be read.
  private func pack(bad: Bool = false) -> Scratch {
    let scratch = smallPack(1)
    scratch.add("art/clear.png", picture(.clear))
    if bad { scratch.add("art/bad\n\u{1B}[2J.png", "no picture") }
    return scratch
  }

  @Test func warningsCountWhereThatIsAsked() throws {
    let scratch = pack()
    for _ in 0..<2 {
      // Also where nothing is made any more.
      #expect(try Program.run(["build"], in: scratch).code == 0)
      let strict = try Program.run(["build", "--werror"], in: scratch)
      #expect(strict.code == 1 && strict.errors.contains("art/clear.png: warning: "))
      let allowed = try Program.run(["build", "--werror", "--allow", "empty-art", "--allow", "upscaled"], in: scratch)
      #expect(allowed.code == 0 && !allowed.errors.contains("[empty-art]"))
    }
  }

  @Test func errorsCannotBeAllowed() throws {
    let outcome = try Program.run(["build", "--allow", "not-an-image"], in: pack(bad: true))
    #expect(outcome.code == 1 && outcome.errors.contains("[not-an-image]"))
  }

  @Test func namesCannotBreakALine() throws {
    let outcome = try Program.run(["build"], in: pack(bad: true))
    #expect(outcome.errors.contains(#"art/bad\n\u{1B}[2J.png: error: "#))
    for line in outcome.errors.split(separator: "\n") { #expect(line.hasSuffix("]"), "\(line)") }
  }

  @Test func eventsAreLinesOfJSON() throws {
    let scratch = pack(bad: true)
    let outcome = try Program.run(["build", "--json", "-j", "1"], in: scratch)
    #expect(outcome.code == 1 && outcome.errors == "")
    let events = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    let names = events.map { $0["event"].text ?? "" }
    #expect(names.first == "planned" && names.last == "done" && names.count { $0 == "done" } == 1)
    #expect(names.count { $0 == "started" } == 3 && names.count { $0 == "finished" } == 3)
    #expect(events.contains { $0["event"].text == "diagnostic" && $0["id"].text == "empty-art" })
    let done = try #require(events.last)
    #expect(done["stickers"].items.count == 3 && done["ok"] == .bool(false))
    // What has nothing to do says the same in the end.
    let again = try Program.run(["build", "--json"], in: scratch)
    let last = try JSONValue(parsing: Array((again.output.split(separator: "\n").last ?? "").utf8))
    #expect(last["stickers"] == done["stickers"] && last["diagnostics"] == done["diagnostics"])
    #expect(last["written"].items.isEmpty)
  }

  @Test func aPipeAmongTheArtIsNamed() throws {
    let scratch = pack()
    mkfifo(scratch.path + "/art/pipe.png", 0o644)
    let outcome = try Program.run(["build"], in: scratch)
    #expect(outcome.code == 0 && outcome.errors.contains("art/pipe.png: warning: a pipe, socket or device is no art"))
  }
}
