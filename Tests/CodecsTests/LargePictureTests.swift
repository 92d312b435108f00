import Testing

@testable import Codecs

@Suite struct LargePictureTests {
  private func stream(megabytes: Int) -> (stream: [UInt8], rows: [UInt8]) {
    let (rowBytes, height) = (4096, megabytes * 256 + 1)
    let bytes = (0..<rowBytes * height).map { UInt8(truncatingIfNeeded: ($0 / 4096 * 3 + $0 % 4096 / 5) ^ ($0 >> 9)) }
    let rows = PackedRows(bytes: bytes, rowBytes: rowBytes, height: height, filterUnit: 4)
    var plan = StreamPlan.final(.normal)
    plan.filters = [.none, .up]
    let stream = StreamSearch(plan).smallest([(rows, 0)]).stream
    return (stream, inflate(stream, to: (rowBytes + 1) * height))
  }

  @Test(arguments: [(3, [12]), (5, [11]), (17, [9, 10])])
  func `the more megabytes, the lower the level`(megabytes: Int, levels: [Int]) {
    let (stream, rows) = stream(megabytes: megabytes)
    #expect(levels.map { Deflater(level: $0).zlib(rows).count }.min() == stream.count)
  }
}
