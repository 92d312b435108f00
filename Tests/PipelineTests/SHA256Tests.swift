import Testing

@testable import Pipeline

@Suite("SHA-256") struct SHA256Tests {
  @Test(
    "The published examples come out",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, digest: String) {
    #expect(SHA256.hexDigest(Array(text.utf8)) == digest)
  }

  @Test func aMillionLettersComeOut() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(SHA256.hexDigest(bytes) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("Pieces of any length give the digest of the whole", arguments: [1, 3, 55, 56, 63, 64, 65, 127, 200])
  func pieces(length: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: length) {
      hash.update(Array(bytes[start..<min(start + length, bytes.count)]))
    }
    #expect(hash.hexDigest() == SHA256.hexDigest(bytes))
  }

  @Test("Every length around a block is padded right", arguments: 50...70)
  func lengths(length: Int) {
    let bytes = [UInt8](repeating: 0x5a, count: length)
    var hash = SHA256()
    for byte in bytes { hash.update([byte]) }
    #expect(hash.hexDigest() == SHA256.hexDigest(bytes))
  }

  @Test("The processor's instructions and our own code agree", arguments: [0, 63, 64, 1000, 4096])
  func ways(length: Int) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ $0 >> 3) }
    var own = SHA256(mayUseProcessor: false)
    own.update(bytes)
    #expect(own.hexDigest() == SHA256.hexDigest(bytes))
  }
}
