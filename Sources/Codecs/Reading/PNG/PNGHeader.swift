import Imaging

/// The IHDR chunk.
///
/// Source: PNG specification, third edition, section 11.2.1.
struct PNGHeader {
  var width: Int
  var height: Int
  var depth: Int
  var colorType: Int
  var isInterlaced: Bool

  /// Reads and checks the 13 bytes; the size is checked by the caller against its limits.
  init(_ bytes: [UInt8], at start: Int, length: Int) throws(DecodeError) {
    guard length == 13 else { throw .damaged(format: .png, reason: "the IHDR chunk has \(length) bytes instead of 13") }
    width = bytes.big32(start)
    height = bytes.big32(start + 4)
    depth = Int(bytes[start + 8])
    colorType = Int(bytes[start + 9])
    isInterlaced = bytes[start + 12] == 1
    guard width <= 0x7fff_ffff, height <= 0x7fff_ffff else {
      throw .damaged(format: .png, reason: "the picture is \(width)x\(height) px")
    }
    let depths: [Int: [Int]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
    guard depths[colorType]?.contains(depth) == true else {
      throw .damaged(format: .png, reason: "color type \(colorType) with \(depth) bits does not exist")
    }
    guard bytes[start + 10] == 0, bytes[start + 11] == 0, bytes[start + 12] <= 1 else {
      throw .damaged(format: .png, reason: "an unknown compression, filter or interlace method")
    }
  }

  var colorModel: String {
    switch colorType {
    case 0: "gray"
    case 2: "rgb"
    case 3: "palette"
    case 4: "gray+alpha"
    default: "rgba"
    }
  }

  var isGray: Bool { colorType == 0 || colorType == 4 }
  var samplesPerPixel: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 4 }

  /// The chunk's data with another size.
  func data(width: Int, height: Int) -> [UInt8] {
    func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    return big(width) + big(height) + [UInt8(depth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
  }

  /// The bytes of all filtered rows of a picture of some size, the filter bytes among them.
  func filteredBytes(width: Int, height: Int) -> Int {
    func pass(_ w: Int, _ h: Int) -> Int {
      w == 0 || h == 0 ? 0 : h * (1 + (w * samplesPerPixel * depth + 7) / 8)
    }
    guard isInterlaced else { return pass(width, height) }
    let passes = [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)]
    return passes.reduce(0) { sum, p in
      sum + pass((width - p.0 + p.1 - 1) / p.1, (height - p.2 + p.3 - 1) / p.3)
    }
  }
}
