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
      let name = path.lastComponent
      let bytes = try Corpus.bytes(path)
      if name.hasPrefix("x") {
        #expect(throws: DecodeError.self, "\(name)") { try firstFrame(bytes) }
        continue
      }
      let ours = try firstFrame(bytes)
      let reference = "conformance/pngsuite-reference/\(name)"
      guard Corpus.exists(reference) else { continue }
      let theirs = try firstFrame(try Corpus.bytes(reference))
      compared += 1
      #expect(ours.size == theirs.size && ours.rgba8 == theirs.rgba8, "\(name)")
    }
    #expect(compared > 70)
  }

  @Test func everyNumberedApngShowsWhatItsPageSays() throws {
    let lines = try String(contentsOf: Corpus.url("conformance/apng-philip-numbered/EXPECTED.tsv"), encoding: .utf8)
      .split(separator: "\n").dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    #expect(lines.count > 55)
    for line in lines {
      let bytes = try Corpus.bytes("conformance/apng-philip-numbered/\(line[0])")
      let says = String(line[2])
      if says.hasPrefix("INVALID") {
        for frame in (try? allFrames(bytes)) ?? [] { #expect(!frame.raster.holdsRed, "\(line[0]): \(says)") }
        continue
      }
      let last = try #require(try allFrames(bytes).last).raster
      let pixels = last.rgba8
      func isSolid(_ color: [UInt8], within tolerance: Int = 0) -> Bool {
        (0..<pixels.count).allSatisfy { abs(Int(pixels[$0]) - Int(color[$0 % 4])) <= tolerance }
      }
      if says.hasPrefix("solid green") { #expect(isSolid([0, 255, 0, 255]), "\(line[0]): \(says)") }
      if says.hasPrefix("fully transparent") {
        #expect(stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0 }, "\(line[0]): \(says)")
      }
      if says.hasPrefix("very nearly") { #expect(isSolid([0, 255, 0, 2], within: 1), "\(line[0]): \(says)") }
      if says.hasPrefix("dark blue") { #expect(isSolid([0, 0, 128, 255]), "\(line[0]): \(says)") }
      if says.hasPrefix("solid dark blue") { #expect(isSolid([0, 0, 128, 255]), "\(line[0]): \(says)") }
      if says.hasPrefix("solid grey (") { #expect(isSolid([128, 128, 128, 255]), "\(line[0]): \(says)") }
      if line[0] == "022.png" { #expect(isSolid([0, 229, 0, 255], within: 1)) }
    }
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

  /// Images that follow without a delay are frames here, as in browsers; the suite joins them.
  ///
  /// A GIF without any image is refused here, and text is not drawn.
  private static let gifsReadOtherwise: Set = [
    "animation-multi-image-explicit-zero-delay.gif", "animation-multi-image.gif", "dispose-restore-previous.gif",
    "high-color.gif", "images-combine.gif", "images-overlap.gif", "no-data.gif", "plain-text.gif",
  ]

  @Test func everyGifOfTheTestSuiteEqualsItsReference() throws {
    var compared = 0
    for path in try Corpus.files(in: "conformance/gif-test-suite", withExtension: "conf") {
      let facts = try GIFTestFacts(path)
      if Self.gifsReadOtherwise.contains(facts.input) { continue }
      let bytes = try Corpus.bytes("conformance/gif-test-suite/\(facts.input)")
      if facts.pixels.isEmpty {
        #expect(throws: DecodeError.self, "\(facts.input)") { try firstFrame(bytes) }
        continue
      }
      let frames = try allFrames(bytes)
      #expect(frames.count == facts.pixels.count, "\(facts.input)")
      for (frame, reference) in zip(frames, facts.pixels) {
        #expect(visible(frame.raster.rgba8) == visible(try facts.bytes(reference)), "\(facts.input) \(reference)")
        compared += 1
      }
      for (frame, delay) in zip(frames, facts.delays) { #expect(frame.storedDelay == Rational(delay, 100)) }
    }
    #expect(compared > 90)
  }

  @Test func gifsEqualTheReferencesOfTwoOtherDecoders() throws {
    for name in ["gifgrid", "porsche", "solid2", "treescap", "treescap-interlaced"] {
      let rgba = try firstFrame(try Corpus.bytes("conformance/gif-giflib/\(name).gif")).rgba8
      let rgb = rgba.indices.filter { $0 % 4 != 3 }.map { rgba[$0] }
      #expect(rgb == (try Corpus.bytes("conformance/gif-giflib/\(name).rgb")), "\(name)")
    }
    for path in try Corpus.files(in: "conformance/gif-image-rs-reference", withExtension: "png") {
      let name = String(path.lastComponent.dropLast(4))
      let ours = try firstFrame(try Corpus.bytes("conformance/gif-image-rs/\(name)"))
      let theirs = try firstFrame(try Corpus.bytes(path))
      // The reference of this name was made from another picture.
      if name == "interlaced.gif" { continue }
      #expect(visible(ours.rgba8) == visible(theirs.rgba8), "\(name)")
    }
  }

  @Test func everyWebPEqualsItsReference() throws {
    let references = try Corpus.files(in: "conformance/webp-image-rs-reference", withExtension: "png")
    #expect(references.count > 20)
    for path in references {
      let stem = String(path.lastComponent.dropLast(4))
      let parts = stem.split(separator: "-")
      let isAnimated = path.contains("/animated/")
      let frames = try allFrames(
        try Corpus.bytes("conformance/webp-image-rs/\(isAnimated ? String(parts[0]) : stem).webp"))
      let index = isAnimated ? Int(parts[1])! - 1 : 0
      let ours = visible(frames[index].raster.rgba8)
      let theirs = visible(try firstFrame(try Corpus.bytes(path)).rgba8)
      // libwebp and the decoder that made the references round a blend differently.
      #expect(largestDifference(ours, theirs) <= (stem.hasPrefix("random_lossless") ? 1 : 0), "\(path)")
    }
  }

  @Test func everyJpegIsWithinThreeLevelsOfItsReference() throws {
    var compared = 0
    for path in try Corpus.files(in: "conformance/jpeg-image-rs", withExtension: "jpg") {
      let reference = path.dropLast(3) + "png"
      // Lossless JPEG is not read, and a file whose scans break off is damaged.
      if path.contains("lossless") || path.contains("partial_progressive") {
        #expect(throws: DecodeError.self, "\(path)") { try firstFrame(try Corpus.bytes(path)) }
        continue
      }
      guard Corpus.exists(String(reference)) else { continue }
      let ours = try firstFrame(try Corpus.bytes(path)).rgba8
      let theirs = try firstFrame(try Corpus.bytes(String(reference))).rgba8
      #expect(largestDifference(ours, theirs) <= 3, "\(path)")
      compared += 1
    }
    #expect(compared > 30)
  }

  @Test func xcodeOptimizedPicturesEqualTheOriginalsBelowTheRoundingOfPremultiplication() throws {
    var compared = 0
    for path in try Corpus.files(in: "conformance/pngsuite-ios-cgbi", withExtension: "png") {
      let original = "conformance/pngsuite/" + path.lastComponent.replacing("iphone_", with: "")
      guard Corpus.exists(original) else { continue }
      let ours = premultiplied(try firstFrame(try Corpus.bytes(path)).rgba8)
      let theirs = premultiplied(try firstFrame(try Corpus.bytes(original)).rgba8)
      #expect(largestDifference(ours, theirs) <= 1, "\(path)")
      compared += 1
    }
    #expect(compared > 30)
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

/// What a test of the GIF suite says of its file.
private struct GIFTestFacts {
  var input = ""
  var pixels: [String] = []
  var delays: [Int] = []

  init(_ path: String) throws {
    for line in try String(contentsOf: Corpus.url(path), encoding: .utf8).split(separator: "\n") {
      guard let range = line.firstRange(of: " = ") else { continue }
      let value = String(line[range.upperBound...])
      switch line[..<range.lowerBound] {
      case "input": input = value
      case "pixels": pixels.append(value)
      case "delay": delays.append(Int(value) ?? -1)
      default: break
      }
    }
  }

  func bytes(_ name: String) throws -> [UInt8] { try Corpus.bytes("conformance/gif-test-suite-rgba/\(name)") }
}

/// Samples with the color under alpha 0 cleared.
func visible(_ rgba: [UInt8]) -> [UInt8] { rgba.indices.map { rgba[$0 | 3] == 0 ? 0 : rgba[$0] } }

func premultiplied(_ rgba: [UInt8]) -> [UInt8] {
  rgba.indices.map { $0 % 4 == 3 ? rgba[$0] : UInt8((Int(rgba[$0]) * Int(rgba[$0 | 3]) + 127) / 255) }
}

func largestDifference(_ a: [UInt8], _ b: [UInt8]) -> Int {
  a.count == b.count ? zip(a, b).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) } : .max
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
  var lastComponent: String { String(split(separator: "/").last ?? "") }
}

extension Raster {
  /// Whether any pixel is clearly red, the color of failure in the APNG suite.
  var holdsRed: Bool {
    let p = rgba8
    return stride(from: 0, to: p.count, by: 4).contains { p[$0] > 200 && p[$0 + 1] < 100 && p[$0 + 3] > 100 }
  }
}
