import CDeflate
import Codecs
import Foundation
import Imaging

/// What the libraries alone take for a piece of work: the floor under its time.
enum FloorBench {
  /// `floor LEVEL SOURCE RESULT...`: decodes the source, and compresses the pixel data of finished PNGs again.
  static func run(_ words: [String]) {
    guard words.count > 2, let level = Int32(words[0]) else { return }
    do {
      let reader = try ImageReader(bytes: [UInt8](Data(contentsOf: URL(filePath: words[1]))))
      while try reader.nextFrame() != nil {}
      for path in words.dropFirst(2) { try compressAgain([UInt8](Data(contentsOf: URL(filePath: path))), level) }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  /// Inflating it costs little beside the rest, and counts.
  private static func compressAgain(_ png: [UInt8], _ level: Int32) throws {
    let header = try ImageReader(bytes: png).header
    // Filter bytes and 16-bit samples fit as well.
    var rows = [UInt8](repeating: 0, count: header.size.area * 8 + header.size.height)
    var streams: [UInt8] = []
    var at = 8
    while at + 12 <= png.count {
      let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      if Array(png[at + 4..<at + 8]) == Array("IDAT".utf8) { streams += png[at + 8..<at + 8 + length] }
      at += 12 + length
    }
    guard let decompressor = libdeflate_alloc_decompressor(), let compressor = libdeflate_alloc_compressor(level) else {
      return
    }
    defer {
      libdeflate_free_decompressor(decompressor)
      libdeflate_free_compressor(compressor)
    }
    var count = 0
    let result = libdeflate_zlib_decompress(decompressor, streams, streams.count, &rows, rows.count, &count)
    precondition(result == LIBDEFLATE_SUCCESS, "a finished file is whole")
    var output = [UInt8](repeating: 0, count: libdeflate_zlib_compress_bound(compressor, count))
    precondition(libdeflate_zlib_compress(compressor, rows, count, &output, output.count) > 0, "there is room")
  }
}
