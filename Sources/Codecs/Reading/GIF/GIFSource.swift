import Imaging

/// A GIF, one composed canvas at a time; what no image covers is transparent, whatever the background color says.
final class GIFSource: FrameSource {
  let header: ImageHeader
  private(set) var warnings: [DecodeWarning] = []
  var parts: [ImageFacts.Chunk] { blocks.parts }
  private let bytes: [UInt8]
  private let blocks: GIFBlocks
  private var canvas: Canvas<UInt8>
  private var next = 0

  init(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) {
    self.bytes = bytes
    blocks = GIFBlocks(bytes, limit: limits.chunks)
    try limits.check(chunks: blocks.parts.count)
    guard bytes.count >= 13 else { throw Self.damaged(blocks.defect ?? "") }
    let size = try limits.check(width: blocks.width, height: blocks.height, format: .gif)
    guard !blocks.images.isEmpty else { throw Self.damaged(blocks.defect ?? "there is no picture") }
    try Self.check(blocks.images, of: size, limits)
    canvas = Canvas(size: size)
    let said = Self.color(bytes, blocks, limits)
    header = ImageHeader(
      format: .gif, size: size, frameCount: blocks.images.count,
      // The count is of plays after the first; none at all means one play.
      playCount: blocks.repetitions.map { $0 == 0 ? 0 : $0 + 1 } ?? 1, color: said.color, bitDepth: 8,
      colorModel: "palette", hasAlpha: Self.canHoldAlpha(blocks, size))
    warnings = said.warnings
    if blocks.images.last?.isTerminated == true { tellDefect() }
    if blocks.trailingBytes > 0 {
      warn("trailing-bytes", "\(blocks.trailingBytes) bytes follow the end of the picture")
    }
  }

  private static func damaged(_ reason: String) -> DecodeError { .damaged(format: .gif, reason: reason) }

  /// Images may be larger than the canvas, and all of their pixels are decoded.
  private static func check(
    _ images: [GIFBlocks.Image], of size: PixelSize, _ limits: DecodeLimits
  ) throws(DecodeError) {
    let areas = images.lazy.map { $0.region.width * $0.region.height }
    if let area = areas.first(where: { $0 > limits.pixelsPerFrame }) {
      throw .overLimit(.pixelsPerFrame, value: area, limit: limits.pixelsPerFrame)
    }
    guard images.count > 1 else { return }
    let bytes = images.reduce(0) { $0 + $1.dataLength }
    try limits.check(frames: images.count, of: size, work: DecodingWork(pixels: areas.reduce(0, +), bytes: bytes))
  }

  private static func canHoldAlpha(_ blocks: GIFBlocks, _ size: PixelSize) -> Bool {
    let canvas = PixelRect(size)
    return blocks.images[0].region.intersection(canvas) != canvas
      || blocks.images.contains { $0.transparentIndex != nil }
      || blocks.images.dropLast().contains { $0.disposal == .background }
      || (blocks.images.count > 1 && blocks.images[0].disposal == .previous)
  }

  /// What the color profile says.
  ///
  /// Source: ICC.1:2022, annex B.6.
  private static func color(
    _ bytes: [UInt8], _ blocks: GIFBlocks, _ limits: DecodeLimits
  ) -> (color: ColorEncoding, warnings: [DecodeWarning]) {
    guard let start = blocks.profileStart else { return (.sRGB, []) }
    if let profile = gather(bytes, from: start, limit: limits.metadataBytes),
      ICCHeader(profile)?.fits(isGray: false, isCMYK: false) == true
    {
      return (.icc(profile), [])
    }
    let message = "the color profile cannot be used; the colors count as sRGB"
    return (.sRGB, [DecodeWarning(id: "bad-profile", message: message)])
  }

  private func warn(_ id: String, _ message: String) { warnings.append(DecodeWarning(id: id, message: message)) }

  /// Tells why the blocks end before the trailer, if they do.
  private func tellDefect() {
    guard let defect = blocks.defect else { return }
    let frames = blocks.images.count == 1 ? "1 frame is" : "\(blocks.images.count) frames are"
    if blocks.losesFrames {
      warn("damaged-frames", "\(frames) whole, others may be lost: \(defect)")
    } else {
      warn("odd-data", defect)
    }
  }

  func nextFrame() throws(DecodeError) -> DecodedFrame? {
    guard next < blocks.images.count else { return nil }
    let image = blocks.images[next]
    let changedRows = changedRows
    if next > 0 { dispose(of: blocks.images[next - 1]) }
    if image.disposal == .previous { canvas.save(visible(image)) }
    do throws(DecodeError) {
      try draw(image)
    } catch {
      guard next > 0, case .damaged(_, let reason) = error else { throw error }
      let total = blocks.images.count
      warn("damaged-frames", "\(next) of \(total) frames are whole: frame \(next + 1): \(reason)")
      next = total
      return nil
    }
    next += 1
    // All pixels were there, but not the end of their data.
    if !image.isTerminated { tellDefect() }
    return DecodedFrame(
      raster: Raster(size: header.size, samples: .rgba8(canvas.pixels)), storedDelay: Rational(image.delay, 100),
      isAnimated: header.frameCount > 1, changedRows: changedRows)
  }

  /// The rows that the next image, and what goes before it, may touch.
  private var changedRows: Range<Int> {
    guard next > 0 else { return 0..<header.size.height }
    let earlier = blocks.images[next - 1]
    let own = visible(blocks.images[next])
    return (earlier.disposal == .none ? own : own.union(visible(earlier))).rows(of: header.size)
  }

  private func visible(_ image: GIFBlocks.Image) -> PixelRect { image.region.intersection(PixelRect(header.size)) }

  private func dispose(of image: GIFBlocks.Image) {
    switch image.disposal {
    case .none: break
    case .background: canvas.clear(visible(image))
    case .previous: canvas.restore(visible(image))
    }
  }

  /// Decodes an image row by row straight onto the canvas; pixels that its data does not reach stay as they are.
  private func draw(_ image: GIFBlocks.Image) throws(DecodeError) {
    guard image.region.width > 0, image.region.height > 0 else { return }
    guard (1...11).contains(image.codeSize) else { throw Self.damaged("a code size of \(image.codeSize)") }
    let decoder = LZWDecoder(bytes, from: image.dataStart, codeSize: image.codeSize)
    let colors = palette(of: image)
    let seen = visible(image)
    let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: image.region.width)
    defer { row.deallocate() }
    var missing = 0
    var isBeyondPalette = false
    for y in rows(of: image) {
      let count = decoder.read(into: row)
      if count < row.count { missing += row.count - count }
      if decoder.state == .broken { throw Self.damaged("a code that cannot be in its picture data") }
      let top = image.region.y + y
      if count > 0, top >= seen.y, top < seen.maxY {
        let covered = min(seen.width, count)
        let start = (top * header.size.width + seen.x) * 4
        canvas.draw { pixels in
          for x in 0..<covered {
            let color = colors[Int(row[x])]
            if color == Self.beyond { isBeyondPalette = true }
            if color.alpha == 0 { continue }
            let to = start + x * 4
            (pixels[to], pixels[to + 1], pixels[to + 2], pixels[to + 3]) = (color.red, color.green, color.blue, 255)
          }
        }
      }
      if count == 0, decoder.state != .running { break }
    }
    if image.endsInZeros, !image.isFollowed {
      throw Self.damaged("its picture data end in zeros, and no block follows")
    }
    try judge(image, missing: missing > 0, isBeyondPalette: isBeyondPalette)
  }

  private func judge(_ image: GIFBlocks.Image, missing: Bool, isBeyondPalette: Bool) throws(DecodeError) {
    if isBeyondPalette { throw Self.damaged("pixels that point beyond the color table") }
    guard missing else { return }
    if !image.isTerminated { throw Self.damaged("the file ends within its picture data") }
    if !image.isFollowed { throw Self.damaged("its picture data end early, and no block follows") }
    warn("missing-pixels", "frame \(next + 1) has fewer pixels than its size says")
  }

  /// The marker for indices beyond the table; no color of a table has alpha 1.
  private static let beyond = RGBA8(0, 0, 0, 1)

  /// 256 colors, the transparent index with alpha 0; gray steps where the file has no table at all.
  private func palette(of image: GIFBlocks.Image) -> [RGBA8] {
    let count = image.palette.count / 3
    var colors = (0..<256).map { i in
      if count == 0 { return RGBA8(UInt8(i), UInt8(i), UInt8(i)) }
      let at = image.palette.lowerBound + i * 3
      return i < count ? RGBA8(bytes[at], bytes[at + 1], bytes[at + 2]) : Self.beyond
    }
    if let index = image.transparentIndex { colors[index] = .clear }
    return colors
  }

  /// The rows in the order in which they are stored.
  private func rows(of image: GIFBlocks.Image) -> [Int] {
    let height = image.region.height
    guard image.isInterlaced else { return Array(0..<height) }
    return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
  }

  /// The bytes of a chain of sub-blocks; nil where there are too many.
  private static func gather(_ bytes: [UInt8], from start: Int, limit: Int) -> [UInt8]? {
    var data: [UInt8] = []
    var at = start
    while at < bytes.count, bytes[at] != 0 {
      let end = min(at + 1 + Int(bytes[at]), bytes.count)
      data += bytes[at + 1..<end]
      guard data.count <= limit else { return nil }
      at = end
    }
    return data
  }
}
