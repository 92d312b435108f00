import AssetCatalog
import Foundation
import Testing

@testable import Pipeline

/// The package's root folder.
private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

@Suite struct ConfigurationSchema {
  let file = root.appendingPathComponent("templates/decal.schema.json")

  /// `DECAL_UPDATE=1 make test FILTER=ConfigurationSchema` writes it after a key was changed.
  @Test func theFileIsWhatTheParserKnows() throws {
    let text = Configuration.schema.serialized(.pretty)
    if ProcessInfo.processInfo.environment["DECAL_UPDATE"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func everyKeyHasADescriptionAndATypeOrChoices() throws {
    let properties = try #require(Configuration.schema["properties"])
    guard case .object(let members) = properties else { return }
    #expect(members.count == ConfigurationKey<Configuration>.top.count)
    for member in members {
      #expect(member.value["description"] != nil, "\(member.key)")
      #expect(
        member.value["type"] != nil || member.value["enum"] != nil || member.value["anyOf"] != nil, "\(member.key)")
    }
  }

  @Test func theParserKnowsEveryStoredValue() {
    // A value that no key sets would be out of reach of users: each key must change the defaults.
    let names = Set(ConfigurationKey<Configuration>.top.map(\.name))
    let stored = Mirror(reflecting: Configuration()).children.compactMap(\.label).filter {
      !["defaults", "imposed"].contains($0)
    }
    let options = Mirror(reflecting: StickerOptions()).children.compactMap(\.label).filter { $0 != "label" }
    #expect(names == Set(stored + options + ["$schema"]))
    let icon = Mirror(reflecting: Configuration().icon).children.compactMap(\.label)
    #expect(Set(ConfigurationKey.icon.map(\.name)) == Set(icon))
  }
}
