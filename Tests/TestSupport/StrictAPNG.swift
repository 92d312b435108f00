import CDeflate
public import Imaging

/// A strict decoder of the PNG and APNG files that Decal writes, independent of the codecs: every rule that a picky
/// reader may insist on is checked, and nothing that Decal has no reason to write is accepted.
public struct StrictAPNG {
  /// One frame as stored, and the canvas after it.
  public struct Frame {
    /// The part of the canvas that the frame covers.
    public var rect: PixelRect
    /// Whether the frame is drawn over the canvas and not in its place.
    public var isOver: Bool
    /// The delay in seconds.
    public var delay: Rational
    /// The composed canvas.
    public var canvas: Bitmap
  }

  /// What is wrong with a file.
  public struct Fault: Error, CustomStringConvertible {
    /// One line for people.
    public var description: String
  }

  /// The canvas.
  public private(set) var size = PixelSize(width: 0, height: 0)
  /// PNG's color type.
  public private(set) var colorType = 0
  /// Bits a sample.
  public private(set) var bitDepth = 0
  /// The palette with its alphas.
  public private(set) var palette: [RGBA8] = []
  /// The length of tRNS, 0 where there is none.
  public private(set) var transparencyLength = 0
  /// The names of all chunks in order.
  public private(set) var chunks: [String] = []
  /// Times the animation plays; nil for a still.
  public private(set) var playCount: Int?
  /// The displayed frames; a still has one, without delay.
  public private(set) var frames: [Frame] = []
  /// The time of one play.
  public var duration: Rational { frames.reduce(.zero) { $0 + $1.delay } }

  private var declaredFrames = 0
  private var sequence = 0
  private var pending: (rect: PixelRect, isOver: Bool, delay: Rational)?
  private var key: [UInt8]?

  /// Decodes a file wholly; throws `Fault` at the first broken rule.
  public init(_ bytes: [UInt8]) throws {
    try check(Array(bytes.prefix(8)) == [137, 80, 78, 71, 13, 10, 26, 10], "no signature")
    var position = 8
    while position < bytes.count {
      try check(position + 12 <= bytes.count, "a chunk is cut off")
      let length = Self.number(bytes[position..<(position + 4)])
      try check(position + 12 + length <= bytes.count, "a chunk is longer than the file")
      let body = bytes[(position + 4)..<(position + 8 + length)]
      let sum = body.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
      try check(
        Int(sum) == Self.number(bytes[(position + 8 + length)..<(position + 12 + length)]), "a CRC is wrong")
      let name = String(decoding: body.prefix(4), as: UTF8.self)
      try read(name, Array(body.dropFirst(4)))
      chunks.append(name)
      position += 12 + length
    }
    try check(chunks.last == "IEND", "no IEND")
    try check(pending == nil, "an fcTL without data")
    try check(playCount == nil || frames.count == declaredFrames, "acTL declares \(declaredFrames) frames")
    try check(!frames.isEmpty, "no frames")
  }

  private mutating func read(_ name: String, _ data: [UInt8]) throws {
    try check(chunks.isEmpty == (name == "IHDR"), "IHDR comes first and once")
    try check(chunks.last != "IEND", "data after IEND")
    let once = ["acTL", "sRGB", "PLTE", "tRNS", "IDAT"]
    try check(!once.contains(name) || !chunks.contains(name), "\(name) twice")
    switch name {
    case "IHDR": try readHeader(data)
    case "acTL":
      try check(chunks == ["IHDR"] && data.count == 8, "acTL follows IHDR")
      declaredFrames = Self.number(data[0..<4])
      playCount = Self.number(data[4..<8])
      try check(declaredFrames > 0, "acTL declares no frame")
    case "sRGB":
      try check(!chunks.contains("PLTE") && !chunks.contains("IDAT"), "sRGB comes before PLTE and IDAT")
      try check(data == [0], "sRGB is perceptual")
    case "PLTE": try readPalette(data)
    case "tRNS": try readTransparency(data)
    case "fcTL": try readControl(data)
    case "IDAT":
      try check(chunks.contains("sRGB"), "no sRGB")
      try check(colorType != 3 || !palette.isEmpty, "no PLTE before IDAT")
      try check(playCount == nil || pending != nil, "a hidden default image")
      try readFrame(data)
    case "fdAT":
      try check(chunks.contains("IDAT") && data.count > 4, "fdAT follows IDAT")
      try count(data)
      try check(pending != nil, "fdAT without fcTL")
      try readFrame(Array(data.dropFirst(4)))
    case "IEND": try check(data.isEmpty, "IEND holds data")
    default: throw Fault(description: "chunk \(name) is not expected")
    }
  }

  private mutating func readHeader(_ data: [UInt8]) throws {
    try check(data.count == 13, "IHDR has 13 bytes")
    size = PixelSize(width: Self.number(data[0..<4]), height: Self.number(data[4..<8]))
    bitDepth = Int(data[8])
    colorType = Int(data[9])
    try check(size.area > 0 && data[10] == 0 && data[11] == 0 && data[12] == 0, "IHDR is odd")
    let depths = [0: [1, 2, 4, 8], 2: [8], 3: [1, 2, 4, 8], 4: [8], 6: [8]][colorType] ?? []
    try check(depths.contains(bitDepth), "color type \(colorType) at \(bitDepth) bits")
  }

  private mutating func readPalette(_ data: [UInt8]) throws {
    try check(colorType == 3 && !chunks.contains("tRNS") && !chunks.contains("fcTL"), "PLTE in its place")
    try check(data.count % 3 == 0 && (1...(1 << bitDepth)).contains(data.count / 3), "PLTE fits the bit depth")
    palette = stride(from: 0, to: data.count, by: 3).map { RGBA8(data[$0], data[$0 + 1], data[$0 + 2]) }
  }

  private mutating func readTransparency(_ data: [UInt8]) throws {
    try check(!chunks.contains("IDAT") && !chunks.contains("fcTL"), "tRNS in its place")
    transparencyLength = data.count
    switch colorType {
    case 3:
      try check((1...palette.count).contains(data.count), "tRNS is no longer than PLTE")
      for (i, alpha) in data.enumerated() { palette[i].alpha = alpha }
      try check(data.last != 255, "tRNS ends in a needless alpha")
    case 0, 2:
      try check(data.count == (colorType == 0 ? 2 : 6), "tRNS of color type \(colorType)")
      let samples = stride(from: 0, to: data.count, by: 2).map { Int(data[$0]) << 8 | Int(data[$0 + 1]) }
      try check(samples.allSatisfy { $0 < 1 << bitDepth }, "tRNS fits the bit depth")
      key = samples.map { UInt8($0) }
    default: throw Fault(description: "tRNS beside an alpha channel")
    }
  }

  private mutating func readControl(_ data: [UInt8]) throws {
    try check(playCount != nil && pending == nil && data.count == 26, "fcTL in its place")
    try count(data)
    let rect = PixelRect(
      x: Self.number(data[12..<16]), y: Self.number(data[16..<20]), width: Self.number(data[4..<8]),
      height: Self.number(data[8..<12]))
    try check(!rect.isEmpty && rect.maxX <= size.width && rect.maxY <= size.height, "a frame leaves the canvas")
    try check(!frames.isEmpty || rect == PixelRect(size), "the first frame covers the canvas")
    let denominator = Self.number(data[22..<24])
    try check(denominator > 0, "a delay has no denominator")
    try check(data[24] == 0 && data[25] <= 1, "disposal none, blend source or over")
    pending = (rect, data[25] == 1, Rational(Self.number(data[20..<22]), denominator))
  }

  private mutating func count(_ data: [UInt8]) throws {
    try check(Self.number(data[0..<4]) == sequence, "sequence number \(sequence) is missing")
    sequence += 1
  }

  private mutating func readFrame(_ stream: [UInt8]) throws {
    let (rect, isOver, delay) = pending ?? (PixelRect(size), false, .zero)
    pending = nil
    let rows = try unfilter(inflate(stream, rect), rect)
    var canvas = frames.last?.canvas ?? Bitmap(size: size)
    for y in 0..<rect.height {
      for x in 0..<rect.width {
        let color = try color(rows[y], x)
        if isOver {
          try check(color.alpha == 0 || color.alpha == 255, "a translucent pixel is drawn over")
          if color.alpha == 0 { continue }
        }
        try check(color.alpha > 0 || color == .clear, "color under alpha 0")
        canvas[rect.x + x, rect.y + y] = color
      }
    }
    frames.append(Frame(rect: rect, isOver: isOver, delay: delay, canvas: canvas))
  }

  private var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }

  private func inflate(_ stream: [UInt8], _ rect: PixelRect) throws -> [UInt8] {
    let expected = (rowBytes(rect) + 1) * rect.height
    var output = [UInt8](repeating: 0, count: expected)
    guard let decompressor = libdeflate_alloc_decompressor() else { throw Fault(description: "no memory") }
    defer { libdeflate_free_decompressor(decompressor) }
    var used = 0
    var written = 0
    let result = libdeflate_zlib_decompress_ex(decompressor, stream, stream.count, &output, expected, &used, &written)
    try check(result == LIBDEFLATE_SUCCESS && used == stream.count && written == expected, "a stream is damaged")
    return output
  }

  private func rowBytes(_ rect: PixelRect) -> Int { (rect.width * channels * bitDepth + 7) / 8 }

  private func unfilter(_ data: [UInt8], _ rect: PixelRect) throws -> [[UInt8]] {
    let unit = max(1, channels * bitDepth / 8)
    let length = rowBytes(rect)
    var above = [UInt8](repeating: 0, count: length)
    var rows: [[UInt8]] = []
    for y in 0..<rect.height {
      let filter = data[y * (length + 1)]
      try check(filter <= 4, "row filter \(filter)")
      var row = Array(data[(y * (length + 1) + 1)..<((y + 1) * (length + 1))])
      for i in 0..<length {
        let left = i >= unit ? Int(row[i - unit]) : 0
        let up = Int(above[i])
        let corner = i >= unit ? Int(above[i - unit]) : 0
        let estimate = left + up - corner
        let nearest = [left, up, corner].min { abs(estimate - $0) < abs(estimate - $1) } ?? 0
        let predicted = [0, left, up, (left + up) / 2, nearest][Int(filter)]
        row[i] = row[i] &+ UInt8(predicted)
      }
      rows.append(row)
      above = row
    }
    return rows
  }

  private func color(_ row: [UInt8], _ x: Int) throws -> RGBA8 {
    switch colorType {
    case 2:
      let rgb = Array(row[(x * 3)..<(x * 3 + 3)])
      return rgb == key ? .clear : RGBA8(rgb[0], rgb[1], rgb[2])
    case 4: return RGBA8(row[x * 2], row[x * 2], row[x * 2], row[x * 2 + 1])
    case 6: return RGBA8(row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3])
    default:
      let bit = x * bitDepth
      let sample = row[bit / 8] >> UInt8(8 - bitDepth - bit % 8) & UInt8(1 << bitDepth - 1)
      if colorType == 3 {
        try check(Int(sample) < palette.count, "index \(sample) of \(palette.count) entries")
        return palette[Int(sample)]
      }
      if [sample] == key { return .clear }
      let gray = sample * UInt8(255 / (1 << bitDepth - 1))
      return RGBA8(gray, gray, gray)
    }
  }

  private func check(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
    if !holds { throw Fault(description: rule()) }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
