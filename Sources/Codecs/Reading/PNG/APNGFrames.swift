import Imaging

/// One frame of an APNG as its fcTL says it.
struct APNGFrame {
  enum Disposal: UInt8 { case none, background, previous }

  var region: PixelRect
  /// Seconds.
  var delay: Rational
  var disposal: Disposal
  var isOver: Bool
  /// Where the compressed stream lies in the file.
  var data: [Range<Int>] = []
}

/// The animation of an APNG: what acTL says, and the frames that the file really holds.
///
/// Source: PNG specification, third edition, sections 4.9 and 11.3.6.
struct APNGFrames {
  private(set) var frames: [APNGFrame] = []
  private(set) var playCount = 0
  /// The frames that acTL announces.
  private(set) var announced = 0
  /// Whether IDAT holds no frame and is only seen without APNG support.
  private(set) var hidesDefaultImage = false
  private var nextSequence = 0
  private var sawData = false

  /// Why the frames end before those that acTL announces; nil where they do not.
  private(set) var defect: String?

  /// Reads the animation; throws where it contradicts itself.
  ///
  /// Where the file breaks off or a checksum is wrong, the frames before that are kept; the last one may miss data.
  init(_ file: PNGFile) throws(DecodeError) {
    defect = file.damage?.reason
    do throws(DecodeError) {
      try take(file.walk.chunks[..<(file.damage?.index ?? file.walk.chunks.count)], file)
    } catch {
      // A name or a length that was hit makes chunks that are not known, and what follows contradicts them.
      guard let first = file.walk.chunks.firstIndex(where: { !$0.isIntact }), first < file.damage?.index ?? .max else {
        throw error
      }
      self = Self(defect: PNGFile.brokenChecksum(file.walk.chunks[first]))
      try take(file.walk.chunks[..<first], file)
    }
    if frames.last?.data.isEmpty == true { frames.removeLast() }
  }

  private init(defect: String) { self.defect = defect }

  private mutating func take(_ chunks: ArraySlice<PNGChunks.Chunk>, _ file: PNGFile) throws(DecodeError) {
    var sawControl = false
    for chunk in chunks {
      switch chunk.type {
      case .acTL where !sawData:
        guard !sawControl else { throw Self.damaged("acTL is repeated") }
        sawControl = true
        try takeControl(chunk, file)
      case .fcTL: try takeFrameControl(chunk, file)
      case .IDAT:
        if !sawData { hidesDefaultImage = frames.isEmpty }
        sawData = true
        if !hidesDefaultImage { frames[0].data.append(chunk.data) }
      case .fdAT: try takeFrameData(chunk, file)
      default: break
      }
    }
    if defect != nil { return }
    if let empty = frames.firstIndex(where: { $0.data.isEmpty }) {
      throw Self.damaged("frame \(empty + 1) has no data")
    }
    guard frames.count == announced else {
      throw Self.damaged("acTL says \(announced) frames, the file holds \(frames.count)")
    }
  }

  /// What it takes to decode them.
  func work(_ header: PNGHeader) -> DecodingWork {
    DecodingWork(
      pixels: frames.reduce(0) { $0 + $1.region.width * $1.region.height },
      bytes: frames.reduce(0) { $1.data.reduce($0) { $0 + $1.count } }, weight: header.depth == 16 ? 2 : 1)
  }

  /// Takes the last frame away where its data are not whole.
  mutating func dropPart(_ file: PNGFile) {
    guard defect != nil, let last = frames.last else { return }
    let (width, height) = (last.region.width, last.region.height)
    let room = PNGDecoder.room(width: width, height: height, depth: file.header.depth)
    _ = [UInt8](unsafeUninitializedCapacity: room) { buffer, _ in
      do throws(DecodeError) {
        _ = try PNGDecoder(file: file).decode(width: width, height: height, data: last.data, into: buffer.baseAddress!)
      } catch {
        frames.removeLast()
      }
    }
  }

  static func damaged(_ reason: String) -> DecodeError { .damaged(format: .apng, reason: reason) }

  private mutating func takeControl(_ chunk: PNGChunks.Chunk, _ file: PNGFile) throws(DecodeError) {
    guard chunk.length == 8 else { throw Self.damaged("acTL has \(chunk.length) bytes instead of 8") }
    announced = file.bytes.big32(chunk.start)
    playCount = file.bytes.big32(chunk.start + 4)
    guard announced > 0, announced <= 0x7fff_ffff else { throw Self.damaged("acTL says \(announced) frames") }
    guard playCount <= 0x7fff_ffff else { throw Self.damaged("acTL says \(playCount) plays") }
  }

  private mutating func takeSequence(_ chunk: PNGChunks.Chunk, _ file: PNGFile) throws(DecodeError) {
    let number = file.bytes.big32(chunk.start)
    guard number == nextSequence else {
      throw Self.damaged("sequence number \(number) at byte \(chunk.start) should be \(nextSequence)")
    }
    nextSequence += 1
  }

  private mutating func takeFrameControl(_ chunk: PNGChunks.Chunk, _ file: PNGFile) throws(DecodeError) {
    guard chunk.length == 26 else { throw Self.damaged("fcTL has \(chunk.length) bytes instead of 26") }
    try takeSequence(chunk, file)
    if let last = frames.last, last.data.isEmpty { throw Self.damaged("frame \(frames.count) has no data") }
    let (bytes, at) = (file.bytes, chunk.start)
    let region = PixelRect(
      x: bytes.big32(at + 12), y: bytes.big32(at + 16), width: bytes.big32(at + 4), height: bytes.big32(at + 8))
    guard region.width > 0, region.height > 0, region.maxX <= file.size.width, region.maxY <= file.size.height else {
      throw Self.damaged("frame \(frames.count + 1) lies outside its canvas")
    }
    if !sawData, region != PixelRect(file.size) {
      throw Self.damaged("the first frame does not cover its canvas")
    }
    guard let disposal = APNGFrame.Disposal(rawValue: bytes[at + 24]), bytes[at + 25] <= 1 else {
      throw Self.damaged("frame \(frames.count + 1) has an unknown disposal or blend")
    }
    let denominator = bytes.big16(at + 22)
    frames.append(
      APNGFrame(
        region: region, delay: Rational(bytes.big16(at + 20), denominator == 0 ? 100 : denominator),
        disposal: disposal, isOver: bytes[at + 25] == 1))
  }

  private mutating func takeFrameData(_ chunk: PNGChunks.Chunk, _ file: PNGFile) throws(DecodeError) {
    guard chunk.length >= 4 else { throw Self.damaged("fdAT has \(chunk.length) bytes, no sequence number fits") }
    try takeSequence(chunk, file)
    guard sawData, !frames.isEmpty else { throw Self.damaged("fdAT without a frame") }
    if frames.count == 1, !hidesDefaultImage { throw Self.damaged("fdAT follows IDAT without an fcTL") }
    frames[frames.count - 1].data.append(chunk.start + 4..<chunk.start + chunk.length)
  }
}
