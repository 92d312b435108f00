import Imaging

/// The chunks of a WebP file.
///
/// Source: WebP container specification (RFC 9649, section 2).
struct WebPChunks {
  /// What an ANMF chunk says of its frame.
  struct Frame {
    var region: PixelRect
    /// Milliseconds.
    var delay: Int
    /// Whether the region is cleared after the frame was seen.
    var clears: Bool
    /// The bytes of the chunk's data.
    var length: Int
    /// Where the chunk ends.
    var end = 0
  }

  private(set) var parts: [ImageFacts.Chunk] = []
  /// The first chunk of a kind that metadata is in.
  private(set) var profile: Range<Int>?
  private(set) var exif: Range<Int>?
  private(set) var playCount = 1
  private(set) var frames: [Frame] = []
  /// Why the chunks of an animation end before the file says; nil where they do not.
  private(set) var defect: String?
  /// Whether the file ends before its RIFF size says.
  private(set) var isTruncated = false
  private(set) var trailingBytes = 0

  /// Walks the chunks; one more than the limit ends the walk.
  init(_ bytes: [UInt8], limit: Int) {
    let said = bytes.little32(4) + 8
    let end = min(said, bytes.count)
    isTruncated = said > bytes.count
    if isTruncated { defect = "the file ends early" }
    trailingBytes = bytes.count - end
    var at = 12
    while end - at >= 8, parts.count <= limit {
      let length = bytes.little32(at + 4)
      let name = bytes.printable(at..<at + 4)
      if !frames.isEmpty, let reason = WebPFrameCheck.whatIsNoChunk(bytes, at) {
        // What made zeros of a chunk's name may have reached into the frame before.
        if bytes[at..<at + 4].allSatisfy({ $0 == 0 }) { frames.removeLast() }
        defect = reason
        return
      }
      guard length <= end - at - 8 else {
        isTruncated = true
        defect = "the file ends early"
        return
      }
      let data = at + 8..<at + 8 + length
      if name == "ANMF", let reason = WebPFrameCheck.defect(of: bytes, data, isLast: end - data.upperBound < 8) {
        defect = "frame \(frames.count + 1): \(reason)"
        return
      }
      parts.append(ImageFacts.Chunk(name: name, offset: at, length: length + 8))
      at = min(data.upperBound + length % 2, end)
      take(name, data, endingAt: at, bytes)
    }
  }

  private mutating func take(_ name: String, _ data: Range<Int>, endingAt end: Int, _ bytes: [UInt8]) {
    switch name {
    case "ICCP" where profile == nil: profile = data
    case "EXIF" where exif == nil: exif = data
    case "ANIM" where data.count >= 6: playCount = bytes.little16(data.lowerBound + 4)
    case "ANMF":
      var frame = Frame(bytes, data.lowerBound, length: data.count)
      frame.end = end
      frames.append(frame)
    default: break
    }
  }
}

extension WebPChunks.Frame {
  fileprivate init(_ bytes: [UInt8], _ at: Int, length: Int) {
    self.length = length
    region = PixelRect(
      x: bytes.little24(at) * 2, y: bytes.little24(at + 3) * 2, width: bytes.little24(at + 6) + 1,
      height: bytes.little24(at + 9) + 1)
    delay = bytes.little24(at + 12)
    clears = bytes[at + 15] & 1 != 0
  }
}
