/// What shows that a frame of an animated WebP is not as it was written; WebP has no checksums.
///
/// Source: WebP container specification (RFC 9649, section 2.7).
enum WebPFrameCheck {
  /// More zeros than any encoder leaves at the end of a frame's data; the most in real files is 7.
  private static let zerosOfDamage = 16
  /// The bytes of an ANMF chunk before those of its picture.
  private static let headerLength = 16

  /// Why the data of an ANMF chunk are no frame; nil where they may be one.
  static func defect(of bytes: [UInt8], _ data: Range<Int>, isLast: Bool) -> String? {
    guard data.count >= headerLength else { return "its header is cut" }
    guard let picture = picture(bytes, data.lowerBound + headerLength..<data.upperBound) else {
      return "its parts contradict each other"
    }
    let zeros = bytes[picture].suffix(zerosOfDamage)
    if isLast, zeros.count == zerosOfDamage, zeros.allSatisfy({ $0 == 0 }) { return "its data end in zeros" }
    return nil
  }

  /// Why no chunk can begin at a place behind a frame; nil where one may.
  static func whatIsNoChunk(_ bytes: [UInt8], _ at: Int) -> String? {
    guard bytes[at..<at + 4].allSatisfy({ (0x20...0x7e).contains($0) }) else { return "no chunk at byte \(at)" }
    // A frame whose chunk has another name.
    let name = at + 8 + headerLength
    let isFrame = ["VP8 ", "VP8L", "ALPH"].contains { bytes.holds($0, at: name) }
    return isFrame && !bytes.holds("ANMF", at: at) ? "an unknown chunk at byte \(at) holds a frame" : nil
  }

  /// The picture's chunk among those of a frame; nil where they do not follow each other, or where there is none.
  private static func picture(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    var picture: Range<Int>?
    var at = range.lowerBound
    while range.upperBound - at >= 8 {
      let length = bytes.little32(at + 4)
      guard length <= range.upperBound - at - 8, !bytes.holds("ANMF", at: at),
        bytes[at..<at + 4].allSatisfy({ (0x20...0x7e).contains($0) })
      else { return nil }
      if picture == nil, bytes.holds("VP8 ", at: at) || bytes.holds("VP8L", at: at) {
        picture = at + 8..<at + 8 + length
      }
      at += 8 + length + length % 2
    }
    return picture
  }
}
