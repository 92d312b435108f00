import AssetCatalog
import Codecs
import Imaging
import Pipeline
import TestSupport
import Testing

@testable import DecalCLI

/// A small black disc off its middle: lost on black, wide margins, off center.
private let dot = PlainPNG.still(
  picture(300, 300) { x, y in
    (x - 90) * (x - 90) + (y - 150) * (y - 150) < 4900 ? .black : .clear
  })

private func disk(_ configuration: String? = nil) -> MemoryDisk {
  let disk = MemoryDisk()
  disk.add("/w/art/dot.png", dot)
  if let configuration { disk.add("/w/decal.json", Array(configuration.utf8)) }
  return disk
}

@Suite struct Checking {
  @Test func findingsAreLinesWithWhyAndWhatToDo() async {
    let disk = disk()
    let outcome = await decal("check", "art/dot.png", "--grid", "small", on: disk)
    #expect(outcome.code == .success)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first { $0.contains("[unreadable-dark]") }?.hasPrefix("art/dot.png: warning: 0 % of the art") == true)
    #expect(lines.contains { $0.hasPrefix("    Half of all chats are dark") })
    #expect(lines.last == "1 warning, 2 notes")
    #expect(outcome.errors == "" && disk.changes == 0)
  }

  @Test func findingsCanBeAllowedAndRaised() async {
    let raised = await decal("check", "art", "-g", "small", "--raise", "off-center", on: disk())
    #expect(raised.code == .assetFailed && raised.output.contains("error: the art lies"))
    let allowed = await decal("check", "art", "-g", "small", "--allow", "off-center", on: disk())
    #expect(allowed.code == .success && !allowed.output.contains("[off-center]"))
    #expect(await decal("check", "art", "-g", "small", "--werror", on: disk()).code == .assetFailed)
    let notes = await decal("check", "art", "-g", "small", "--werror", "--allow", "unreadable-dark", on: disk())
    #expect(notes.code == .success)
    let typo = await decal("check", "art", "-g", "small", "--raise", "off-centre", on: disk())
    #expect(typo.output.contains("did you mean off-center?"))
  }

  @Test func JSONHasAllFields() async throws {
    let outcome = await decal("check", "--json", on: disk(#"{ "grid": "small" }"#))
    let json = try JSONValue(parsing: Array(outcome.output.utf8))
    #expect(json["command"] == .string("check") && json["ok"] == .bool(true) && outcome.errors == "")
    guard case .array(let findings)? = json["findings"] else { return #expect(Bool(false), "findings are a list") }
    let margins = try #require(findings.first { $0["id"] == .string("wide-margins") })
    for key in ["severity", "path", "message", "why", "advice", "region", "edit"] {
      #expect(margins[key] != nil, "\(key)")
    }
    #expect(margins["edit"]?["key"] == .array(["overrides", "dot", "trim"].map(JSONValue.string)))
  }

  @Test func fixingEditsTheConfigurationAlone() async throws {
    let disk = disk("{\n  // mine\n  \"grid\": \"small\"\n}\n")
    let outcome = await decal("check", "--fix", on: disk)
    #expect(outcome.output.contains("decal.json: note: added overrides.dot.trim: true [fixed]"))
    #expect(disk.writes == ["/w/decal.json"])
    let text = String(decoding: try #require(disk.bytes("/w/decal.json")), as: UTF8.self)
    // The dark dot is lost on a dark chat, too.
    let options = "{ \"trim\": true, \"outline\": { \"width\": 6, \"color\": \"white\" } }"
    #expect(text == "{\n  \"overrides\": { \"dot\": \(options) },\n  // mine\n  \"grid\": \"small\"\n}\n")
    let again = await decal("check", "--fix", on: disk)
    #expect(again.output.contains("nothing to fix") && !again.output.contains("[wide-margins]"))
    #expect(disk.writes.count == 1)
  }

  @Test func aLinkedConfigurationIsEditedWhereItLies() async throws {
    let disk = disk()
    disk.add("/shared/fox.json", Array("{ \"grid\": \"small\" }".utf8))
    disk.addLink("/w/decal.json", to: "/shared/fox.json")
    #expect(await decal("check", "--fix", on: disk).code == .success)
    #expect(disk.writes == ["/shared/fox.json"] && disk.linkTarget("/w/decal.json") == "/shared/fox.json")
  }

  @Test func wrongUseIsSaid() async {
    #expect(await decal("check", "nowhere.png", on: disk()).code == .usage)
    #expect(await decal("check", on: disk()).code == .usage)
    let fix = await decal("check", "art", "--fix", on: disk())
    #expect(fix.code == .usage && fix.errors.contains("there is no decal.json"))
    let broken = await decal("check", on: disk("{"))
    #expect(broken.code == .usage && broken.errors.contains("[config-syntax]"))
  }

  @Test func aMasterIsLookedAtByItself() async {
    let disk = disk()
    disk.add("/w/icon.png", Art.plain(64))
    let outcome = await decal("check", "--icon", "icon.png", on: disk)
    #expect(outcome.output.contains("icon.png: warning: 64x64 px") && outcome.output.contains("[icon-too-small]"))
    let missing = await decal("check", "--icon", "none.png", on: disk)
    #expect(missing.code == .assetFailed)
  }

  @Test func aBuildTellsTheCheapOnesAndTellsThemAgain() async {
    let disk = disk(#"{ "grid": "small" }"#)
    let first = await decal("build", on: disk)
    #expect(first.code == .success)
    #expect(first.errors.contains("art/dot.png: warning: 0 % of the art") && first.errors.contains("[unreadable-dark]"))
    #expect(first.errors.contains("[wide-margins]"))
    let second = await decal("build", on: disk)
    #expect(second.errors.contains("[unreadable-dark]"))
  }

  @Test func everyFindingHasHelp() async {
    let list = await decal("help", "findings")
    let help = await decal("help", "check")
    for rule in CheckRule.all {
      #expect(list.output.contains(" \(rule.id) ") && list.output.contains(rule.title))
      #expect(help.output.contains(rule.id))
      let own = await decal("help", rule.id)
      #expect(own.code == .success && own.output.hasPrefix("\(rule.id): \(rule.title)\n"))
      for line in (own.output + list.output).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }
}
