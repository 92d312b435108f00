import Imaging

/// Frames compressed so far, before their delays are fitted.
struct FrameSequence {
  private struct Frame {
    var rect: PixelRect
    var blend: Blend
    var stream: [UInt8]
    var delay: Rational
    var corner: [UInt8]
  }

  /// The bytes of fcTL, and of the chunk around a stream, for one frame.
  static let overheadPerFrame = 38 + 16

  private var frames: [Frame] = []
  /// The bytes of all frames, their chunks included.
  private(set) var size = 0
  var count: Int { frames.count }

  /// Adds a frame; `corner` is the canvas's first pixel, packed, as it is then seen.
  mutating func append(_ rect: PixelRect, _ blend: Blend, _ stream: [UInt8], delay: Rational, corner: PackedRows) {
    frames.append(Frame(rect: rect, blend: blend, stream: stream, delay: delay, corner: corner.filtered(.none)))
    size += stream.count + Self.overheadPerFrame
  }

  /// Shows the last frame for longer.
  mutating func hold(_ delay: Rational) { frames[frames.count - 1].delay += delay }

  /// The finished file; a single frame becomes a still.
  ///
  /// Where a delay takes several parts, the corner pixel is drawn once more as it is: a frame that changes nothing.
  func file(size: PixelSize, format: PixelFormat, playCount: Int) -> [UInt8] {
    if frames.count == 1 {
      var file = PNGWriter(size: size, format: format)
      file.append(stream: frames[0].stream)
      file.finish()
      return file.bytes
    }
    var fitter = DelayFitter()
    let parts = frames.map { fitter.parts(of: $0.delay) }
    let total = parts.reduce(0) { $0 + $1.count }
    var file = PNGWriter(size: size, format: format, animation: (total, playCount))
    for (number, frame) in frames.enumerated() {
      file.append(EncodedFrame(rect: frame.rect, blend: frame.blend, delay: parts[number][0], stream: frame.stream))
      for part in parts[number].dropFirst() {
        let stream = Deflater(level: 1).zlib(frame.corner)
        let pixel = PixelRect(x: 0, y: 0, width: 1, height: 1)
        file.append(EncodedFrame(rect: pixel, blend: .source, delay: part, stream: stream))
      }
    }
    file.finish()
    return file.bytes
  }
}

/// A run of source frames that look the same.
struct Moment: Hashable {
  /// The number of the first.
  var frame: Int
  /// How many there are.
  var count: Int
  /// How long they are shown together, in seconds.
  var delay: Rational
}

/// Source frames with runs of equal ones taken together; throws where encoding is to end.
func mergedMoments(_ animation: SizedAnimation) throws -> [Moment] {
  var moments: [Moment] = []
  var last = Bitmap(size: animation.size)
  for (number, frame) in animation.frames.enumerated() {
    try checkEncoding()
    let bitmap = frame.bitmap
    if number > 0, last.looksEqual(to: bitmap) {
      moments[moments.count - 1].count += 1
      moments[moments.count - 1].delay += frame.delay
    } else {
      moments.append(Moment(frame: number, count: 1, delay: frame.delay))
      last = bitmap
    }
  }
  return moments
}

/// A kept frame and the moments during which it is shown.
struct ShownFrame: Hashable {
  /// The number of the source frame.
  var frame: Int
  /// The moments that it stands for, in order.
  var moments: Range<Int>
  /// How long it is shown, in seconds.
  var delay: Rational
}

/// Thins moments evenly over the whole loop to a number of frames, folding the delays of those that go.
///
/// Of each group the moment that is shown longest stays, so that a held pose is never lost; the first group keeps the
/// very first, the picture of readers without animation.
func thinned(_ moments: [Moment], to count: Int) -> [ShownFrame] {
  (0..<count).map { group in
    let range = (group * moments.count / count)..<((group + 1) * moments.count / count)
    var kept = range.lowerBound
    if group > 0 { for i in range where moments[kept].delay < moments[i].delay { kept = i } }
    let delay = range.reduce(Rational.zero) { $0 + moments[$1].delay }
    return ShownFrame(frame: moments[kept].frame, moments: range, delay: delay)
  }
}
