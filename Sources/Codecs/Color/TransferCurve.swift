import Imaging

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How stored numbers from 0 to 1 become linear light, as tables for 8 and 16 bits.
final class TransferCurve {
  /// 256 values of linear light.
  let table8: [Float]
  /// The 256 values in each of three lanes, red's with an alpha of 1, and behind them 256 alphas in all lanes: the sum of
  /// a red, a green and a blue times an alpha is a premultiplied pixel.
  private(set) lazy var lanes8: [SIMD4<Float>] =
    table8.map { SIMD4($0, 0, 0, 1) } + table8.map { SIMD4(0, $0, 0, 0) } + table8.map { SIMD4(0, 0, $0, 0) }
    // A division, so that full alpha is exactly 1.
    + (0..<256).map { SIMD4(repeating: Float($0) / 255) }
  /// 65536 values of linear light; made when a 16-bit row asks for them.
  private(set) lazy var table16: [Float] = sample(65536)
  private let sample: (Int) -> [Float]

  /// Makes a curve from a function that gives the values at a number of even steps from 0 to 1.
  init(sample: @escaping (Int) -> [Float]) {
    self.sample = sample
    table8 = sample(256)
  }

  convenience init(_ function: @escaping (Double) -> Double) {
    self.init { count in (0..<count).map { Float(function(Double($0) / Double(count - 1))) } }
  }

  /// The curve of sRGB.
  static func sRGB(_ value: Double) -> Double { SRGB.linear(value) }

  /// A power; exponents near that of sRGB's usual gAMA of 45455 mean its curve.
  static func gamma(_ fileGamma: Double) -> TransferCurve {
    if isSRGB(fileGamma) { return TransferCurve(sRGB) }
    return TransferCurve { pow($0, 1 / fileGamma) }
  }

  /// Files write 45455 or 45454, some 45000 or 45500, for sRGB.
  static func isSRGB(_ fileGamma: Double) -> Bool { abs(fileGamma - 0.45455) <= 0.005 }

  /// Whether no 8-bit number lies further than half a step from where sRGB has it.
  var isSRGB: Bool {
    (0..<256).allSatisfy { i in
      abs(SRGB.encoded(Double(table8[i])) * 255 - Double(i)) <= 0.5
    }
  }
}
