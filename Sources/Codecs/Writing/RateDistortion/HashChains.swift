/// Places of a byte stream by the three bytes that begin there, the latest first.
///
/// Source: RFC 1951, section 4.
final class HashChains {
  /// The bytes that make a key.
  static let keyLength = 3
  private static let hashBits = 15
  private let latest: UnsafeMutablePointer<Int32>
  private let before: UnsafeMutablePointer<Int32>

  /// Makes chains for streams of at most `capacity` bytes.
  init(capacity: Int) {
    latest = .allocate(capacity: 1 << Self.hashBits)
    before = .allocate(capacity: capacity)
  }

  deinit {
    latest.deallocate()
    before.deallocate()
  }

  /// Forgets all places.
  func forget() { latest.update(repeating: -1, count: 1 << Self.hashBits) }

  @inline(__always)
  private func hash(_ bytes: UnsafePointer<UInt8>) -> Int {
    let key = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
    return Int((key &* 2_654_435_761) >> (32 - UInt32(Self.hashBits)))
  }

  /// Remembers a place and the bytes that begin there.
  @inline(__always)
  func insert(_ place: Int, _ bytes: UnsafePointer<UInt8>) {
    let slot = hash(bytes)
    before[place] = latest[slot]
    latest[slot] = Int32(truncatingIfNeeded: place)
  }

  /// The latest place where, by their hash, these bytes begin; negative where there is none.
  @inline(__always)
  func place(of bytes: UnsafePointer<UInt8>) -> Int { Int(latest[hash(bytes)]) }

  /// The place before one of the same hash; negative where there is none.
  @inline(__always)
  func place(before place: Int) -> Int { Int(before[place]) }
}
