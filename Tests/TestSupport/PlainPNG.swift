public import Imaging

/// Writes PNG files for tests in the plainest way, without compression and without Decal's own writer.
public enum PlainPNG {
  /// A still of 8-bit RGBA; `extra` chunks come before the pixels.
  public static func still(_ bitmap: Bitmap, extra: [(name: String, data: [UInt8])] = []) -> [UInt8] {
    let rows = rows(bitmap) { [$0.red, $0.green, $0.blue, $0.alpha] }
    return file(header(bitmap.size, depth: 8, colorType: 6), extra, [("IDAT", zlib(rows))])
  }

  /// A still of indices with the palette's alphas in a tRNS chunk; every color of the picture is in the palette.
  ///
  /// A palette of at most 16 entries may be written in 4 bits a pixel.
  public static func indexed(_ bitmap: Bitmap, palette: [RGBA8], depth: Int = 8) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<bitmap.size.height {
      bytes.append(0)
      let indices = (0..<bitmap.size.width).map { x in
        UInt8(palette.firstIndex(of: bitmap[x, y]) ?? { preconditionFailure("a color of the palette") }())
      }
      if depth == 8 {
        bytes += indices
      } else {
        bytes += stride(from: 0, to: indices.count, by: 2).map {
          indices[$0] << 4 | ($0 + 1 < indices.count ? indices[$0 + 1] : 0)
        }
      }
    }
    let entries = palette.flatMap { [$0.red, $0.green, $0.blue] }
    return file(
      header(bitmap.size, depth: UInt8(depth), colorType: 3), [("PLTE", entries), ("tRNS", palette.map(\.alpha))],
      [("IDAT", zlib(bytes))])
  }

  /// An APNG whose frames all cover the canvas and replace it; delays are in milliseconds, `extra` chunks come first.
  public static func animation(
    _ frames: [(bitmap: Bitmap, delay: Int)], plays: Int = 0, extra: [(name: String, data: [UInt8])] = []
  ) -> [UInt8] {
    var chunks: [(name: String, data: [UInt8])] = []
    var sequence = 0
    for (index, frame) in frames.enumerated() {
      let size = frame.bitmap.size
      let control =
        big(sequence) + big(size.width) + big(size.height) + big(0) + big(0) + big16(frame.delay) + big16(1000) + [
          0, 0,
        ]
      chunks.append(("fcTL", control))
      sequence += 1
      let data = zlib(rows(frame.bitmap) { [$0.red, $0.green, $0.blue, $0.alpha] })
      if index == 0 {
        chunks.append(("IDAT", data))
      } else {
        chunks.append(("fdAT", big(sequence) + data))
        sequence += 1
      }
    }
    return file(
      header(frames[0].bitmap.size, depth: 8, colorType: 6), [("acTL", big(frames.count) + big(plays))] + extra, chunks)
  }

  /// The data of an eXIf chunk that holds an orientation alone.
  public static func exif(_ orientation: Orientation) -> [UInt8] {
    [
      big16(0x4D4D), big16(42), big(8), big16(1), big16(0x0112), big16(3), big(1), big16(orientation.rawValue),
      big16(0),
    ]
    .flatMap { $0 } + big(0)
  }

  private static func rows(_ bitmap: Bitmap, _ samples: (RGBA8) -> [UInt8]) -> [UInt8] {
    (0..<bitmap.size.height).flatMap { y in [0] + (0..<bitmap.size.width).flatMap { samples(bitmap[$0, y]) } }
  }

  private static func header(_ size: PixelSize, depth: UInt8, colorType: UInt8) -> [UInt8] {
    big(size.width) + big(size.height) + [depth, colorType, 0, 0, 0]
  }

  private static func file(
    _ header: [UInt8], _ before: [(name: String, data: [UInt8])], _ pixels: [(name: String, data: [UInt8])]
  ) -> [UInt8] {
    let chunks = [("IHDR", header)] + before + pixels + [("IEND", [])]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for (name, data) in chunks {
      let body = Array(name.utf8) + data
      bytes += big(data.count)
      bytes += body
      bytes += big(Int(crc(body)))
    }
    return bytes
  }

  /// A zlib stream of stored blocks (RFC 1950 and 1951).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: max(bytes.count, 1), by: 65535) {
      let end = min(start + 65535, bytes.count)
      let count = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      stream += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      stream += bytes[start..<end]
    }
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + big(b << 16 | a)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 255)] }
  }

  private static let table: [UInt32] = (0..<256).map { n in
    (0..<8).reduce(UInt32(n)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func big16(_ value: Int) -> [UInt8] {
    [8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
