import Imaging

/// The blocks of a GIF, read leniently where the format's history asks for it.
///
/// A missing trailer, zeros between blocks and bytes after the trailer are accepted. Any other byte between blocks ends
/// the file there, as in browsers. Source: GIF89a specification (CompuServe, 1990).
struct GIFBlocks {
  enum Disposal { case none, background, previous }

  /// One image with what its graphic control extension says.
  struct Image {
    /// The part it covers, as stored: it may lie outside the canvas.
    var region: PixelRect
    /// Hundredths of a second.
    var delay = 0
    var disposal = Disposal.none
    var transparentIndex: Int?
    var isInterlaced = false
    /// The table of its own, else the global one; empty where the file has neither.
    var palette: Range<Int>
    var codeSize = 0
    /// The first sub-block.
    var dataStart = 0
    /// The bytes of all sub-blocks.
    var dataLength = 0
    /// Whether the chain of sub-blocks ends with its terminator.
    var isTerminated = false
    /// Whether a block or the trailer follows at once; where zeros do, they may be what ended the chain.
    var isFollowed = false
    /// Whether the data end in more zeros than an end code leaves.
    var endsInZeros = false
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var images: [Image] = []
  /// The repetitions of a NETSCAPE2.0 or ANIMEXTS1.0 block; nil where there is none.
  private(set) var repetitions: Int?
  /// The first sub-block of an ICCRGBG1012 block.
  private(set) var profileStart: Int?
  private(set) var parts: [ImageFacts.Chunk] = []
  /// Where and why reading stopped, unless at the trailer.
  private(set) var defect: String?
  /// Whether frames are lost where reading stopped: a block is cut, or a frame follows what is no block.
  private(set) var losesFrames = false
  private(set) var trailingBytes = 0
  private var globalPalette = 0..<0
  private var control: (delay: Int, disposal: Disposal, transparent: Int?) = (0, .none, nil)

  /// Reads the blocks; one part more than the limit ends the reading.
  init(_ bytes: [UInt8], limit: Int) {
    guard bytes.count >= 13 else {
      defect = "the file ends within its header"
      return
    }
    width = bytes.little16(6)
    height = bytes.little16(8)
    var at = 13
    note("header", 0, 13)
    if bytes[10] & 0x80 != 0 {
      let length = 3 << (Int(bytes[10] & 7) + 1)
      guard bytes.count - at >= length else {
        defect = "the file ends within its color table"
        return
      }
      globalPalette = at..<at + length
      note("global color table", at, length)
      at += length
    }
    walk(bytes, from: at, limit: limit)
  }

  private mutating func note(_ name: String, _ offset: Int, _ length: Int) {
    parts.append(ImageFacts.Chunk(name: name, offset: offset, length: length))
  }

  private mutating func walk(_ bytes: [UInt8], from start: Int, limit: Int) {
    var at = start
    var zeros = 0
    while at < bytes.count, parts.count <= limit {
      let next: Int?
      switch bytes[at] {
      case 0x2c: next = takeImage(bytes, at)
      case 0x21: next = takeExtension(bytes, at)
      case 0x3b:
        note("trailer", at, 1)
        trailingBytes = bytes.count - at - 1
        return
      case 0:
        zeros += 1
        next = at + 1
      default:
        defect = "no block at byte \(at)"
        losesFrames = Self.holdsFrame(bytes, from: at)
        return
      }
      guard let next else {
        defect = "the file ends within a block"
        losesFrames = true
        return
      }
      if bytes[at] != 0 { zeros = 0 }
      at = next
    }
    if zeros >= Self.zerosOfDamage {
      // They may have reached into the block before; a pause at the end is none then.
      if images.last?.region.isEmpty == true { images.removeLast() }
      defect = "\(zeros) zeros stand in place of its trailer"
      losesFrames = true
    }
  }

  /// More zeros at the end of a file without a trailer than padding explains.
  private static let zerosOfDamage = 16

  /// Whether a graphic control extension follows the end of another block somewhere.
  private static func holdsFrame(_ bytes: [UInt8], from start: Int) -> Bool {
    bytes.withUnsafeBufferPointer { b in
      (start..<max(start, b.count - 7)).contains { at in
        b[at] == 0 && b[at + 1] == 0x21 && b[at + 2] == 0xf9 && b[at + 3] == 4
      }
    }
  }

  /// The byte after a chain of sub-blocks, or nil where the file ends before.
  private func skipBlocks(_ bytes: [UInt8], _ start: Int) -> Int? {
    var at = start
    while at < bytes.count {
      if bytes[at] == 0 { return at + 1 }
      at += Int(bytes[at]) + 1
    }
    return nil
  }

  private mutating func takeImage(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard bytes.count - start >= 10 else { return nil }
    let flags = bytes[start + 9]
    var at = start + 10
    note("image descriptor", start, 10)
    var palette = globalPalette
    let region = PixelRect(
      x: bytes.little16(start + 1), y: bytes.little16(start + 3), width: bytes.little16(start + 5),
      height: bytes.little16(start + 7))
    if region.isEmpty, bytes.count - at < 3 {
      // Only a pause, at the end of the file and without the data that it does not need.
      images.append(Image(region: region, delay: control.delay, palette: 0..<0, isTerminated: true))
      return bytes.count
    }
    if flags & 0x80 != 0 {
      let length = 3 << (Int(flags & 7) + 1)
      guard bytes.count - at >= length else { return nil }
      palette = at..<at + length
      note("local color table", at, length)
      at += length
    }
    guard at < bytes.count else { return nil }
    let end = skipBlocks(bytes, at + 1)
    note("image data", at, (end ?? bytes.count) - at)
    images.append(
      Image(
        region: region, delay: control.delay, disposal: control.disposal, transparentIndex: control.transparent,
        isInterlaced: flags & 0x40 != 0, palette: palette, codeSize: Int(bytes[at]), dataStart: at + 1,
        dataLength: (end ?? bytes.count) - at - 1, isTerminated: end != nil,
        isFollowed: end.map { $0 < bytes.count && [0x21, 0x2c, 0x3b].contains(bytes[$0]) } ?? false,
        endsInZeros: end.map { $0 - at > 5 && bytes[$0 - 4..<$0].allSatisfy { $0 == 0 } } ?? false))
    control = (0, .none, nil)
    return end
  }

  private mutating func takeExtension(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard bytes.count - start >= 2 else { return nil }
    let end = skipBlocks(bytes, start + 2)
    let length = (end ?? bytes.count) - start
    switch bytes[start + 1] {
    case 0xf9:
      note("graphic control", start, length)
      if length >= 8, bytes[start + 2] >= 4 { takeControl(bytes, start + 3) }
    case 0xff:
      let name = length >= 14 && bytes[start + 2] == 11 ? bytes.printable(start + 3..<start + 14) : "?"
      note("application \(name)", start, length)
      if name == "NETSCAPE2.0" || name == "ANIMEXTS1.0" { takeRepetitions(bytes, start + 14) }
      if name == "ICCRGBG1012", profileStart == nil { profileStart = start + 14 }
    case 0xfe: note("comment", start, length)
    case 0x01:
      note("plain text", start, length)
      // Its graphic control extension is spent on it.
      control = (0, .none, nil)
    default: note("extension \(bytes[start + 1])", start, length)
    }
    return end
  }

  private mutating func takeControl(_ bytes: [UInt8], _ at: Int) {
    let disposal: Disposal =
      switch bytes[at] >> 2 & 7 {
      case 2: .background
      // Some writers set the third bit for "previous", as old drafts said.
      case 3, 4: .previous
      default: .none
      }
    control = (bytes.little16(at + 1), disposal, bytes[at] & 1 != 0 ? Int(bytes[at + 3]) : nil)
  }

  /// Looks for the sub-block of number 1, the count; number 2 is a buffer size.
  private mutating func takeRepetitions(_ bytes: [UInt8], _ start: Int) {
    var at = start
    while at < bytes.count, bytes[at] != 0 {
      let length = Int(bytes[at])
      guard bytes.count - at > length else { return }
      if length >= 3, bytes[at + 1] & 7 == 1, repetitions == nil { repetitions = bytes.little16(at + 2) }
      at += length + 1
    }
  }
}
