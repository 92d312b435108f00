import Testing

@testable import Codecs

@Suite struct RowFilterTests {
  /// Rows of some noise and some flat parts, so that every filter wins somewhere.
  private func rows(width: Int, unit: Int, height: Int = 9) -> PackedRows {
    var noise = Noise(UInt64(width * 8 + unit))
    let bytes = (0..<width * unit * height).map { i in
      i / 7 % 3 == 0 ? 200 : i / 11 % 2 == 0 ? UInt8(truncatingIfNeeded: i) : noise.byte()
    }
    return PackedRows(bytes: bytes, rowBytes: width * unit, height: height, filterUnit: unit)
  }

  /// One filtered row, by the specification's words.
  private func line(_ type: Int, _ y: Int, of rows: PackedRows) -> [UInt8] {
    func byte(_ x: Int, _ y: Int) -> Int { x < 0 || y < 0 ? 0 : Int(rows.bytes[y * rows.rowBytes + x]) }
    return [UInt8(type)]
      + (0..<rows.rowBytes).map { x in
        let (a, b, c) = (byte(x - rows.filterUnit, y), byte(x, y - 1), byte(x - rows.filterUnit, y - 1))
        let p = a + b - c
        let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
        let paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
        return UInt8(truncatingIfNeeded: byte(x, y) - [0, a, b, (a + b) / 2, paeth][type])
      }
  }

  /// What the choosing strategies count, the least of which wins.
  private func score(_ strategy: FilterStrategy, _ line: [UInt8]) -> Int {
    let bytes = line.dropFirst()
    switch strategy {
    case .leastSum: return bytes.reduce(0) { $0 + abs(Int(Int8(bitPattern: $1))) }
    case .fewestPairs: return Set(zip(line, bytes).map { Int($0) << 8 | Int($1) }).count
    default: preconditionFailure("not counted here")
    }
  }

  @Test(arguments: 1...4, [1, 2, 5, 15, 16, 17, 33, 100])
  func `each filter takes the prediction of the specification away`(unit: Int, width: Int) {
    let rows = rows(width: width, unit: unit)
    for (type, strategy) in [FilterStrategy.none, .sub, .up, .average, .paeth].enumerated() {
      #expect(rows.filtered(strategy) == (0..<rows.height).flatMap { line(type, $0, of: rows) })
    }
  }

  @Test(arguments: [FilterStrategy.leastSum, .fewestPairs])
  func `the row that counts least is chosen, of equals the first`(strategy: FilterStrategy) {
    // More rows than the turns of a byte.
    for rows in [rows(width: 3, unit: 1), rows(width: 50, unit: 3), rows(width: 150, unit: 4, height: 80)] {
      let best = (0..<rows.height).flatMap { y in
        let lines = (0..<5).map { line($0, y, of: rows) }
        let scores = lines.map { score(strategy, $0) }
        return lines[scores.firstIndex(of: scores.min()!)!]
      }
      #expect(rows.filtered(strategy) == best)
    }
  }
}
