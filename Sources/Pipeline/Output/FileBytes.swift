/// The bytes of a finished file, at hand or where an earlier build left them.
struct FileBytes: Sendable {
  /// How many.
  let count: Int
  /// Their SHA-256.
  let digest: String
  /// Gets them; they may be gone.
  let load: @Sendable () throws(DiskError) -> [UInt8]

  /// Bytes at hand.
  init(_ bytes: [UInt8]) {
    (count, digest) = (bytes.count, SHA256.hexDigest(bytes))
    load = { () throws(DiskError) in bytes }
  }

  /// Bytes elsewhere.
  init(count: Int, digest: String, load: @escaping @Sendable () throws(DiskError) -> [UInt8]) {
    (self.count, self.digest, self.load) = (count, digest, load)
  }
}
