/// Undoes PNG's row filters and expands pixels of 8-bit samples to R, G, B, A, all in one buffer.
///
/// A pixel is four lanes of a word. Gray samples fill three lanes, the lane of a missing alpha is set again in every pixel,
/// and filters work lane by lane: so what is expanded first is unfiltered right.
///
/// Source: PNG specification, third edition, sections 9.2 and 11.2.
struct PNGUnfilter {
  /// How a pixel is stored.
  enum Kind: Int {
    case gray = 1
    case grayAlpha = 2
    case rgb = 3
    case rgba = 4

    /// The bytes of a pixel.
    var unit: Int { rawValue }
    /// The lanes that are full whatever is stored.
    fileprivate var opaque: UInt32 { self == .gray || self == .rgb ? 0xff00_0000 : 0 }
  }

  let kind: Kind
  let width: Int
  let height: Int

  /// The bytes of all rows with their filter bytes.
  var filteredBytes: Int { (width * kind.unit + 1) * height }

  /// The bytes that a buffer needs: those of the pixels, a filter byte a row, and what a word read at the last pixel passes.
  static func room(width: Int, height: Int) -> Int { width * height * 4 + height + 4 }

  /// Where in the buffer filtered rows must stand, so that no pixel is overwritten before it was read.
  var start: Int { width * height * 4 + height - filteredBytes }

  /// Expands all rows; answers false where one has a filter that does not exist.
  ///
  /// `finish` is given each row of pixels once no other needs it as it was stored.
  func run(_ buffer: UnsafeMutableRawPointer, finish: (UnsafeMutablePointer<UInt32>) -> Void) -> Bool {
    var from = UnsafeRawPointer(buffer + start)
    let zeros = [UInt32](repeating: 0, count: width)
    return zeros.withUnsafeBufferPointer { zeros in
      guard var above = zeros.baseAddress else { return false }
      for y in 0..<height {
        let row = (buffer + y * width * 4).assumingMemoryBound(to: UInt32.self)
        guard let filter = Filter(rawValue: from.load(as: UInt8.self)) else { return false }
        unfilter(filter, from + 1, above, row)
        if y > 0 { finish(row - width) }
        above = UnsafePointer(row)
        from += width * kind.unit + 1
      }
      finish(UnsafeMutablePointer(mutating: above))
      return true
    }
  }

  private enum Filter: UInt8 { case none, sub, up, average, paeth }

  private func unfilter(
    _ filter: Filter, _ from: UnsafeRawPointer, _ above: UnsafePointer<UInt32>, _ row: UnsafeMutablePointer<UInt32>
  ) {
    // A loop a kind: what is loaded is then known to the compiler.
    switch kind {
    case .gray: unfilter(filter, above, row) { UInt32(from.load(fromByteOffset: $0, as: UInt8.self)) &* 0x0001_0101 }
    case .grayAlpha:
      unfilter(filter, above, row) {
        let pair = UInt32(UInt16(littleEndian: from.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self)))
        return (pair & 0xff) &* 0x0001_0101 | (pair >> 8) << 24
      }
    case .rgb:
      unfilter(filter, above, row) { UInt32(littleEndian: from.loadUnaligned(fromByteOffset: $0 * 3, as: UInt32.self)) }
    case .rgba:
      unfilter(filter, above, row) { UInt32(littleEndian: from.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)) }
    }
  }

  @inline(__always)
  private func unfilter(
    _ filter: Filter, _ above: UnsafePointer<UInt32>, _ row: UnsafeMutablePointer<UInt32>, _ load: (Int) -> UInt32
  ) {
    let opaque = kind.opaque
    var left: UInt32 = 0
    switch filter {
    case .none:
      for x in 0..<width { row[x] = (load(x) | opaque).littleEndian }
    case .sub:
      for x in 0..<width {
        left = Self.sum(left, load(x)) | opaque
        row[x] = left.littleEndian
      }
    case .up:
      for x in 0..<width { row[x] = (Self.sum(UInt32(littleEndian: above[x]), load(x)) | opaque).littleEndian }
    case .average:
      for x in 0..<width {
        let up = UInt32(littleEndian: above[x])
        left = Self.sum((left & up) &+ ((left ^ up) & 0xfefe_fefe) >> 1, load(x)) | opaque
        row[x] = left.littleEndian
      }
    case .paeth:
      var a = SIMD4<Int16>.zero
      var c = SIMD4<Int16>.zero
      for x in 0..<width {
        let b = Self.lanes(above[x])
        let sum = (Self.paeth(a, b, c) &+ Self.lanes(load(x).littleEndian)) & 0xff
        c = b
        let pixel = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: sum), to: UInt32.self) | opaque.littleEndian
        a = Self.lanes(pixel)
        row[x] = pixel
      }
    }
  }

  /// The sum of each lane, without carries between them.
  @inline(__always)
  private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
    ((a & 0x7f7f_7f7f) &+ (b & 0x7f7f_7f7f)) ^ ((a ^ b) & 0x8080_8080)
  }

  @inline(__always)
  private static func lanes(_ pixel: UInt32) -> SIMD4<Int16> {
    SIMD4<Int16>(truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt8>.self))
  }

  @inline(__always)
  private static func paeth(_ a: SIMD4<Int16>, _ b: SIMD4<Int16>, _ c: SIMD4<Int16>) -> SIMD4<Int16> {
    let (p, q) = (b &- c, a &- c)
    let (left, up, both) = (distance(p), distance(q), distance(p &+ q))
    return c.replacing(with: b, where: up .<= both).replacing(with: a, where: (left .<= up) .& (left .<= both))
  }

  @inline(__always)
  private static func distance(_ x: SIMD4<Int16>) -> SIMD4<Int16> {
    let back = 0 &- x
    return x.replacing(with: back, where: x .< back)
  }
}
