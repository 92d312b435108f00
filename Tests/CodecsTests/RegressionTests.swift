import Foundation
import Imaging
import TestSupport
import Testing

@testable import Codecs

/// Small files of our own, each of a kind that has broken a reader; the fuzzers start from them too.
@Suite struct Regressions {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzz/regressions").standardizedFileURL
  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { !$0.hasSuffix(".json") }
    .sorted()

  @Test func thereAreSome() { #expect(Self.names.count > 20) }

  @Test(arguments: names) func aFileIsReadOrRefusedInOneLine(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    do {
      let facts = try ImageFacts(bytes: bytes)
      #expect(facts.header.frameCount > 0)
      #expect(facts.delays.reduce(.zero, +).milliseconds >= 0)
      for chunk in facts.chunks { #expect(chunk.offset >= 0 && chunk.offset + chunk.length <= bytes.count) }
    } catch {
      #expect(!error.message.isEmpty && !error.message.contains("\n"))
    }
  }

  /// Those whose answer is known.
  @Test(
    arguments: [
      ("png-length-wraps.png", false), ("png-huge-canvas.png", false), ("png-zero-canvas.png", false),
      ("png-transparency-longer-than-palette.png", true), ("png-chromaticities-zero.png", true),
      ("png-exif-offset-outside.png", true), ("png-code-points-empty.png", true), ("apng-offset-wraps.png", false),
      ("apng-count-of-millions.png", false), ("gif-code-size-255.gif", false), ("gif-no-table.gif", true),
      ("gif-only-pauses.gif", true), ("jpeg-nothing-but-marker.jpg", false), ("webp-size-wraps.webp", false),
    ])
  func whatCanBeReadIsReadAndTheRestRefused(name: String, isRead: Bool) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    #expect(((try? ImageFacts(bytes: bytes)) != nil) == isRead)
  }
}
