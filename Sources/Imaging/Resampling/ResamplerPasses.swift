/// The memory of one resampling: a source row, and a ring of rows that are already as wide as the target.
struct RowRing {
  /// Target pixels of a row.
  let width: Int
  /// Rows that the ring holds.
  let capacity: Int
  /// The source row being read.
  let source: UnsafeMutablePointer<SIMD4<Float>>
  /// The samples of `source`.
  let sourceSamples: UnsafeMutableBufferPointer<Float>
  private let rows: UnsafeMutablePointer<SIMD4<Float>>
  private let lows: UnsafeMutablePointer<SIMD4<Float>>
  private let highs: UnsafeMutablePointer<SIMD4<Float>>

  /// Takes the memory; `keepsRange` asks for the rows of least and greatest samples too.
  init(width: Int, capacity: Int, sourceWidth: Int, keepsRange: Bool) {
    self.width = width
    self.capacity = capacity
    func allocate(_ count: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
      let memory = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: count)
      memory.initialize(repeating: .zero, count: count)
      return memory
    }
    source = allocate(sourceWidth)
    sourceSamples = UnsafeMutableBufferPointer(
      start: UnsafeMutableRawPointer(source).assumingMemoryBound(to: Float.self), count: sourceWidth * 4)
    rows = allocate(width * capacity)
    lows = allocate(keepsRange ? width * capacity : 0)
    highs = allocate(keepsRange ? width * capacity : 0)
  }

  /// Gives the memory back.
  func deallocate() {
    for memory in [source, rows, lows, highs] { memory.deallocate() }
  }

  /// The weighted samples of a source row.
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<SIMD4<Float>> { rows + (y % capacity) * width }

  /// The least samples of a source row under the main lobe.
  @inline(__always)
  func low(_ y: Int) -> UnsafeMutablePointer<SIMD4<Float>> { lows + (y % capacity) * width }

  /// The greatest samples of a source row under the main lobe.
  @inline(__always)
  func high(_ y: Int) -> UnsafeMutablePointer<SIMD4<Float>> { highs + (y % capacity) * width }
}

extension AxisWeights {
  /// Whether any target pixel takes each source pixel, up to the last that one takes.
  var needed: [Bool] {
    var result = [Bool](repeating: false, count: spans.reduce(0) { max($0, $1.end) })
    for span in spans {
      for index in span.start..<span.end { result[index] = true }
    }
    return result
  }

  /// The horizontal pass over one row.
  func combine(_ source: UnsafePointer<SIMD4<Float>>, into row: UnsafeMutablePointer<SIMD4<Float>>) {
    spans.withUnsafeBufferPointer { spans in
      weights.withUnsafeBufferPointer { weights in
        for x in 0..<spans.count {
          let taps = source + spans[x].start
          let weight = weights.baseAddress! + spans[x].offset
          let count = spans[x].count
          // Four sums, so that no addition waits for the one before.
          var sums = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
          var i = 0
          while i &+ 4 <= count {
            sums.0 += taps[i] * weight[i]
            sums.1 += taps[i &+ 1] * weight[i &+ 1]
            sums.2 += taps[i &+ 2] * weight[i &+ 2]
            sums.3 += taps[i &+ 3] * weight[i &+ 3]
            i &+= 4
          }
          while i < count {
            sums.0 += taps[i] * weight[i]
            i &+= 1
          }
          row[x] = (sums.0 + sums.1) + (sums.2 + sums.3)
        }
      }
    }
  }

  /// The least and greatest samples of one row under each main lobe.
  ///
  /// The lobe of a target pixel ends where that of the next but one begins: what two neighbors share is looked at once.
  func findRange(
    _ source: UnsafePointer<SIMD4<Float>>, low: UnsafeMutablePointer<SIMD4<Float>>,
    high: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    spans.withUnsafeBufferPointer { spans in
      var shared = SampleRange()
      var sharedTaps = 0..<0
      for x in 0..<spans.count {
        let taps = spans[x].coreTaps
        let next = x &+ 1 < spans.count ? spans[x &+ 1].coreTaps : taps
        var range = SampleRange()
        var first = taps.lowerBound
        if sharedTaps.lowerBound == first, sharedTaps.upperBound > first {
          range = shared
          first = sharedTaps.upperBound
        }
        shared = SampleRange()
        sharedTaps = 0..<0
        var end = taps.upperBound
        if next.lowerBound >= first, next.lowerBound < end, next.upperBound >= end {
          sharedTaps = next.lowerBound..<end
          end = next.lowerBound
          for i in sharedTaps { shared.add(source[i]) }
        }
        while first < end {
          range.add(source[first])
          first &+= 1
        }
        low[x] = lesser(range.least, shared.least)
        high[x] = greater(range.greatest, shared.greatest)
      }
    }
  }

  /// The vertical pass for one target row; it goes along rows, which stay in the cache.
  func combine(_ span: Span, of ring: RowRing, into row: UnsafeMutablePointer<SIMD4<Float>>) {
    let first = ring.row(span.start)
    let weight = weights[span.offset]
    for x in 0..<ring.width { row[x] = first[x] * weight }
    // Two rows a turn: half as many times the target row is read and written.
    var i = 1
    while i &+ 2 <= span.count {
      let (tap, next) = (ring.row(span.start + i), ring.row(span.start + i + 1))
      let (weight, nextWeight) = (weights[span.offset + i], weights[span.offset + i + 1])
      for x in 0..<ring.width { row[x] += tap[x] * weight + next[x] * nextWeight }
      i &+= 2
    }
    if i < span.count {
      let tap = ring.row(span.start + i)
      let weight = weights[span.offset + i]
      for x in 0..<ring.width { row[x] += tap[x] * weight }
    }
  }

  /// Takes a target row into the range of the source samples under the main lobe.
  func limit(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ span: Span, of ring: RowRing) {
    let first = span.start + span.core.lowerBound
    let last = span.start + span.core.upperBound - 1
    for x in 0..<ring.width {
      var least = ring.low(first)[x]
      var greatest = ring.high(first)[x]
      var y = first
      while y < last {
        y += 1
        least = lesser(least, ring.low(y)[x])
        greatest = greater(greatest, ring.high(y)[x])
      }
      row[x] = lesser(greater(row[x], least), greatest)
    }
  }
}

extension AxisWeights.Span {
  /// The source pixels under the main lobe.
  fileprivate var coreTaps: Range<Int> { start &+ core.lowerBound..<start &+ core.upperBound }
}

/// The least and the greatest of some samples.
private struct SampleRange {
  var least = SIMD4<Float>(repeating: .infinity)
  var greatest = SIMD4<Float>(repeating: -.infinity)

  @inline(__always)
  mutating func add(_ sample: SIMD4<Float>) {
    least = lesser(least, sample)
    greatest = greater(greatest, sample)
  }
}

// The standard library's `pointwiseMin` and `pointwiseMax` go lane by lane, six times slower.

@inline(__always)
private func lesser(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> { a.replacing(with: b, where: b .< a) }

@inline(__always)
private func greater(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> { a.replacing(with: b, where: a .< b) }
