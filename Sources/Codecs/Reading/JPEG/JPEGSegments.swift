import Imaging

/// The segments of a JPEG, for its metadata and for reports; the picture itself is libjpeg's.
///
/// Source: ITU-T T.81, annex B; Exif 2.32, section 4.7; ICC.1:2022, annex B.4.
struct JPEGSegments {
  private(set) var parts: [ImageFacts.Chunk] = []
  private(set) var orientation = Orientation.up
  /// The profile's pieces by their number.
  private var profile: [Int: Range<Int>] = [:]
  private var profileCount = 0
  private(set) var trailingBytes = 0

  /// Walks the segments; one more than the limit ends the walk.
  init(_ bytes: [UInt8], limit: Int) {
    var at = 2
    note("SOI", 0, 2)
    var sawExif = false
    while parts.count <= limit, let marker = nextMarker(bytes, &at) {
      let start = at - 2
      if marker == 0xd9 {
        note("EOI", start, 2)
        trailingBytes = bytes.count - at
        return
      }
      if (0xd0...0xd8).contains(marker) || marker == 0x01 { continue }
      guard bytes.count - at >= 2 else { return }
      let length = bytes.big16(at)
      guard length >= 2, length <= bytes.count - at else { return }
      note(Self.name(marker), start, length + 2)
      let data = at + 2..<at + length
      if marker == 0xe1, !sawExif, bytes.holds([0x45, 0x78, 0x69, 0x66, 0, 0], at: data.lowerBound) {
        sawExif = true
        orientation = exifOrientation(Array(bytes[data])) ?? .up
      }
      if marker == 0xe2, data.count > 14, bytes.holds("ICC_PROFILE", at: data.lowerBound) {
        profile[Int(bytes[data.lowerBound + 12])] = data.lowerBound + 14..<data.upperBound
        profileCount = Int(bytes[data.lowerBound + 13])
      }
      at += length
    }
  }

  /// Whether any piece of a color profile is there.
  var hasProfile: Bool { !profile.isEmpty }

  /// The profile put together; nil where a piece is missing or the whole is too large.
  func assembleProfile(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard profile.count == profileCount else { return nil }
    var whole: [UInt8] = []
    for number in 1...max(profileCount, 1) {
      guard let piece = profile[number], whole.count + piece.count <= limit else { return nil }
      whole += bytes[piece]
    }
    return whole
  }

  private mutating func note(_ name: String, _ offset: Int, _ length: Int) {
    parts.append(ImageFacts.Chunk(name: name, offset: offset, length: length))
  }

  /// Goes behind the next marker and gives its code; entropy-coded data on the way is skipped.
  private func nextMarker(_ bytes: [UInt8], _ at: inout Int) -> UInt8? {
    bytes.withUnsafeBufferPointer { b in
      while at + 1 < b.count {
        if b[at] == 0xff, b[at + 1] != 0, b[at + 1] != 0xff {
          at += 2
          return b[at - 1]
        }
        at += 1
      }
      return nil
    }
  }

  private static func name(_ marker: UInt8) -> String {
    switch marker {
    case 0xc4: "DHT"
    case 0xcc: "DAC"
    case 0xc0...0xcf: "SOF\(marker - 0xc0)"
    case 0xda: "SOS"
    case 0xdb: "DQT"
    case 0xdc: "DNL"
    case 0xdd: "DRI"
    case 0xe0...0xef: "APP\(marker - 0xe0)"
    case 0xfe: "COM"
    default: "0x\(String(marker, radix: 16))"
    }
  }
}
