import CDeflate
import Imaging

/// What a PNG says of its colors, in the order of precedence: cICP, iCCP, sRGB, gAMA with cHRM.
///
/// Source: PNG specification, third edition, sections 4.3 and 11.3.2.
struct PNGColor {
  private(set) var encoding = ColorEncoding.sRGB
  private(set) var warnings: [DecodeWarning] = []

  init(_ bytes: [UInt8], chunks: [UInt32: PNGChunks.Chunk], header: PNGHeader, limits: DecodeLimits) {
    if let cicp = chunks[.cICP], cicp.length == 4, let said = Self.codePoints(Array(bytes[cicp.data])) {
      encoding = said
      return
    }
    if let iccp = chunks[.iCCP] {
      if let profile = Self.inflate(Array(bytes[iccp.data]), limit: limits.metadataBytes),
        ICCHeader(profile)?.fits(isGray: header.isGray, isCMYK: false) == true
      {
        encoding = .icc(profile)
        return
      }
      warn("the color profile cannot be used; the colors count as sRGB")
      return
    }
    if chunks[.sRGB] != nil { return }
    guard let gama = chunks[.gAMA], gama.length == 4 else { return }
    let gamma = bytes.big32(gama.start)
    // The range in which libpng believes a gamma.
    guard (16...625_000_000).contains(gamma) else {
      warn("a gamma of \(gamma) cannot be meant; the colors count as sRGB")
      return
    }
    var corners: [Double]?
    if let chrm = chunks[.cHRM], chrm.length == 32 {
      corners = (0..<8).map { Double(bytes.big32(chrm.start + $0 * 4)) / 100_000 }
    }
    encoding = .gamma(Double(gamma) / 100_000, chromaticities: corners)
  }

  private mutating func warn(_ message: String) {
    warnings.append(DecodeWarning(id: "bad-profile", message: message))
  }

  /// The code points for sRGB and Display P3; nil for others, which are left to the other chunks.
  ///
  /// Source: ITU-T H.273, primaries 1 and 12, transfer 13 (the curve of sRGB), full range.
  private static func codePoints(_ data: [UInt8]) -> ColorEncoding? {
    guard data[1] == 13, data[2] == 0, data[3] == 1 else { return nil }
    switch data[0] {
    case 1: return .sRGB
    case 12:
      return .gamma(0.45455, chromaticities: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06])
    default: return nil
    }
  }

  /// The profile of an iCCP chunk: a name, a zero, the method, and the zlib stream; nil where that is broken.
  ///
  /// The room is that of the profile's own length field, never more than `limit`.
  private static func inflate(_ data: [UInt8], limit: Int) -> [UInt8]? {
    guard let zero = data.firstIndex(of: 0), (1...79).contains(zero), data.count > zero + 2, data[zero + 1] == 0 else {
      return nil
    }
    // A stream of n bytes cannot hold more than 1032 n.
    let room = min(limit, (data.count - zero) * 1032)
    guard let inflater = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(inflater) }
    var isWhole = false
    let profile = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      data.withUnsafeBufferPointer { input in
        let result = libdeflate_zlib_decompress(
          inflater, input.baseAddress! + zero + 2, data.count - zero - 2, buffer.baseAddress!, room, &count)
        isWhole = result == LIBDEFLATE_SUCCESS
      }
      if !isWhole { count = 0 }
    }
    return isWhole ? profile : nil
  }
}
