import Testing

@testable import Codecs

private func bytes(_ tokens: [DeflateToken]) -> [UInt8] {
  var bytes: [UInt8] = []
  for token in tokens {
    if token.isLiteral {
      bytes.append(UInt8(token.packed))
    } else {
      for _ in 0..<token.length { bytes.append(bytes[bytes.count - token.distance]) }
    }
  }
  return bytes
}

private func isRead(_ tokens: [DeflateToken]) -> Bool {
  let bytes = bytes(tokens)
  return inflate(DeflateWriter.zlib(tokens, yielding: bytes), to: bytes.count) == bytes
}

@Suite struct DeflateWriterTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func `libdeflate reads the bytes that tokens yield`(seed: UInt64) {
    var random = Noise(seed)
    var tokens: [DeflateToken] = []
    var length = 0
    let (colors, count, copies) = (1 + random.next(256), 1 + random.next(20_000), random.next(4))
    while tokens.count < count {
      if length > 0, random.next(4) < copies {
        let copied = random.next(3) == 0 ? 3 + random.next(256) : 3 + random.next(8)
        tokens.append(DeflateToken(length: copied, distance: 1 + random.next(min(length, 32_768))))
      } else {
        tokens.append(DeflateToken(literal: UInt8(random.next(colors))))
      }
      length += tokens[tokens.count - 1].span
    }
    #expect(isRead(tokens))
  }

  @Test func `the smallest and the largest of everything can be told`() {
    #expect(isRead([DeflateToken(literal: 0)]))
    #expect(isRead([DeflateToken(literal: 255), DeflateToken(length: 258, distance: 1)]))
    let all = (0...255 as ClosedRange<UInt8>).map { DeflateToken(literal: $0) }
    let far = [DeflateToken](repeating: DeflateToken(length: 258, distance: 256), count: 127)
    #expect(
      isRead(all + far + [DeflateToken(length: 3, distance: 32_768), DeflateToken(length: 258, distance: 32_768)]))
    let lengths = (3...258).map { DeflateToken(length: $0, distance: 1 + $0 % 250) }
    #expect(isRead(all + lengths))
  }

  @Test func `a few bytes need no codes of their own`() {
    let stream = DeflateWriter.zlib([DeflateToken(literal: 0), DeflateToken(literal: 7)], yielding: [0, 7])
    // Header and check, two literals and the end by the codes that RFC 1951 fixes.
    #expect(stream.count == 2 + 4 + (3 + 8 + 8 + 7 + 7) / 8)
  }

  @Test func `where the bytes become others, a block of its own is smaller`() {
    var random = Noise(3)
    let low = (0..<4000).map { _ in DeflateToken(literal: UInt8(random.next(16))) }
    let high = (0..<4000).map { _ in DeflateToken(literal: UInt8(200 + random.next(16))) }
    let tokens = low + high
    let size = DeflateWriter.zlib(tokens, yielding: bytes(tokens)).count
    // Four bits a literal in two blocks, five in one.
    #expect(size < 4200)
    #expect(SymbolCounts(tokens).estimatedBytes > 4900)
  }

  @Test func `the estimate is close to what is written`() {
    var random = Noise(5)
    let tokens = (0..<3000).map { _ in DeflateToken(literal: UInt8(min(random.next(40), random.next(40)))) }
    let size = Double(DeflateWriter.zlib(tokens, yielding: bytes(tokens)).count)
    #expect(abs(SymbolCounts(tokens).estimatedBytes / size - 1) < 0.02)
  }
}

@Suite struct HuffmanCodeTests {
  @Test func `codes are those of RFC 1951, their first bit lowest`() {
    let code = HuffmanCode(lengths: [3, 3, 3, 3, 3, 2, 4, 4])
    #expect(code.codes == [0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111])
  }

  @Test func `lengths are the shortest, and complete`() {
    let code = HuffmanCode(counts: [45, 13, 12, 16, 9, 5, 0], limit: 15)
    #expect(code.lengths == [1, 3, 3, 3, 4, 4, 0])
  }

  @Test(arguments: [5, 7, 15]) func `no code is longer than the limit, and none is lost`(limit: Int) {
    var counts = [1, 1]
    while counts.count < 30 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    let lengths = HuffmanCode(counts: counts, limit: limit).lengths
    #expect(lengths.allSatisfy { (1...limit).contains(Int($0)) })
    #expect(lengths.reduce(0) { $0 + 1 << (15 - Int($1)) } == 1 << 15)
    #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test func `one symbol gets a companion`() {
    #expect(HuffmanCode(counts: [0, 0, 0, 9], limit: 15).lengths == [1, 0, 0, 1])
    #expect(HuffmanCode(counts: [0, 0, 0, 0], limit: 7).lengths == [1, 1, 0, 0])
  }
}
