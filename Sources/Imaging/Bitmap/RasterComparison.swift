#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Raster {
  /// Whether both pictures have one size, one layout and equal samples.
  public func equals(_ other: Raster) -> Bool {
    guard size == other.size else { return false }
    switch (samples, other.samples) {
    case (.rgba8(let a), .rgba8(let b)), (.cmyk8(let a), .cmyk8(let b)): return Raster.equal(a, b)
    case (.rgba16(let a), .rgba16(let b)): return Raster.equal(a, b)
    default: return false
    }
  }

  /// Whether the samples mean the same.
  public func hasLayout(of other: Raster) -> Bool {
    switch (samples, other.samples) {
    case (.rgba8, .rgba8), (.rgba16, .rgba16), (.cmyk8, .cmyk8): true
    default: false
    }
  }

  /// The rows from the first to the last that differ from those of a picture of the same size and layout; others than
  /// those given are not looked at.
  public func rows(differingFrom other: Raster, within rows: Range<Int>) -> Range<Int> {
    precondition(size == other.size, "pictures of one size")
    switch (samples, other.samples) {
    case (.rgba8(let a), .rgba8(let b)), (.cmyk8(let a), .cmyk8(let b)): return differing(a, b, rows)
    case (.rgba16(let a), .rgba16(let b)): return differing(a, b, rows)
    default: return rows
    }
  }

  private func differing<Sample: BitwiseCopyable>(_ a: [Sample], _ b: [Sample], _ rows: Range<Int>) -> Range<Int> {
    let length = size.width * 4 * MemoryLayout<Sample>.stride
    return a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        func differs(_ y: Int) -> Bool { memcmp(a.baseAddress! + y * length, b.baseAddress! + y * length, length) != 0 }
        guard let first = rows.first(where: differs), let last = rows.last(where: differs) else { return 0..<0 }
        return first..<last + 1
      }
    }
  }

  private static func equal<Sample: BitwiseCopyable>(_ a: [Sample], _ b: [Sample]) -> Bool {
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        a.count == b.count && (a.count == 0 || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0)
      }
    }
  }
}
