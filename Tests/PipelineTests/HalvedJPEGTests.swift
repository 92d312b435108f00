import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

/// What a JPEG decoded at half its size shows, beside the same pixels decoded whole.
@Suite struct HalvedJPEG {
  /// The art as it is pressed, and the same of all its pixels, stored upright in a PNG.
  private func pressed(_ jpeg: [UInt8], side: Int, fit: Fit = .contain) throws -> (ours: Bitmap, whole: Bitmap) {
    var options = RenderOptions(side: side)
    options.fit = fit
    let reader = try ImageReader(bytes: jpeg)
    let raster = try #require(try reader.nextFrame()).raster.upright(reader.header.orientation)
    guard case .rgba8(let pixels) = raster.samples else { throw DecodeError.unrecognized }
    let png = encodeRGBA8(Bitmap(size: raster.size, pixels: pixels))
    func render(_ bytes: [UInt8]) throws -> Bitmap {
      try StickerRenderer(options).render(bytes: bytes, path: nil).animation.frames[0].bitmap
    }
    return (try render(jpeg), try render(png))
  }

  private func halves(_ bytes: [UInt8]) throws -> Bool { try ImageReader(bytes: bytes).halve() }

  /// How two pictures differ: in the mean, in the mean square, and by how much of a pixel one lies beside the other.
  private struct Difference {
    var mean = 0.0
    var square = 0.0
    var shifts: [Double] = []

    init(_ pair: (ours: Bitmap, whole: Bitmap)) {
      let (ours, whole) = (pair.ours.pixels.map(Double.init), pair.whole.pixels.map(Double.init))
      let differences = zip(ours, whole).map { $0 - $1 }
      mean = differences.reduce(0, +) / Double(whole.count)
      square = differences.reduce(0) { $0 + $1 * $1 } / Double(whole.count)
      shifts = [4, pair.whole.size.width * 4].map { step in
        var (product, slopes) = (0.0, 0.0)
        for i in step..<whole.count - step where [i - step, i, i + step].allSatisfy({ whole[$0 | 3] == 255 }) {
          let slope = (whole[i + step] - whole[i - step]) / 2
          product += differences[i] * slope
          slopes += slope * slope
        }
        return product / slopes
      }
    }

    /// 42 dB, no other brightness, and in its place: half a stored pixel would be a tenth of one here.
    var isSmall: Bool { square < 4.1 && abs(mean) < 0.3 && shifts.allSatisfy { abs($0) < 0.03 } }
  }

  /// Soft waves, a channel each.
  private func waves(columns: Int, rows: Int, channels: Int) -> [[[UInt8]]] {
    (0..<rows).map { y in
      (0..<columns).map { x in
        (0..<channels).map { c in
          let place = (x * (c + 2) + y * (3 - c)) % 20
          return UInt8(90 + 6 * (place < 10 ? place : 20 - place))
        }
      }
    }
  }

  private func exif(_ orientation: Orientation) -> [UInt8] {
    Array("Exif".utf8) + [0, 0, 0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0]
      + [UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
  }

  @Test(arguments: Orientation.allCases, [0, 1, 2, 3])
  func `stands where the whole stands, in all orientations and at odd sizes`(orientation: Orientation, odd: Int) throws
  {
    var maker = JPEGMaker()
    maker.add(0xe1, exif(orientation))
    let jpeg = maker.finish(waves(columns: 26, rows: 30, channels: 3), missing: (odd & 1, odd >> 1))
    #expect(try halves(jpeg))
    for fit in Fit.allCases {
      let difference = Difference(try pressed(jpeg, side: 48, fit: fit))
      #expect(difference.isSmall, "\(fit): \(difference)")
    }
  }

  @Test func `gray keeps its levels`() throws {
    let jpeg = JPEGMaker().finish(waves(columns: 30, rows: 30, channels: 1))
    #expect(try halves(jpeg))
    #expect(Difference(try pressed(jpeg, side: 50)).isSmall)
  }

  @Test func `fine detail of strong contrast is decoded whole`() throws {
    let jpeg = JPEGMaker().finish(waves(columns: 30, rows: 30, channels: 3), isFine: true)
    #expect(try !halves(jpeg))
    let pair = try pressed(jpeg, side: 48)
    #expect(pair.ours == pair.whole)
  }

  @Test func `a source of less than four times the size is decoded whole`() throws {
    let pair = try pressed(JPEGMaker().finish(waves(columns: 20, rows: 20, channels: 3)), side: 41)
    #expect(pair.ours == pair.whole)
  }

  @Test func `ink is decoded whole, and so is what was begun`() throws {
    #expect(try !halves(JPEGMaker().finish(waves(columns: 30, rows: 30, channels: 4))))
    let reader = try ImageReader(bytes: JPEGMaker().finish(waves(columns: 30, rows: 30, channels: 3)))
    let size = try #require(try reader.nextFrame()).raster.size
    #expect(!reader.halve() && size == PixelSize(square: 240))
  }

  @Test func `a scan that breaks off is damaged at half its size, too`() throws {
    let jpeg = JPEGMaker().finish(waves(columns: 30, rows: 30, channels: 3))
    let cut = jpeg.prefix(jpeg.count * 3 / 4) + [0xff, 0xd9]
    #expect(throws: DecodeError.self) {
      try StickerRenderer(RenderOptions(side: 40)).render(bytes: Array(cut), path: nil)
    }
  }

  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      "jpeg-wuffs/peacock.s1x1-444", "jpeg-wuffs/peacock.s2x1-422", "jpeg-wuffs/peacock.s2x2-420",
      "jpeg-wuffs/peacock.s1x3", "jpeg-wuffs/peacock.grayscale", "jpeg-wuffs/peacock.progressive",
    ])
  func `photographs look the same at every subsampling`(name: String) throws {
    let jpeg = try Corpus.bytes("conformance/\(name).jpeg")
    let size = try ImageReader(bytes: jpeg).header.size
    let pair = try pressed(jpeg, side: max(size.width, size.height) / 4)
    #expect(Difference(pair).isSmall)
  }
}
