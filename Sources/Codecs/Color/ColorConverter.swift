public import Imaging

/// The primaries of converted light.
public enum OutputGamut: String, CaseIterable, Sendable {
  /// sRGB's.
  case sRGB
  /// Display P3's.
  case displayP3
}

/// Takes rows of a raster, in the file's own numbers, to the working space: premultiplied linear light, sRGB's primaries
/// or Display P3's.
///
/// Profiles of curves and a matrix, and gamma with chromaticities, go through tables and one matrix. Profiles with
/// lookup tables go through Little CMS, relative colorimetric with black point compensation, so that the darkest ink
/// becomes black. Ink without a usable profile goes through r = (255 - c)(255 - k) / 255. What lies outside the gamut is
/// clipped and counted. Not `Sendable`: it owns a transform of the color library.
public final class ColorConverter {
  /// What was odd about the profile, `bad-profile` for instance.
  public private(set) var warnings: [DecodeWarning] = []
  /// Pixels so far whose color lay outside the gamut and was clipped.
  public private(set) var clippedPixels = 0

  private enum Path {
    /// One curve for all channels, no matrix.
    case curve(TransferCurve)
    /// A curve each, then a matrix, its columns in SIMD form.
    case matrix([TransferCurve], [SIMD4<Float>])
    /// The color library, for three channels or for ink.
    case library(ICCTransform)
  }

  private var path: Path
  private var scratch: [Float] = []
  /// The first pixel of each run of one color in the row at hand.
  private var runStarts: [Int] = []

  private lazy var fallback = TransferCurve(TransferCurve.sRGB)
  /// Rounding of profiles stays below this; it is half a step of 8 bits near white.
  static let clipTolerance: Float = 0.004

  /// From linear sRGB to the gamut's linear light; nil where that is sRGB.
  private let fromSRGB: Matrix3?

  /// Prepares a conversion; a profile that cannot be used warns and counts as sRGB.
  public init(_ color: ColorEncoding, gamut: OutputGamut = .sRGB) {
    fromSRGB = gamut == .displayP3 ? DisplayP3.fromLinearSRGB : nil
    var odd: String?
    defer { if let odd { warnings.append(DecodeWarning(id: "bad-profile", message: odd)) } }
    switch color {
    case .sRGB: path = Self.plain(fromSRGB)
    case .icc(let profile): path = Self.path(profile: profile, fromSRGB, &odd)
    case .gamma(let gamma, let corners): path = Self.path(gamma: gamma, corners: corners, fromSRGB, &odd)
    }
    guard case .icc = color, odd == nil, !tellsLightFromDark else { return }
    odd = "the color profile makes all colors alike; they count as sRGB"
    path = Self.plain(fromSRGB)
  }

  /// Whether white and black, or paper and full ink, come out different at all.
  private var tellsLightFromDark: Bool {
    let samples: [UInt8] = [255, 255, 255, 255, 0, 0, 0, 255]
    let size = PixelSize(width: 2, height: 1)
    var isInk = false
    if case .library(let transform) = path { isInk = transform.space == .cmyk }
    var row = [Float](repeating: 0, count: 8)
    row.withUnsafeMutableBufferPointer {
      convert(
        Raster(size: size, samples: isInk ? .cmyk8([0, 0, 0, 0, 255, 255, 255, 255]) : .rgba8(samples)), row: 0,
        into: $0)
    }
    clippedPixels = 0
    return (0..<3).contains { abs(row[$0] - row[4 + $0]) > 0.05 }
  }

  /// Numbers that are sRGB.
  private static func plain(_ fromSRGB: Matrix3?) -> Path {
    let curve = TransferCurve(TransferCurve.sRGB)
    return fromSRGB.map { path([curve, curve, curve], $0) } ?? .curve(curve)
  }

  private static func path(
    gamma: Double, corners: [Double]?, _ fromSRGB: Matrix3?, _ odd: inout String?
  ) -> Path {
    let curve = TransferCurve.gamma(gamma)
    var matrix = Matrix3.identity
    if let corners {
      if let made = Matrix3.toLinearSRGB(chromaticities: corners), made.m.allSatisfy({ abs($0) < 100 }) {
        matrix = made
      } else {
        odd = "the chromaticities make no sense; those of sRGB are used"
      }
    }
    return path([curve, curve, curve], fromSRGB.map { $0 * matrix } ?? matrix)
  }

  private static func path(profile: [UInt8], _ fromSRGB: Matrix3?, _ odd: inout String?) -> Path {
    guard let opened = ICCTransform(profile) else {
      odd = "the color profile cannot be read; the colors count as sRGB"
      return plain(fromSRGB)
    }
    if let (curves, toSRGB) = opened.curvesAndMatrix() {
      let matrix = fromSRGB.map { $0 * toSRGB } ?? toSRGB
      // Profiles of one name differ by less than a step of 8 bits.
      if matrix.isIdentity(within: 0.004), curves.allSatisfy(\.isSRGB) {
        return .curve(TransferCurve(TransferCurve.sRGB))
      }
      return path(curves, matrix)
    }
    guard opened.open() else {
      odd = "the color profile cannot be used; the colors count as sRGB"
      return plain(fromSRGB)
    }
    guard opened.space == .gray else { return .library(opened) }
    return .curve(
      TransferCurve { count in
        let steps = (0..<count).map { Float($0) / Float(count - 1) }
        var linear = [Float](repeating: 0, count: count * 3)
        opened.run(steps, &linear, pixels: count)
        return (0..<count).map { min(max(linear[$0 * 3 + 1], 0), 1) }
      })
  }

  private static func path(_ curves: [TransferCurve], _ matrix: Matrix3) -> Path {
    if matrix.isIdentity(within: 0.001), curves.allSatisfy({ $0 === curves[0] }) { return .curve(curves[0]) }
    return .matrix(curves, columns(matrix))
  }

  private static func columns(_ matrix: Matrix3) -> [SIMD4<Float>] {
    (0..<3).map { SIMD4(Float(matrix.m[$0]), Float(matrix.m[3 + $0]), Float(matrix.m[6 + $0]), 0) }
  }

  /// Converts row `y` of a raster into `size.width * 4` floats, premultiplied linear light.
  public func convert(_ raster: Raster, row y: Int, into output: UnsafeMutableBufferPointer<Float>) {
    let width = raster.size.width
    precondition(y >= 0 && y < raster.size.height && output.count >= width * 4, "a row of the raster fits the output")
    guard width > 0 else { return }
    let to = UnsafeMutableRawPointer(output.baseAddress!)
    let start = y * width * 4
    switch raster.samples {
    case .rgba8(let samples):
      samples.withUnsafeBufferPointer { samples in
        guard case .curve(let curve) = path else {
          return convert(samples.baseAddress! + start, width, to, \.table8)
        }
        curve.lanes8.withUnsafeBufferPointer { applyLanes(samples.baseAddress! + start, width, $0.baseAddress!, to) }
      }
    case .rgba16(let samples):
      samples.withUnsafeBufferPointer { convert($0.baseAddress! + start, width, to, \.table16) }
    case .cmyk8(let samples):
      samples.withUnsafeBufferPointer { convertInk($0.baseAddress! + start, width, to) }
    }
  }

  private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
    _ from: UnsafePointer<Sample>, _ width: Int, _ to: UnsafeMutableRawPointer, _ table: (TransferCurve) -> [Float]
  ) {
    switch path {
    case .curve(let curve):
      table(curve).withUnsafeBufferPointer { applyCurve(from, width, $0.baseAddress!, to) }
    case .matrix(let curves, let columns):
      table(curves[0]).withUnsafeBufferPointer { red in
        table(curves[1]).withUnsafeBufferPointer { green in
          table(curves[2]).withUnsafeBufferPointer { blue in
            let tables = (red.baseAddress!, green.baseAddress!, blue.baseAddress!)
            clippedPixels += applyMatrix(from, width, tables, (columns[0], columns[1], columns[2]), to)
          }
        }
      }
    case .library(let transform):
      let full = Float(Sample.max)
      // A profile for ink cannot be meant for these numbers.
      guard transform.space == .rgb else {
        table(fallback).withUnsafeBufferPointer { applyCurve(from, width, $0.baseAddress!, to) }
        return
      }
      gather(from, width, channels: 3) { Float($0) / full }
      run(transform, width, channels: 3, to) { Float(from[$0 * 4 + 3]) / full }
    }
  }

  private func convertInk(_ from: UnsafePointer<UInt8>, _ width: Int, _ to: UnsafeMutableRawPointer) {
    guard case .library(let transform) = path, transform.space == .cmyk else {
      let table = fallback.table8
      let columns = Self.columns(fromSRGB ?? .identity)
      for x in 0..<width {
        let paper = 255 - Int(from[x * 4 + 3])
        func light(_ c: Int) -> Float { table[((255 - Int(from[x * 4 + c])) * paper + 127) / 255] }
        let color = columns[0] * light(0) + columns[1] * light(1) + columns[2] * light(2) + SIMD4(0, 0, 0, 1)
        to.storeBytes(of: clamped(color), toByteOffset: x * 16, as: SIMD4<Float>.self)
      }
      return
    }
    gather(from, width, channels: 4) { Float($0) * (100 / 255) }
    run(transform, width, channels: 4, to) { _ in 1 }
  }

  /// Puts the colors of a row into `scratch`; neighbors of one color, of which flat art is made, go through the library
  /// once.
  private func gather<Sample: FixedWidthInteger>(
    _ from: UnsafePointer<Sample>, _ width: Int, channels: Int, value: (Sample) -> Float
  ) {
    runStarts.removeAll(keepingCapacity: true)
    scratch.removeAll(keepingCapacity: true)
    for x in 0..<width {
      let p = from + x * 4
      if x > 0, p[0] == p[-4], p[1] == p[-3], p[2] == p[-2], channels == 3 || p[3] == p[-1] { continue }
      runStarts.append(x)
      for c in 0..<channels { scratch.append(value(p[c])) }
    }
  }

  /// Runs the library over the colors in `scratch` and writes the row.
  private func run(
    _ transform: ICCTransform, _ width: Int, channels: Int, _ to: UnsafeMutableRawPointer, alpha: (Int) -> Float
  ) {
    let colors = runStarts.count
    let inputs = colors * channels
    scratch += repeatElement(0, count: colors * 3)
    let columns = Self.columns(fromSRGB ?? .identity)
    let isSRGB = fromSRGB == nil
    scratch.withUnsafeMutableBufferPointer { buffer in
      let linear = buffer.baseAddress! + inputs
      transform.runRemembering(buffer.baseAddress!, linear, pixels: colors, channels: channels)
      var at = -1
      for x in 0..<width {
        if at + 1 < colors, runStarts[at + 1] == x { at += 1 }
        var color = SIMD4(linear[at * 3], linear[at * 3 + 1], linear[at * 3 + 2], 1)
        if !isSRGB {
          color = columns[0] * color.x + columns[1] * color.y + columns[2] * color.z + SIMD4(0, 0, 0, 1)
        }
        let opacity = alpha(x)
        let clipped = clamped(color)
        let excess = ((color - clipped) * (color - clipped)).max()
        if excess > Self.clipTolerance * Self.clipTolerance, opacity > 0 { clippedPixels += 1 }
        to.storeBytes(of: clipped * opacity, toByteOffset: x * 16, as: SIMD4<Float>.self)
      }
    }
  }
}

/// Each value from 0 to 1; what is no number becomes 0.
@inline(__always)
private func clamped(_ color: SIMD4<Float>) -> SIMD4<Float> {
  let positive = SIMD4<Float>.zero.replacing(with: color, where: color .> 0)
  return positive.replacing(with: 1, where: positive .> 1)
}

/// The same table for all channels.
private func applyCurve<Sample: FixedWidthInteger & UnsignedInteger>(
  _ from: UnsafePointer<Sample>, _ width: Int, _ table: UnsafePointer<Float>, _ to: UnsafeMutableRawPointer
) {
  let full = Float(Sample.max)
  for x in 0..<width {
    let p = from + x * 4
    let color = SIMD4(table[Int(p[0])], table[Int(p[1])], table[Int(p[2])], 1)
    // A division, so that full alpha is exactly 1.
    to.storeBytes(of: color * (Float(p[3]) / full), toByteOffset: x * 16, as: SIMD4<Float>.self)
  }
}

/// The same for 8 bits, by `TransferCurve.lanes8`: a pixel takes three loads and two sums.
private func applyLanes(
  _ from: UnsafePointer<UInt8>, _ width: Int, _ lanes: UnsafePointer<SIMD4<Float>>, _ to: UnsafeMutableRawPointer
) {
  let from = UnsafeRawPointer(from)
  for x in 0..<width {
    let pixel = UInt32(littleEndian: from.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
    let color =
      lanes[Int(pixel & 255)] + lanes[256 &+ Int(pixel >> 8 & 255)] + lanes[512 &+ Int(pixel >> 16 & 255)]
    let alpha = Int(pixel >> 24)
    to.storeBytes(of: alpha == 255 ? color : color * lanes[768 &+ alpha], toByteOffset: x &* 16, as: SIMD4<Float>.self)
  }
}

/// A table a channel, then a matrix; returns the visible pixels that had to be clipped.
private func applyMatrix<Sample: FixedWidthInteger & UnsignedInteger>(
  _ from: UnsafePointer<Sample>, _ width: Int,
  _ tables: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
  _ columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>), _ to: UnsafeMutableRawPointer
) -> Int {
  let full = Float(Sample.max)
  let alphaOne = SIMD4<Float>(0, 0, 0, 1)
  let tolerance = ColorConverter.clipTolerance
  var outside = 0
  for x in 0..<width {
    let p = from + x * 4
    let color =
      columns.0 * tables.0[Int(p[0])] + columns.1 * tables.1[Int(p[1])] + columns.2 * tables.2[Int(p[2])] + alphaOne
    let clipped = clamped(color)
    let excess = color - clipped
    if p[3] != 0, (excess * excess).max() > tolerance * tolerance { outside += 1 }
    to.storeBytes(of: clipped * (Float(p[3]) / full), toByteOffset: x * 16, as: SIMD4<Float>.self)
  }
  return outside
}
