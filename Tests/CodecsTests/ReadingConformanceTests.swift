import Foundation
import Imaging
import TestSupport
import Testing

@testable import Codecs

/// The suites of the corpus against their reference pictures.
@Suite(.enabled(if: Corpus.isPresent)) struct ReadingConformance {
  @Test func noFileOfAnySuiteIsWrong() throws {
    let table = try ConformanceTable()
    #expect(table.wrong.isEmpty)
    // The documentation says the same.
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../CONFORMANCE.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(table.placed(in: text) == text, "run make conformance")
  }

  @Test func delaysAndPlaysOfTheNumberedApngsAreExact() throws {
    func read(_ name: String) throws -> (ImageHeader, [Rational]) {
      let reader = try ImageReader(bytes: try Corpus.bytes("conformance/apng-philip-numbered/\(name).png"))
      var delays: [Rational] = []
      while let frame = try reader.nextFrame() { delays.append(frame.storedDelay) }
      return (reader.header, delays)
    }
    let loop = [Rational(1, 2), Rational(1), Rational(1, 2), Rational(1)]
    #expect(try read("025").1 == loop)
    #expect(try read("026").1 == Array(loop[..<2]))
    #expect(try read("027").1[0] == Rational(32767, 65534))
    #expect(try read("028").1[0] == Rational(50, 100))
    #expect(try read("030").0.playCount == 0)
    #expect(try read("031").0.playCount == 1)
    #expect(try read("032").0.playCount == 2)
  }

  @Test func noHostileFileCrashesOrIsReadInSilence() throws {
    var (whole, warned, refused) = (0, 0, 0)
    for path in try Corpus.files(in: "hostile") {
      do {
        let facts = try ImageFacts(bytes: try Corpus.bytes(path))
        if facts.warnings.isEmpty { whole += 1 } else { warned += 1 }
      } catch {
        #expect(error is DecodeError, "\(path): \(error)")
        refused += 1
      }
    }
    // The rest is whole: originals that the fuzzers started from, and files that only crashed other readers.
    print("hostile: \(refused) refused, \(warned) read with a warning, \(whole) read")
    #expect(refused > 250)
  }

  @Test func allArtIsRead() throws {
    for folder in ["art-static", "icons"] {
      for path in try Corpus.files(in: folder) where ["png", "jpg", "jpeg", "gif", "webp"].contains(path.suffix) {
        #expect(throws: Never.self, "\(path)") { try firstFrame(try Corpus.bytes(path)) }
      }
    }
  }
}

func firstFrame(_ bytes: [UInt8]) throws -> Raster {
  let reader = try ImageReader(bytes: bytes)
  return try #require(try reader.nextFrame()).raster
}

func allFrames(_ bytes: [UInt8]) throws -> [DecodedFrame] {
  let reader = try ImageReader(bytes: bytes)
  var frames: [DecodedFrame] = []
  while let frame = try reader.nextFrame() { frames.append(frame) }
  return frames
}

extension String {
  var suffix: String { String(split(separator: ".").last ?? "").lowercased() }
}
