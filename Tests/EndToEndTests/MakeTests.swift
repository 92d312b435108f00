import Foundation
import Imaging
import Pipeline
import Testing

/// Runs make in a test's folder; `DECAL` is the built program.
private func make(_ arguments: String..., in scratch: Scratch) throws -> ProgramOutcome {
  try Program.runTool(["/usr/bin/make", "DECAL=" + Program.path!] + arguments, in: scratch)
}

private let canMake = Program.path != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/make")

/// Sets a file's time to a minute from now.
private func touch(_ scratch: Scratch, _ name: String) {
  try! FileManager.default.setAttributes(
    [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: scratch.path + "/" + name)
}

@Suite(.enabled(if: canMake, "no make, or the program is not built")) struct UnderMake {
  static let oddNames = [
    "a b", "a#b", "a$b", "a:b", "a%b", "a=b", "a;b", "[ab]", "~a", "a\\b", "a\\ b", "a\\#b", "(a)", "a*", "a?", "a&b",
    "a'b", "a\"b", "a|b", "狐", "$(shell touch made-by-make)",
  ]

  private func rule(_ scratch: Scratch) {
    scratch.add(
      "Makefile",
      """
      out/stamp: decal.json
      \t$(DECAL) build -q --allow name-changed --depfile out/made.d --stamp $@
      -include out/made.d

      """)
  }

  @Test func everyNameIsADependency() throws {
    let scratch = smallPack(0)
    // Odd characters become alike in stickers' names; numbers tell them apart.
    let names = Self.oddNames.enumerated().map { "\($1) \($0)" } + ["a\\"]
    for name in names { scratch.add("art/\(name).png", picture()) }
    rule(scratch)
    let first = try make(in: scratch)
    #expect(first.code == 0, "\(first.errors)")
    #expect(try make("-q", in: scratch).code == 0)
    for name in names {
      touch(scratch, "art/\(name).png")
      #expect(try make("-q", in: scratch).code == 1, "\(name)")
      let date = Date(timeIntervalSinceNow: -60)
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: scratch.path + "/art/\(name).png")
    }
    #expect(!scratch.exists("made-by-make"))
  }

  @Test func everyFolderIsADependency() throws {
    let scratch = smallPack(0)
    let names =
      Self.oddNames + ["a&", "a\\", "a\\\\", "a ", "a:", "a#", "x(1)", "art (copy)", "(", "a)", "(b) (c)", "\t"]
    for (index, name) in names.enumerated() { scratch.add("art/\(name)/picture \(index)x.png", picture()) }
    rule(scratch)
    let first = try make(in: scratch)
    #expect(first.code == 0, "\(first.errors)")
    // The folder's own time is that of its last change, and the stamp's that of the build's beginning.
    #expect(try make(in: scratch).code == 0)
    #expect(try make("-q", in: scratch).code == 0)
    for name in names {
      touch(scratch, "art/\(name)")
      #expect(try make("-q", in: scratch).code == 1, "\(name)")
      let date = Date(timeIntervalSinceNow: -60)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: scratch.path + "/art/\(name)")
    }
    #expect(!scratch.exists("made-by-make"))
  }

  @Test func whatIsChangedWhileABuildRunsIsNewerThanItsStamp() throws {
    let scratch = smallPack()
    rule(scratch)
    #expect(try make(in: scratch).code == 0)
    let stamps = scratch.stamps("out")
    let (stamp, manifest) = try (#require(stamps["stamp"]), #require(stamps["manifest.json"]))
    #expect(stamp.modified < manifest.modified)
  }

  @Test func warningsThatCountLeaveNoStamp() throws {
    let scratch = smallPack()
    scratch.add("art/tiny.png", picture(side: 200))
    #expect(try Program.run(["build", "--werror", "--stamp", "stamp"], in: scratch).code == 1)
    #expect(!scratch.exists("stamp"))
    let arguments = ["build", "--werror", "--allow", "upscaled", "--stamp", "stamp"]
    let allowed = try Program.run(arguments, in: scratch)
    #expect(allowed.code == 0 && scratch.exists("stamp"), "\(allowed.errors)")
  }

  @Test func whatKilledRunsLeftBesideOtherFilesGoes() throws {
    let scratch = smallPack(1)
    scratch.add("master.png", master())
    let folders = ["lists", "dep", "stickers", "A.appiconset"]
    // No process has this number.
    for folder in folders { scratch.add("\(folder)/.decal-tmp-\(Int32.max)-1", "half") }
    for arguments in [
      ["build", "--xcfilelist", "lists", "--depfile", "dep/x.d"], ["convert", "art", "-o", "stickers"],
      ["icon", "master.png", "-o", "A.appiconset"],
    ] { #expect(try Program.run(arguments, in: scratch).code == 0) }
    for folder in folders { #expect(!scratch.tree(folder).keys.contains { $0.hasPrefix(".decal-tmp-") }, "\(folder)") }
  }

  @Test func theStampMovesWithTheArtAndTheManifestWithTheResult() throws {
    let scratch = smallPack()
    rule(scratch)
    #expect(try make(in: scratch).code == 0)
    let before = scratch.stamps("out")
    touch(scratch, "art/s1.png")
    // A file of the future stays newer; one of a moment ago is what a checkout leaves.
    scratch.add("art/s1.png", scratch.bytes("art/s1.png")!)
    #expect(try make(in: scratch).code == 0)
    let after = scratch.stamps("out")
    #expect(after["manifest.json"] == before["manifest.json"] && after["stamp"] != before["stamp"])
    #expect(try make("-q", in: scratch).code == 0)
    scratch.add("art/s1.png", picture(RGBA8(9, 9, 9)))
    #expect(try make(in: scratch).code == 0)
    #expect(scratch.stamps("out")["manifest.json"] != before["manifest.json"])
  }

  @Test func filesThatComeAndGoAreNoticed() throws {
    let scratch = smallPack()
    rule(scratch)
    #expect(try make(in: scratch).code == 0)
    scratch.removeTree("art/s1.png")
    #expect(try make("-q", in: scratch).code == 1)
    #expect(try make(in: scratch).code == 0)
    #expect(!scratch.tree("out").keys.contains { $0.hasSuffix("/s1.png") })
    scratch.add("art/new.png", picture())
    #expect(try make(in: scratch).code == 0)
    #expect(scratch.tree("out").keys.contains { $0.hasSuffix("/new.png") })
  }

  @Test func artThatFailsIsTriedAgain() throws {
    let scratch = smallPack()
    scratch.add("art/bad.png", "no picture")
    rule(scratch)
    for _ in 0..<2 {
      #expect(try make(in: scratch).code == 2)
      #expect(!scratch.exists("out/stamp"))
    }
  }

  @Test func packsAreMadeSideBySide() throws {
    let scratch = Scratch()
    let packs = ["a", "b", "c", "d"]
    for pack in packs {
      for index in 0..<4 { scratch.add("\(pack)/art/s\(index).png", picture(RGBA8(UInt8(index * 40), 10, 10))) }
      scratch.add("\(pack)/decal.json", #"{ "grid": "small", "effort": "fast" }"#)
    }
    let template = packageRoot + "/templates/decal.mk"
    scratch.add("Makefile", "DECAL_PACKS := a b c d\nDECAL_FLAGS := --cache-dir cache\ninclude \(template)\n")
    let outcome = try make("-j8", "stickers", in: scratch)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let trees = packs.map { scratch.tree("\($0)/out").filter { !$0.key.hasPrefix(".") } }
    #expect(trees[0].count == 12 && trees.allSatisfy { $0 == trees[0] })
    #expect(try make("-q", "stickers", in: scratch).code == 0)
    scratch.removeTree("b/out/manifest.json")
    #expect(try make("stickers", in: scratch).code == 0)
    #expect(scratch.exists("b/out/manifest.json"))
    #expect(try make("clean-stickers", in: scratch).code == 0)
    #expect(try make("-q", "stickers", in: scratch).code == 1)
  }

  @Test func xcodeGetsItsLists() throws {
    let scratch = smallPack(1)
    #expect(try Program.run(["build", "--xcfilelist", "lists"], in: scratch).code == 0)
    let inputs = String(decoding: scratch.bytes("lists/inputs.xcfilelist") ?? [], as: UTF8.self)
    #expect(inputs == "$(SRCROOT)/decal.json\n$(SRCROOT)/art\n$(SRCROOT)/art/s0.png\n")
    let outputs = String(decoding: scratch.bytes("lists/outputs.xcfilelist") ?? [], as: UTF8.self)
    #expect(outputs.split(separator: "\n").count == 6)
    for line in outputs.split(separator: "\n") { #expect(scratch.exists(String(line.dropFirst("$(SRCROOT)/".count)))) }
  }

  @Test func whatIsInstalledWorksByItselfAndGoesAgain() throws {
    let scratch = Scratch()
    // In the place of the compiler: it only says where the program is.
    scratch.add("swift", "#!/bin/sh\necho '\(URL(fileURLWithPath: Program.path!).deletingLastPathComponent().path)'\n")
    chmod(scratch.path + "/swift", 0o755)
    let words = ["PREFIX=/usr", "DESTDIR=\(scratch.path)/a place", "SWIFT=\(scratch.path)/swift"]
    func run(_ target: String) throws -> ProgramOutcome {
      try Program.runTool(["/usr/bin/make", "-C", packageRoot, "-o", "build", target] + words, in: scratch)
    }
    let installed = try run("install")
    #expect(installed.code == 0, "\(installed.errors)")
    let share = "a place/usr/share"
    for name in [
      "man/man1/decal.1", "bash-completion/completions/decal", "zsh/site-functions/_decal",
      "fish/vendor_completions.d/decal.fish", "decal/decal.mk", "decal/github-actions.yml", "decal/art/icon-square.svg",
    ] { #expect(scratch.bytes("\(share)/\(name)")?.isEmpty == false, "\(name)") }
    let program = scratch.path + "/a place/usr/bin/decal"
    #expect(try Program.runTool([program, "init", "pack", "--xcode"], in: scratch).code == 0)
    #expect(scratch.exists("pack/pack.xcodeproj/project.pbxproj"))
    #expect(try run("uninstall").code == 0)
    #expect(scratch.tree("a place").isEmpty)
  }
}
