/// The copies that may begin at each byte of a stream: of every length the one that reads the nearest bytes.
///
/// Copies of a byte get longer and reach further back; one stands for all lengths over those of the one before it.
struct FoundCopies {
  fileprivate(set) var copies: [DeflateToken] = []
  /// Where the copies of each byte begin, and where those of the last one end.
  fileprivate(set) var starts: [Int32] = []
}

/// Finds copies in binary trees: one for all places whose first bytes hash alike, ordered by the bytes that follow,
/// later places above earlier ones.
///
/// The way down from the latest place to where a new one belongs passes the nearest of every length. Source: the method
/// of LZMA's match finder BT3 (I. Pavlov).
struct CopyFinder: ~Copyable {
  private static let window = DeflateAlphabet.maximumDistance
  private static let hashBits = 16
  private static let keyLength = DeflateAlphabet.minimumLength
  private static let none: Int32 = -1
  /// Copies that are kept for a byte, on average; where more are found, only the longest stay.
  private static let copiesByByte = 12

  private let bytes: UnsafeBufferPointer<UInt8>
  private let effort: PressingEffort
  /// The latest place of each hash.
  private let heads: UnsafeMutablePointer<Int32>
  /// For each place of the window, what is lower and what is higher.
  private let children: UnsafeMutablePointer<Int32>

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ effort: PressingEffort) {
    (self.bytes, self.effort) = (bytes, effort)
    heads = .allocate(capacity: 1 << Self.hashBits)
    heads.initialize(repeating: Self.none, count: 1 << Self.hashBits)
    children = .allocate(capacity: 2 * Self.window)
    children.initialize(repeating: Self.none, count: 2 * Self.window)
  }

  deinit {
    heads.deallocate()
    children.deallocate()
  }

  /// The copies of all bytes.
  static func find(_ bytes: UnsafeBufferPointer<UInt8>, _ effort: PressingEffort) -> FoundCopies {
    let finder = CopyFinder(bytes, effort)
    var found = FoundCopies()
    found.starts.reserveCapacity(bytes.count + 1)
    found.copies.reserveCapacity(2 * bytes.count)
    let most = copiesByByte * bytes.count
    let longest = DeflateAlphabet.maximumLength
    var isInRun = false
    for place in bytes.indices {
      let start = found.copies.count
      found.starts.append(Int32(start))
      // Inside a long run nothing is better than to go on with it.
      if isInRun {
        let end = place + longest
        isInRun = end <= bytes.count && bytes[end - 1] == bytes[end - 2]
      }
      if isInRun {
        found.copies.append(DeflateToken(length: longest, distance: 1))
        finder.insert(place, into: nil)
        continue
      }
      finder.insert(place, into: &found.copies)
      isInRun = found.copies.count > start && found.copies.last == DeflateToken(length: longest, distance: 1)
      if found.copies.count > most, found.copies.count > start + 1 {
        found.copies.removeSubrange(start..<found.copies.count - 1)
      }
    }
    found.starts.append(Int32(found.copies.count))
    return found
  }

  /// Puts a place at the top of its tree, and appends the copies that are met on the way to where it belongs.
  private borrowing func insert(_ place: Int, into copies: UnsafeMutablePointer<[DeflateToken]>?) {
    let most = min(DeflateAlphabet.maximumLength, bytes.count &- place)
    guard most >= Self.keyLength, let base = bytes.baseAddress else { return }
    let here = base + place
    let head = heads + hash(here)
    var other = Int(head.pointee)
    head.pointee = Int32(truncatingIfNeeded: place)
    // What is lower than this place, and what is higher, goes below it.
    var lower = children + 2 &* (place & (Self.window - 1))
    var higher = lower + 1
    var (common, commonLower, commonHigher) = (0, 0, 0)
    var longest = Self.keyLength - 1
    for _ in 0..<effort.depth {
      if other < 0 || place &- other >= Self.window { break }
      let there = base + other
      common = Self.common(here, there, from: min(commonLower, commonHigher), most)
      let below = children + 2 &* (other & (Self.window - 1))
      if common > longest {
        longest = common
        copies?.pointee.append(DeflateToken(length: common, distance: place &- other))
        if common >= min(most, effort.niceLength) {
          // As good as the same: it takes the other's place.
          (lower.pointee, higher.pointee) = (below[0], below[1])
          return
        }
      }
      if there[common] < here[common] {
        lower.pointee = Int32(truncatingIfNeeded: other)
        lower = below + 1
        (other, commonLower) = (Int(below[1]), common)
      } else {
        higher.pointee = Int32(truncatingIfNeeded: other)
        higher = below
        (other, commonHigher) = (Int(below[0]), common)
      }
    }
    (lower.pointee, higher.pointee) = (Self.none, Self.none)
  }

  @inline(__always)
  private borrowing func hash(_ key: UnsafePointer<UInt8>) -> Int {
    let value = UInt32(key[0]) | UInt32(key[1]) << 8 | UInt32(key[2]) << 16
    return Int((value &* 0x9E37_79B1) &>> UInt32(32 - Self.hashBits))
  }

  /// How many bytes are the same, at most so many, where some are known to be.
  @inline(__always)
  private static func common(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, from known: Int, _ most: Int
  ) -> Int {
    var length = known
    while length &+ 8 <= most {
      let left = UnsafeRawPointer(a + length).loadUnaligned(as: UInt64.self).littleEndian
      let right = UnsafeRawPointer(b + length).loadUnaligned(as: UInt64.self).littleEndian
      if left != right { return length &+ (left ^ right).trailingZeroBitCount / 8 }
      length &+= 8
    }
    while length < most, a[length] == b[length] { length &+= 1 }
    return length
  }
}
