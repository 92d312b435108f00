import CDeflate
import Imaging

/// A plain decoder of every still PNG, written from the specification alone: what reference pictures are read with, and a
/// reference itself where a suite has none.
///
/// It shares no code with libpng or with Decal's reader. Checksums are not looked at.
/// Source: PNG specification, third edition, sections 7 to 9 and 11.
struct PNGOracle {
  /// Why a file cannot be decoded.
  struct Fault: Error {}

  let size: PixelSize
  /// R, G, B, A; 16-bit samples are round(v / 257).
  private(set) var rgba: [UInt8]
  private let depth: Int
  private let colorType: Int
  private var palette: [UInt8] = []
  private var transparency: [UInt8] = []

  private static let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
  /// Adam7: first column, column step, first row, row step.
  private static let passes = [
    (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2),
  ]

  init(_ bytes: [UInt8]) throws {
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard bytes.count > 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { throw Fault() }
    size = PixelSize(width: number(16), height: number(20))
    (depth, colorType) = (Int(bytes[24]), Int(bytes[25]))
    rgba = [UInt8](repeating: 0, count: size.area * 4)
    var stream: [UInt8] = []
    var at = 8
    while at + 12 <= bytes.count, at + 12 + number(at) <= bytes.count {
      let data = bytes[at + 8..<at + 8 + number(at)]
      switch String(decoding: bytes[at + 4..<at + 8], as: UTF8.self) {
      case "PLTE": palette = Array(data)
      case "tRNS": transparency = Array(data)
      case "IDAT": stream += data
      default: break
      }
      at += 12 + data.count
    }
    let passes = bytes[28] == 1 ? Self.passes : [(0, 1, 0, 1)]
    try expand(try inflate(stream, passes), passes)
  }

  private func rowBytes(_ width: Int) -> Int { (width * (Self.channels[colorType] ?? 1) * depth + 7) / 8 }

  private func count(_ length: Int, _ first: Int, _ step: Int) -> Int { max(0, (length - first + step - 1) / step) }

  private func inflate(_ stream: [UInt8], _ passes: [(Int, Int, Int, Int)]) throws -> [UInt8] {
    let room = passes.reduce(0) { sum, pass in
      let width = count(size.width, pass.0, pass.1)
      return width == 0 ? sum : sum + count(size.height, pass.2, pass.3) * (1 + rowBytes(width))
    }
    guard let inflater = libdeflate_alloc_decompressor() else { throw Fault() }
    defer { libdeflate_free_decompressor(inflater) }
    var isWhole = false
    let rows = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      isWhole =
        libdeflate_zlib_decompress(inflater, stream, stream.count, buffer.baseAddress, room, &count)
        == LIBDEFLATE_SUCCESS && count == room
      if !isWhole { count = 0 }
    }
    guard isWhole else { throw Fault() }
    return rows
  }

  private mutating func expand(_ data: [UInt8], _ passes: [(Int, Int, Int, Int)]) throws {
    let step = max(1, (Self.channels[colorType] ?? 1) * depth / 8)
    var at = 0
    for pass in passes {
      let (width, height) = (count(size.width, pass.0, pass.1), count(size.height, pass.2, pass.3))
      if width == 0 { continue }
      var above = [UInt8](repeating: 0, count: rowBytes(width))
      for y in 0..<height {
        let filter = data[at]
        var row = Array(data[at + 1..<at + 1 + above.count])
        at += 1 + above.count
        try Self.unfilter(&row, above, filter, step)
        for x in 0..<width {
          let to = ((pass.2 + y * pass.3) * size.width + pass.0 + x * pass.1) * 4
          let color = color(row, x)
          for c in 0..<4 { rgba[to + c] = color[c] }
        }
        above = row
      }
    }
  }

  private static func unfilter(_ row: inout [UInt8], _ above: [UInt8], _ filter: UInt8, _ step: Int) throws {
    for i in row.indices {
      let a = i >= step ? Int(row[i - step]) : 0
      let b = Int(above[i])
      let c = i >= step ? Int(above[i - step]) : 0
      let guess: Int
      switch filter {
      case 0: guess = 0
      case 1: guess = a
      case 2: guess = b
      case 3: guess = (a + b) / 2
      case 4:
        let p = a + b - c
        let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
        guess = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
      default: throw Fault()
      }
      row[i] = row[i] &+ UInt8(guess)
    }
  }

  private func sample(_ row: [UInt8], _ index: Int) -> Int {
    if depth == 16 { return Int(row[index * 2]) << 8 | Int(row[index * 2 + 1]) }
    let bit = index * depth
    return Int(row[bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
  }

  private func color(_ row: [UInt8], _ x: Int) -> [UInt8] {
    func level(_ value: Int) -> UInt8 { UInt8((Double(value) * 255 / Double(1 << depth - 1)).rounded()) }
    func isKey(_ values: [Int]) -> Bool {
      transparency.count == values.count * 2
        && values.indices.allSatisfy { Int(transparency[$0 * 2]) << 8 | Int(transparency[$0 * 2 + 1]) == values[$0] }
    }
    let channels = Self.channels[colorType] ?? 1
    let values = (0..<channels).map { sample(row, x * channels + $0) }
    switch colorType {
    case 0: return Array(repeating: level(values[0]), count: 3) + [isKey(values) ? 0 : 255]
    case 2: return values.map(level) + [isKey(values) ? 0 : 255]
    case 3:
      let index = values[0]
      guard index * 3 + 2 < palette.count else { return [0, 0, 0, 255] }
      return palette[index * 3..<index * 3 + 3] + [index < transparency.count ? transparency[index] : 255]
    case 4: return Array(repeating: level(values[0]), count: 3) + [level(values[1])]
    default: return values.map(level)
    }
  }
}
