import CCodecs

/// A profile opened by the color library, and what is made of it.
final class ICCTransform {
  private let bytes: [UInt8]
  private let profile: OpaquePointer
  private var transform: OpaquePointer?
  private var memo = ColorMemo()
  let space: ICCHeader.Space

  /// Nil where the library does not take the profile.
  init?(_ bytes: [UInt8]) {
    guard let header = ICCHeader(bytes), let opened = decal_profile_open(bytes, bytes.count) else { return nil }
    self.bytes = bytes
    profile = opened
    space = header.space
  }

  deinit {
    decal_transform_close(transform)
    decal_profile_close(profile)
  }

  /// What the profile calls itself; nil where it does not.
  var description: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      decal_profile_describe(profile, text.baseAddress, 256)
      let name = String(cString: text.baseAddress!)
      return name.isEmpty ? nil : name
    }
  }

  /// The curves and the matrix to linear sRGB, where the profile is no more than that.
  func curvesAndMatrix() -> (curves: [TransferCurve], matrix: Matrix3)? {
    var xyz = [Double](repeating: 0, count: 9)
    guard decal_profile_matrix(profile, &xyz) != 0, let back = Matrix3.linearSRGBFromD50 else { return nil }
    let colorants = Matrix3((0..<9).map { xyz[$0 % 3 * 3 + $0 / 3] })
    let curves = (0..<3).map { channel in
      // The closure keeps the profile open.
      TransferCurve { [self] count in
        var values = [Float](repeating: 0, count: count)
        _ = decal_profile_curve(profile, Int32(channel), &values, Int32(count))
        return values
      }
    }
    let matrix = back * colorants
    guard matrix.m.allSatisfy({ $0.isFinite && abs($0) < 100 }), curves.allSatisfy({ $0.table8.allSatisfy(\.isFinite) })
    else { return nil }
    return (curves, matrix)
  }

  /// Makes the library's own conversion; false where it cannot.
  func open() -> Bool {
    let channels: Int32 = space == .gray ? 1 : space == .cmyk ? 4 : 3
    if transform == nil { transform = decal_transform_open(profile, channels) }
    return transform != nil
  }

  /// Converts pixels: samples from 0 to 1 in (ink: 0 to 100), three linear samples out.
  func run(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, pixels: Int) {
    decal_transform_run(transform, from, to, pixels)
  }

  /// The same, for three or four samples a pixel; colors that were met before do not go through the library again.
  func runRemembering(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, pixels: Int, channels: Int) {
    memo.fill(to, for: from, pixels: pixels, channels: channels) { decal_transform_run(transform, $0, $1, $2) }
  }
}

/// What the color library made of colors before.
///
/// Art repeats its colors, and a lookup table costs 400 ns a color: a pattern of a few bytes would take minutes.
struct ColorMemo {
  /// Enough for the colors of most art; each slot holds the last color that fell on it.
  private static let bits = 15
  private var keys = [SIMD4<Float>](repeating: SIMD4(repeating: .nan), count: 1 << bits)
  private var values = [SIMD4<Float>](repeating: .zero, count: 1 << bits)
  private var missing: [Int] = []
  private var inputs: [Float] = []
  private var outputs: [Float] = []

  /// Writes three samples for each color; `convert` gets those that are not remembered, and their number.
  mutating func fill(
    _ to: UnsafeMutablePointer<Float>, for from: UnsafePointer<Float>, pixels: Int, channels: Int,
    convert: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
  ) {
    missing.removeAll(keepingCapacity: true)
    inputs.removeAll(keepingCapacity: true)
    for i in 0..<pixels {
      let key = Self.key(from + i * channels, channels)
      let slot = Self.slot(key)
      if keys[slot] == key {
        for c in 0..<3 { to[i * 3 + c] = values[slot][c] }
      } else {
        missing.append(i)
        for c in 0..<channels { inputs.append(key[c]) }
      }
    }
    if missing.isEmpty { return }
    if outputs.count < missing.count * 3 { outputs = [Float](repeating: 0, count: missing.count * 3) }
    outputs.withUnsafeMutableBufferPointer { convert(inputs, $0.baseAddress!, missing.count) }
    for (n, i) in missing.enumerated() {
      let value = SIMD4(outputs[n * 3], outputs[n * 3 + 1], outputs[n * 3 + 2], 0)
      let key = Self.key(from + i * channels, channels)
      let slot = Self.slot(key)
      (keys[slot], values[slot]) = (key, value)
      for c in 0..<3 { to[i * 3 + c] = value[c] }
    }
  }

  private static func key(_ color: UnsafePointer<Float>, _ channels: Int) -> SIMD4<Float> {
    SIMD4(color[0], color[1], color[2], channels == 4 ? color[3] : 0)
  }

  /// Odd factors spread neighboring colors over the slots.
  private static func slot(_ key: SIMD4<Float>) -> Int {
    let mixed =
      (key.x.bitPattern &* 0x9e37_79b1) ^ (key.y.bitPattern &* 0x85eb_ca77) ^ (key.z.bitPattern &* 0xc2b2_ae3d)
      ^ (key.w.bitPattern &* 0x27d4_eb2f)
    return Int(((mixed ^ (mixed >> 15)) &* 0x9e37_79b1) >> UInt32(32 - bits))
  }
}
