import Codecs
import Foundation
import Imaging
import Testing

@testable import Pipeline

@Suite struct BandsInATemporaryFile {
  private func keep(_ bytes: [UInt8], in store: TemporaryBands) -> Int? { bytes.withUnsafeBytes { store.keep($0) } }

  private func read(_ place: Int, _ count: Int, from store: TemporaryBands) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { store.read(place, into: $0) }
    return bytes
  }

  @Test func whatFitsStaysInMemoryAndTheRestIsReadBack() throws {
    let store = TemporaryBands(memory: 250)
    let bands = (0..<9).map { n in (0..<100).map { UInt8(n * 20 + $0 % 20) } }
    let places = bands.map { keep($0, in: store) }
    #expect(places[0] == nil && places[1] == nil)
    for (place, band) in zip(places, bands).dropFirst(2) {
      #expect(read(try #require(place), 100, from: store) == band)
    }
    #expect(Set(places.compactMap { $0 }).count == 7)
  }

  @Test func largeSourcesLeaveFewerFramesInMemory() {
    func memory(_ side: Int) -> Int {
      TemporaryBands.memory(besides: PixelSize(width: side, height: side), DecodeLimits())
    }
    #expect(memory(618) == TemporaryBands.memory && memory(1920) == TemporaryBands.memory)
    let large = memory(2700)
    #expect(large + 32 * 2700 * 2700 + DecodeLimits().fileBytes == 448 << 20)
    #expect(memory(3162) == 16 << 20 && memory(5000) == 16 << 20)
  }

  @Test func theFileHasNoName() throws {
    func names() -> Set<String> {
      let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"
      return Set(
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { $0.hasPrefix("decal-") } ?? [])
    }
    let before = names()
    let store = TemporaryBands(memory: 0)
    #expect(keep([1, 2, 3], in: store) == 0)
    #expect(names().subtracting(before).isEmpty)
    #expect(read(1, 2, from: store) == [2, 3])
  }
}
