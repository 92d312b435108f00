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

  private static func equal<Sample: BitwiseCopyable>(_ a: [Sample], _ b: [Sample]) -> Bool {
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        a.count == b.count && (a.count == 0 || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0)
      }
    }
  }
}
