/// Builds PNG and APNG files chunk by chunk, right or wrong as a test wants it.
///
/// Independent of the code under test: own checksums, stored deflate blocks, no filters.
public struct PNGMaker {
  /// The file so far.
  public private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  private var sequence = 0

  /// Starts a file with its IHDR.
  public init(
    width: Int, height: Int, depth: Int = 8, colorType: Int = 6, interlaced: Bool = false, mark: [UInt8]? = nil
  ) {
    if let mark { add("CgBI", mark) }
    add("IHDR", big32(width) + big32(height) + [UInt8(depth), UInt8(colorType), 0, 0, interlaced ? 1 : 0])
  }

  /// Adds a chunk; a wrong length or checksum on demand.
  public mutating func add(_ name: String, _ data: [UInt8] = [], saysLength: Int? = nil, hasBadChecksum: Bool = false) {
    let body = Array(name.utf8) + data
    let sum = crc32(body) ^ (hasBadChecksum ? 1 : 0)
    bytes += big32(saysLength ?? data.count) + body + big32(Int(sum))
  }

  /// Adds rows without filters as one IDAT.
  public mutating func addPicture(_ rows: [[UInt8]]) { add("IDAT", zlib(rows.flatMap { [0] + $0 })) }

  /// Adds an acTL.
  public mutating func addAnimation(frames: Int, plays: Int = 0) { add("acTL", big32(frames) + big32(plays)) }

  /// Adds an fcTL with the next sequence number.
  public mutating func addFrame(
    x: Int = 0, y: Int = 0, width: Int, height: Int, delay: (Int, Int) = (1, 10), disposal: Int = 0, blend: Int = 0
  ) {
    let place = [width, height, x, y].flatMap(big32)
    let time = [delay.0, delay.1].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    add("fcTL", nextSequence() + place + time + [UInt8(disposal), UInt8(blend)])
  }

  /// Adds rows without filters as fdAT chunks with the next sequence numbers.
  public mutating func addFrameData(_ rows: [[UInt8]], parts: Int = 1) {
    let stream = zlib(rows.flatMap { [0] + $0 })
    let step = (stream.count + parts - 1) / parts
    for start in stride(from: 0, to: stream.count, by: step) {
      add("fdAT", nextSequence() + stream[start..<min(start + step, stream.count)])
    }
  }

  /// Ends the file and gives it.
  public mutating func finish() -> [UInt8] {
    add("IEND")
    return bytes
  }

  private mutating func nextSequence() -> [UInt8] {
    defer { sequence += 1 }
    return big32(sequence)
  }
}

/// Rows of one color.
public func solidRows(_ color: [UInt8], width: Int, height: Int) -> [[UInt8]] {
  Array(repeating: (0..<width).flatMap { _ in color }, count: height)
}

/// Four bytes, most significant first.
public func big32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

/// Four bytes, least significant first.
public func little32(_ value: Int) -> [UInt8] { big32(value).reversed() }

/// Two bytes, least significant first.
public func little16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

/// A zlib stream of stored blocks.
public func zlib(_ data: [UInt8]) -> [UInt8] { [0x78, 0x01] + storedDeflate(data) + big32(adler32(data)) }

/// A zlib stream of very many zeros in few bytes: each 13 bits make 258.
public func zlibBomb(zeros: Int) -> [UInt8] {
  var stream = BitWriter(after: [0x78, 0x01])
  stream.put(0b011, 3)  // the last block, with the fixed codes
  stream.put(0b0000_1100, 8)  // the literal 0
  // Codes go in with their first bit first: length 258 is 11000101, distance 1 is 00000.
  for _ in 0..<(zeros - 1) / 258 { stream.put(0b1010_0011, 13) }
  stream.put(0, 7)
  stream.put(0, 7)
  // The sum of zeros: 1 stays, and is added once for each.
  return stream.finish() + big32(((zeros - 1) / 258 * 258 + 1) % 65521 << 16 | 1)
}

/// A bare deflate stream of stored blocks.
public func storedDeflate(_ data: [UInt8]) -> [UInt8] {
  var out: [UInt8] = []
  for start in stride(from: 0, through: max(data.count - 1, 0), by: 65535) {
    let block = data[start..<min(start + 65535, data.count)]
    let isLast: UInt8 = start + 65535 >= data.count ? 1 : 0
    out += [isLast] + little16(block.count) + little16(~block.count & 0xffff) + block
  }
  return out
}

private func adler32(_ data: [UInt8]) -> Int {
  var (a, b) = (1, 0)
  for byte in data {
    a = (a + Int(byte)) % 65521
    b = (b + a) % 65521
  }
  return b << 16 | a
}

private let crcTable: [UInt32] = (0..<256).map { n in
  (0..<8).reduce(UInt32(n)) { c, _ in c & 1 == 1 ? 0xedb8_8320 ^ (c >> 1) : c >> 1 }
}

private func crc32(_ data: [UInt8]) -> UInt32 {
  ~data.reduce(0xffff_ffff) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
}
