/// What tokens cost, in units of 1/64 bit.
struct TrellisPrices {
  static let unit: Float = 64
  /// More than any path costs.
  static let impossible: Int32 = 1 << 27
  /// Errors count up to here; what is as wrong as this may not stand.
  static let largestError: Int32 = 1 << 21

  /// Literals by value.
  let literal: UnsafePointer<Int32>
  /// Copies by length; 1 and 2 cost what 3 does, as they may become it.
  let length: UnsafePointer<Int32>
  let distances: UnsafePointer<Int32>
  let shortest: Int32
  let cheapestLiteral: Int32

  /// Lends prices for as long as `body` runs.
  static func with<Result>(_ costs: DeflateCosts, _ body: (TrellisPrices) -> Result) -> Result {
    func scaled(_ bits: [Float]) -> [Int32] { bits.map { Int32($0 * unit + 0.5) } }
    let literal = scaled(costs.literal)
    var length = scaled(costs.length)
    for short in 0..<DeflateAlphabet.minimumLength { length[short] = length[DeflateAlphabet.minimumLength] }
    // A copy that is full is asked for once more before it begins anew.
    length.append(length[length.count - 1])
    let distance = scaled(costs.distance)
    return literal.withUnsafeBufferPointer { literals in
      length.withUnsafeBufferPointer { lengths in
        distance.withUnsafeBufferPointer { distances in
          body(
            TrellisPrices(
              literal: literals.baseAddress!, length: lengths.baseAddress!, distances: distances.baseAddress!,
              shortest: lengths[DeflateAlphabet.minimumLength], cheapestLiteral: literals.min()!))
        }
      }
    }
  }

  /// The price of a distance.
  @inline(__always)
  func distance(_ distance: Int) -> Int32 { distances[DeflateAlphabet.code(ofDistance: distance)] }
}
