import Testing

@testable import Codecs

private func pressed(_ bytes: [UInt8], _ effort: PressingEffort) -> [UInt8] {
  press(bytes, likely: SymbolCounts(bytes.map { DeflateToken(literal: $0) }), effort)
}

/// Rows of shades that grow darker toward one side, a little rough.
private func shades(_ side: Int, seed: UInt64) -> [UInt8] {
  var random = Noise(seed)
  return (0..<side * side).map { UInt8(40 + $0 % side / 3 + $0 / side / 5 + random.next(2)) }
}

@Suite struct PressingTests {
  private static let efforts = [
    PressingEffort.quick, .thorough, PressingEffort(depth: 1, niceLength: 3, passes: 1),
    PressingEffort(depth: 3, niceLength: 20, passes: 3),
  ]

  @Test(arguments: efforts) func `libdeflate reads what was pressed`(effort: PressingEffort) {
    var random = Noise(11)
    var streams: [[UInt8]] = [[], [7], [7, 7], [7, 7, 7], [1, 2, 3, 1, 2, 3, 1], shades(90, seed: 4)]
    for length in [257, 258, 259, 260, 300, 517, 70_000] { streams.append([UInt8](repeating: 9, count: length)) }
    for colors in [2, 3, 16, 256] { streams.append((0..<50_000).map { _ in UInt8(random.next(colors)) }) }
    for period in [2, 3, 255, 258, 259, 32_767, 32_768, 32_769] {
      let once = (0..<period).map { _ in UInt8(random.next(5)) }
      streams.append(Array([once, once, once].joined()))
    }
    for bytes in streams {
      #expect(inflate(pressed(bytes, effort), to: bytes.count) == bytes, "\(bytes.count) bytes, \(bytes.prefix(4))")
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `libdeflate reads copies of everything from anywhere`(seed: UInt64) {
    var random = Noise(seed)
    var bytes: [UInt8] = [1]
    while bytes.count < 100_000 {
      let (distance, length) = (1 + random.next(min(bytes.count, 40_000)), 1 + random.next(600))
      let from = bytes.count - distance
      for step in 0..<length { bytes.append(bytes[from + step]) }
      if random.next(3) > 0 { bytes.append(UInt8(random.next(200))) }
    }
    let effort = Self.efforts[Int(seed) % Self.efforts.count]
    #expect(inflate(pressed(bytes, effort), to: bytes.count) == bytes)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func `first prices that are wrong cost little`(seed: UInt64) {
    // Only literals are expected.
    let bytes = shades(200, seed: seed)
    let thorough = pressed(bytes, .thorough).count
    #expect(Double(thorough) < 1.005 * Double(Deflater(level: 12).zlib(bytes).count))
    #expect(thorough <= pressed(bytes, .quick).count)
  }

  @Test func `of every length the nearest copy is found`() {
    var random = Noise(2)
    let bytes = (0..<1500).map { _ in UInt8(random.next(3)) }
    let effort = PressingEffort(depth: .max, niceLength: 258, passes: 1)
    let found = bytes.withUnsafeBufferPointer { CopyFinder.find($0, effort) }
    for place in bytes.indices {
      var expected: [DeflateToken] = []
      for other in (0..<place).reversed() {
        let most = min(258, bytes.count - place)
        let length = (0..<most).first { bytes[other + $0] != bytes[place + $0] } ?? most
        if length > max(2, expected.last?.length ?? 0) {
          expected.append(DeflateToken(length: length, distance: place - other))
        }
      }
      #expect(Array(found.copies[Int(found.starts[place])..<Int(found.starts[place + 1])]) == expected)
    }
  }

  @Test func `what is found stays within a bound`() {
    // Each byte continues copies of all lengths.
    var bytes: [UInt8] = []
    for length in 1...400 { bytes += [UInt8](repeating: 1, count: length) + [UInt8(2 + length % 3)] }
    let effort = PressingEffort(depth: 5000, niceLength: 258, passes: 1)
    let found = bytes.withUnsafeBufferPointer { CopyFinder.find($0, effort) }
    #expect(found.copies.count <= 13 * bytes.count)
    #expect(inflate(pressed(bytes, effort), to: bytes.count) == bytes)
  }
}
