/// Bytes of the state folder that do not say what they should: the state counts as missing.
struct StateDamage: Error {}

/// Puts values one after another; `StateReader` takes them in the same order.
struct StateWriter {
  private(set) var bytes: [UInt8] = []

  /// Small numbers take few bytes, negative ones too.
  mutating func put(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number &<< 1 ^ number &>> 63))
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func put(_ number: Double) { put(Int(bitPattern: UInt(number.bitPattern))) }

  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func put(_ text: String) {
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func put(_ blob: [UInt8]) {
    put(blob.count)
    bytes.append(contentsOf: blob)
  }

  mutating func put(_ digest: Digest) {
    for word in digest.words { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
  }

  mutating func put<Value>(_ value: Value?, _ putValue: (inout StateWriter, Value) -> Void) {
    put(value != nil)
    if let value { putValue(&self, value) }
  }

  mutating func put<List: Collection>(_ list: List, _ putValue: (inout StateWriter, List.Element) -> Void) {
    put(list.count)
    for value in list { putValue(&self, value) }
  }

  mutating func append(_ other: StateWriter) { bytes += other.bytes }

  /// All of it between a name of the kind and a checksum.
  func sealed(_ kind: String) -> [UInt8] {
    var result: [UInt8] = []
    StateWriter.seal(kind, to: { result += $0 }) { take in take(bytes) }
    return result
  }

  /// Hands over, piece by piece, what `sealed` gives of the whole.
  static func seal(_ kind: String, to put: ([UInt8]) -> Void, _ body: (_ take: ([UInt8]) -> Void) -> Void) {
    withoutActuallyEscaping(put) { put in
      var sum = StateChecksum()
      func take(_ piece: [UInt8]) {
        sum.add(piece[...])
        put(piece)
      }
      take(Array(kind.utf8))
      body(take)
      put(withUnsafeBytes(of: sum.finish().littleEndian) { Array($0) })
    }
  }

  /// Hands over what was put, where that is so many bytes, and forgets it.
  mutating func flush(atLeast least: Int = 1 << 15, to take: ([UInt8]) -> Void) {
    guard bytes.count >= least else { return }
    take(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Takes values in the order in which they were put; throws `StateDamage` where they are not there.
struct StateReader {
  private let bytes: [UInt8]
  private var offset: Int
  private let end: Int

  /// Opens what `sealed` closed.
  init(_ bytes: [UInt8], kind: String) throws(StateDamage) {
    let start = kind.utf8.count
    guard bytes.count >= start + 8, bytes.starts(with: kind.utf8) else { throw StateDamage() }
    (self.bytes, offset, end) = (bytes, start, bytes.count - 8)
    var sum: UInt64 = 0
    for index in (end..<bytes.count).reversed() { sum = sum << 8 | UInt64(bytes[index]) }
    var own = StateChecksum()
    own.add(bytes[..<end])
    guard own.finish() == sum else { throw StateDamage() }
  }

  private mutating func take(_ count: Int) throws(StateDamage) -> Range<Int> {
    guard count >= 0, count <= end - offset else { throw StateDamage() }
    defer { offset += count }
    return offset..<offset + count
  }

  mutating func int() throws(StateDamage) -> Int {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < end, shift < 70 else { throw StateDamage() }
      let byte = bytes[offset]
      offset += 1
      result |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return Int(bitPattern: UInt(result >> 1)) ^ -Int(bitPattern: UInt(result & 1))
  }

  mutating func double() throws(StateDamage) -> Double {
    Double(bitPattern: UInt64(UInt(bitPattern: try int())))
  }

  mutating func flag() throws(StateDamage) -> Bool { bytes[try take(1).lowerBound] != 0 }

  mutating func string() throws(StateDamage) -> String {
    let range = try take(try int())
    return bytes[range].withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  mutating func blob() throws(StateDamage) -> [UInt8] { Array(bytes[try take(try int())]) }

  mutating func blob(onto other: inout [UInt8]) throws(StateDamage) { other += bytes[try take(try int())] }

  mutating func digest() throws(StateDamage) -> Digest {
    let start = try take(32).lowerBound
    return bytes.withUnsafeBytes { buffer in
      func word(_ index: Int) -> UInt64 {
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: start + index * 8, as: UInt64.self))
      }
      return Digest(word(0), word(1), word(2), word(3))
    }
  }

  mutating func optional<Value>(
    _ value: (inout StateReader) throws(StateDamage) -> Value
  ) throws(StateDamage) -> Value? {
    try flag() ? try value(&self) : nil
  }

  mutating func list<Value>(
    _ value: (inout StateReader) throws(StateDamage) -> Value
  ) throws(StateDamage) -> [Value] {
    let count = try int()
    // Each value takes a byte or more.
    guard count >= 0, count <= end - offset else { throw StateDamage() }
    var result: [Value] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(try value(&self)) }
    return result
  }
}

/// Finds bits that a disk or a hand has turned, in bytes that come piece by piece; it is no defense against malice.
private struct StateChecksum {
  // FNV's numbers, over words of eight bytes.
  private var sum: UInt64 = 0xcbf2_9ce4_8422_2325
  private var count = 0
  /// Bytes that do not fill a word yet, the first one lowest.
  private var pending: UInt64 = 0

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { buffer in
      var index = 0
      while index < buffer.count, count % 8 != 0 {
        take(buffer[index])
        index += 1
      }
      while index + 8 <= buffer.count {
        mix(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
        index += 8
        count += 8
      }
      while index < buffer.count {
        take(buffer[index])
        index += 1
      }
    }
  }

  consuming func finish() -> UInt64 {
    mix(pending)
    mix(UInt64(count))
    return sum ^ sum >> 32
  }

  private mutating func take(_ byte: UInt8) {
    pending |= UInt64(byte) << UInt64(8 * (count % 8))
    count += 1
    guard count % 8 == 0 else { return }
    mix(pending)
    pending = 0
  }

  private mutating func mix(_ word: UInt64) {
    sum = (sum ^ word) &* 0x100_0000_01b3
    sum ^= sum >> 29
  }
}
