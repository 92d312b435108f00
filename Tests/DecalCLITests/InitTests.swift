import AssetCatalog
import Codecs
import Foundation
import Imaging
import Pipeline
import TestSupport
import Testing

@testable import DecalCLI

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The paths below `/w` and their bytes.
private func tree(_ disk: MemoryDisk) -> [String: [UInt8]] {
  Dictionary(uniqueKeysWithValues: disk.tree("/w").map { ($0.path, $0.bytes) })
}

/// The text with the slashes of commented keys taken away.
private func uncommented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    let rest = line.drop { $0 == " " }
    guard rest.hasPrefix("// "), let first = rest.dropFirst(3).first(where: { $0 != " " }), "\"}".contains(first)
    else { return String(line) }
    return String(rest.dropFirst(3))
  }.joined(separator: "\n")
}

@Suite("decal init") struct InitTests {
  private let configuration = StarterConfiguration(
    name: "Cats & \"Friends\"", grid: .large, labels: [("hello", "Hello")], icon: "icon.png")

  @Test func theConfigurationIsReadAsItIsMeant() throws {
    let (parsed, diagnostics) = Configuration.parse(Array(configuration.text.utf8), file: "decal.json")
    #expect(diagnostics == [])
    #expect(parsed.name == "Cats & \"Friends\"" && parsed.grid == .large && parsed.icon.master == "icon.png")
    #expect(parsed.order == ["hello"] && parsed.labels == ["hello": "Hello"])
    #expect(parsed.defaults == StickerOptions())
  }

  @Test func everyKeyIsExplainedAndCanBeTakenOutOfItsComment() throws {
    let text = uncommented(configuration.text)
    let (_, diagnostics) = Configuration.parse(Array(text.utf8), file: "decal.json")
    #expect(diagnostics.map(\.line) == [])
    let document = try JSONValue(parsing: Array(text.utf8), comments: true)
    func keys(_ value: JSONValue?) -> [String] {
      if case .object(let members)? = value { members.map(\.key) } else { [] }
    }
    #expect(keys(document) == ConfigurationKey<Configuration>.top.map(\.name))
    #expect(keys(document["icon"]) == ConfigurationKey<IconOptions>.icon.map(\.name))
    #expect(keys(document["limits"]) == ConfigurationKey<LimitOptions>.limits.map(\.name))
    let flat = configuration.text.replacing("// ", with: "").split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    for help in ConfigurationKey<Configuration>.top.map(\.help) + ConfigurationKey<IconOptions>.icon.map(\.help)
      + ConfigurationKey<LimitOptions>.limits.map(\.help)
    {
      #expect(flat.contains(help), "\(help)")
    }
  }

  @Test func theDefaultsThatAreToldAreThoseThatHold() {
    func recipe(_ options: [JSONValue.Member]) -> Configuration {
      Configuration.parse(Array(JSONValue.object(options).serialized(.compact).utf8), file: "decal.json").configuration
    }
    let keys = ConfigurationKey<Configuration>.top
    let told = recipe(keys.compactMap { key in key.standard.map { .init(key.name, $0) } })
    var plain = Configuration()
    // Keys without a place of their own before: what is told of them is what the steps take.
    #expect(told.defaults.budget == 499_999 && told.defaults.fps == Rational(15) && told.cacheSize == 1000)
    #expect(told.defaults.fit == .contain && told.defaults.padding == 0 && told.defaults.trim == false)
    #expect(told.defaults.effort == .normal && told.defaults.encoding == .auto && told.defaults.background == .clear)
    (plain.defaults, plain.cacheSize) = (told.defaults, told.cacheSize)
    #expect(told == plain)
  }

  @Test func whatIsThereStaysAndIsNamed() async {
    let disk = disk(["pack/Makefile": "mine", "pack/art/dot.png": "mine", "pack/.gitignore": "mine"])
    let first = await decal("init", "pack", on: disk)
    #expect(first.code == .success)
    #expect(
      first.errorLines == [
        "Makefile: warning: is there already and was kept [kept]",
        ".gitignore: warning: is there already and was kept [kept]",
      ])
    #expect(first.output.contains("wrote decal.json\n") && !first.output.contains("art/"))
    #expect(disk.bytes("/w/pack/Makefile") == Array("mine".utf8))
    #expect(disk.tree("/w/pack/art").map(\.path) == ["dot.png"])
    let before = tree(disk)
    // What init wrote itself is as it should be, and no news.
    let again = await decal("init", "pack", "--werror", on: disk)
    #expect(again.code == .assetFailed && again.errorLines.count == 2)
    #expect(again.output == "nothing to write: all is there\nnext: decal build pack\n")
    #expect(tree(disk) == before)
  }

  @Test func aConfiguredPackGetsWhatFitsIt() async {
    let disk = disk(["decal.json": #"{"name": "Owl", "grid": "small", "output": "build/pack"}"#])
    let outcome = await decal("init", "--xcode", "--json", on: disk)
    #expect(outcome.code == .success)
    let paths = Set(tree(disk).keys)
    #expect(paths.contains("Owl.xcodeproj/project.pbxproj") && paths.contains("templates/sticker-small.svg"))
    #expect(!paths.contains("icon.png") && !paths.contains { $0.hasPrefix("art/") })
    let project = String(decoding: disk.bytes("/w/Owl.xcodeproj/project.pbxproj") ?? [], as: UTF8.self)
    #expect(project.contains("path = build/pack/Stickers.xcstickers;"))
    let document = try? JSONValue(parsing: Array(outcome.output.utf8))
    #expect(document?["ok"] == .bool(true) && document?["kept"] == .array([]))
    #expect(String(decoding: disk.bytes("/w/.gitignore") ?? [], as: UTF8.self).contains("/build/pack/\n"))
  }

  @Test(arguments: [
    ("Cash $(HOME)", "out", "bad-name"), ("Fox", "/srv/out", "config-value"),
  ])
  func whatXcodeCannotTakeIsRefusedBeforeAnythingIsWritten(_ name: String, _ output: String, _ id: String) async {
    let disk = disk(["decal.json": #"{"name": "\#(name)", "output": "\#(output)"}"#])
    let outcome = await decal("init", "--xcode", on: disk)
    #expect(outcome.code == .usage && outcome.errors.contains("[\(id)]"), "\(outcome.errors)")
    #expect(tree(disk).count == 1)
  }

  @Test(arguments: [("pack", "pack/decal.json"), ("pack/templates", "pack/templates/x")])
  func aFileInThePlaceOfAFolderIsNamed(_ file: String, _: String) async {
    let disk = disk([file: "mine"])
    let outcome = await decal("init", "pack", on: disk)
    #expect(outcome.code != .success && outcome.errors.contains("/w/\(file): error: "), "\(outcome.errors)")
    #expect(tree(disk).keys.map { $0 } == [file])
  }

  @Test func anObstacleIsToldOnce() async {
    let outcome = await decal("init", "pack", on: disk(["pack/art": "mine"]))
    #expect(outcome.code == .usage && outcome.errorLines.count == 1, "\(outcome.errors)")
  }

  @Test func whatIsTypedAndChangesNothingIsTold() async throws {
    let disk = disk(["pack/decal.json": #"{"name": "Owl", "grid": "small"}"#])
    let outcome = await decal("init", "pack", "--name", "Fox", "--grid", "large", "--werror", on: disk)
    #expect(outcome.code == .assetFailed)
    #expect(
      outcome.errorLines == [
        #"decal.json: warning: the name is "Owl" there, and stays; to have "Fox" edit it there [kept]"#,
        #"decal.json: warning: the grid is "small" there, and stays; to have "large" edit it there [kept]"#,
      ])
    let same = await decal("init", "pack", "--name", "Owl", "--grid", "small", "--json", on: disk)
    #expect(same.code == .success && !same.output.contains("stays"))
  }

  @Test func aNameThatNoPackCanHaveIsNotTaken() async throws {
    let name = String(repeating: "🦊", count: 51)
    let refused = await decal("init", "pack", "--name", name, on: disk([:]))
    #expect(refused.code == .usage && refused.errors.contains("200 bytes"), "\(refused.errors)")
    let disk = disk(["\(name)/art/dot.png": "mine"])
    #expect(await decal("init", name, on: disk).code == .success)
    let text = try #require(disk.bytes("/w/\(name)/decal.json"))
    #expect(Configuration.parse(text, file: "decal.json").configuration.name == "Sticker Pack")
  }

  @Test(arguments: [("-fox", "./-fox"), ("it's", #"'it'\''s'"#), ("$x", "'$x'"), ("packs/owl", "packs/owl")])
  func theNextCommandCanBePasted(_ folder: String, _ word: String) async {
    let disk = disk(["\(folder)/art/dot.png": "mine"])
    let outcome = await decal("init", "--", folder, on: disk)
    #expect(outcome.output.hasSuffix("next: decal build \(word)\n"), "\(outcome.output)\(outcome.errors)")
  }

  @Test(arguments: [0, 1, 3, 6])
  func aDiskThatFailsLeavesNothing(_ changes: Int) async {
    let disk = disk(["pack/art/dot.png": "mine"])
    disk.setFault { operation, _, made in operation == .write && made >= changes ? 28 : nil }
    let outcome = await decal("init", "pack", "--xcode", on: disk)
    #expect(outcome.code == .assetFailed && outcome.errors.contains("[cannot-write]"), "\(outcome.errors)")
    #expect(tree(disk).keys.map { $0 } == ["pack/art/dot.png"])
  }

  @Test(arguments: [
    ("Fox Pack", "Fox Pack", "fox-pack"), ("Cats & Friends", "Cats Friends", "cats-friends"),
    ("Füchse im Schnee", "Fuchse im Schnee", "fuchse-im-schnee"), ("Fu\u{308}chse", "Fuchse", "fuchse"),
    ("Łódź Straße", "Lodz Strasse", "lodz-strasse"), ("Tom's", "Tom s", "tom-s"), ("Æon 2_x", "AEon 2_x", "aeon-2-x"),
  ])
  func namesBecomePlainWhereTheyMust(_ name: String, _ product: String, _ slug: String) {
    let names = XcodeNames(name)
    #expect(names.shown == name && names.product == product && names.slug == slug)
  }

  @Test func namesWithoutALatinLetterAreToldApart() {
    let (fox, owl) = (XcodeNames("🦊 狐"), XcodeNames("🦉"))
    #expect(fox.slug != owl.slug && fox.product != owl.product)
    for names in [fox, owl] { #expect(names.slug.utf8.allSatisfy { $0 < 128 } && names.slug.hasPrefix("pack-")) }
  }
}

@Suite("Boards for artists") struct ArtBoardTests {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("templates/art")

  /// `DECAL_UPDATE=1` writes them.
  @Test func theFilesAreWhatTheProgramWrites() throws {
    for board in ArtBoard.all {
      let file = folder.appendingPathComponent(board.name)
      if ProcessInfo.processInfo.environment["DECAL_UPDATE"] != nil {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try board.svg.write(to: file, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == board.svg, "\(board.name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == Set(ArtBoard.all.map(\.name)))
  }

  @Test(arguments: ArtBoard.all)
  func aBoardIsPlainShapesWithItsGuidesInOneLayer(_ board: ArtBoard) throws {
    let svg = board.svg
    for word in ["script", "href", "url(", "<style", "<image", "<!DOCTYPE", "xlink"] { #expect(!svg.contains(word)) }
    let reader = Elements(svg)
    #expect(reader.isWhole)
    #expect(reader.topGroups == ["art", "guides"])
    #expect(reader.ids.count == Set(reader.ids).count)
    #expect(reader.ids.contains("lost-corners"))
  }
}

/// Reads an XML document's elements.
private final class Elements: NSObject, XMLParserDelegate {
  var ids: [String] = []
  var topGroups: [String] = []
  var isWhole = false
  private var depth = 0

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    isWhole = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if let id = attributes["id"] { ids.append(id) }
    if depth == 1, name == "g" { topGroups.append(attributes["id"] ?? "") }
    depth += 1
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    depth -= 1
  }
}
