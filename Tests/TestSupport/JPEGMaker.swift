/// Builds a baseline JPEG in which every 8x8 block has one color.
public struct JPEGMaker {
  /// Segments to put before the tables, each with its marker and length.
  public var segments: [UInt8] = []

  /// Makes a maker.
  public init() {}

  /// Adds a segment.
  public mutating func add(_ marker: UInt8, _ data: [UInt8]) {
    segments += [0xff, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)] + data
  }

  /// Adds Adobe's segment; transform 0 stores the channels as they are, 1 is YCbCr, 2 YCCK.
  public mutating func addAdobe(transform: UInt8) { add(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]) }

  /// The file of rows of blocks, each block an array of channels.
  ///
  /// `missing` columns and rows at the right and below are not part of the picture. `isFine` lays a pattern of single pixels
  /// over the first channel.
  public func finish(_ blocks: [[[UInt8]]], missing: (Int, Int) = (0, 0), isFine: Bool = false) -> [UInt8] {
    let channels = blocks[0][0].count
    let size = [blocks.count * 8 - missing.1, blocks[0].count * 8 - missing.0].flatMap {
      [UInt8($0 >> 8), UInt8($0 & 255)]
    }
    var maker = JPEGMaker()
    maker.segments = segments
    maker.add(0xdb, [0] + Array(repeating: 8, count: 64))
    maker.add(0xc0, [8] + size + [UInt8(channels)] + (0..<channels).flatMap { [UInt8($0 + 1), 0x11, 0] })
    // Twelve DC categories with codes of four bits; one AC code, the end of the block.
    maker.add(0xc4, [0x00, 0, 0, 0, 12] + Array(repeating: 0, count: 12) + (0..<12).map { UInt8($0) })
    // With the pattern, sixteen zeros and fourteen zeros before six bits, too.
    maker.add(
      0xc4,
      isFine
        ? [0x10, 1, 1, 1] + Array(repeating: 0, count: 13) + [0, 0xf0, 0xe6]
        : [0x10, 1] + Array(repeating: 0, count: 15) + [0])
    maker.add(0xda, [UInt8(channels)] + (0..<channels).flatMap { [UInt8($0 + 1), 0] } + [0, 63, 0])
    return [0xff, 0xd8] + maker.segments + scan(blocks, channels, isFine) + [0xff, 0xd9]
  }

  private func scan(_ blocks: [[[UInt8]]], _ channels: Int, _ isFine: Bool) -> [UInt8] {
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) { for i in (0..<count).reversed() { bits.append(value >> i & 1 == 1) } }
    var last = Array(repeating: 0, count: channels)
    for block in blocks.joined() {
      for c in 0..<channels {
        // Eight times the mean over a quantizer of 8.
        let value = Int(block[c]) - 128
        let difference = value - last[c]
        last[c] = value
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        put(category, 4)
        if category > 0 { put(difference > 0 ? difference : difference + (1 << category) - 1, category) }
        if isFine, c == 0 {
          // Three times sixteen zeros; fourteen, then 63 for the last coefficient.
          for _ in 0..<3 { put(0b10, 2) }
          put(0b110, 3)
          put(63, 6)
        } else {
          put(0, 1)
        }
      }
    }
    bits += Array(repeating: true, count: (8 - bits.count % 8) % 8)
    return stride(from: 0, to: bits.count, by: 8).flatMap { i -> [UInt8] in
      let byte = (0..<8).reduce(UInt8(0)) { $0 << 1 | (bits[i + $1] ? 1 : 0) }
      return byte == 0xff ? [0xff, 0] : [byte]
    }
  }
}
