import CCodecs

/// Digests by the processor's own instructions, where it has them.
package enum ProcessorDigest {
  /// Takes blocks of 64 bytes into a SHA-256's eight words, with the constants of its 64 rounds; false, and nothing done,
  /// without instructions for it.
  package static func sha256(
    _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafePointer<UInt8>, count: Int,
    roundConstants: UnsafePointer<UInt32>
  ) -> Bool {
    decal_sha256(state, blocks, count, roundConstants) != 0
  }
}
