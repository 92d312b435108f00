/// Ways to choose PNG's row filters.
///
/// Source: PNG specification, third edition, sections 9 and 12.7; the two counting heuristics are common knowledge
/// among PNG optimizers: what repeats compresses.
enum FilterStrategy: Hashable, CaseIterable {
  case none, sub, up, average, paeth
  /// Each row by the least sum of differences, taken as signed.
  case leastSum
  /// Each row by the least entropy of its bytes.
  case leastEntropy
  /// Each row by the fewest different pairs of neighboring bytes.
  case fewestPairs
}

extension PackedRows {
  /// The rows with their filter bytes, ready to be compressed.
  func filtered(_ strategy: FilterStrategy) -> [UInt8] {
    let stride = rowBytes + 1
    return [UInt8](unsafeUninitializedCapacity: stride * height) { output, count in
      count = stride * height
      guard let target = output.baseAddress else { return }
      bytes.withUnsafeBufferPointer { source in
        guard let rows = source.baseAddress else { return }
        var chooser = RowChooser(rowBytes: rowBytes, strategy: strategy)
        for y in 0..<height {
          let row = rows + y * rowBytes
          let above = y > 0 ? row - rowBytes : nil
          let line = target + y * stride
          switch strategy {
          case .none: filter(0, row, above, into: line)
          case .sub: filter(1, row, above, into: line)
          case .up: filter(2, row, above, into: line)
          case .average: filter(3, row, above, into: line)
          case .paeth: filter(4, row, above, into: line)
          case .leastSum, .leastEntropy, .fewestPairs:
            chooser.choose(into: line) { filter($0, row, above, into: $1) }
          }
        }
      }
    }
  }

  /// Writes the filter's number and the filtered row.
  private func filter(
    _ type: UInt8, _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>?, into line: UnsafeMutablePointer<UInt8>
  ) {
    let unit = min(filterUnit, rowBytes)
    line[0] = type
    let output = line + 1
    switch (type, above) {
    case (1, _), (4, nil):
      // Without a row above, Paeth predicts from the left.
      for i in 0..<unit { output[i] = row[i] }
      write(from: unit, into: output) { load, i in load(row, i) &- load(row, i &- unit) }
    case (2, let above?):
      write(from: 0, into: output) { load, i in load(row, i) &- load(above, i) }
    case (3, let above?):
      for i in 0..<unit { output[i] = row[i] &- above[i] >> 1 }
      write(from: unit, into: output) { load, i in load(row, i) &- mean(load(row, i &- unit), load(above, i)) }
    case (3, nil):
      for i in 0..<unit { output[i] = row[i] }
      write(from: unit, into: output) { load, i in load(row, i) &- load(row, i &- unit) &>> 1 }
    case (4, let above?):
      for i in 0..<unit { output[i] = row[i] &- above[i] }
      write(from: unit, into: output) { load, i in
        load(row, i) &- paeth(load(row, i &- unit), load(above, i), load(above, i &- unit))
      }
    default:
      output.update(from: row, count: rowBytes)
    }
  }

  /// Writes a row's bytes from one on, sixteen at a time, and what is left one by one.
  ///
  /// `sixteen` gets what loads bytes, and the place of the first.
  @inline(__always)
  private func write(
    from start: Int, into output: UnsafeMutablePointer<UInt8>,
    _ sixteen: ((UnsafePointer<UInt8>, Int) -> SIMD16<UInt8>, Int) -> SIMD16<UInt8>
  ) {
    let raw = UnsafeMutableRawPointer(output)
    var i = start
    while i &+ 16 <= rowBytes {
      let some = sixteen({ UnsafeRawPointer($0).loadUnaligned(fromByteOffset: $1, as: SIMD16<UInt8>.self) }, i)
      raw.storeBytes(of: some, toByteOffset: i, as: SIMD16<UInt8>.self)
      i &+= 16
    }
    while i < rowBytes {
      output[i] = sixteen({ SIMD16(repeating: $0[$1]) }, i)[0]
      i &+= 1
    }
  }
}

/// Half the sums, rounded down, without a ninth bit.
@inline(__always)
private func mean(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> { (a & b) &+ ((a ^ b) &>> 1) }

/// Of left, up and upper left the ones nearest to left + up - upper left, in bytes alone.
@inline(__always)
private func paeth(_ left: SIMD16<UInt8>, _ up: SIMD16<UInt8>, _ upLeft: SIMD16<UInt8>) -> SIMD16<UInt8> {
  let fromLeft = distance(up, upLeft)
  let fromUp = distance(left, upLeft)
  // Where both step the same way, the distance from the upper left is their sum, which never is the least.
  let isAcross = (up .>= upLeft) .^ (left .>= upLeft)
  let fromUpLeft = SIMD16<UInt8>(repeating: 255).replacing(with: distance(fromLeft, fromUp), where: isAcross)
  let isLeft = fromLeft .<= fromUp
  let nearest = fromUp.replacing(with: fromLeft, where: isLeft)
  return up.replacing(with: left, where: isLeft).replacing(with: upLeft, where: fromUpLeft .< nearest)
}

@inline(__always)
private func distance(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
  a.replacing(with: b, where: a .< b) &- b.replacing(with: a, where: a .< b)
}
