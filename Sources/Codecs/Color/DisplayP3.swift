import CDeflate
public import Imaging

/// Pictures whose numbers are Display P3: the primaries of SMPTE RP 431-2, white D65, the curve of sRGB.
public enum DisplayP3 {
  /// White, red, green and blue, each x and y, in cHRM's order.
  static let chromaticities = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]

  /// From linear sRGB to linear Display P3.
  static let fromLinearSRGB: Matrix3? = Matrix3.toLinearSRGB(chromaticities: chromaticities)?.inverse

  /// An opaque sRGB color in the numbers of Display P3, rounded.
  public static func encoded(_ color: RGBA8) -> RGBA8 {
    guard let matrix = fromLinearSRGB else { return color }
    let linear = matrix * [color.red, color.green, color.blue].map { SRGB.linear(Double($0) / 255) }
    let levels = linear.map { SRGB.encode8(Float($0)) }
    return RGBA8(levels[0], levels[1], levels[2], color.alpha)
  }

  /// A PNG that says sRGB, made to say Display P3: an iCCP chunk in the place of its sRGB chunk.
  public static func tagged(png: [UInt8]) -> [UInt8] {
    let walk = PNGChunks(png, limit: .max)
    precondition(walk.isComplete, "a whole PNG")
    var result = PNGChunks.signature
    for chunk in walk.chunks where chunk.type != .sRGB {
      result += png[chunk.start - 8..<chunk.start + chunk.length + 4]
      if chunk.type == .IHDR { result += profileChunk }
    }
    return result
  }

  private static let profileChunk: [UInt8] = {
    let body = Array("iCCPDisplay P3".utf8) + [0, 0] + compressed(profile)
    let sum = Int(libdeflate_crc32(0, body, body.count))
    return big32(body.count - 4) + body + big32(sum)
  }()

  private static func compressed(_ data: [UInt8]) -> [UInt8] {
    guard let deflater = libdeflate_alloc_compressor(9) else { preconditionFailure("no memory for a compressor") }
    defer { libdeflate_free_compressor(deflater) }
    let room = libdeflate_zlib_compress_bound(deflater, data.count)
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = libdeflate_zlib_compress(deflater, data, data.count, buffer.baseAddress!, room)
    }
  }

  /// The profile: three curves and a matrix.
  ///
  /// Source: ICC.1:2022, sections 7.2, 8.3.3 and 10.
  static let profile: [UInt8] = {
    let curve = tag("para", [0, 3, 0, 0] + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed))
    var tags = [("desc", text("Display P3")), ("cprt", text("No copyright, use freely"))]
    tags.append(("wtpt", tag("XYZ ", Matrix3.d50.flatMap(fixed))))
    let white = Matrix3.white(chromaticities)
    guard let adapt = Matrix3.adaptation(from: white, to: Matrix3.d50),
      let colorants = Matrix3.toXYZ(chromaticities: chromaticities).map({ adapt * $0 })
    else { preconditionFailure("the chromaticities are sound") }
    tags.append(("chad", tag("sf32", adapt.m.flatMap(fixed))))
    for (column, name) in ["rXYZ", "gXYZ", "bXYZ"].enumerated() {
      tags.append((name, tag("XYZ ", (0..<3).flatMap { fixed(colorants.m[$0 * 3 + column]) })))
    }
    tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
    return assembled(tags)
  }()

  private static func assembled(_ tags: [(name: String, body: [UInt8])]) -> [UInt8] {
    var table = big32(tags.count)
    var data: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    for (name, body) in tags {
      // Equal bodies are stored once.
      let offset = places[body] ?? 132 + tags.count * 12 + data.count
      if places.updateValue(offset, forKey: body) == nil {
        data += body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
      }
      table += Array(name.utf8) + big32(offset) + big32(body.count)
    }
    let size = 128 + table.count + data.count
    let zeros = { [UInt8](repeating: 0, count: $0) }
    // Version 4.3, a display's, no date so that the same bytes come every day.
    let head = big32(size) + zeros(4) + [4, 0x30, 0, 0] + Array("mntrRGB XYZ ".utf8) + zeros(12) + Array("acsp".utf8)
    let rest = zeros(28) + Matrix3.d50.flatMap(fixed) + zeros(48)
    return head + rest + table + data
  }

  private static func tag(_ type: String, _ data: [UInt8]) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] + data }

  private static func text(_ text: String) -> [UInt8] {
    let wide = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    return tag("mluc", big32(1) + big32(12) + Array("enUS".utf8) + big32(wide.count) + big32(28) + wide)
  }

  private static func fixed(_ value: Double) -> [UInt8] { big32(Int((value * 65536).rounded())) }

  private static func big32(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
