import Imaging

/// Compresses the frames of a pass and puts them into a file.
struct PaletteFileWriter {
  private static let hardest = PressingEffort.thorough
  /// What a file may be too large, as a share of the budget, that pressing harder makes up for.
  private static let squeezable = 0.012
  private static let squeezedAtOnce = 4
  /// So few frames tell only together.
  static let fewFrames = 8

  let animation: SizedAnimation
  /// How what is written is pressed; nil for the tokens of the search as they are.
  let pressing: PressingEffort?

  /// What is expected to be larger than this share of the budget is not pressed: less is made up for by pressing harder,
  /// where that is possible.
  var pressable: Double { canPressHarder ? 1.006 : 1.001 }
  private var canPressHarder: Bool { pressing != Self.hardest }

  /// Whether the stream of a frame is one that tells what all take: the first one's and every sixth.
  static func tells(_ number: Int, of count: Int) -> Bool {
    number == 0 || count <= fewFrames || number % 6 == 3
  }

  /// The streams of the frames that tell, by number.
  func look(_ frames: [CodedFrame]) throws -> [Int: [UInt8]] {
    let numbers = frames.indices.filter { Self.tells($0, of: frames.count) }
    let streams = try concurrently(numbers.count) { try stream(frames[numbers[$0]], pressing) }
    return Dictionary(uniqueKeysWithValues: zip(numbers, streams))
  }

  /// The bytes of the streams of all frames, from those that were looked at.
  func expectedBytes(_ frames: [CodedFrame], _ looks: [Int: [UInt8]]) -> Double {
    let later = frames.indices.dropFirst()
    let tokens = later.map { frames[$0].symbols.estimatedBytes }
    let seen = later.filter { looks[$0] != nil }
    let written = seen.reduce(0) { $0 + looks[$1]!.count }
    let seenTokens = seen.reduce(0) { $0 + frames[$1].symbols.estimatedBytes }
    let rest = seenTokens > 0 ? Double(written) / seenTokens * tokens.reduce(0, +) : 0
    return Double(looks[0]?.count ?? 0) + rest
  }

  /// The bytes of the streams of frames: the first and a middle one exactly, the others by the streams of their tokens.
  ///
  /// These are off by as much as for the middle one; where they are what is written, all are exact.
  func expectedSizes(_ frames: [CodedFrame]) throws -> [Double] {
    let own = try concurrently(frames.count) { Double(try stream(frames[$0], nil).count) }
    guard let pressing else { return own }
    let middle = frames.count / 2
    let exact = try concurrently(2) { Double(try stream(frames[$0 * middle], pressing).count) }
    return [exact[0]] + own.dropFirst().map { $0 * exact[1] / own[middle] }
  }

  /// The file of a pass, some streams of which were made for a look; where it is a little too large, its largest streams
  /// are pressed harder until it fits.
  func file(
    _ outcome: PassOutcome, _ variant: PaletteVariant, budget: Int, _ looks: [Int: [UInt8]]
  ) throws -> RateDistortionSearch.Result {
    let bytes = outcome.frames.map(\.symbols.estimatedBytes)
    var streams = try concurrently(bytes.count) { number in
      try looks[number] ?? stream(outcome.frames[number], pressing)
    }
    let file = file(streams, outcome, variant)
    let excess = file.bytes.count - budget
    guard canPressHarder, excess > 0, Double(excess) < Self.squeezable * Double(budget) else { return file }
    var gained = 0
    let largest = bytes.indices.sorted { (bytes[$1], $0) < (bytes[$0], $1) }
    for start in stride(from: 0, to: largest.count, by: Self.squeezedAtOnce) where gained < excess {
      let some = Array(largest[start..<min(start + Self.squeezedAtOnce, largest.count)])
      let pressed = try concurrently(some.count) { try stream(outcome.frames[some[$0]], Self.hardest) }
      for (number, stream) in zip(some, pressed) where stream.count < streams[number].count {
        gained += streams[number].count - stream.count
        streams[number] = stream
      }
      let done = largest[..<min(start + Self.squeezedAtOnce, largest.count)].reduce(0) { $0 + bytes[$1] }
      let rest = largest.reduce(0) { $0 + bytes[$1] } - done
      // Some streams have little to give.
      if Double(gained) * (1 + rest / max(done, 1)) < Double(excess) { break }
    }
    return self.file(streams, outcome, variant)
  }

  /// The file of a pass that cannot fit, made only to tell its size.
  func roughFile(_ outcome: PassOutcome, _ variant: PaletteVariant) throws -> RateDistortionSearch.Result {
    file(try concurrently(outcome.frames.count) { try stream(outcome.frames[$0], nil) }, outcome, variant)
  }

  /// Compresses a frame.
  func stream(_ frame: CodedFrame, _ pressing: PressingEffort?) throws -> [UInt8] {
    try checkEncoding()
    return pressing.map { press(frame.stream, likely: frame.symbols, $0) } ?? frame.zlib
  }

  private func file(
    _ streams: [[UInt8]], _ outcome: PassOutcome, _ variant: PaletteVariant
  ) -> RateDistortionSearch.Result {
    let palette = outcome.refitted
    let format = PixelFormat(palette: palette)
    var sequence = FrameSequence()
    for (number, frame) in outcome.frames.enumerated() {
      let corner = format.pack([outcome.corners[number]], width: 1, height: 1)
      let delay = variant.rate.shown[number].delay
      sequence.append(frame.rect, frame.blend, streams[number], delay: delay, corner: corner)
    }
    let bytes = sequence.file(size: animation.size, format: format, playCount: animation.playCount)
    return RateDistortionSearch.Result(bytes: bytes, colors: palette.colors.count, frames: sequence.count)
  }
}
