/// Builds animated WebP files of solid lossless pictures.
public struct WebPMaker {
  private var frames: [UInt8] = []
  private let size: (Int, Int)

  /// Starts a file.
  public init(width: Int, height: Int) { size = (width, height) }

  /// Adds a frame of one color; x and y must be even, the delay is in milliseconds.
  public mutating func addSolid(
    _ color: [UInt8], x: Int = 0, y: Int = 0, width: Int, height: Int, delay: Int = 100, blends: Bool = false,
    clears: Bool = false
  ) {
    let place = [x / 2, y / 2, width - 1, height - 1, delay].flatMap { little32($0).prefix(3) }
    let flags: UInt8 = (blends ? 0 : 2) | (clears ? 1 : 0)
    frames += chunk("ANMF", place + [flags] + chunk("VP8L", WebPMaker.solid(color, width, height)))
  }

  /// The file, its background white.
  public func finish(plays: Int, profile: [UInt8]? = nil, exif: [UInt8]? = nil) -> [UInt8] {
    let header =
      [(profile == nil ? 0x12 : 0x32) | (exif == nil ? 0 : 8), 0, 0, 0] + little32(size.0 - 1).prefix(3)
      + little32(size.1 - 1).prefix(3)
    let body =
      chunk("VP8X", header) + (profile.map { chunk("ICCP", $0) } ?? [])
      + chunk("ANIM", [255, 255, 255, 255] + little16(plays)) + frames + (exif.map { chunk("EXIF", $0) } ?? [])
    return Array("RIFF".utf8) + little32(body.count + 4) + Array("WEBP".utf8) + body
  }

  private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little32(data.count) + data + (data.count % 2 == 1 ? [0] : [])
  }

  /// A VP8L stream in which every code has one symbol, so that pixels take no bits.
  private static func solid(_ color: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) { for i in 0..<count { bits.append(value >> i & 1 == 1) } }
    put(width - 1, 14)
    put(height - 1, 14)
    put(1, 1)  // alpha is used
    put(0, 3)  // version
    put(0, 3)  // no transform, no color cache, one group of codes
    for symbol in [color[1], color[0], color[2], color[3]] {
      put(0b101, 3)  // a simple code, one symbol, of 8 bits
      put(Int(symbol), 8)
    }
    put(0b001, 3)  // the distance code: a simple code, one symbol, of 1 bit
    put(0, 1)
    bits += Array(repeating: false, count: (8 - bits.count % 8) % 8)
    return [0x2f]
      + stride(from: 0, to: bits.count, by: 8).map { i in (0..<8).reduce(0) { $0 | (bits[i + $1] ? 1 << $1 : 0) } }
  }
}
