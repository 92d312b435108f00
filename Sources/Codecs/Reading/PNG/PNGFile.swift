import Imaging

/// A PNG's chunks, sorted by what they are for.
struct PNGFile {
  let bytes: [UInt8]
  let walk: PNGChunks
  let header: PNGHeader
  let size: PixelSize
  /// Whether Xcode rewrote it: CgBI before IHDR, no zlib frame, B, G, R, A premultiplied.
  let isCrushed: Bool
  private(set) var palette: Range<Int>?
  private(set) var transparency: Range<Int>?
  private(set) var color = ColorEncoding.sRGB
  private(set) var orientation = Orientation.up
  private(set) var warnings: [DecodeWarning] = []
  /// Whether an acTL stands before the picture; one behind it does not count.
  let isAnimated: Bool
  /// From which chunk on an animation cannot be trusted, and why.
  let damage: Damage?

  /// A place among the chunks where damage begins.
  struct Damage {
    var index: Int
    var reason: String
  }

  init(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) {
    self.bytes = bytes
    walk = PNGChunks(bytes, limit: limits.chunks)
    try limits.check(chunks: walk.chunks.count)
    isCrushed = walk.chunks.first?.type == .CgBI
    guard let first = walk.chunks.dropFirst(isCrushed ? 1 : 0).first, first.type == .IHDR else {
      throw .damaged(format: .png, reason: walk.chunks.isEmpty ? walk.defect ?? "no chunks" : "IHDR is not first")
    }
    isAnimated = Self.isAnimated(walk)
    damage = try Self.damage(of: walk, isAnimated: isAnimated)
    header = try PNGHeader(bytes, at: first.start, length: first.length)
    size = try limits.check(width: header.width, height: header.height, format: .png)
    try sort(limits)
    if walk.trailingBytes > 0 {
      warn("trailing-bytes", "\(walk.trailingBytes) bytes follow the end of the picture")
    }
  }

  static func isAnimation(_ type: UInt32) -> Bool { type == .acTL || type == .fcTL || type == .fdAT }

  private static func isAnimated(_ walk: PNGChunks) -> Bool {
    let data = walk.chunks.firstIndex { $0.type == .IDAT } ?? walk.chunks.count
    return walk.chunks[..<data].contains { $0.type == .acTL }
  }

  /// Refuses wrong checksums of chunks that every picture needs; of an animation, tells where its frames end instead.
  private static func damage(of walk: PNGChunks, isAnimated: Bool) throws(DecodeError) -> Damage? {
    var sawFrame = false
    for (i, chunk) in walk.chunks.enumerated() {
      sawFrame = sawFrame || chunk.type == .fcTL
      if chunk.isIntact { continue }
      let reason = brokenChecksum(chunk)
      guard !chunk.isAncillary || isAnimation(chunk.type) else {
        // The acTL itself may be what was hit.
        if !isAnimated, walk.chunks.contains(where: { $0.type == .fcTL }), chunk.length == 8 {
          throw .damaged(format: .apng, reason: reason)
        }
        continue
      }
      if !isAnimated || [.IHDR, .PLTE, .acTL].contains(chunk.type) { throw .damaged(format: .png, reason: reason) }
      if chunk.type == .IDAT, !sawFrame { continue }
      return Damage(index: i, reason: reason)
    }
    return walk.defect.map { Damage(index: walk.chunks.count, reason: $0) }
  }

  static func brokenChecksum(_ chunk: PNGChunks.Chunk) -> String {
    "the checksum of \(chunk.name) at byte \(chunk.start - 8) is wrong"
  }

  mutating func warn(_ id: String, _ message: String) { warnings.append(DecodeWarning(id: id, message: message)) }

  private mutating func sort(_ limits: DecodeLimits) throws(DecodeError) {
    let known: Set<UInt32> = [.IHDR, .PLTE, .IDAT, .IEND, .CgBI]
    var ancillary: [UInt32: PNGChunks.Chunk] = [:]
    var dataEnded = false
    var seenData = false
    var broken: [PNGChunks.Chunk] = []
    for (i, chunk) in walk.chunks[..<(damage?.index ?? walk.chunks.count)].enumerated() {
      if !chunk.isAncillary, !known.contains(chunk.type) {
        throw .damaged(format: .png, reason: "an unknown critical chunk \(chunk.name)")
      }
      if chunk.type == .IHDR, i != (isCrushed ? 1 : 0) { throw .damaged(format: .png, reason: "a second IHDR") }
      if chunk.type == .IDAT {
        if dataEnded { throw .damaged(format: .png, reason: "the IDAT chunks do not follow each other") }
        seenData = true
      } else if seenData {
        dataEnded = true
      }
      if chunk.type == .PLTE {
        if seenData || palette != nil { throw .damaged(format: .png, reason: "PLTE is repeated or comes after IDAT") }
        try takePalette(chunk)
      } else if !chunk.isIntact {
        broken.append(chunk)
      } else if chunk.isAncillary, ancillary[chunk.type] == nil, !seenData || chunk.type == .eXIf {
        ancillary[chunk.type] = chunk
      }
    }
    if let first = broken.first {
      let message =
        broken.count == 1
        ? "the checksum of \(first.name) is wrong; the chunk is not used"
        : "the checksums of \(broken.count) chunks are wrong, of \(first.name) first; they are not used"
      warn("bad-checksum", message)
    }
    if header.colorType == 3, palette == nil { throw .damaged(format: .png, reason: "the palette is missing") }
    takeTransparency(ancillary[.tRNS])
    if let exif = ancillary[.eXIf], exif.length <= limits.metadataBytes {
      orientation = exifOrientation(Array(bytes[exif.data])) ?? .up
    }
    let said = PNGColor(bytes, chunks: ancillary, header: header, limits: limits)
    color = said.encoding
    warnings += said.warnings
  }

  private mutating func takePalette(_ chunk: PNGChunks.Chunk) throws(DecodeError) {
    guard chunk.length > 0, chunk.length % 3 == 0, chunk.length <= 768 else {
      if header.colorType == 3 { throw .damaged(format: .png, reason: "a palette of \(chunk.length) bytes") }
      return
    }
    if header.colorType == 3 { palette = chunk.data }
  }

  private mutating func takeTransparency(_ chunk: PNGChunks.Chunk?) {
    guard let chunk else { return }
    let fits =
      switch header.colorType {
      case 0: chunk.length == 2
      case 2: chunk.length == 6
      case 3: chunk.length > 0 && chunk.length <= (palette?.count ?? 0) / 3
      default: false
      }
    if fits {
      transparency = chunk.data
    } else {
      warn("bad-transparency", "a tRNS chunk of \(chunk.length) bytes does not fit; it is not used")
    }
  }

  var hasAlpha: Bool { header.colorType >= 4 || transparency != nil }

  var parts: [ImageFacts.Chunk] {
    walk.chunks.map { ImageFacts.Chunk(name: $0.name, offset: $0.start - 8, length: $0.length + 12) }
  }

  func imageHeader(format: ImageFormat, frameCount: Int = 1, playCount: Int = 1) -> ImageHeader {
    ImageHeader(
      format: format, size: size, frameCount: frameCount, playCount: playCount, orientation: orientation, color: color,
      bitDepth: header.depth, colorModel: header.colorModel, hasAlpha: hasAlpha)
  }
}
