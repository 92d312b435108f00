import Foundation
import Imaging
import TestSupport
import Testing

@testable import Codecs

/// The suites of the corpus against their reference pictures.
@Suite(.enabled(if: Corpus.isPresent)) struct ReadingConformance {
  @Test func everyPictureOfPngSuiteEqualsItsReference() throws {
    var compared = 0
    for path in try Corpus.files(in: "conformance/pngsuite", withExtension: "png") {
      let name = (path as NSString).lastPathComponent
      let bytes = try Corpus.bytes(path)
      if name.hasPrefix("x") {
        #expect(throws: DecodeError.self, "\(name)") { try firstFrame(bytes) }
        continue
      }
      let reference = "conformance/pngsuite-reference/\(name)"
      guard FileManager.default.fileExists(atPath: Corpus.url(reference).path) else { continue }
      let ours = try firstFrame(bytes)
      let theirs = try firstFrame(try Corpus.bytes(reference))
      compared += 1
      #expect(ours.size == theirs.size && ours.rgba8 == theirs.rgba8, "\(name)")
    }
    #expect(compared > 70)
  }
}

func firstFrame(_ bytes: [UInt8]) throws -> Raster {
  let reader = try ImageReader(bytes: bytes)
  return try #require(try reader.nextFrame()).raster
}
