import AssetCatalog
import Foundation
import Testing

/// What `make test-deps` installs.
private enum Readers {
  static let python = packageRoot + "/.venv/bin/python"
  static let havePython = FileManager.default.isExecutableFile(atPath: python)
  static let haveFFmpeg = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
    FileManager.default.isExecutableFile(atPath: $0 + "/ffmpeg")
  }
}

/// Validates documents, each after its schema, with Python's jsonschema.
private let validate = """
  import json, sys, jsonschema
  for schema, *documents in (group.split("\\n") for group in sys.argv[1:]):
      schema = json.load(open(schema))
      jsonschema.Draft202012Validator.check_schema(schema)
      for document in documents:
          for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(document))):
              print(document, error.json_path, error.message)
  """

@Suite(
  .enabled(if: Program.path != nil, "the program is not built"),
  .enabled(if: Readers.havePython, "no .venv; make test-deps makes it"))
struct ReadBackTests {
  @Test(.enabled(if: Readers.haveFFmpeg, "no ffmpeg; make test-deps installs it"))
  func otherReadersSeeInEveryStickerWhatDecalSees() throws {
    let (scratch, outcome) = try ExamplePack.pressed.get()
    #expect(outcome.code == 0, "\(outcome.errors)")
    let manifest = try JSONValue(parsing: #require(scratch.bytes("out/manifest.json")))
    let stickers = ExamplePack.stickers(manifest)
    #expect(stickers.count >= 12)
    for sticker in stickers {
      let name = URL(fileURLWithPath: sticker).deletingPathExtension().lastPathComponent
      let inspected = try Program.run(["inspect", sticker, "--frames", "frames/" + name], in: scratch)
      #expect(inspected.code == 0, "\(inspected.errors)")
    }
    let script = packageRoot + "/Tests/tools/read_back.py"
    let compared = try Program.runTool([Readers.python, script, "frames"] + stickers, in: scratch)
    #expect(compared.code == 0, "\(compared.errors)")
    #expect(compared.output == "\n")
  }

  @Test func manifestsAndConfigurationsFollowTheirSchemas() throws {
    let (scratch, _) = try ExamplePack.pressed.get()
    let other = Scratch()
    other.add("art/hello.png", picture())
    other.add("art/bad.png", "notes")
    other.add("icon.png", master(side: 64))
    let configuration = """
      { "$schema": "decal.schema.json", "name": "Fox", "grid": "small", "stickers": ["art"], "output": "out",
        "icon": { "master": "icon.png", "appIcon": "single", "dark": "icon.png", "background": "white", "fit": "cover" },
        "fit": "cover", "kernel": "mitchell", "padding": 3, "trim": true, "background": "#102030",
        "outline": { "width": 4, "color": "white" }, "defringe": "auto", "fps": "24000/1001",
        "budget": 400000, "effort": "fast", "encoding": "rgba", "allowDownscale": true, "plays": 2, "order": ["hello"], "labels": { "hello": "Hi" },
        "overrides": { "hello": { "fit": "fill", "fps": 12.5, "plays": 0 } } }
      """
    other.add("decal.json", configuration)
    // One sticker fails: that is in the manifest too.
    #expect(try Program.run(["build"], in: other).code == 1)
    // Python reads no comments.
    other.add("plain.json", try JSONValue(parsing: Array(configuration.utf8)).serialized(.pretty))
    let groups = [
      [packageRoot + "/templates/manifest.schema.json", scratch.path + "/out/manifest.json", "out/manifest.json"],
      [packageRoot + "/templates/decal.schema.json", "plain.json"],
    ]
    let words = [Readers.python, "-c", validate] + groups.map { $0.joined(separator: "\n") }
    let validated = try Program.runTool(words, in: other)
    #expect(validated.code == 0, "\(validated.errors)")
    #expect(validated.output == "")
  }

  @Test func theSchemaRefusesWhatIsWrong() throws {
    let scratch = Scratch()
    scratch.add(
      "wrong.json", #"{ "grid": "medium", "padding": -1, "overrides": { "a": { "fps": 0 } } }"#)
    let group = packageRoot + "/templates/decal.schema.json\nwrong.json"
    let validated = try Program.runTool([Readers.python, "-c", validate, group], in: scratch)
    let places = Set(validated.output.split(separator: "\n").map { $0.split(separator: " ")[1] })
    #expect(places == ["$.grid", "$.overrides.a.fps", "$.padding"], "\(validated.output)\(validated.errors)")
  }
}
