import CCodecs
import CDeflate
import Imaging

/// Decodes pictures of one PNG file, each rebuilt as a minimal file for libpng.
struct PNGDecoder {
  let file: PNGFile

  /// Decodes one picture into `pixels`: the file's samples, expanded to R, G, B, A.
  ///
  /// Returns what libpng warned of. `data` are the ranges of the compressed stream in the file.
  func decode(
    width: Int, height: Int, data: [Range<Int>], into pixels: UnsafeMutableRawPointer
  ) throws(DecodeError) -> String? {
    var png = [UInt8]()
    png.reserveCapacity(data.reduce(1200) { $0 + $1.count })
    png += PNGChunks.signature
    append(.IHDR, file.header.data(width: width, height: height)[...], to: &png)
    if let palette = file.palette { append(.PLTE, file.bytes[palette], to: &png) }
    if let transparency = file.transparency { append(.tRNS, file.bytes[transparency], to: &png) }
    if file.isCrushed {
      append(.IDAT, try rewrap(data, width: width, height: height)[...], to: &png)
    } else {
      appendData(data, to: &png)
    }
    append(.IEND, [], to: &png)
    var report = decal_report()
    let status = png.withUnsafeBufferPointer {
      decal_png_read(
        $0.baseAddress!, $0.count, UInt32(width), UInt32(height), file.header.depth == 16 ? 1 : 0, pixels, &report)
    }
    guard status == DECAL_OK else { throw .damaged(format: .png, reason: report.errorText) }
    return report.warningText
  }

  private func append(_ type: UInt32, _ data: ArraySlice<UInt8>, to png: inout [UInt8]) {
    appendFrame(type, length: data.count, to: &png)
    png += data
    png += [0, 0, 0, 0]
  }

  private func appendData(_ ranges: [Range<Int>], to png: inout [UInt8]) {
    appendFrame(.IDAT, length: ranges.reduce(0) { $0 + $1.count }, to: &png)
    for range in ranges { png += file.bytes[range] }
    png += [0, 0, 0, 0]
  }

  private func appendFrame(_ type: UInt32, length: Int, to png: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { png.append(UInt8(truncatingIfNeeded: length >> shift)) }
    for shift in [24, 16, 8, 0] as [UInt32] { png.append(UInt8(truncatingIfNeeded: type >> shift)) }
  }

  /// Gives a bare deflate stream the zlib frame that libpng wants; the checksum needs the inflated bytes.
  private func rewrap(_ ranges: [Range<Int>], width: Int, height: Int) throws(DecodeError) -> [UInt8] {
    var stream = [UInt8]()
    for range in ranges { stream += file.bytes[range] }
    guard let inflater = libdeflate_alloc_decompressor() else {
      throw .damaged(format: .png, reason: "no memory")
    }
    defer { libdeflate_free_decompressor(inflater) }
    let room = file.header.filteredBytes(width: width, height: height)
    var used = 0
    var result = LIBDEFLATE_BAD_DATA
    let rows = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      result = libdeflate_deflate_decompress_ex(
        inflater, stream, stream.count, buffer.baseAddress!, room, &used, &count)
      if result != LIBDEFLATE_SUCCESS { count = 0 }
    }
    guard result == LIBDEFLATE_SUCCESS, rows.count == room else {
      throw .damaged(format: .png, reason: "the compressed rows of the Xcode-optimized picture are broken")
    }
    let sum = libdeflate_adler32(1, rows, rows.count)
    return [0x78, 0x9c] + stream[..<used] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }
}

extension decal_report {
  /// The library's error, in its words.
  var errorText: String { Self.text(error) ?? "the data cannot be decoded" }
  /// The library's first warning, if there was one.
  var warningText: String? { Self.text(warning) }

  private static func text<Characters>(_ characters: Characters) -> String? {
    withUnsafeBytes(of: characters) { raw in
      let text = raw.prefix { $0 != 0 }
      return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
  }
}
