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

  fileprivate enum Band: Sendable {
    case memory([UInt8])
    case kept(any BandStore, place: Int, count: Int)
  }

  let size: PixelSize
  /// One of all rows, or bands of `bandRows` rows, the last of what is left.
  private var bands: [Band]

  init(_ bitmap: Bitmap) {
    size = bitmap.size
    bands = [.memory(bitmap.pixels)]
  }

  /// Cuts a picture into bands and takes those that are the same in another; one of another size shares none.
  ///
  /// The others go to the store, where there is one that takes them.
  init(_ bitmap: Bitmap, sharing other: BandedBitmap, store: (any BandStore)?) {
    size = bitmap.size
    let length = size.width * 4 * Self.bandRows
    guard length > 0, bitmap.pixels.count > length else {
      bands = [.memory(bitmap.pixels)]
      return
    }
    let mayShare = other.size == size && other.bands.count > 1
    bands = bitmap.pixels.withUnsafeBytes { pixels in
      stride(from: 0, to: pixels.count, by: length).enumerated().map { index, start in
        let bytes = UnsafeRawBufferPointer(rebasing: pixels[start..<min(start + length, pixels.count)])
        if mayShare, other.bands[index].holds(bytes) { return other.bands[index] }
        if let store, let place = store.keep(bytes) { return .kept(store, place: place, count: bytes.count) }
        return .memory([UInt8](bytes))
      }
    }
  }

  /// The picture; a copy where it is stored in bands.
  var bitmap: Bitmap {
    if bands.count == 1, case .memory(let pixels) = bands[0] { return Bitmap(size: size, pixels: pixels) }
    return Bitmap(
      size: size,
      pixels: [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, count in
        for band in bands {
          let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...]))
          count += band.copy(to: rest)
        }
      })
  }
}

extension BandedBitmap.Band {
  /// Writes its bytes to the front of a buffer and gives their number.
  fileprivate func copy(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch self {
    case .memory(let bytes):
      buffer.copyBytes(from: bytes)
      return bytes.count
    case .kept(let store, let place, let count):
      store.read(place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      return count
    }
  }

  /// Whether its bytes are these.
  fileprivate func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .memory(let own):
      return own.withUnsafeBytes {
        $0.count == bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, $0.count) == 0
      }
    case .kept(let store, let place, let count):
      guard count == bytes.count else { return false }
      return withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { own in
        store.read(place, into: own)
        return memcmp(own.baseAddress!, bytes.baseAddress!, count) == 0
      }
    }
  }
}
