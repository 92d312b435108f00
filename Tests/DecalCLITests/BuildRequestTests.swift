import AssetCatalog
import Imaging
import Pipeline
import TestSupport
import Testing

@testable import DecalCLI

private func request(_ words: String..., files: [String: String] = [:], at working: String = "/w") -> BuildRequest {
  let disk = disk(files)
  let io = IO(standardOutput: { _ in }, standardError: { _ in }, workingDirectory: working)
  let (arguments, errors) = ArgumentParser(options: Command.build.options, command: "build").parse(words)
  #expect(errors.isEmpty)
  return BuildRequest(arguments, Context(environment: [:], io: io, disk: disk))
}

@Suite struct MeaningOfABuild {
  @Test func withoutAConfigurationTheOptionsSayAll() {
    let request = request("--stickers", "art", "--icon", "i.png", "--grid", "small", "-o", "press")
    #expect(request.diagnostics == [])
    #expect(request.root == "/w")
    #expect(request.configuration.stickers == ["art"])
    #expect(request.configuration.icon.master == "i.png")
    #expect(request.configuration.output == "press")
    #expect(request.configuration.grid == .small)
  }

  @Test func withoutAConfigurationOrStickersItIsRefused() {
    #expect(
      request("--icon", "i.png").diagnostics.map(\.line) == [
        ".: error: no decal.json and no --stickers; give --stickers PATH, or the folder of a pack [no-configuration]"
      ])
  }

  @Test func aConfigurationThatIsTooLargeIsRefusedUnread() {
    let text = #"{"stickers": "art"}"#
    let most = text + String(repeating: " ", count: Configuration.maximumBytes - text.utf8.count)
    #expect(request("pack", files: ["pack/decal.json": most]).diagnostics == [])
    #expect(
      request("pack", files: ["pack/decal.json": most + " "]).diagnostics.map(\.line) == [
        "pack/decal.json: error: 1048577 bytes, a configuration has at most 1048576 [over-limit]"
      ])
  }

  @Test func optionsOverrideTheConfigurationAndItsOverrides() {
    let request = request(
      "pack", "--fit", "cover", "--name", "Other", "--no-trim",
      files: [
        "pack/decal.json":
          #"{"name": "Fox", "fit": "fill", "padding": 4, "trim": true, "overrides": {"a": {"fit": "contain", "plays": 2}}}"#
      ])
    #expect(request.diagnostics == [])
    #expect(request.configuration.name == "Other")
    #expect(request.configuration.defaults.fit == .cover)
    #expect(request.configuration.defaults.padding == 4)
    #expect(request.configuration.defaults.trim == false)
    #expect(request.configuration.imposed.fit == .cover)
    #expect(request.configuration.imposed.padding == nil)
    #expect(request.configuration.overrides["a"]?.plays == 2)
  }

  @Test func typedPathsAreSeenFromTheWorkingFolderAndWrittenOnesFromThePacks() {
    let request = request(
      "pack", "--icon", "pack/icons/i.png", "--stickers", "art", "--stickers", "pack", "-o", "/abs/out",
      files: ["pack/decal.json": "{}"])
    #expect(request.root == "/w/pack")
    #expect(request.configuration.icon.master == "icons/i.png")
    #expect(request.configuration.stickers == ["../art", "."])
    #expect(request.configuration.output == "/abs/out")
  }

  @Test func theWayUpFollowsLinks() {
    let disk = disk(["real/deep/decal.json": "{}"])
    disk.addLink("/w/pack", to: "real/deep")
    let io = IO(standardOutput: { _ in }, standardError: { _ in }, workingDirectory: "/w")
    var arguments = Arguments()
    arguments.operands = ["pack"]
    arguments.stickers = ["art"]
    let request = BuildRequest(arguments, Context(environment: [:], io: io, disk: disk))
    #expect(request.configuration.stickers == ["../../art"])
  }

  @Test func problemsOfTheConfigurationComeWithThePathThatWasTyped() async {
    let disk = disk(["pack/decal.json": "{\n \"grid\": 1,\n \"pading\": 2 }"])
    let outcome = await decal("build", "pack", on: disk)
    #expect(outcome.code == .usage)
    #expect(
      outcome.errorLines == [
        "pack/decal.json:2: error: grid 1 is not a grid size; use small, regular or large [config-value]",
        #"pack/decal.json:3: warning: unknown key "pading"; did you mean "padding"? [unknown-key]"#,
      ])
    #expect(disk.writes == [])
  }

  @Test func aMissingFolderOrAFileInItsPlaceIsNamed() async {
    let disk = disk(["file": "x"])
    let missing = await decal("build", "nowhere", on: disk)
    #expect(missing.errors == "nowhere: error: there is no such folder; give the folder of a pack [no-such-folder]\n")
    #expect(missing.code == .usage)
    let file = await decal("build", "file", on: disk)
    #expect(file.errors == "file: error: not a folder; give the folder that holds decal.json [not-a-folder]\n")
  }

  @Test func anUnreadableConfigurationIsNamed() async {
    let disk = disk(["decal.json": "{}"])
    disk.setFault { operation, path, _ in operation == .read && path.hasSuffix("decal.json") ? 13 : nil }
    let outcome = await decal("build", on: disk)
    #expect(outcome.code == .usage)
    #expect(outcome.errors.hasPrefix("decal.json: error: cannot read: permission denied"))
  }

  @Test func aRefusalInJSONIsOneLine() async throws {
    let outcome = await decal("build", "nowhere", "--json", on: disk([:]))
    #expect(outcome.code == .usage)
    #expect(outcome.errors == "")
    #expect(outcome.output.split(separator: "\n").count == 1)
    let line = try JSONValue(parsing: Array(outcome.output.utf8))
    #expect(line["event"] == .string("done") && line["ok"] == .bool(false))
    #expect(outcome.output.contains("no-such-folder"))
  }

  @Test func filesOfAPackElsewhereAreNamedFromHere() async throws {
    let files = ["packs/fox/art/bad.png": "no picture", "packs/fox/decal.json": #"{ "grid": "small" }"#]
    for folder in ["packs/fox", "packs/fox/"] {
      let outcome = await decal("build", folder, on: disk(files))
      #expect(outcome.errors.contains("packs/fox/art/bad.png: error: "), "\(outcome.errors)")
    }
    let machine = await decal("build", "packs/fox", "--json", on: disk(files))
    #expect(machine.output.contains(#""path":"art/bad.png""#), "\(machine.output)")
    // A key of the configuration is no file.
    let key = disk(["packs/fox/decal.json": #"{ "stickers": "nowhere" }"#])
    #expect(await decal("build", "packs/fox", on: key).errors.hasPrefix("nowhere: error: "))
  }
}
