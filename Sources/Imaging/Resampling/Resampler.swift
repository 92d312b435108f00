/// What becomes of the overshoot that kernels with negative lobes make beside edges.
public enum Overshoot: Sendable, CaseIterable {
  /// It is limited: each target sample stays between the least and the greatest of the source samples under the
  /// kernel's main lobe, a rectangle, so that rows and columns are treated alike.
  case limited
  /// It is kept, as the kernel makes it.
  case kept
}

/// Separable resampling from rows that arrive one by one, so that a full-size picture in floats never exists.
///
/// A value made once serves all frames of an animation. Samples are premultiplied linear light.
public struct Resampler: Sendable {
  /// The size of the source.
  public let source: PixelSize
  /// The size of what is made.
  public let target: PixelSize
  /// What becomes of overshoot.
  let overshoot: Overshoot
  let columns: AxisWeights
  let rows: AxisWeights

  /// Weighs both axes.
  ///
  /// `region` becomes the whole target; nil is all of `bounds`. `bounds` is the part of the source that may be looked
  /// at; nil is all of it. Beyond the bounds the picture is mirrored.
  public init(
    source: PixelSize, bounds: PixelRect? = nil, region: PixelRegion? = nil, target: PixelSize,
    kernel: Kernel = .default, overshoot: Overshoot = .limited
  ) {
    let bounds = (bounds ?? PixelRect(source)).intersection(PixelRect(source))
    precondition(!bounds.isEmpty && target.area > 0, "resampling needs pixels")
    let region = region ?? PixelRegion(bounds)
    self.source = source
    self.target = target
    self.overshoot = kernel.overshoots ? overshoot : .kept
    columns = AxisWeights(
      bounds: bounds.x..<bounds.maxX, origin: region.x, length: region.width, target: target.width, kernel: kernel)
    rows = AxisWeights(
      bounds: bounds.y..<bounds.maxY, origin: region.y, length: region.height, target: target.height, kernel: kernel)
  }

  /// Makes the target, or some rows of it.
  ///
  /// `readRow` is asked for source rows in rising order, none twice, those that no target row needs not at all; it
  /// fills `source.width * 4` samples. What it throws is thrown on.
  public func resample<Failure: Error>(
    rows wanted: Range<Int>? = nil, readRow: (Int, UnsafeMutableBufferPointer<Float>) throws(Failure) -> Void
  ) throws(Failure) -> LinearBitmap {
    try resample(rows: wanted) { (y, ring) throws(Failure) in
      try readRow(y, ring.sourceSamples)
      return UnsafePointer(ring.source)
    }
  }

  /// Makes the target from source rows wherever they lie; `row` may put one into the ring's own room.
  private func resample<Failure: Error>(
    rows wanted: Range<Int>?, row: (Int, RowRing) throws(Failure) -> UnsafePointer<SIMD4<Float>>
  ) throws(Failure) -> LinearBitmap {
    let isLimited = overshoot == .limited
    let ring = RowRing(
      width: target.width, capacity: ringCapacity, sourceWidth: source.width, keepsRange: isLimited)
    defer { ring.deallocate() }
    let wanted = wanted ?? 0..<target.height
    let needed = rows.needed
    var next = rows.spans[wanted].reduce(Int.max) { min($0, $1.start) }
    return try LinearBitmap(size: PixelSize(width: target.width, height: wanted.count)) { pixels throws(Failure) in
      for (y, span) in rows.spans[wanted].enumerated() {
        while next < span.end {
          if needed[next] {
            let source = try row(next, ring)
            columns.combine(source, into: ring.row(next))
            if isLimited { columns.findRange(source, low: ring.low(next), high: ring.high(next)) }
          }
          next += 1
        }
        let row = pixels + y * target.width
        rows.combine(span, of: ring, into: row)
        if isLimited { rows.limit(row, span, of: ring) }
      }
    }
  }

  /// The target rows that depend on any of some source rows.
  public func targetRows(of sourceRows: Range<Int>) -> Range<Int> {
    let touched = rows.spans.indices.filter {
      rows.spans[$0].start < sourceRows.upperBound && rows.spans[$0].end > sourceRows.lowerBound
    }
    guard let first = touched.first, let last = touched.last else { return 0..<0 }
    return first..<last + 1
  }

  /// Rows that must be at hand at once.
  private var ringCapacity: Int {
    var end = 0
    return rows.spans.reduce(1) { capacity, span in
      end = max(end, span.end)
      return max(capacity, end - span.start)
    }
  }
}

extension Resampler {
  /// Resamples a whole picture to a size, stretching it where the aspects differ.
  public static func resample(_ image: LinearBitmap, to size: PixelSize, kernel: Kernel = .default) -> LinearBitmap {
    if image.size == size { return image }
    return Resampler(source: image.size, target: size, kernel: kernel).resample(image)
  }

  /// Resamples a picture of the source's size.
  public func resample(_ image: LinearBitmap) -> LinearBitmap {
    precondition(image.size == source, "the picture has the size that was weighed")
    return image.samples.withUnsafeBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<Float>.self).baseAddress!
      return resample(rows: nil) { y, _ in pixels + y * source.width }
    }
  }
}
