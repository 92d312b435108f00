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
  /// Least and greatest samples while a target row is made.
  let low: UnsafeMutablePointer<SIMD4<Float>>
  let high: UnsafeMutablePointer<SIMD4<Float>>
  private let rows: UnsafeMutablePointer<SIMD4<Float>>

  init(width: Int, capacity: Int, sourceWidth: Int) {
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
    low = allocate(width)
    high = allocate(width)
    rows = allocate(width * capacity)
  }

  func deallocate() {
    for memory in [source, low, high, rows] { memory.deallocate() }
  }

  /// The place of a source row in the ring.
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<SIMD4<Float>> { rows + (y % capacity) * width }
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
  func combine(
    _ source: UnsafeMutablePointer<SIMD4<Float>>, into row: UnsafeMutablePointer<SIMD4<Float>>, limited: Bool
  ) {
    spans.withUnsafeBufferPointer { spans in
      weights.withUnsafeBufferPointer { weights in
        for x in 0..<spans.count {
          let span = spans[x]
          let taps = source + span.start
          let weight = weights.baseAddress! + span.offset
          var sum = SIMD4<Float>.zero
          for i in 0..<span.count { sum += taps[i] * weight[i] }
          row[x] = limited ? AxisWeights.limit(sum, to: taps, span.core) : sum
        }
      }
    }
  }

  @inline(__always)
  private static func limit(
    _ sum: SIMD4<Float>, to taps: UnsafeMutablePointer<SIMD4<Float>>, _ core: Range<Int>
  ) -> SIMD4<Float> {
    var low = taps[core.lowerBound]
    var high = low
    for i in core {
      low = lesser(low, taps[i])
      high = greater(high, taps[i])
    }
    return lesser(greater(sum, low), high)
  }

  /// The vertical pass for one target row; it goes along rows, which stay in the cache.
  func combine(_ span: Span, of ring: RowRing, into row: UnsafeMutablePointer<SIMD4<Float>>, limited: Bool) {
    for i in 0..<span.count {
      let tap = ring.row(span.start + i)
      let weight = weights[span.offset + i]
      for x in 0..<ring.width { row[x] += tap[x] * weight }
    }
    guard limited else { return }
    let first = ring.row(span.start + span.core.lowerBound)
    ring.low.update(from: first, count: ring.width)
    ring.high.update(from: first, count: ring.width)
    for i in span.core.dropFirst() {
      let tap = ring.row(span.start + i)
      for x in 0..<ring.width {
        ring.low[x] = lesser(ring.low[x], tap[x])
        ring.high[x] = greater(ring.high[x], tap[x])
      }
    }
    for x in 0..<ring.width { row[x] = lesser(greater(row[x], ring.low[x]), ring.high[x]) }
  }
}

// The standard library's `pointwiseMin` and `pointwiseMax` go lane by lane, six times slower.

@inline(__always)
private func lesser(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> { a.replacing(with: b, where: b .< a) }

@inline(__always)
private func greater(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> { a.replacing(with: b, where: a .< b) }
