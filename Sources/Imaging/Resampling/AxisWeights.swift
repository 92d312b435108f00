/// Which source pixels make each target pixel along one axis, and with what weights.
struct AxisWeights: Sendable {
  /// The taps of one target pixel.
  struct Span: Sendable {
    /// The first source pixel.
    var start: Int
    /// The number of taps, at least 1.
    var count: Int
    /// The place of the first weight in `weights`.
    var offset: Int
    /// The taps, counted from `start`, that lie under the kernel's main lobe.
    var core: Range<Int>

    /// The source pixel after the last.
    var end: Int { start + count }
  }

  /// One span a target pixel.
  private(set) var spans: [Span] = []
  /// The weights of all spans; those of one span sum to 1.
  private(set) var weights: [Float] = []

  /// Weighs an axis.
  ///
  /// Target pixels divide `origin ..< origin + length` of the source evenly. Taps within `bounds` use the source, those
  /// beyond are mirrored at the bounds (the pixel at the border counts twice), so that no pixel gains or loses weight
  /// near a border and art that fills its bounds stays opaque there.
  init(bounds: Range<Int>, origin: Double, length: Double, target: Int, kernel: Kernel) {
    precondition(!bounds.isEmpty && target > 0 && length > 0, "an axis has pixels")
    let scale = length / Double(target)
    let isIdentity = scale == 1 && origin == origin.rounded()
    for index in 0..<target {
      let center = origin + (Double(index) + 0.5) * scale
      if kernel == .nearest || isIdentity {
        append(start: Int(center.rounded(.down)).clamped(to: bounds), weights: [1], core: 0..<1)
      } else {
        append(center: center, scale: scale, bounds: bounds, kernel: kernel)
      }
    }
  }

  private mutating func append(center: Double, scale: Double, bounds: Range<Int>, kernel: Kernel) {
    // Reductions stretch the kernel over all the pixels that meet in one; enlargements leave it one pixel wide. The box
    // is the area that the target pixel covers, either way.
    let stretch = kernel == .box ? scale : max(scale, 1)
    let reach = kernel == .box ? scale / 2 : kernel.support * stretch
    var taps: [(index: Int, weight: Double, isCore: Bool)] = []
    for index in Int((center - reach).rounded(.down))...Int((center + reach).rounded(.up)) {
      let distance = Double(index) + 0.5 - center
      let weight =
        kernel == .box
        ? max(0, min(Double(index + 1), center + reach) - max(Double(index), center - reach))
        : kernel.value(distance / stretch)
      // A sliver left by rounding is no tap.
      guard abs(weight) > 1e-9 else { continue }
      taps.append((AxisWeights.mirror(index, in: bounds), weight, abs(distance) < max(scale, 1)))
    }
    let start = taps.reduce(Int.max) { min($0, $1.index) }
    let end = taps.reduce(Int.min) { max($0, $1.index + 1) }
    let total = taps.reduce(0) { $0 + $1.weight }
    var sums = [Double](repeating: 0, count: end - start)
    var core = (first: Int.max, last: Int.min)
    for tap in taps {
      sums[tap.index - start] += tap.weight / total
      if tap.isCore { core = (min(core.first, tap.index - start), max(core.last, tap.index - start)) }
    }
    append(start: start, weights: sums.map { Float($0) }, core: core.first..<core.last + 1)
  }

  private mutating func append(start: Int, weights new: [Float], core: Range<Int>) {
    spans.append(Span(start: start, count: new.count, offset: weights.count, core: core))
    weights += new
  }

  /// Mirrors an index at both ends of a range until it lies inside.
  static func mirror(_ index: Int, in bounds: Range<Int>) -> Int {
    let period = 2 * bounds.count
    let remainder = (index - bounds.lowerBound) % period
    let folded = remainder < 0 ? remainder + period : remainder
    return bounds.lowerBound + min(folded, period - 1 - folded)
  }
}

extension Int {
  /// The nearest number inside a range that is not empty.
  func clamped(to range: Range<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound - 1) }
}
