import CDeflate

/// A compressor of libdeflate at one level, 1 (fast) to 12 (small); one at a time may use it.
struct Deflater: ~Copyable {
  private let compressor: OpaquePointer

  init(level: Int) {
    guard let compressor = libdeflate_alloc_compressor(Int32(level)) else {
      preconditionFailure("no memory for a compressor, or no such level: \(level)")
    }
    self.compressor = compressor
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// The bytes as one zlib stream.
  borrowing func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
    // An array of this room would keep all of it.
    return withUnsafeTemporaryAllocation(byteCount: bound, alignment: 1) { output in
      let count = bytes.withUnsafeBytes {
        libdeflate_zlib_compress(compressor, $0.baseAddress, $0.count, output.baseAddress, bound)
      }
      precondition(count > 0, "libdeflate keeps within its own bound")
      return [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
        UnsafeMutableRawBufferPointer(bytes).copyMemory(from: UnsafeRawBufferPointer(rebasing: output[..<count]))
        written = count
      }
    }
  }
}

/// The bytes, so many of them, of a zlib stream that a `Deflater` wrote.
func inflate(_ stream: [UInt8], to length: Int) -> [UInt8] {
  guard let decompressor = libdeflate_alloc_decompressor() else { preconditionFailure("no memory for a decompressor") }
  defer { libdeflate_free_decompressor(decompressor) }
  return [UInt8](unsafeUninitializedCapacity: length) { output, count in
    let result = stream.withUnsafeBytes {
      libdeflate_zlib_decompress(decompressor, $0.baseAddress, $0.count, output.baseAddress, length, &count)
    }
    precondition(result == LIBDEFLATE_SUCCESS && count == length, "our own streams are whole")
  }
}

/// The CRC-32 that PNG chunks end in.
func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
}

/// The Adler-32 that zlib streams end in.
func adler32(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { libdeflate_adler32(1, $0.baseAddress, $0.count) } }
