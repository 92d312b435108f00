/// Packs numbers into bytes, the least significant bit first, as GIF and DEFLATE do.
public struct BitWriter {
  /// Whole bytes so far.
  private var bytes: [UInt8]
  private var bits = 0
  private var count = 0

  /// Goes on after some bytes.
  public init(after bytes: [UInt8] = []) { self.bytes = bytes }

  /// Adds the lowest bits of a number.
  public mutating func put(_ value: Int, _ width: Int) {
    bits |= value << count
    count += width
    while count >= 8 {
      bytes.append(UInt8(bits & 255))
      bits >>= 8
      count -= 8
    }
  }

  /// All bytes, the last filled with zeros.
  public func finish() -> [UInt8] { count > 0 ? bytes + [UInt8(bits & 255)] : bytes }
}
