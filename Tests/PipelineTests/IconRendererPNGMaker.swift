import Imaging

/// A PNG made by hand, its image data stored without compression: any color type and depth, any further chunk.
struct PNGMaker {
  private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Makes a file from finished rows, each without its filter byte.
  init(
    _ size: PixelSize, depth: UInt8 = 8, colorType: UInt8, extra: [(name: String, data: [UInt8])] = [], rows: [[UInt8]]
  ) {
    chunk("IHDR", word(size.width) + word(size.height) + [depth, colorType, 0, 0, 0])
    for (name, data) in extra { chunk(name, data) }
    let data = rows.flatMap { (row: [UInt8]) -> [UInt8] in [0] + row }
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65535) {
      let block = data[start..<min(start + 65535, data.count)]
      let length = UInt16(block.count)
      stream += [start + 65535 >= data.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
      stream += [UInt8(~length & 255), UInt8(~length >> 8)]
      stream += block
    }
    chunk("IDAT", stream + adler(data))
    chunk("IEND", [])
  }

  /// Makes an 8-bit RGBA file from a function of the pixel's middle.
  static func rgba(_ width: Int, _ height: Int, _ pixel: (Double, Double) -> RGBA8) -> [UInt8] {
    let rows = (0..<height).map { y in
      (0..<width).flatMap { x -> [UInt8] in
        let color = pixel(Double(x) + 0.5, Double(y) + 0.5)
        return [color.red, color.green, color.blue, color.alpha]
      }
    }
    return PNGMaker(PixelSize(width: width, height: height), colorType: 6, rows: rows).bytes
  }

  private mutating func chunk(_ name: String, _ data: [UInt8]) {
    let body = Array(name.utf8) + data
    bytes += word(data.count) + body + word(Int(crc(body)))
  }

  private func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  private func crc(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~0) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
  }

  private func adler(_ data: [UInt8]) -> [UInt8] {
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return word(b << 16 | a)
  }
}

/// The names of a PNG's chunks, in order.
func chunkNames(_ png: [UInt8]) -> [String] {
  var names: [String] = []
  var offset = 8
  while offset + 12 <= png.count {
    let length = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    names.append(String(decoding: png[offset + 4..<offset + 8], as: UTF8.self))
    offset += 12 + length
  }
  return names
}
