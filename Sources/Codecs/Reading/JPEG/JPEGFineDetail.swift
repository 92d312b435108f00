import CCodecs
import Imaging

/// Looks whether a JPEG may be decoded at half its size.
///
/// The decoder then takes the mean of four pixels in the file's own numbers, not in linear light. That is the same where
/// neighbors are alike, but makes fine detail of strong contrast, hatching for instance, too dark. So eight rows in each
/// 128 are decoded whole, and both kinds of means compared in cells of 8x8 pixels.
struct JPEGFineDetail {
  /// The levels of 8 bits by which a cell may differ.
  private static let tolerance = 1
  /// The share of cells that may differ by more: those at the edges of drawings and text do, by a fraction of a pixel.
  private static let mostCells = 0.01
  private static let cell = 8

  private var cells = 0
  private var differing = 0

  /// Whether halves have the colors that the whole has, as far as was seen.
  var isHarmless: Bool { cells > 0 && Double(differing) <= Self.mostCells * Double(cells) }

  /// Looks at a file of one scan and without ink; nil where it is damaged.
  init?(_ bytes: [UInt8], size: PixelSize) {
    let rows = Int(decal_jpeg_sampled_rows(UInt32(size.height)))
    var status = DECAL_OK
    var report = decal_report()
    let pixels = [UInt8](unsafeUninitializedCapacity: size.width * rows * 4) { buffer, count in
      status = decal_jpeg_sample(
        bytes, bytes.count, UInt32(size.width), UInt32(size.height), buffer.baseAddress!, &report)
      count = status == DECAL_OK ? size.width * rows * 4 : 0
    }
    guard status == DECAL_OK else { return nil }
    SRGB.linear8.withUnsafeBufferPointer { light in
      pixels.withUnsafeBufferPointer { pixels in
        for y in stride(from: 0, through: rows - Self.cell, by: Self.cell) {
          for x in stride(from: 0, through: size.width - Self.cell, by: Self.cell) {
            let first = pixels.baseAddress! + (y * size.width + x) * 4
            cells += 1
            if (0..<3).contains(where: { Self.differs(first + $0, size.width * 4, light) }) { differing += 1 }
          }
        }
      }
    }
  }

  /// Whether the two means of one channel differ in a cell.
  private static func differs(
    _ first: UnsafePointer<UInt8>, _ rowBytes: Int, _ light: UnsafeBufferPointer<Float>
  ) -> Bool {
    var (whole, halves) = (Float.zero, Float.zero)
    for y in stride(from: 0, to: cell, by: 2) {
      for x in stride(from: 0, to: cell, by: 2) {
        let p = first + y * rowBytes + x * 4
        let (a, b, c, d) = (Int(p[0]), Int(p[4]), Int(p[rowBytes]), Int(p[rowBytes + 4]))
        whole += (light[a] + light[b]) + (light[c] + light[d])
        halves += 4 * light[(a + b + c + d + 2) / 4]
      }
    }
    let area = Float(cell * cell)
    return abs(Int(SRGB.encode8(whole / area)) - Int(SRGB.encode8(halves / area))) > tolerance
  }
}
