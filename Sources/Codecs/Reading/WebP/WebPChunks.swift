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
  }

  private(set) var parts: [ImageFacts.Chunk] = []
  /// The first chunk of a kind that metadata is in.
  private(set) var profile: Range<Int>?
  private(set) var exif: Range<Int>?
  private(set) var playCount = 1
  private(set) var frames: [Frame] = []
  /// Where the last whole frame of an animation ends.
  private(set) var wholeEnd = 0
  /// Whether the file ends before its RIFF size says.
  private(set) var isTruncated = false
  private(set) var trailingBytes = 0

  /// Walks the chunks; one more than the limit ends the walk.
  init(_ bytes: [UInt8], limit: Int) {
    let said = bytes.little32(4) + 8
    let end = min(said, bytes.count)
    isTruncated = said > bytes.count
    trailingBytes = bytes.count - end
    var at = 12
    while end - at >= 8, parts.count <= limit {
      let length = bytes.little32(at + 4)
      guard length <= end - at - 8 else {
        isTruncated = true
        return
      }
      let name = bytes.printable(at..<at + 4)
      let data = at + 8..<at + 8 + length
      parts.append(ImageFacts.Chunk(name: name, offset: at, length: length + 8))
      switch name {
      case "ICCP" where profile == nil: profile = data
      case "EXIF" where exif == nil: exif = data
      case "ANIM" where length >= 6: playCount = bytes.little16(data.lowerBound + 4)
      case "ANMF" where length >= 16: frames.append(Frame(bytes, data.lowerBound))
      default: break
      }
      at = min(data.upperBound + length % 2, end)
      wholeEnd = at
    }
  }
}

extension WebPChunks.Frame {
  fileprivate init(_ bytes: [UInt8], _ at: Int) {
    region = PixelRect(
      x: bytes.little24(at) * 2, y: bytes.little24(at + 3) * 2, width: bytes.little24(at + 6) + 1,
      height: bytes.little24(at + 9) + 1)
    delay = bytes.little24(at + 12)
    clears = bytes[at + 15] & 1 != 0
  }
}
