#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A picture stored whole, or in bands of rows some of which other pictures hold too.
struct BandedBitmap: Sendable {
  /// Rows of a band: a moving dot touches few of them, and a band is large enough that its own cost does not count.
  private static let bandRows = 8

  let size: PixelSize
  /// One of all rows, or bands of `bandRows` rows, the last of what is left.
  private var bands: [[UInt8]]

  init(_ bitmap: Bitmap) {
    size = bitmap.size
    bands = [bitmap.pixels]
  }

  /// Cuts a picture into bands and takes those that are the same in another; one of another size shares none.
  init(_ bitmap: Bitmap, sharing other: BandedBitmap) {
    size = bitmap.size
    let length = size.width * 4 * Self.bandRows
    guard length > 0, bitmap.pixels.count > length else {
      bands = [bitmap.pixels]
      return
    }
    let mayShare = other.size == size && other.bands.count > 1
    bands = bitmap.pixels.withUnsafeBytes { pixels in
      stride(from: 0, to: pixels.count, by: length).enumerated().map { index, start in
        let band = UnsafeRawBufferPointer(rebasing: pixels[start..<min(start + length, pixels.count)])
        if mayShare, other.bands[index].withUnsafeBytes({ Self.equal($0, band) }) { return other.bands[index] }
        return [UInt8](band)
      }
    }
  }

  /// The picture; a copy where it is stored in bands.
  var bitmap: Bitmap {
    if bands.count == 1 { return Bitmap(size: size, pixels: bands[0]) }
    return Bitmap(
      size: size,
      pixels: [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, count in
        for band in bands {
          _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: band)
          count += band.count
        }
      })
  }

  private static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else { return false }
    return memcmp(first, second, a.count) == 0
  }
}
