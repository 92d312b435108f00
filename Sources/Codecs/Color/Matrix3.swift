/// A 3x3 matrix, row by row.
struct Matrix3 {
  var m: [Double]

  init(_ m: [Double]) { self.m = m }

  static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    let columns = (0..<3).map { c in a * [b.m[c], b.m[3 + c], b.m[6 + c]] }
    return Matrix3((0..<9).map { columns[$0 % 3][$0 / 3] })
  }

  static func * (a: Matrix3, v: [Double]) -> [Double] {
    (0..<3).map { row in
      let (x, y, z) = (a.m[row * 3] * v[0], a.m[row * 3 + 1] * v[1], a.m[row * 3 + 2] * v[2])
      return x + y + z
    }
  }

  static let identity = Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// Nil where the matrix has none.
  var inverse: Matrix3? {
    func minor(_ r: Int, _ c: Int) -> Double {
      let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3)
      return m[r1 * 3 + c1] * m[r2 * 3 + c2] - m[r1 * 3 + c2] * m[r2 * 3 + c1]
    }
    let determinant = m[0] * minor(0, 0) + m[1] * minor(0, 1) + m[2] * minor(0, 2)
    guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
    return Matrix3((0..<9).map { minor($0 % 3, $0 / 3) / determinant })
  }

  /// Whether no element is further than a tolerance from the identity.
  func isIdentity(within tolerance: Double) -> Bool {
    (0..<9).allSatisfy { abs(m[$0] - ($0 % 4 == 0 ? 1 : 0)) <= tolerance }
  }

  /// From linear R, G, B to XYZ, for chromaticities in cHRM's order: white, red, green, blue, each x and y.
  ///
  /// Source: SMPTE RP 177-1993, section 3.3.
  static func toXYZ(chromaticities c: [Double]) -> Matrix3? {
    guard c.count == 8, c[1] > 0 else { return nil }
    let corners = Matrix3([c[2], c[4], c[6], c[3], c[5], c[7], 1 - c[2] - c[3], 1 - c[4] - c[5], 1 - c[6] - c[7]])
    guard let inverse = corners.inverse else { return nil }
    let scale = inverse * white(c)
    return Matrix3((0..<9).map { corners.m[$0] * scale[$0 % 3] })
  }

  static func white(_ c: [Double]) -> [Double] { [c[0] / c[1], 1, (1 - c[0] - c[1]) / c[1]] }

  /// Adapts XYZ from one white to another, by the Bradford cone responses.
  static func adaptation(from: [Double], to: [Double]) -> Matrix3? {
    let cones = Matrix3([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
    guard let back = cones.inverse else { return nil }
    let (a, b) = (cones * from, cones * to)
    guard a.allSatisfy({ $0 > 0 }) else { return nil }
    return back * Matrix3([b[0] / a[0], 0, 0, 0, b[1] / a[1], 0, 0, 0, b[2] / a[2]]) * cones
  }

  private static let sRGB = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
  /// The white of ICC's connection space.
  static let d50 = [0.9642, 1, 0.8249]

  /// From XYZ (D50) to linear sRGB.
  static let linearSRGBFromD50: Matrix3? = {
    guard let toXYZ = toXYZ(chromaticities: sRGB), let adapt = adaptation(from: white(sRGB), to: d50) else {
      return nil
    }
    return (adapt * toXYZ).inverse
  }()

  /// From linear R, G, B of some chromaticities to linear sRGB, white to white; nil where they make no sense.
  static func toLinearSRGB(chromaticities c: [Double]) -> Matrix3? {
    guard let from = toXYZ(chromaticities: c), let adapt = adaptation(from: white(c), to: d50) else { return nil }
    return linearSRGBFromD50.map { $0 * adapt * from }
  }
}
