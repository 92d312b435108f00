import Codecs

extension Disk {
  /// Refuses a file that is too large before any of it is read; throws `DecodeError` and `DiskError`.
  func checkSize(of path: String, _ limits: DecodeLimits) throws {
    guard let size = try status(path, followLinks: true)?.size, size > limits.fileBytes else { return }
    throw DecodeError.overLimit(.fileBytes, value: size, limit: limits.fileBytes)
  }
}
