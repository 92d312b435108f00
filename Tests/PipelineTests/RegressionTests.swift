import Foundation
import Testing

@testable import Pipeline

/// Small configurations of our own, each of a kind that has broken a parser.
@Suite struct ConfigurationRegressions {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzz/regressions").standardizedFileURL
  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".json") }
    .sorted()

  @Test(arguments: names) func aTextThatMakesNoSenseIsAnErrorWithItsPlace(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    let problems = Configuration.parse(bytes, file: "decal.json").diagnostics
    #expect(problems.contains { $0.severity == .error && $0.path?.hasPrefix("decal.json") == true })
  }

  @Test func thereAreSome() { #expect(Self.names.count >= 2) }
}
