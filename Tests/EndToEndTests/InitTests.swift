import AssetCatalog
import Foundation
import Testing

private let python = packageRoot + "/.venv/bin/python"
private let havePython = FileManager.default.isExecutableFile(atPath: python)

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct StartingAPack {
  @Test func aStarterPackBuildsAtOnceWithoutAWarning() throws {
    let scratch = Scratch()
    let started = try Program.run(["init", "My Pack"], in: scratch)
    #expect(started.code == 0 && started.errors == "", "\(started.errors)")
    #expect(started.output.hasSuffix("next: decal build 'My Pack'\n"), "\(started.output)")
    let built = try Program.run(["build", "My Pack", "--werror"], in: scratch)
    #expect(built.code == 0 && !built.errors.contains("warning"), "\(built.errors)")
    let manifest = try JSONValue(parsing: #require(scratch.bytes("My Pack/out/manifest.json")))
    #expect(manifest["stickers"].items.map { $0["name"].text } == ["hello", "love", "wink"])
    #expect(manifest["stickers"].items.map { $0["output"]?["width"].number } == [408, 408, 408])
    #expect(manifest["stickers"].items[2]["output"]?["durationMs"].number == 1000)
    #expect(manifest["options"]?["name"].text == "My Pack")
    #expect(manifest["diagnostics"].items.allSatisfy { $0["severity"].text == "note" })
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/make"), "no make"))
  func itsMakefilePressesIt() throws {
    let scratch = Scratch()
    #expect(try Program.run(["init"], in: scratch).code == 0)
    let made = try Program.runTool(["/usr/bin/make", "DECAL=" + Program.path!], in: scratch)
    #expect(made.code == 0, "\(made.errors)")
    #expect(scratch.exists("out/manifest.json"))
  }

  @Test(
    .enabled(if: havePython, "no .venv; make test-deps makes it"),
    arguments: [
      "Fox", "Cats & Friends", "Tom's \"best\" <Pack>", "Füchse im Schnee", "🦊 狐", "100% — ok; a = b, (c) {d} #e",
      "Łódź Straße", "*/ ends", "-dash",
    ])
  func otherProgramsReadTheXcodeProject(_ name: String) throws {
    guard !name.contains("/") else {
      #expect(try Program.run(["init", "--name", name], in: Scratch()).code == 2)
      return
    }
    let scratch = Scratch()
    // The art makes no difference here, and drawing it takes its time.
    scratch.add("art/dot.png", picture())
    let started = try Program.run(["init", "--xcode", "--name=\(name)"], in: scratch)
    #expect(started.code == 0 && started.errors == "", "\(started.errors)")
    #expect(try Program.run(["build", "-q"], in: scratch).code == 0)
    let read = try Program.runTool(
      [python, packageRoot + "/Tests/tools/read_xcode.py", scratch.path, name], in: scratch)
    #expect(read.code == 0 && read.output == "", "\(read.output)\(read.errors)")
  }

  /// The reader of property lists that comes with Swift.
  static let plutil = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { $0 + "/plutil" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(
    .enabled(if: plutil != nil, "no plutil"),
    arguments: ["Fox", "Tom's \"best\" <Pack> & more", "Füchse 🦊 狐", "a; b = (c) {d} * e *"])
  func plutilReadsTheXcodeProject(_ name: String) throws {
    let scratch = Scratch()
    scratch.add("art/dot.png", picture())
    #expect(try Program.run(["init", "--xcode", "--name=\(name)"], in: scratch).code == 0)
    let lists = scratch.tree(".").keys.filter { $0.hasSuffix(".plist") || $0.hasSuffix(".pbxproj") }
    #expect(lists.count == 3)
    for list in lists {
      let read = try Program.runTool([#require(Self.plutil), "-convert", "xml1", "-o", "copy", list], in: scratch)
      #expect(read.code == 0, "\(list): \(read.output)\(read.errors)")
      let copy = try PropertyListSerialization.propertyList(from: Data(scratch.bytes("copy") ?? []), format: nil)
      let members = try #require(copy as? [String: Any])
      #expect(list.hasSuffix(".plist") || (members["objects"] as? [String: Any])?.count ?? 0 >= 25)
    }
  }

  @Test func theSameNameGivesTheSameProjectEverywhere() throws {
    let (one, other) = (Scratch(), Scratch())
    for scratch in [one, other] {
      scratch.add("deep/art/dot.png", picture())
      #expect(try Program.run(["init", "deep", "--xcode", "--name", "Fox"], in: scratch).code == 0)
    }
    #expect(one.tree("deep") == other.tree("deep"))
  }
}
