/// Builds GIF files block by block, right or wrong as a test wants it.
public struct GIFMaker {
  /// The file so far.
  public private(set) var bytes: [UInt8]

  /// Starts a file with a global table of up to eight colors.
  public init(width: Int, height: Int, colors: [[UInt8]] = [[255, 0, 0], [0, 0, 255]], background: Int = 0) {
    bytes = Array("GIF89a".utf8) + little16(width) + little16(height) + [0x80 | 2, UInt8(background), 0]
    bytes += GIFMaker.table(colors)
  }

  private static func table(_ colors: [[UInt8]]) -> [UInt8] {
    Array((colors + Array(repeating: [0, 0, 0], count: 8)).prefix(8).joined())
  }

  /// Adds raw bytes.
  public mutating func add(_ raw: [UInt8]) { bytes += raw }

  /// Adds a loop extension.
  public mutating func addLoop(_ repetitions: Int, name: String = "NETSCAPE2.0") {
    bytes += [0x21, 0xff, 11] + Array(name.utf8) + [3, 1] + little16(repetitions) + [0]
  }

  /// Adds a graphic control extension; the delay in hundredths of a second.
  public mutating func addControl(delay: Int, disposal: Int = 0, transparent: Int? = nil) {
    let flags = UInt8(disposal << 2 | (transparent == nil ? 0 : 1))
    bytes += [0x21, 0xf9, 4, flags] + little16(delay) + [UInt8(transparent ?? 0), 0]
  }

  /// Adds an image of indices below 8, each code followed by a clear code.
  public mutating func addImage(
    x: Int = 0, y: Int = 0, width: Int, height: Int, indices: [Int], colors: [[UInt8]]? = nil, interlaced: Bool = false
  ) {
    addDescriptor(x: x, y: y, width: width, height: height, colors: colors, interlaced: interlaced)
    addCodes([8] + indices.flatMap { [$0, 8] } + [9])
  }

  /// Adds an image of one index.
  public mutating func addSolid(
    _ index: Int, x: Int = 0, y: Int = 0, width: Int, height: Int, colors: [[UInt8]]? = nil
  ) {
    addImage(
      x: x, y: y, width: width, height: height, indices: Array(repeating: index, count: width * height), colors: colors)
  }

  /// Adds an image descriptor, with a table of its own where colors are given.
  public mutating func addDescriptor(
    x: Int = 0, y: Int = 0, width: Int, height: Int, colors: [[UInt8]]? = nil, interlaced: Bool = false
  ) {
    bytes += [0x2c] + [x, y, width, height].flatMap(little16)
    bytes.append((colors == nil ? 0 : 0x80 | 2) | (interlaced ? 0x40 : 0))
    if let colors { bytes += GIFMaker.table(colors) }
  }

  /// Adds the image data of codes for a code size of 3, their width following the decoder's table.
  public mutating func addCodes(_ codes: [Int]) {
    var packed = BitWriter()
    var (width, next, hasPrevious) = (4, 10, false)
    for code in codes {
      packed.put(code, width)
      if code == 8 {
        (width, next, hasPrevious) = (4, 10, false)
      } else if hasPrevious, next < 4096 {
        next += 1
        if next == 1 << width, width < 12 { width += 1 }
      } else {
        hasPrevious = true
      }
    }
    bytes += [3] + GIFMaker.subBlocks(packed.finish())
  }

  /// Adds a color profile in its application extension.
  public mutating func addProfile(_ profile: [UInt8]) {
    bytes += [0x21, 0xff, 11] + Array("ICCRGBG1012".utf8) + GIFMaker.subBlocks(profile)
  }

  /// Data in blocks of at most 255 bytes, each after its length, and the empty one that ends them.
  public static func subBlocks(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for start in stride(from: 0, to: data.count, by: 255) {
      let block = data[start..<min(start + 255, data.count)]
      result += [UInt8(block.count)] + block
    }
    return result + [0]
  }

  /// Ends the file and gives it.
  public mutating func finish() -> [UInt8] {
    bytes.append(0x3b)
    return bytes
  }
}
