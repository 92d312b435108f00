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

/// Thins moments over the whole loop to a number of frames, folding the delays of those that go.
///
/// Of each group the moment that is shown longest stays, so that a held pose is never lost; the first group keeps the
/// very first, the picture of readers without animation. Groups are even, or, where `steps` tells how far each moment is
/// from the one before it, as `GroupSearch` finds them: what is missed least goes.
func thinned(_ moments: [Moment], to count: Int, steps: [Double] = []) -> [ShownFrame] {
  let search = GroupSearch(moments: moments, count: count, steps: steps)
  let ends = steps.isEmpty ? (1...count).map { search.evenEnd($0) } : search.ends()
  return ends.indices.map { group in
    let range = (group == 0 ? 0 : ends[group - 1])..<ends[group]
    let delay = range.reduce(Rational.zero) { $0 + moments[$1].delay }
    return ShownFrame(frame: moments[search.kept(range)].frame, moments: range, delay: delay)
  }
}

/// Parts moments into groups of which one frame each is shown, so that what is held is missed least.
///
/// The exact minimum over all partings of the sum of how far each moment is from the one that is shown, weighed by its
/// time. No group has more than twice as many moments as the mean, none ends far from where an even one would.
private struct GroupSearch {
  /// How far a group may end from where an even one would, in moments.
  private static let reach = 12
  /// What a group that does not end where an even one would costs, in mean steps: even motion looks smoother than what is
  /// gained from small differences.
  private static let unevenness = 0.1

  let moments: [Moment]
  let count: Int
  let steps: [Double]

  /// Where the first so many even groups end.
  func evenEnd(_ groups: Int) -> Int { groups * moments.count / count }

  /// The moment of a group that is shown.
  func kept(_ range: Range<Int>) -> Int {
    var kept = range.lowerBound
    if kept > 0 { for i in range where moments[kept].delay < moments[i].delay { kept = i } }
    return kept
  }

  /// Where the groups end.
  func ends() -> [Int] {
    let places = 2 * Self.reach + 1
    let longest = 2 * moments.count / count
    let uneven = Self.unevenness * steps.reduce(0, +) / Double(max(1, steps.count))
    let time = moments.reduce(0) { $0 + $1.delay.value } / Double(moments.count)
    var costs = [Double](repeating: .infinity, count: places)
    costs[Self.reach] = 0
    var lengths = [UInt8](repeating: 0, count: count * places)
    for group in 1...count {
      var next = [Double](repeating: .infinity, count: places)
      for place in 0..<places {
        let end = evenEnd(group) + place - Self.reach
        guard end >= group, end <= moments.count else { continue }
        for length in 1...min(longest, end, 255) {
          let before = end - length - evenEnd(group - 1) + Self.reach
          guard costs.indices.contains(before), costs[before].isFinite else { continue }
          let cost = costs[before] + missed(end - length..<end, time) + (place == Self.reach ? 0 : uneven)
          if cost < next[place] { (next[place], lengths[(group - 1) * places + place]) = (cost, UInt8(length)) }
        }
      }
      costs = next
    }
    var ends = [moments.count]
    for group in stride(from: count, to: 1, by: -1) {
      let end = ends[ends.count - 1]
      ends.append(end - Int(lengths[(group - 1) * places + end - evenEnd(group) + Self.reach]))
    }
    return ends.reversed()
  }

  /// How much is missed of a group.
  private func missed(_ range: Range<Int>, _ time: Double) -> Double {
    let shown = kept(range)
    var (sum, way) = (0.0, 0.0)
    for i in (shown + 1)..<max(shown + 1, range.upperBound) {
      way += steps[i]
      sum += way * (time > 0 ? moments[i].delay.value / time : 1)
    }
    way = 0
    for i in (range.lowerBound..<shown).reversed() {
      way += steps[i + 1]
      sum += way * (time > 0 ? moments[i].delay.value / time : 1)
    }
    return sum
  }
}
