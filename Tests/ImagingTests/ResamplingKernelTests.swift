import TestSupport
import Testing

@testable import Imaging

@Suite("Kernels")
struct ResamplingKernelTests {
  /// Reductions and enlargements, even and odd, slight and great.
  static let lengths = [(1, 7), (5, 5), (7, 3), (8, 16), (9, 20), (64, 27), (100, 1), (301, 300)]

  @Test("weights sum to 1 and stay inside the bounds", arguments: Kernel.allCases, lengths)
  func weights(kernel: Kernel, lengths: (from: Int, to: Int)) {
    let axis = AxisWeights(
      bounds: 3..<3 + lengths.from, origin: 3, length: Double(lengths.from), target: lengths.to, kernel: kernel)
    #expect(axis.spans.count == lengths.to)
    for span in axis.spans {
      let sum = axis.weights[span.offset..<span.offset + span.count].reduce(0, +)
      #expect(abs(sum - 1) < 1e-5)
      #expect(span.start >= 3 && span.end <= 3 + lengths.from)
      #expect(!span.core.isEmpty && span.core.lowerBound >= 0 && span.core.upperBound <= span.count)
    }
  }

  @Test(
    "every source pixel counts alike, those at the border too",
    arguments: [Kernel.box, .triangle, .mitchell, .catmullRom])
  func evenness(kernel: Kernel) {
    let axis = AxisWeights(bounds: 0..<90, origin: 0, length: 90, target: 13, kernel: kernel)
    var totals = [Float](repeating: 0, count: 90)
    for span in axis.spans {
      for i in 0..<span.count { totals[span.start + i] += axis.weights[span.offset + i] }
    }
    // The discrete sum of a kernel is not quite constant from phase to phase; a border that gains or loses is far off.
    #expect(totals.allSatisfy { abs($0 * 90 / 13 - 1) < 0.02 })
  }

  @Test(
    "one color stays one color", arguments: Kernel.allCases, [RGBA8.white, RGBA8(12, 200, 3), RGBA8(255, 120, 0, 9)])
  func constant(kernel: Kernel, color: RGBA8) {
    let art = Bitmap(size: PixelSize(width: 37, height: 23), fill: color)
    for size in [PixelSize(width: 5, height: 11), PixelSize(width: 64, height: 50), PixelSize(width: 1, height: 1)] {
      let made = Resampler.resample(art.linear, to: size, kernel: kernel).bitmap()
      #expect(made == Bitmap(size: size, fill: color))
    }
  }

  @Test(
    "samples are the sums that the weights ask for, within the range under the main lobe",
    arguments: [Kernel.catmullRom, .triangle], [1, 9, 40, 120])
  func sums(kernel: Kernel, side: Int) {
    let art = noise(100, 61).linear
    let resampler = Resampler(source: art.size, target: PixelSize(square: side), kernel: kernel)
    let made = resampler.resample(art)
    var worst = 0.0
    for (y, row) in resampler.rows.spans.enumerated() {
      for (x, column) in resampler.columns.spans.enumerated() {
        for channel in 0..<4 {
          var (sum, least, greatest) = (0.0, Double.infinity, -Double.infinity)
          for j in 0..<row.count {
            for i in 0..<column.count {
              let sample = Double(art.samples[((row.start + j) * 100 + column.start + i) * 4 + channel])
              let weight =
                Double(resampler.rows.weights[row.offset + j]) * Double(resampler.columns.weights[column.offset + i])
              sum += weight * sample
              if row.core.contains(j), column.core.contains(i) {
                (least, greatest) = (min(least, sample), max(greatest, sample))
              }
            }
          }
          let wanted = kernel.overshoots ? min(max(sum, least), greatest) : sum
          worst = max(worst, abs(wanted - Double(made.samples[(y * side + x) * 4 + channel])))
        }
      }
    }
    // The narrowest level of 8-bit sRGB is 3e-4 wide: no sample is a level off but where it lies between two.
    #expect(worst < 3e-6)
  }

  @Test("some rows alone are those of the whole", arguments: Kernel.allCases, [21, 64, 90])
  func someRows(kernel: Kernel, side: Int) {
    let art = noise(63, 63).linear
    let resampler = Resampler(source: art.size, target: PixelSize(square: side), kernel: kernel)
    let whole = resampler.resample(art)
    func read(_ y: Int, _ output: UnsafeMutableBufferPointer<Float>) {
      _ = output.update(fromContentsOf: art.samples[y * 252..<(y + 1) * 252])
    }
    for rows in [0..<1, 3..<9, side - 2..<side] {
      let part = resampler.resample(rows: rows) { read($0, $1) }
      #expect(part.samples == Array(whole.samples[rows.lowerBound * side * 4..<rows.upperBound * side * 4]))
    }
    var changed = art
    for i in 20 * 252..<23 * 252 { changed.samples[i] = 0.5 }
    let other = resampler.resample(changed)
    let touched = resampler.targetRows(of: 20..<23)
    for y in 0..<side where !touched.contains(y) {
      #expect(other.samples[y * side * 4..<(y + 1) * side * 4] == whole.samples[y * side * 4..<(y + 1) * side * 4])
    }
    #expect(touched.count < side / 2)
  }

  @Test("mirror in is mirror out", arguments: Kernel.allCases, [21, 50, 90])
  func symmetry(kernel: Kernel, side: Int) {
    let art = noise(63, 63)
    let made = art.pressed(side, kernel: kernel)
    // Rows may round otherwise when they are summed from the other end. No center of 63 into 21, 50 or 90 pixels falls
    // between two pixels, where "the nearest" has no mirror image.
    #expect(art.mirrored.pressed(side, kernel: kernel).mirrored.distance(to: made) <= 1)
    #expect(art.flipped.pressed(side, kernel: kernel).flipped.distance(to: made) <= 1)
    #expect(art.transposed.pressed(side, kernel: kernel).transposed.distance(to: made) <= 1)
  }

  @Test("an unchanged size is an unchanged picture", arguments: Kernel.allCases)
  func identity(kernel: Kernel) {
    let art = noise(19, 31)
    let same = Resampler(source: art.size, target: art.size, kernel: kernel).resample(art.linear).bitmap()
    #expect(same == art.linear.bitmap())
  }

  @Test("nearest takes the pixel under the center")
  func nearest() {
    for (from, to) in [(8, 100), (100, 8), (56, 300), (3, 7)] {
      let axis = AxisWeights(bounds: 0..<from, origin: 0, length: Double(from), target: to, kernel: .nearest)
      #expect(axis.spans.map(\.start) == (0..<to).map { (2 * $0 + 1) * from / (2 * to) })
    }
  }

  @Test("limited overshoot stays between its neighbors; kept overshoot does not")
  func overshoot() {
    let step = picture(64, 1) { x, _ in x < 32 ? RGBA8(90, 90, 90) : RGBA8(160, 160, 160) }.linear
    func range(_ kernel: Kernel, _ overshoot: Overshoot, _ width: Int) -> ClosedRange<UInt8> {
      let made = Resampler(
        source: step.size, target: PixelSize(width: width, height: 1), kernel: kernel, overshoot: overshoot
      ).resample(step).bitmap().colors.map(\.red)
      return (made.min() ?? 0)...(made.max() ?? 0)
    }
    for kernel in [Kernel.mitchell, .catmullRom, .lanczos2, .lanczos3] {
      for width in [21, 150] {
        #expect(range(kernel, .limited, width) == 90...160)
        #expect(range(kernel, .kept, width) != 90...160)
      }
    }
  }

  @Test("an even ramp stays even when it is enlarged by the default kernel")
  func ramp() {
    var ramp = LinearBitmap(size: PixelSize(width: 32, height: 1))
    for i in 0..<ramp.samples.count { ramp.samples[i] = i % 4 == 3 ? 1 : Float(i / 4) / 32 }
    let made = Resampler.resample(ramp, to: PixelSize(width: 150, height: 1)).samples
    for x in 15..<135 {
      #expect(abs(made[x * 4] - ((Float(x) + 0.5) * 32 / 150 - 0.5) / 32) < 1e-4)
    }
  }

  @Test("a cut-out equals the same picture cut out first", arguments: Kernel.allCases)
  func cut(kernel: Kernel) {
    let art = noise(40, 30)
    let box = PixelRect(x: 7, y: 4, width: 21, height: 13)
    let cut = picture(21, 13) { art[7 + $0, 4 + $1] }
    let target = PixelSize(width: 10, height: 33)
    let direct = Resampler(source: art.size, bounds: box, target: target, kernel: kernel).resample(art.linear)
    #expect(direct.bitmap() == Resampler.resample(cut.linear, to: target, kernel: kernel).bitmap())
  }

  @Test("art that fills its bounds stays opaque at the border", arguments: Kernel.allCases)
  func border(kernel: Kernel) {
    let art = picture(50, 50) { x, y in (10..<30).contains(x) && (10..<30).contains(y) ? .white : .clear }
    let box = PixelRect(x: 10, y: 10, width: 20, height: 20)
    let made = Resampler(source: art.size, bounds: box, target: PixelSize(square: 33), kernel: kernel)
      .resample(art.linear).bitmap()
    #expect(made == Bitmap(size: made.size, fill: .white))
  }

  @Test("indices are mirrored as often as it takes")
  func mirror() {
    #expect((-7..<10).map { AxisWeights.mirror($0, in: 0..<3) } == [0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2])
    #expect((-3..<4).map { AxisWeights.mirror($0, in: 5..<6) } == [5, 5, 5, 5, 5, 5, 5])
  }

  @Test("rows are asked for in order, once, and only where they are seen")
  func rows() {
    let resampler = Resampler(
      source: PixelSize(width: 4, height: 100), bounds: PixelRect(x: 0, y: 40, width: 4, height: 20),
      target: PixelSize(square: 5))
    var asked: [Int] = []
    _ = resampler.resample { y, output in
      #expect(output.count == 16)
      asked.append(y)
    }
    #expect(asked == Array(40..<60))
    asked = []
    _ = Resampler(source: PixelSize(square: 9), target: PixelSize(square: 3), kernel: .nearest).resample { y, _ in
      asked.append(y)
    }
    #expect(asked == [1, 4, 7])
  }

  @Test("what the reader of rows throws is thrown on")
  func failure() {
    struct Torn: Error, Equatable { var row: Int }
    let resampler = Resampler(source: PixelSize(square: 9), target: PixelSize(square: 3))
    #expect(throws: Torn(row: 5)) {
      try resampler.resample { (y, _) throws(Torn) in
        if y == 5 { throw Torn(row: y) }
      }
    }
  }

  /// A picture without any order, the same each time.
  private func noise(_ width: Int, _ height: Int) -> Bitmap {
    var state: UInt32 = 7
    func next() -> UInt8 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    return picture(width, height) { _, _ in RGBA8(next(), next(), next(), next() | 3) }
  }
}
