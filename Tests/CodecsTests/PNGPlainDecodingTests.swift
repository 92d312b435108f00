import Imaging
import TestSupport
import Testing

@testable import Codecs

/// What is decoded without libpng, and what is left to it.
@Suite struct PNGPlainDecoding {
  /// A picture of some kind: its file's samples and the pixels that they mean.
  private struct Picture {
    var colorType: Int
    var width: Int
    var height: Int
    var rows: [[UInt8]]
    var pixels: [UInt8]

    init(colorType: Int, width: Int, height: Int) {
      (self.colorType, self.width, self.height) = (colorType, width, height)
      let unit = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType]!
      // Wide steps between neighbors, so that sums overflow and Paeth has something to choose from.
      var state: UInt32 = 7
      rows = (0..<height).map { _ in
        (0..<width * unit).map { _ in
          state = state &* 1_664_525 &+ 1_013_904_223
          return UInt8(state >> 24) % (colorType == 3 ? 100 : 255)
        }
      }
      pixels = rows.flatMap { row in
        stride(from: 0, to: row.count, by: unit).flatMap { i -> [UInt8] in
          switch colorType {
          case 0: [row[i], row[i], row[i], 255]
          case 2: [row[i], row[i + 1], row[i + 2], 255]
          case 3: [row[i], 255 - row[i], 9, row[i] < 50 ? row[i] : 255]
          case 4: [row[i], row[i], row[i], row[i + 1]]
          default: Array(row[i..<i + 4])
          }
        }
      }
    }

    /// The rows with filters by turns, beginning with one of the five.
    func filtered(from first: Int) -> [UInt8] {
      let unit = rows[0].count / width
      return rows.indices.flatMap { y -> [UInt8] in
        let type = (first + y) % 5
        return [UInt8(type)]
          + rows[y].indices.map { i in
            let a = i >= unit ? Int(rows[y][i - unit]) : 0
            let b = y > 0 ? Int(rows[y - 1][i]) : 0
            let c = i >= unit && y > 0 ? Int(rows[y - 1][i - unit]) : 0
            let nearest = [a, b, c].min { abs(a + b - c - $0) < abs(a + b - c - $1) }!
            return rows[y][i] &- UInt8([0, a, b, (a + b) / 2, nearest][type])
          }
      }
    }

    /// The file; the stream is cut into parts.
    func file(_ stream: [UInt8], parts: Int = 1, paletteEntries: Int = 100) -> [UInt8] {
      var png = PNGMaker(width: width, height: height, colorType: colorType)
      if colorType == 3 {
        png.add("PLTE", (0..<paletteEntries).flatMap { [UInt8($0), UInt8(255 - $0), 9] })
        png.add("tRNS", (0..<50).map { UInt8($0) })
      }
      let step = (stream.count + parts - 1) / parts
      for start in stride(from: 0, to: stream.count, by: step) {
        png.add("IDAT", Array(stream[start..<min(start + step, stream.count)]))
      }
      return png.finish()
    }
  }

  /// The pixels where they are decoded without libpng.
  private func plain(_ bytes: [UInt8]) throws -> [UInt8]? {
    let file = try PNGFile(bytes, limits: DecodeLimits())
    let (width, height) = (file.header.width, file.header.height)
    var pixels = [UInt8](repeating: 77, count: PNGDecoder.room(width: width, height: height, depth: 8))
    let data = file.walk.chunks.filter { $0.type == .IDAT }.map(\.data)
    let isDone = pixels.withUnsafeMutableBytes {
      PNGDecoder(file: file).decodePlain(width: width, height: height, data: data, into: $0.baseAddress!)
    }
    return isDone ? Array(pixels.prefix(width * height * 4)) : nil
  }

  private func read(_ bytes: [UInt8]) throws -> (pixels: [UInt8], warnings: [String]) {
    let reader = try ImageReader(bytes: bytes)
    let frame = try #require(try reader.nextFrame())
    return (frame.raster.rgba8, reader.warnings.map(\.id))
  }

  @Test(arguments: [0, 2, 3, 4, 6], [1, 2, 3, 16, 37])
  func `every filter of every kind is undone`(colorType: Int, width: Int) throws {
    for (first, height) in [(0, 11), (1, 1), (2, 2), (3, 7), (4, 5)] {
      let picture = Picture(colorType: colorType, width: width, height: height)
      let file = picture.file(zlib(picture.filtered(from: first)), parts: 1 + first)
      #expect(try plain(file) == picture.pixels)
      #expect(try read(file).pixels == picture.pixels)
    }
  }

  @Test func `a window that the stream may leave is left to libpng`() throws {
    let picture = Picture(colorType: 6, width: 20, height: 20)
    var stream = zlib(picture.filtered(from: 0))
    // A window of 256 bytes.
    stream.replaceSubrange(0..<2, with: [0x08, 0x1d])
    #expect(try plain(picture.file(stream)) == nil)
    #expect(try read(picture.file(stream)).pixels == picture.pixels)
  }

  @Test func `what is odd is left to libpng, and told`() throws {
    let picture = Picture(colorType: 3, width: 20, height: 20)
    let (rows, stream) = (picture.filtered(from: 0), zlib(picture.filtered(from: 0)))
    for odd in [zlib(rows + [1, 2, 3]), stream + [0, 0]] {
      #expect(try plain(picture.file(odd)) == nil)
      let (pixels, warnings) = try read(picture.file(odd))
      #expect(pixels == picture.pixels && warnings == ["odd-data"])
    }
    let beyond = picture.file(stream, paletteEntries: 60)
    #expect(try plain(beyond) == nil)
    #expect(try read(beyond).warnings == ["odd-data"])
  }

  @Test func `what is broken is damaged`() throws {
    let picture = Picture(colorType: 2, width: 20, height: 20)
    let rows = picture.filtered(from: 0)
    let stream = zlib(rows)
    for broken in [zlib(Array(rows.dropLast())), zlib([5] + rows.dropFirst()), stream.dropLast() + [stream.last! ^ 1]] {
      #expect(try plain(picture.file(broken)) == nil)
      #expect(throws: DecodeError.self) { try read(picture.file(broken)) }
    }
  }
}
