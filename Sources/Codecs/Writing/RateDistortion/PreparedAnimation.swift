import Imaging

/// The frames of an animation that are coded, made ready for rate-distortion coding as they are asked for.
///
/// What was made of the last frames is kept: a short animation is made ready once for all passes, and a long one takes no
/// more memory than a short one.
final class PreparedAnimation {
  /// Frames that are kept ready, and the longest animation whose pixels are steadied over all of their time at once.
  static let heldFrames = 48
  /// An error that stays is seen for as long; beyond this many frames the eye has long moved on.
  static let longestStay: UInt8 = 8
  /// Frames whose stays are counted together, from the last to the first.
  private static let stayBlock = 16

  let size: PixelSize
  private let source: [SizedFrame]
  private var mask: ActivityMask
  // The frame that is coded, the one before it and, while stays are counted, the ones after it.
  private var bitmaps = FrameRing<Bitmap>(places: 4)
  private var masks = FrameRing<[UInt8]>(places: heldFrames)
  private var stays = FrameRing<[UInt8]>(places: heldFrames)

  /// How many frames there are.
  var count: Int { source.count }

  init(frames: [SizedFrame]) {
    source = frames
    size = frames[0].size
    mask = ActivityMask(size: size)
  }

  /// A frame as it is to be seen.
  func bitmap(_ t: Int) -> Bitmap { bitmaps.value(t) { source[t].bitmap } }

  /// `ActivityMask` weights of a frame; throws where encoding is to end.
  func weights(_ t: Int) throws -> [UInt8] {
    try masks.value(t) {
      try checkEncoding()
      return mask.weights(of: bitmap(t))
    }
  }

  /// For how many frames each pixel stays exactly as it is, this one included, at most `longestStay`.
  func stays(_ t: Int) throws -> [UInt8] {
    if let known = stays[t] { return known }
    let end = min(t + Self.stayBlock, count)
    // What lies beyond the longest stay does not count.
    let last = min(end + Int(Self.longestStay) - 1, count) - 1
    var later = [UInt8](repeating: 1, count: size.area)
    if last < end { stays[last] = later }
    for frame in (t..<last).reversed() {
      try checkEncoding()
      lengthen(&later, bitmap(frame), before: bitmap(frame + 1))
      if frame < end { stays[frame] = later }
    }
    return stays[t]!
  }

  private func lengthen(_ later: inout [UInt8], _ bitmap: Bitmap, before next: Bitmap) {
    bitmap.withPackedPixels { own in
      next.withPackedPixels { next in
        later.withUnsafeMutableBufferPointer { later in
          for i in 0..<own.count { later[i] = own[i] == next[i] ? min(later[i] + 1, Self.longestStay) : 1 }
        }
      }
    }
  }
}

/// What was last made of the frames of an animation, each in the place that its number has in a ring.
struct FrameRing<Value> {
  private var entries: [(number: Int, value: Value)?]

  init(places: Int) { entries = [(number: Int, value: Value)?](repeating: nil, count: places) }

  subscript(number: Int) -> Value? {
    get {
      let entry = entries[number % entries.count]
      return entry?.number == number ? entry?.value : nil
    }
    set { entries[number % entries.count] = newValue.map { (number, $0) } }
  }

  /// What is kept of a frame; else what is made of it now.
  mutating func value(_ number: Int, _ make: () throws -> Value) rethrows -> Value {
    if let known = self[number] { return known }
    let made = try make()
    self[number] = made
    return made
  }
}
