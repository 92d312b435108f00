import AssetCatalog
import Imaging
import TestSupport
import Testing

@testable import Pipeline

@Suite struct Checks {
  static let cases = ArtCases.all + MasterCases.all + IconSetCases.all + CatalogCases.all

  @Test(arguments: cases) func findsWhatIsSeededAndNothingNearIt(_ one: CheckCase) async throws {
    let findings = try await one.findings()
    let found = findings.filter { $0.id == one.rule.id }
    #expect(found.isEmpty != one.isSeeded, "\(findings.map(\.diagnostic.line))")
  }

  @Test func everyRuleHasThreeSeedsAndThreeNearMisses() {
    for rule in CheckRule.all {
      let own = Self.cases.filter { $0.rule == rule }
      #expect(own.count { $0.isSeeded } >= 3 && own.count { !$0.isSeeded } >= 3, "\(rule.id)")
    }
  }

  @Test func rulesSayWhatToDo() {
    #expect(Set(CheckRule.all.map(\.id)).count == CheckRule.all.count)
    for rule in CheckRule.all {
      #expect(!rule.title.isEmpty && rule.why.hasSuffix(".") && rule.advice.hasSuffix("."), "\(rule.id)")
      #expect(rule.id.allSatisfy { $0.isLowercase || $0 == "-" })
    }
  }

  @Test func aGoodCatalogIsQuiet() async throws {
    let findings = try await CheckCase.catalog(.gridSize, "good", false).findings()
    #expect(findings.isEmpty, "\(findings.map(\.diagnostic.line))")
  }

  /// No case: a dictionary of paths would keep one of both.
  @Test func twoUnicodeFormsAreOneName() async throws {
    let disk = MemoryDisk()
    var listed = ["A.sticker", "B.sticker"]
    for name in ["\u{e9}", "e\u{301}"] {
      var catalog = CatalogFiles()
      catalog.addSticker(name, Sketch().disc(150, 150, 130, .gold).png, label: "A fox in \(listed.count) forms")
      listed.append("\(name).sticker")
      catalog.list(listed)
      for (path, bytes) in catalog.files { disk.add("/w/" + path, bytes) }
    }
    let findings = try await Checker(disk: disk).check(CatalogFiles.root, root: "/w", configuration: Configuration())
    let ids = findings.map(\.id).filter { $0.hasPrefix("sticker-") && $0 != "sticker-size" }
    #expect(ids == ["sticker-names"], "\(findings.map(\.diagnostic.line))")
  }

  @Test func whatASidecarSaysIsNotEdited() async throws {
    let small = Sketch().disc(80, 150, 60, .scarlet).png
    var one = CheckCase(rule: .wideMargins, name: "", isSeeded: true, files: ["art/a.png": small])
    one.files["art/a.json"] = Array("{ \"trim\": false }".utf8)
    let margins = try await one.findings().first { $0.id == "wide-margins" }
    #expect(margins != nil && margins?.edit == nil)
  }

  @Test func opinionsAreNotesAndRefusalsAreErrors() {
    let errors = CheckRule.all.filter { $0.severity == .error }
    #expect(errors.allSatisfy { $0.topic == .icons || $0.topic == .catalog })
    #expect(CheckRule.art.allSatisfy { $0.severity != .error })
  }

  @Test func aFileThatCannotBeReadIsAnError() async throws {
    let one = CheckCase.art(.offCenter, "", true, Array("hello".utf8))
    let findings = try await one.findings()
    #expect(findings.contains { $0.severity == .error && $0.path == "art/a.png" })
  }

  @Test func aPackIsLookedAtAsItIsPressed() async throws {
    let small = Sketch().disc(80, 150, 60, .scarlet).png
    var one = CheckCase(rule: .wideMargins, name: "", isSeeded: true, files: ["art/a.png": small, "art/b.png": small])
    var findings = try await one.findings()
    #expect(findings.contains { $0.id == "wide-margins" && $0.edit?.path == ["overrides", "a", "trim"] })
    #expect(findings.contains { $0.id == "off-center" && $0.path == "art/a.png" && $0.region != nil })
    #expect(findings.contains { $0.id == "near-duplicate" && $0.path == "art/b.png" })
    one.configuration.defaults.trim = true
    findings = try await one.findings()
    #expect(!findings.contains { $0.id == "wide-margins" || $0.id == "off-center" })
  }

  @Test func aPacksMastersLabelsAndOutputAreLookedAt() async throws {
    var one = CheckCase(rule: .iconSmall, name: "", isSeeded: true, files: CatalogFiles().files.mapKeys { "out/" + $0 })
    one.files["icon.png"] = Sketch(64, 64, .scarlet).png
    one.files["art/a.png"] = Sketch().disc(150, 150, 130, .scarlet).png
    one.files["out/\(CatalogFiles.pack)/A.sticker/A.png"] = nil
    one.configuration.icon.master = "icon.png"
    one.configuration.labels = ["a": "a.png"]
    let ids = try await one.findings().map(\.id)
    for id in ["icon-too-small", "label-is-name", "sticker-missing"] { #expect(ids.contains(id), "\(ids)") }
  }
}

extension Dictionary where Key == String {
  fileprivate func mapKeys(_ change: (String) -> String) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: map { (change($0.key), $0.value) })
  }
}

@Suite struct ConfigurationEdits {
  private func edited(_ text: String, _ edits: [ConfigurationEdit]) -> (String, Int) {
    let (bytes, made) = Configuration.text(Array(text.utf8), applying: edits)
    return (String(decoding: bytes, as: UTF8.self), made.count)
  }

  private let trim = ConfigurationEdit(["overrides", "wave", "trim"], .bool(true))

  @Test func otherLinesStay() {
    let text =
      "// mine\n{\n  \"name\": \"Fox\", // here\n  \"overrides\": {\n    \"hi\": { \"fps\": 16 } /* 16 */\n  }\n}\n"
    let (new, made) = edited(text, [trim])
    #expect(made == 1)
    #expect(
      new == "// mine\n{\n  \"name\": \"Fox\", // here\n  \"overrides\": {\n    \"wave\": { \"trim\": true },\n"
        + "    \"hi\": { \"fps\": 16 } /* 16 */\n  }\n}\n")
  }

  @Test func objectsOnOneLineStayOnIt() {
    let other = ConfigurationEdit(["overrides", "hi", "trim"], .bool(true))
    #expect(
      edited("{\n  \"overrides\": { \"hi\": { \"fps\": 16 } }\n}\n", [other]).0
        == "{\n  \"overrides\": { \"hi\": { \"trim\": true, \"fps\": 16 } }\n}\n")
    #expect(edited("{\n  \"overrides\": {}\n}", [trim]).0 == "{\n  \"overrides\": { \"wave\": { \"trim\": true } }\n}")
  }

  @Test func whatIsMissingIsMade() {
    #expect(edited("{}", [trim]).0 == "{\n  \"overrides\": { \"wave\": { \"trim\": true } }\n}")
    let fps = ConfigurationEdit(["overrides", "wave", "fps"], .int(20))
    #expect(
      edited("{ \"name\": \"Fox\" }", [trim, fps]).0
        == "{ \"overrides\": { \"wave\": { \"fps\": 20, \"trim\": true } }, \"name\": \"Fox\" }")
  }

  @Test func linesEndAndBeginAsTheOthersDo() {
    #expect(
      edited("// a\r\n{\r\n\t\"name\": \"Fox\",\r\n}\r\n", [trim]).0
        == "// a\r\n{\r\n\t\"overrides\": { \"wave\": { \"trim\": true } },\r\n\t\"name\": \"Fox\",\r\n}\r\n")
    #expect(
      edited("{\n\t\"overrides\": {\n\n\t\t// b\n\t\t\"hi\": {}\n\t}\n}\n", [trim]).0
        == "{\n\t\"overrides\": {\n\t\t\"wave\": { \"trim\": true },\n\n\t\t// b\n\t\t\"hi\": {}\n\t}\n}\n")
    #expect(edited("{\r\n}", [trim]).0 == "{\r\n  \"overrides\": { \"wave\": { \"trim\": true } }\r\n}")
  }

  @Test func whatSaysOtherwiseStays() {
    for text in ["{ \"overrides\": { \"wave\": { \"trim\": false } } }", "{ \"overrides\": 3 }", "[]", "{", ""] {
      let (new, made) = edited(text, [trim])
      #expect(new == text && made == 0, "\(text)")
    }
  }
}
