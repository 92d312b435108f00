import CCodecs
import CDeflate
import Imaging

/// Decodes pictures of one PNG file: plain ones directly, all others as the pieces of a minimal file for libpng.
struct PNGDecoder {
  let file: PNGFile

  /// Decodes one picture into `pixels`, which has `room`: the file's samples, expanded to R, G, B, A.
  ///
  /// Returns what libpng warned of. `data` are the ranges of the compressed stream in the file.
  func decode(
    width: Int, height: Int, data: [Range<Int>], into pixels: UnsafeMutableRawPointer
  ) throws(DecodeError) -> String? {
    if decodePlain(width: width, height: height, data: data, into: pixels) { return nil }
    var head = PNGChunks.signature
    append(.IHDR, file.header.data(width: width, height: height)[...], to: &head)
    if let palette = file.palette { append(.PLTE, file.bytes[palette], to: &head) }
    if let transparency = file.transparency { append(.tRNS, file.bytes[transparency], to: &head) }
    var tail: [UInt8] = []
    var data = data
    if file.isCrushed {
      let frame = try zlibFrame(data, width: width, height: height)
      data = Self.prefix(of: data, count: frame.used)
      tail = frame.end
      appendFrame(.IDAT, length: frame.start.count + frame.used + frame.end.count, to: &head)
      head += frame.start
    } else {
      appendFrame(.IDAT, length: data.reduce(0) { $0 + $1.count }, to: &head)
    }
    tail += [0, 0, 0, 0]
    append(.IEND, [], to: &tail)
    return try read(head, data, tail, width: width, height: height, into: pixels)
  }

  /// Hands the pieces to libpng where they lie: the compressed stream of a large file is not copied.
  private func read(
    _ head: [UInt8], _ data: [Range<Int>], _ tail: [UInt8], width: Int, height: Int,
    into pixels: UnsafeMutableRawPointer
  ) throws(DecodeError) -> String? {
    var report = decal_report()
    let status = head.withUnsafeBufferPointer { head in
      tail.withUnsafeBufferPointer { tail in
        file.bytes.withUnsafeBufferPointer { bytes in
          let pieces =
            [decal_piece(bytes: head.baseAddress, count: head.count)]
            + data.map { decal_piece(bytes: bytes.baseAddress! + $0.lowerBound, count: $0.count) }
            + [decal_piece(bytes: tail.baseAddress, count: tail.count)]
          return decal_png_read(
            pieces, pieces.count, UInt32(width), UInt32(height), file.header.depth == 16 ? 1 : 0, pixels, &report)
        }
      }
    }
    guard status == DECAL_OK else { throw .damaged(format: .png, reason: report.errorText) }
    // Where the sum of the pixels lies decides whether libpng finds it wrong before or after the last row.
    if let warning = report.warningText, warning.contains("incorrect data check") {
      throw .damaged(format: .png, reason: warning)
    }
    return report.warningText
  }

  private func append(_ type: UInt32, _ data: ArraySlice<UInt8>, to png: inout [UInt8]) {
    appendFrame(type, length: data.count, to: &png)
    png += data
    png += [0, 0, 0, 0]
  }

  private func appendFrame(_ type: UInt32, length: Int, to png: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { png.append(UInt8(truncatingIfNeeded: length >> shift)) }
    for shift in [24, 16, 8, 0] as [UInt32] { png.append(UInt8(truncatingIfNeeded: type >> shift)) }
  }

  /// The first bytes of ranges.
  private static func prefix(of ranges: [Range<Int>], count: Int) -> [Range<Int>] {
    var left = count
    return ranges.map { range in
      let taken = range.prefix(left)
      left -= taken.count
      return taken.startIndex..<taken.endIndex
    }
  }

  /// What a bare deflate stream needs around it for libpng: zlib's header and checksum, which needs the inflated bytes;
  /// and the bytes of the stream itself.
  private func zlibFrame(
    _ ranges: [Range<Int>], width: Int, height: Int
  ) throws(DecodeError) -> (start: [UInt8], used: Int, end: [UInt8]) {
    var stream = [UInt8]()
    stream.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
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
    return ([0x78, 0x9c], used, [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) })
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
