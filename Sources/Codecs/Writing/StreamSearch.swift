/// How hard streams are pressed: libdeflate's levels, the filters that are tried, and how many reach the last level.
struct StreamPlan {
  /// The level at which candidates are compared.
  var trialLevel: Int
  /// The level of what is kept.
  var finalLevel: Int
  /// Candidates that are compressed at the final level.
  var finalists = 1
  /// The row filters that are tried.
  var filters = FilterStrategy.allCases
  /// Of how many bands of rows one is looked at.
  var bandsToOne = 3
  /// The share of its raw size above which a picture is noise, compressed at the trial level; nil where bytes count more.
  ///
  /// A search for copies that are not there takes long and saves little.
  var noiseShare: Double?
  /// Whether a picture of many megabytes is spared the last levels: see `LargeRows`.
  var sparesLarge = false

  /// For the many frames of an animation that fits: somewhat larger than by the last level, in far less time.
  static let ofMany = StreamPlan(trialLevel: 3, finalLevel: 10)

  /// Everything that an effort stands for.
  static func final(_ effort: Effort) -> StreamPlan {
    switch effort {
    case .fast: StreamPlan(trialLevel: 1, finalLevel: 6, filters: [.none, .sub, .up, .leastSum])
    case .normal: StreamPlan(trialLevel: 5, finalLevel: 12, sparesLarge: true)
    case .max: StreamPlan(trialLevel: 7, finalLevel: 12, finalists: 4)
    }
  }

  /// For a still that may be larger: a small part of the time of level 12.
  static let quick = StreamPlan(
    trialLevel: 4, finalLevel: 7, filters: [.none, .sub, .leastSum, .leastEntropy, .fewestPairs], bandsToOne: 6,
    noiseShare: 0.3)
}

/// Finds the form and the row filters that compress best.
struct StreamSearch: ~Copyable {
  private struct Candidate {
    var form: Int
    var filter: FilterStrategy
    var size: Int
  }

  private let plan: StreamPlan
  private let trial: Deflater
  private let last: Deflater

  init(_ plan: StreamPlan) {
    self.plan = plan
    trial = Deflater(level: plan.trialLevel)
    last = Deflater(level: plan.finalLevel)
  }

  /// The best of several forms of one picture, each with the bytes that it costs beside its stream.
  ///
  /// Forms are first compared by the plainest filters; then all filters are tried on the best form.
  borrowing func smallest(_ forms: [(rows: PackedRows, overhead: Int)]) -> (form: Int, stream: [UInt8]) {
    if forms.count == 1, plan.filters.count == 1 { return (0, last.zlib(forms[0].rows.filtered(plan.filters[0]))) }
    let samples = forms.map { $0.rows.sample(oneOf: plan.bandsToOne) }
    var tried: [Candidate] = []
    for (form, entry) in forms.enumerated() {
      // Sums of differences say nothing of palette indices, but sorted palettes have slopes all the same.
      let scouts: [FilterStrategy] = entry.rows.filterUnit == 1 ? [.none, .sub, .leastEntropy] : [.none, .leastSum]
      for filter in scouts where plan.filters.contains(filter) {
        tried.append(measure(form, filter, samples[form], of: entry))
      }
    }
    if let leader = tried.min(by: { $0.size < $1.size })?.form {
      let done = tried.filter { $0.form == leader }.map(\.filter)
      for filter in plan.filters where !done.contains(filter) {
        tried.append(measure(leader, filter, samples[leader], of: forms[leader]))
      }
    }
    let ranked = tried.enumerated().sorted { ($0.element.size, $0.offset) < ($1.element.size, $1.offset) }
    var best: (form: Int, stream: [UInt8], size: Int)?
    for candidate in ranked.prefix(plan.finalists).map(\.element) {
      let entry = forms[candidate.form]
      let rows = entry.rows.filtered(candidate.filter)
      let isNoise = plan.noiseShare.map { Double(candidate.size) > $0 * Double(rows.count) } ?? false
      let stream =
        isNoise ? trial.zlib(rows) : pressed(rows) { samples[candidate.form].filtered(candidate.filter) }
      let size = stream.count + entry.overhead
      if size < best?.size ?? .max { best = (candidate.form, stream, size) }
    }
    guard let best else { preconditionFailure("a picture has a form") }
    return (best.form, best.stream)
  }

  /// A stream by the last level, or where that takes too long by the best of some others on a sample.
  private borrowing func pressed(_ rows: [UInt8], sample: () -> [UInt8]) -> [UInt8] {
    let levels = plan.sparesLarge ? LargeRows.levels(rows.count) : []
    if levels.isEmpty { return last.zlib(rows) }
    if levels.count == 1 { return Deflater(level: levels[0]).zlib(rows) }
    let some = sample()
    let sizes = levels.map { Deflater(level: $0).zlib(some).count }
    let best = levels.indices.min { sizes[$0] < sizes[$1] } ?? 0
    return Deflater(level: levels[best]).zlib(rows)
  }

  private borrowing func measure(
    _ form: Int, _ filter: FilterStrategy, _ sample: PackedRows, of whole: (rows: PackedRows, overhead: Int)
  ) -> Candidate {
    let size = trial.zlib(sample.filtered(filter)).count * whole.rows.height / sample.height
    return Candidate(form: form, filter: filter, size: size + whole.overhead)
  }
}

/// Which levels of libdeflate pictures of many megabytes are worth.
///
/// Measured on drawings of 7 to 100 MB: level 12 takes four times as long as level 10 and 20 times as long as level 9, for
/// 1 to 7 % less; level 11 takes half of level 12, for 1 to 5 % more. Where there are long copies, level 9 passes 10.
private enum LargeRows {
  private static let large = 4 << 20
  private static let veryLarge = 16 << 20

  /// The levels to choose from; none for the last one.
  static func levels(_ count: Int) -> [Int] { count >= veryLarge ? [9, 10] : count >= large ? [11] : [] }
}

extension PackedRows {
  /// The bytes of a picture, at least, that some of its rows can stand for.
  private static let largeEnough = 1 << 18
  /// Bands of neighboring rows that a picture has.
  private static let bands = 27
  /// The bytes that tell enough.
  private static let sampleBytes = 4 << 20

  /// Bands of rows that compress about as all rows do; all where there are few.
  fileprivate func sample(oneOf bandsToOne: Int) -> PackedRows {
    guard bytes.count >= Self.largeEnough, height >= 4 * Self.bands else { return self }
    let band = height / Self.bands
    let rows = max(1, Self.sampleBytes / (Self.bands / bandsToOne * rowBytes))
    let chosen = (0..<height).filter { $0 / band % bandsToOne == 1 && $0 % band < rows }
    var some: [UInt8] = []
    some.reserveCapacity(chosen.count * rowBytes)
    for y in chosen { some += bytes[y * rowBytes..<(y + 1) * rowBytes] }
    return PackedRows(bytes: some, rowBytes: rowBytes, height: chosen.count, filterUnit: filterUnit)
  }
}
