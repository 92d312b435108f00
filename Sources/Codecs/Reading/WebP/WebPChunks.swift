import Imaging

/// The chunks of a WebP file.
///
/// Source: WebP container specification (RFC 9649, section 2).
struct WebPChunks {
  private(set) var parts: [ImageFacts.Chunk] = []
  /// The first chunk of a kind that metadata is in.
  private(set) var profile: Range<Int>?
  private(set) var exif: Range<Int>?
  private(set) var playCount = 1
  /// Milliseconds, one a frame.
  private(set) var delays: [Int] = []
  /// Where the last whole frame of an animation ends.
  private(set) var wholeEnd = 0
  /// Whether the file ends before its RIFF size says.
  private(set) var isTruncated = false
  private(set) var trailingBytes = 0

  init(_ bytes: [UInt8]) {
    let said = bytes.little32(4) + 8
    let end = min(said, bytes.count)
    isTruncated = said > bytes.count
    trailingBytes = bytes.count - end
    var at = 12
    while end - at >= 8 {
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
      case "ANMF" where length >= 16: delays.append(bytes.little24(data.lowerBound + 12))
      default: break
      }
      at = min(data.upperBound + length % 2, end)
      wholeEnd = at
    }
  }
}
