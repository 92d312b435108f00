import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

/// Finds the art of `/art`: files that are no JSON are pictures.
private func discover(_ names: [String], _ sidecars: [String: String], inputs: [String] = ["art"]) throws -> Discovery {
  let disk = MemoryDisk()
  for name in names { disk.add("/art/" + name, Art.png()) }
  for (name, text) in sidecars { disk.add("/art/" + name, Array(text.utf8)) }
  var discoverer = Discoverer(disk: disk, root: "/")
  return try discoverer.discover(inputs)
}

@Suite("Sidecars") struct SidecarTests {
  @Test func aFileBesideTheArtSaysHowItIsMade() throws {
    let found = try discover(
      ["wave.gif", "cat.png"],
      [
        "wave.json": """
        { // plays twice
          "$schema": "x", "plays": 2, "padding": 5, "label": "Waving", "fps": "24000/1001", }
        """
      ])
    #expect(found.diagnostics.isEmpty)
    #expect(found.assets.map(\.name) == ["cat", "wave"])
    #expect(found.assets[0].sidecar == nil)
    let sidecar = try #require(found.assets[1].sidecar)
    #expect(sidecar.file.path == "art/wave.json")
    #expect((sidecar.options.plays, sidecar.options.padding, sidecar.options.label) == (2, 5, "Waving"))
    #expect(found.assets[1].files.map(\.path) == ["art/wave.gif"])
  }

  @Test(arguments: [
    (["d.frames/1.png", "d.frames/2.png"], "d.json"), (["d/1.png", "d/2.png", "d/3.png", "d/4.png"], "d.json"),
    (["d@3x.png"], "d.json"), (["d@3x.png"], "d@3x.json"), (["d"], "d.json"), (["d.png"], "d.JSON"),
  ])
  func itStandsBesideWhateverTheStickerIsMadeFrom(names: [String], sidecar: String) throws {
    let found = try discover(names, [sidecar: #"{"trim": true}"#])
    #expect(found.assets.map(\.name) == ["d"])
    #expect(found.assets[0].sidecar?.options.trim == true, "\(found.diagnostics.map(\.line))")
  }

  @Test func artThatIsGivenByItsPathHasOneToo() throws {
    let found = try discover(
      ["d.frames/1.png", "cat.png"], ["d.json": #"{"fps": 9}"#, "cat.json": #"{"trim": true}"#],
      inputs: ["art/d.frames/", "art/cat.png"])
    #expect(found.assets.map(\.sidecar?.options.fps) == [Rational(9), nil])
    #expect(found.assets.map(\.sidecar?.options.trim) == [nil, true])
  }

  @Test(arguments: [
    #"{"v": "5.5", "fr": 30, "ip": 0, "op": 60, "layers": []}"#, #"{"frames": {}, "meta": {"app": "a program"}}"#,
    "[1, 2]", "17", #"{"name": "cat", "tags": []}"#,
  ])
  func otherProgramsFilesAreNone(text: String) throws {
    let found = try discover(["cat.png"], ["cat.json": text])
    #expect(found.assets.map(\.sidecar) == [nil])
    #expect(found.assets[0].problem == nil)
    #expect(
      found.diagnostics.map(\.line) == ["art: note: 1 file that is no art was skipped: cat.json [skipped]"])
  }

  @Test func aFileThatIsBesideNoArtIsNoSidecar() throws {
    let found = try discover(["cat.png"], ["dog.json": #"{"trim": true}"#])
    #expect(found.diagnostics.map(\.id) == ["skipped"])
    #expect(found.assets[0].sidecar == nil)
  }

  @Test(arguments: [
    (
      "{\n  \"padding\": \"a\" }",
      "art/cat.json:2: error: padding \"a\" is not a padding in pixels; "
        + "use a whole number from 0 to 308 [config-value]"
    ),
    (
      "{\n\n \"padding\": 204}",
      "art/cat.json:3: error: padding 204 leaves no room for art in 408 px; "
        + "use 0 to 203 [config-value]"
    ),
    (
      "{\n \"trim\" true}",
      "art/cat.json:2:9: error: not JSON: expected ':' after the key \"trim\", "
        + "found 't' [config-syntax]"
    ),
  ])
  func aWrongValueFailsItsStickerAndNamesFileLineAndKey(text: String, line: String) throws {
    let found = try discover(["cat.png", "dog.png"], ["cat.json": text])
    #expect(found.assets.map(\.problem?.line) == [line, nil])
  }

  @Test func anUnknownKeyIsWarnedOf() throws {
    let found = try discover(["cat.png"], ["cat.json": "{\"trim\": true,\n\"paddng\": 3, \"grid\": \"small\"}"])
    #expect(found.assets[0].problem == nil && found.assets[0].sidecar?.options.trim == true)
    #expect(found.diagnostics.map(\.id) == ["unknown-key", "unknown-key"])
    #expect(found.diagnostics[0].line.hasPrefix("art/cat.json:2: warning: unknown key \"paddng\"; did you mean"))
  }

  @Test func whatWasTypedComesFirstThenTheSidecarThenTheOverrideThenThePack() throws {
    func plan(_ layers: Int) -> StickerJob {
      var configuration = Configuration()
      var asset = SourceAsset(name: "cat", path: "cat.png", content: .frames([]))
      configuration.defaults.padding = 1
      if layers > 1 { configuration.overrides["cat", default: .init()].padding = 2 }
      configuration.overrides["cat", default: .init()].label = "override"
      if layers > 2 {
        asset.sidecar = Sidecar(file: SourceFile(location: "", path: ""))
        asset.sidecar?.options.padding = 3
        asset.sidecar?.options.label = "sidecar"
      }
      if layers > 3 { configuration.imposed.padding = 4 }
      return BuildPlan(configuration.resolved(), art: Discovery(assets: [asset]), limits: DecodeLimits()).stickers[0]
    }
    #expect((1...4).map { plan($0).recipe.render.padding } == [1, 2, 3, 4])
    #expect((1...4).map { plan($0).label } == ["override", "override", "sidecar", "sidecar"])
  }

  @Test func aChangedSidecarMakesItsStickerAgain() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    pack.disk.add("/pack/art/cat.json", Array(#"{"padding": 3}"#.utf8))
    let added = try await pack.build()
    #expect(added.pressed == ["cat"] && added.reason("cat") == .options(["render.padding 0 -> 3"]))
    #expect(added.inputs.contains("/pack/art/cat.json"))
    let manifest = try JSONValue(parsing: pack.output["manifest.json"] ?? [])
    guard case .array(let stickers)? = manifest["stickers"] else { return #expect(Bool(false)) }
    #expect(stickers[0]["sidecar"]?["options"]?["padding"] == .int(3))
    pack.disk.add("/pack/art/cat.json", Array(#"{"label": "A cat", "padding": 3}"#.utf8))
    #expect(try await pack.build().pressed.isEmpty)
    #expect(pack.writes.contains(StatefulPack.folder + "/cat.sticker/Contents.json"))
    pack.disk.add("/pack/art/cat.json", Array(#"{"padding": true}"#.utf8))
    let broken = try await pack.build()
    #expect(broken.hasErrors && broken.madeCount == 2)
    pack.disk.remove("/pack/art/cat.json")
    let gone = try await pack.build()
    #expect(gone.madeCount == 3 && !gone.hasErrors)
  }
}
