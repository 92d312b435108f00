import CDeflate

/// The chunks of a PNG file: lengths within the file, checksums checked.
///
/// Source: PNG specification, third edition, sections 5.3 and 13.1.
struct PNGChunks {
  /// One chunk whose length fits into the file.
  struct Chunk {
    /// The four letters as a number.
    var type: UInt32
    /// The offset of the data.
    var start: Int
    /// The bytes of data.
    var length: Int
    /// Whether the checksum is right.
    var isIntact: Bool

    var data: Range<Int> { start..<start + length }
    /// Bit 5 of the first letter: lower case is ancillary.
    var isAncillary: Bool { type & 0x2000_0000 != 0 }
    var name: String { PNGChunks.name(type) }
  }

  /// All whole chunks up to and with IEND, or to where the file breaks off.
  var chunks: [Chunk] = []
  /// Whether IEND was reached.
  var isComplete = false
  /// What is wrong at the place where the chunks stop, if they do.
  var defect: String?
  /// Bytes after IEND.
  var trailingBytes = 0

  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// The four letters of a chunk type as a number.
  static func type(_ name: StaticString) -> UInt32 {
    name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  static func name(_ type: UInt32) -> String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }, as: UTF8.self)
  }

  /// Walks the chunks behind the signature; one more than the limit ends the walk.
  init(_ bytes: [UInt8], limit: Int) {
    var at = 8
    while !isComplete, chunks.count <= limit {
      guard bytes.count - at >= 12 else {
        defect = "the file ends before its IEND chunk"
        return
      }
      let type = UInt32(bytes.big32(at + 4))
      guard (0..<4).allSatisfy({ Self.isLetter(bytes[at + 4 + $0]) }) else {
        defect = "no chunk at byte \(at)"
        return
      }
      let length = bytes.big32(at)
      guard length <= 0x7fff_ffff, length <= bytes.count - at - 12 else {
        defect = "the \(Self.name(type)) chunk at byte \(at) says \(length) bytes, \(bytes.count - at - 12) are left"
        return
      }
      let sum = bytes.withUnsafeBufferPointer { libdeflate_crc32(0, $0.baseAddress! + at + 4, length + 4) }
      let isIntact = Int(sum) == bytes.big32(at + 8 + length)
      chunks.append(Chunk(type: type, start: at + 8, length: length, isIntact: isIntact))
      at += length + 12
      isComplete = type == .IEND
    }
    trailingBytes = bytes.count - at
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte & 0xdf) }
}

extension UInt32 {
  static let IHDR = PNGChunks.type("IHDR")
  static let PLTE = PNGChunks.type("PLTE")
  static let tRNS = PNGChunks.type("tRNS")
  static let IDAT = PNGChunks.type("IDAT")
  static let IEND = PNGChunks.type("IEND")
  static let acTL = PNGChunks.type("acTL")
  static let fcTL = PNGChunks.type("fcTL")
  static let fdAT = PNGChunks.type("fdAT")
  static let cHRM = PNGChunks.type("cHRM")
  static let gAMA = PNGChunks.type("gAMA")
  static let sRGB = PNGChunks.type("sRGB")
  static let iCCP = PNGChunks.type("iCCP")
  static let cICP = PNGChunks.type("cICP")
  static let eXIf = PNGChunks.type("eXIf")
  /// The mark of a PNG that Xcode has rewritten for the iPhone.
  static let CgBI = PNGChunks.type("CgBI")
}
