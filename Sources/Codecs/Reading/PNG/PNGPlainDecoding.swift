import CDeflate

// The way of most files: 8 bits a sample, not interlaced, the compressed stream as it should be. libdeflate inflates it at
// once to where the pixels go, in a third of the time that libpng takes. What is odd in any way is left to libpng, whose
// errors, warnings and leniency count.

extension PNGDecoder {
  /// The bytes that `decode` needs at its target: at most 4 and one a row beyond the pixels.
  static func room(width: Int, height: Int, depth: Int) -> Int {
    depth == 16 ? width * height * 8 : PNGUnfilter.room(width: width, height: height)
  }

  /// Decodes one picture; answers false where libpng should, which may then write over what is there.
  func decodePlain(width: Int, height: Int, data: [Range<Int>], into pixels: UnsafeMutableRawPointer) -> Bool {
    guard let kind = plainKind else { return false }
    let rows = PNGUnfilter(kind: kind, width: width, height: height)
    guard inflatePlain(data, to: pixels + rows.start, count: rows.filteredBytes) else { return false }
    guard let palette else { return rows.run(pixels) { _ in } }
    var isWithin = true
    let isWhole = palette.withUnsafeBufferPointer { colors in
      rows.run(pixels) { row in
        for x in 0..<width {
          let index = Int(UInt32(littleEndian: row[x]) & 255)
          isWithin = isWithin && index < colors.count
          row[x] = index < colors.count ? colors[index] : 0
        }
      }
    }
    return isWhole && isWithin
  }

  private var plainKind: PNGUnfilter.Kind? {
    let header = file.header
    guard header.depth == 8, !header.isInterlaced, !file.isCrushed else { return nil }
    guard file.transparency == nil || header.colorType == 3 else { return nil }
    return PNGUnfilter.Kind(rawValue: header.samplesPerPixel)
  }

  /// The palette as pixels, R, G, B, A; nil where pixels are no indices.
  private var palette: [UInt32]? {
    guard file.header.colorType == 3, let range = file.palette else { return nil }
    let alphas = file.transparency.map { Array(file.bytes[$0]) } ?? []
    return stride(from: range.lowerBound, to: range.upperBound, by: 3).enumerated().map { entry, at in
      let alpha = entry < alphas.count ? alphas[entry] : 255
      return
        (UInt32(file.bytes[at]) | UInt32(file.bytes[at + 1]) << 8 | UInt32(file.bytes[at + 2]) << 16
        | UInt32(alpha) << 24).littleEndian
    }
  }

  /// Inflates a stream that is exactly so long, with a right checksum, no bytes behind it, and a window that cannot be left.
  private func inflatePlain(_ data: [Range<Int>], to output: UnsafeMutableRawPointer, count: Int) -> Bool {
    let length = data.reduce(0) { $0 + $1.count }
    // Compressing makes nothing longer by more than this; so a second copy of the stream stays below the pixels.
    guard length >= 6, length <= count + count >> 8 + 64 else { return false }
    if data.count == 1 { return inflate(file.bytes[data[0]], to: output, count: count) }
    var stream: [UInt8] = []
    stream.reserveCapacity(length)
    for range in data { stream += file.bytes[range] }
    return inflate(stream[...], to: output, count: count)
  }

  private func inflate(_ stream: ArraySlice<UInt8>, to output: UnsafeMutableRawPointer, count: Int) -> Bool {
    // libdeflate looks back as far as there is output, zlib only as far as the header says.
    let windowBits = Int(stream[stream.startIndex] >> 4) + 8
    guard windowBits >= 15 || count <= 1 << windowBits else { return false }
    guard let decompressor = libdeflate_alloc_decompressor() else { return false }
    defer { libdeflate_free_decompressor(decompressor) }
    var (used, made) = (0, 0)
    let result = stream.withUnsafeBytes {
      libdeflate_zlib_decompress_ex(decompressor, $0.baseAddress, $0.count, output, count, &used, &made)
    }
    return result == LIBDEFLATE_SUCCESS && used == stream.count && made == count
  }
}
