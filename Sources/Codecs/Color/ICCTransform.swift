import CCodecs

/// A profile opened by the color library, and what is made of it.
final class ICCTransform {
  private let bytes: [UInt8]
  private let profile: OpaquePointer
  private var transform: OpaquePointer?
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
}
