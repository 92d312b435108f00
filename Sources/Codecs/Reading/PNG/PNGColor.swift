import CDeflate
import Imaging

/// What a PNG says of its colors, in the order of precedence: cICP, iCCP, sRGB, gAMA with cHRM.
///
/// Source: PNG specification, third edition, sections 4.3 and 11.3.2.
struct PNGColor {
  private(set) var encoding = ColorEncoding.sRGB
  private(set) var warnings: [DecodeWarning] = []

  init(_ bytes: [UInt8], chunks: [UInt32: PNGChunks.Chunk], header: PNGHeader, limits: DecodeLimits) {
    if let cicp = chunks[.cICP] {
      let data = Array(bytes[cicp.data])
      if data.count == 4, let said = Self.codePoints(data) {
        encoding = said
        return
      }
      let points = data.prefix(4).map(String.init).joined(separator: "/")
      warnings.append(
        DecodeWarning(
          id: "unread-color",
          message: "the color code points \(points) are not read (high dynamic range?); export it as sRGB or Display P3"
        ))
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

  /// The colors that code points say; nil for those that are left to the other chunks.
  ///
  /// The curves of BT.709 and its like count as that of sRGB, with which such pictures are seen on screens; light beyond
  /// white (PQ and HLG), limited range and YCbCr are not read. Source: ITU-T H.273, tables 2 to 4.
  private static func codePoints(_ data: [UInt8]) -> ColorEncoding? {
    guard data[2] == 0, data[3] == 1 else { return nil }
    let gamma: Double
    switch data[1] {
    case 1, 6, 13, 14, 15: gamma = 0.45455
    case 4: gamma = 1 / 2.2
    case 5: gamma = 1 / 2.8
    case 8: gamma = 1
    default: return nil
    }
    let (d65, c) = ([0.3127, 0.329], [0.31, 0.316])
    let corners: [Double]
    switch data[0] {
    case 1: corners = d65 + [0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
    case 4: corners = c + [0.67, 0.33, 0.21, 0.71, 0.14, 0.08]
    case 5: corners = d65 + [0.64, 0.33, 0.29, 0.6, 0.15, 0.06]
    case 6, 7: corners = d65 + [0.63, 0.34, 0.31, 0.595, 0.155, 0.07]
    case 9: corners = d65 + [0.708, 0.292, 0.17, 0.797, 0.131, 0.046]
    case 11: corners = [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
    case 12: corners = d65 + [0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
    default: return nil
    }
    return data[0] == 1 && gamma == 0.45455 ? .sRGB : .gamma(gamma, chromaticities: corners)
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
