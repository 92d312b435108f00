import Imaging

/// Writes an animation of which every visible pixel is exact.
struct LosslessAnimation {
  private let animation: SizedAnimation
  private let moments: [Moment]
  private let effort: Effort
  private let encoding: PixelEncoding
  private let facts: PictureFacts
  /// Distinct colors over all frames, where there are at most 256.
  var colors: Int? { facts.distinct.isOverLimit ? nil : facts.distinct.counts.count }

  init(_ animation: SizedAnimation, _ moments: [Moment], effort: Effort, encoding: PixelEncoding = .auto) throws {
    self.animation = animation
    self.moments = moments
    self.effort = effort
    self.encoding = encoding
    var facts = PictureFacts()
    for moment in moments {
      try checkEncoding()
      facts.add(animation.frames[moment.frame].bitmap)
    }
    self.facts = facts
  }

  /// The last level and all filters shrink a quick look by less than this; what is larger is given up at once.
  private static let hope = 2
  /// What a quick look takes for less than this share of the budget fits at any level.
  private static let surely = 0.95

  /// The file, and the quick looks and full encodings it took; nil where it clearly passes the budget.
  func encode(budget: Int, plan: StreamPlan? = nil) throws -> (bytes: [UInt8]?, attempts: Int) {
    let limit = budget.multipliedReportingOverflow(by: Self.hope).overflow ? Int.max : budget * Self.hope
    let quick = StreamPlan(trialLevel: 1, finalLevel: 1, filters: [.none, .leastSum])
    var best: (format: PixelFormat, size: Int)?
    for format in formats {
      if let look = try sequence(format, quick, limit: best?.size ?? limit), look.size < best?.size ?? .max {
        best = (format, look.size)
      }
    }
    guard let best else { return (nil, formats.count) }
    var plans = [plan ?? .final(effort)]
    if plan == nil, effort == .normal, Double(best.size) < Self.surely * Double(budget) { plans.insert(.ofMany, at: 0) }
    for (number, plan) in plans.enumerated() {
      guard let sequence = try sequence(best.format, plan, limit: budget) else { continue }
      let bytes = sequence.file(size: animation.size, format: best.format, playCount: animation.playCount)
      return (bytes, formats.count + number + 1)
    }
    return (nil, formats.count + plans.count)
  }

  /// One format holds all frames; where all are opaque, an alpha channel may pay: it marks what stays as it is.
  private var formats: [PixelFormat] {
    let truecolor = facts.isOpaque ? [PixelFormat(.rgba), PixelFormat(.rgb(clear: nil))] : [PixelFormat(.rgba)]
    if encoding == .rgba { return truecolor }
    if !facts.distinct.isOverLimit {
      let colors = facts.distinct.firstSeen
      return [PixelFormat(palette: Palette(colors, reservesClear: colors.count < 256))]
    }
    if facts.isGray { return [PixelFormat(.grayAlpha)] }
    return truecolor
  }

  private func canKeep(_ format: PixelFormat) -> Bool {
    switch format.layout {
    case .rgba, .grayAlpha: true
    case .indexed(let palette): palette.clearIndex != nil
    case .rgb, .gray: false
    }
  }

  private func sequence(_ format: PixelFormat, _ plan: StreamPlan, limit: Int) throws -> FrameSequence? {
    let search = StreamSearch(plan)
    let width = animation.size.width
    var sequence = FrameSequence()
    var shown: [UInt32] = []
    for moment in moments {
      try checkEncoding()
      let next = animation.frames[moment.frame].bitmap.visiblePixels()
      let difference: FrameDifference
      if shown.isEmpty {
        difference = FrameDifference(whole: animation.size)
      } else {
        let found = FrameDifference(from: shown, to: next, size: animation.size) { $0 >= 0xFF00_0000 }
        guard let found else { preconditionFailure("moments differ") }
        difference = found
      }
      func pack(_ pixels: [UInt32]) -> PackedRows {
        pixels.withUnsafeBufferPointer {
          format.pack($0, width: difference.rect.width, height: difference.rect.height)
        }
      }
      var forms: [(blend: Blend, rows: PackedRows)] = []
      if difference.allowsOver, canKeep(format) {
        forms.append((.over, pack(difference.over(next, shown: shown, width: width, keep: 0))))
      }
      if forms.isEmpty || !difference.isSparse { forms.append((.source, pack(difference.source(next, width: width)))) }
      let (form, stream) = search.smallest(forms.map { ($0.rows, 0) })
      let corner = next.prefix(1).withUnsafeBufferPointer { format.pack($0, width: 1, height: 1) }
      sequence.append(difference.rect, forms[form].blend, stream, delay: moment.delay, corner: corner)
      if sequence.size > limit { return nil }
      shown = next
    }
    return sequence
  }
}
