import Codecs

/// The SHA-256 digest of bytes, taken piece by piece.
///
/// Source: FIPS 180-4, section 6.2.
public struct SHA256: Sendable {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
  )
  /// Bytes that do not fill a block yet, fewer than 64.
  private var pending: [UInt8] = []
  private var total: UInt64 = 0
  /// Whether instructions of the processor may be used; they take an eighth of the time.
  private let mayUseProcessor: Bool

  /// Nothing taken yet.
  public init() { self.init(mayUseProcessor: true) }

  /// Nothing taken yet; for tests, by the code below alone.
  init(mayUseProcessor: Bool) { self.mayUseProcessor = mayUseProcessor }

  /// Takes more bytes.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { update($0) }
  }

  /// Takes a number as eight bytes, the most significant first.
  public mutating func update(bigEndian number: UInt64) {
    update((0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) })
  }

  /// The digest of all that was taken, 64 lower-case hexadecimal digits.
  public consuming func hexDigest() -> String {
    let bits = total &* 8
    update([0x80] + [UInt8](repeating: 0, count: (119 - pending.count) % 64))
    update(bigEndian: bits)
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for word in [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7] {
      for shift in stride(from: 28, through: 0, by: -4) { text.append(digits[Int((word >> UInt32(shift)) & 15)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The digest of bytes, 64 lower-case hexadecimal digits.
  public static func hexDigest(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexDigest()
  }

  private mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    total &+= UInt64(bytes.count)
    var start = 0
    if !pending.isEmpty {
      start = min(64 - pending.count, bytes.count)
      pending.append(contentsOf: bytes[0..<start])
      guard pending.count == 64 else { return }
      pending.withUnsafeBufferPointer { compress($0.baseAddress!, blocks: 1) }
      pending.removeAll(keepingCapacity: true)
    }
    let blocks = (bytes.count - start) / 64
    if blocks > 0 { compress(bytes.baseAddress! + start, blocks: blocks) }
    pending.append(contentsOf: bytes[(start + blocks * 64)...])
  }

  private mutating func compress(_ bytes: UnsafePointer<UInt8>, blocks: Int) {
    if mayUseProcessor, compressByProcessor(bytes, blocks) { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      roundConstants.withUnsafeBufferPointer { constants in
        for block in 0..<blocks {
          expand(bytes + block * 64, into: schedule)
          mix(schedule, constants)
        }
      }
    }
  }

  private mutating func compressByProcessor(_ bytes: UnsafePointer<UInt8>, _ blocks: Int) -> Bool {
    withUnsafeMutableBytes(of: &state) { state in
      ProcessorDigest.sha256(
        state.assumingMemoryBound(to: UInt32.self).baseAddress!, bytes, count: blocks, roundConstants: roundConstants)
    }
  }

  @inline(__always)
  private func expand(_ block: UnsafePointer<UInt8>, into w: UnsafeMutableBufferPointer<UInt32>) {
    let words = UnsafeRawPointer(block)
    for i in 0..<16 { w[i] = UInt32(bigEndian: words.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self)) }
    for i in 16..<64 {
      let a = w[i &- 15]
      let b = w[i &- 2]
      let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a &>> 3)
      let s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b &>> 10)
      w[i] = w[i &- 16] &+ s0 &+ w[i &- 7] &+ s1
    }
  }

  @inline(__always)
  private mutating func mix(_ w: UnsafeMutableBufferPointer<UInt32>, _ k: UnsafeBufferPointer<UInt32>) {
    var (a, b, c, d, e, f, g, h) = state
    // Eight rounds a turn, so that the renaming of the variables costs no moves.
    for i in stride(from: 0, to: 64, by: 8) {
      round(a, b, c, &d, e, f, g, &h, k[i] &+ w[i])
      round(h, a, b, &c, d, e, f, &g, k[i &+ 1] &+ w[i &+ 1])
      round(g, h, a, &b, c, d, e, &f, k[i &+ 2] &+ w[i &+ 2])
      round(f, g, h, &a, b, c, d, &e, k[i &+ 3] &+ w[i &+ 3])
      round(e, f, g, &h, a, b, c, &d, k[i &+ 4] &+ w[i &+ 4])
      round(d, e, f, &g, h, a, b, &c, k[i &+ 5] &+ w[i &+ 5])
      round(c, d, e, &f, g, h, a, &b, k[i &+ 6] &+ w[i &+ 6])
      round(b, c, d, &e, f, g, h, &a, k[i &+ 7] &+ w[i &+ 7])
    }
    state = (
      state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g, state.7 &+ h
    )
  }
}

@inline(__always)
private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { (value &>> count) | (value &<< (32 &- count)) }

/// One round; `d` and `h` become the new `e` and `a`.
@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32,
  _ input: UInt32
) {
  let t1 = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (g ^ (e & (f ^ g))) &+ input
  let t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ ((a & b) | (c & (a | b)))
  d = d &+ t1
  h = t1 &+ t2
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
private let roundConstants: [UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
  0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
  0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
  0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
  0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
