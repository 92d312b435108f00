/// The bytes of a finished file, at hand, where an earlier build left them, or made when they are written.
struct FileBytes: Sendable {
  /// Hands bytes over piece by piece, the same each time.
  typealias Pieces = @Sendable (_ put: ([UInt8]) -> Void) -> Void

  /// How many.
  let count: Int
  /// Their SHA-256.
  let digest: Digest
  private let source: Source

  private enum Source: Sendable {
    case load(@Sendable () throws(DiskError) -> [UInt8])
    case pieces(Pieces)
  }

  /// Bytes at hand.
  init(_ bytes: [UInt8]) {
    self.init(count: bytes.count, digest: Digest(of: bytes)) { () throws(DiskError) in bytes }
  }

  /// Bytes elsewhere.
  init(count: Int, digest: Digest, load: @escaping @Sendable () throws(DiskError) -> [UInt8]) {
    (self.count, self.digest, source) = (count, digest, .load(load))
  }

  /// Bytes that shall never be in memory as a whole: they are made once for their digest and once more where they are
  /// written.
  init(pieces: @escaping Pieces) {
    var hash = SHA256()
    var count = 0
    pieces { piece in
      hash.update(piece)
      count += piece.count
    }
    (self.count, digest, source) = (count, hash.digest(), .pieces(pieces))
  }

  /// Gets them; they may be gone.
  func load() throws(DiskError) -> [UInt8] {
    switch source {
    case .load(let load): return try load()
    case .pieces(let pieces):
      var bytes: [UInt8] = []
      pieces { bytes += $0 }
      return bytes
    }
  }

  /// Writes them.
  func write(to path: String, on disk: any Disk) throws(DiskError) {
    switch source {
    case .load(let load): try disk.write(try load(), to: path)
    case .pieces(let pieces): try disk.write(to: path, pieces: pieces)
    }
  }
}
