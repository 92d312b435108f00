import TestSupport
import Testing

@testable import Codecs

@Suite struct ReadingJPEG {
  private let blocks: [[[UInt8]]] = [[[200, 128, 128], [60, 128, 128]]]

  private func read(_ bytes: [UInt8]) throws -> ImageReader {
    let reader = try ImageReader(bytes: bytes)
    while try reader.nextFrame() != nil {}
    return reader
  }

  /// The picture with bytes between its scan and the end marker.
  private func padded(_ count: Int) -> [UInt8] {
    let jpeg = JPEGMaker().finish(blocks)
    return jpeg.dropLast(2) + Array(repeating: 0x5a, count: count) + jpeg.suffix(2)
  }

  @Test func aFewBytesOfPaddingBehindAScanAreOdd() throws {
    #expect(try read(padded(0)).warnings.isEmpty)
    #expect(try read(padded(12)).warnings.map(\.id) == ["odd-data"])
  }

  @Test func aScanThatEndsLongBeforeItsDataIsDamaged() throws {
    let error = try #require(throws: DecodeError.self) { try read(padded(40)) }
    guard case .damaged(.jpeg, let reason) = error else { throw error }
    #expect(reason.contains("extraneous bytes"))
  }

  @Test func bytesBetweenTheSegmentsOfTheHeaderLoseNothing() throws {
    var maker = JPEGMaker()
    maker.add(0xfe, [])
    maker.segments += Array(repeating: 0, count: 100)
    #expect(try read(maker.finish(blocks)).warnings.map(\.id) == ["odd-data"])
  }
}
