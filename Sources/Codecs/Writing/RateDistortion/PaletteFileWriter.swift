import Imaging

/// Compresses the frames of a pass and puts them into a file.
struct PaletteFileWriter {
  /// libdeflate's level that tells most of a size at a tenth of the time.
  private static let quickLevel = 9
  /// libdeflate's last level: 2 % smaller than the one before, at twice the time.
  private static let hardestLevel = 12
  /// What a file may be too large, as a share of the budget, that pressing harder makes up for.
  private static let squeezable = 0.012
  private static let squeezedAtOnce = 4
  /// What all frames take over what some of them tell: most clips take 0.2 to 0.9 % more.
  private static let doubt = 1.006
  /// The level of a file that cannot fit, made only to tell its size.
  private static let roughLevel = 6

  let animation: SizedAnimation
  /// libdeflate's level of what is written.
  let level: Int

  /// The bytes of the streams of all frames, from the first and every sixth.
  func expectedBytes(_ frames: [CodedFrame]) throws -> Double {
    let chosen = frames.indices.filter { $0 == 0 || frames.count <= 8 || $0 % 6 == 3 }.map { frames[$0] }
    let written = try expectedSizes(chosen)
    let tokens = chosen.dropFirst().reduce(0) { $0 + $1.symbols.estimatedBytes }
    let all = frames.dropFirst().reduce(0) { $0 + $1.symbols.estimatedBytes }
    let expected = written[0] + (tokens > 0 ? written.dropFirst().reduce(0, +) / tokens * all : 0)
    return chosen.count < frames.count ? Self.doubt * expected : expected
  }

  /// The bytes of the streams of frames: of the first and of a middle one exactly, of the others by a quick level that is
  /// off by as much as for the middle one.
  func expectedSizes(_ frames: [CodedFrame]) throws -> [Double] {
    let middle = frames.count / 2
    // The middle one comes last, once more.
    let numbers = Array(frames.indices) + (level > Self.quickLevel && middle > 0 ? [middle] : [])
    let sizes = try concurrently(numbers.count) { place in
      let isExact = place == 0 || place == frames.count || level <= Self.quickLevel
      return Double(try stream(frames[numbers[place]], level: isExact ? level : Self.quickLevel).count)
    }
    let share = numbers.count > frames.count ? sizes[frames.count] / sizes[middle] : 1
    return [sizes[0]] + sizes[1..<frames.count].map { $0 * share }
  }

  /// The file of a pass; where it is a little too large, its largest streams are pressed harder until it fits.
  func file(_ outcome: PassOutcome, _ variant: PaletteVariant, budget: Int) throws -> RateDistortionSearch.Result {
    var streams = try streams(outcome, level: level)
    let file = file(streams, outcome, variant)
    var excess = file.bytes.count - budget
    guard level > Self.quickLevel, level < Self.hardestLevel, excess > 0,
      Double(excess) < Self.squeezable * Double(budget)
    else { return file }
    let largest = streams.indices.sorted { (streams[$1].count, $0) < (streams[$0].count, $1) }
    for start in stride(from: 0, to: largest.count, by: Self.squeezedAtOnce) where excess > 0 {
      let some = Array(largest[start..<min(start + Self.squeezedAtOnce, largest.count)])
      let pressed = try concurrently(some.count) { try stream(outcome.frames[some[$0]], level: Self.hardestLevel) }
      for (number, bytes) in zip(some, pressed) where bytes.count < streams[number].count {
        excess -= streams[number].count - bytes.count
        streams[number] = bytes
      }
    }
    return self.file(streams, outcome, variant)
  }

  /// The file of a pass that cannot fit, made only to tell its size.
  func roughFile(_ outcome: PassOutcome, _ variant: PaletteVariant) throws -> RateDistortionSearch.Result {
    file(try streams(outcome, level: Self.roughLevel), outcome, variant)
  }

  private func streams(_ outcome: PassOutcome, level: Int) throws -> [[UInt8]] {
    try concurrently(outcome.frames.count) { try stream(outcome.frames[$0], level: level) }
  }

  /// Compresses a frame.
  private func stream(_ frame: CodedFrame, level: Int) throws -> [UInt8] {
    try checkEncoding()
    return Deflater(level: level).zlib(frame.stream)
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
