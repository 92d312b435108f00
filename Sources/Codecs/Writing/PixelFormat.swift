import Imaging

/// How pixels are stored in a PNG: color type, bits a sample, and what goes into PLTE and tRNS.
///
/// Source: PNG specification, third edition, sections 4.4 and 11.2.
struct PixelFormat: Hashable {
  enum Layout: Hashable {
    /// Gray samples; the value that means clear, if one does.
    case gray(clear: UInt8?)
    /// R, G, B; the packed color that means clear, if one does.
    case rgb(clear: UInt32?)
    case indexed(Palette)
    case grayAlpha
    case rgba
  }

  var layout: Layout
  /// 1, 2, 4 or 8.
  var bitDepth: Int

  init(_ layout: Layout, bitDepth: Int = 8) {
    self.layout = layout
    self.bitDepth = bitDepth
  }

  /// Indexed color at 8 bits: FFmpeg 5.1 shows later frames of an animation wrongly at fewer.
  init(palette: Palette) { self.init(.indexed(palette)) }

  /// Indexed color at the fewest bits that hold all entries, for stills.
  init(packing palette: Palette) {
    let count = palette.colors.count
    self.init(.indexed(palette), bitDepth: count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8)
  }

  var colorType: UInt8 {
    switch layout {
    case .gray: 0
    case .rgb: 2
    case .indexed: 3
    case .grayAlpha: 4
    case .rgba: 6
    }
  }

  var channels: Int {
    switch layout {
    case .gray, .indexed: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }

  /// The bytes of one pixel, at least 1: the distance at which row filters predict.
  var filterUnit: Int { max(1, channels * bitDepth / 8) }

  func rowBytes(width: Int) -> Int { (width * channels * bitDepth + 7) / 8 }
}

/// Rows of samples as PNG wants them, before filtering.
struct PackedRows {
  var bytes: [UInt8]
  let rowBytes: Int
  let height: Int
  let filterUnit: Int
}

extension PixelFormat {
  /// Packs visible colors (clear is 0), row by row; every color must be one that the format can hold.
  func pack(_ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int) -> PackedRows {
    switch layout {
    case .gray(let clear):
      let shift = UInt32(8 - bitDepth)
      let hole = UInt8(clear ?? 0) >> UInt8(shift)
      return packSamples(width: width, height: height) { i in
        pixels[i] == 0 && clear != nil ? hole : UInt8(truncatingIfNeeded: (pixels[i] & 255) >> shift)
      }
    case .indexed(let palette):
      let lookup = ColorIndex(palette)
      return packSamples(width: width, height: height) { lookup.index(of: pixels[$0]) }
    case .rgb(let clear):
      return packBytes(pixels, width: width, height: height) { color, output in
        let color = clear.map { color == 0 ? $0 : color } ?? color
        output[0] = UInt8(truncatingIfNeeded: color)
        output[1] = UInt8(truncatingIfNeeded: color >> 8)
        output[2] = UInt8(truncatingIfNeeded: color >> 16)
      }
    case .grayAlpha:
      return packBytes(pixels, width: width, height: height) { color, output in
        output[0] = UInt8(truncatingIfNeeded: color)
        output[1] = UInt8(truncatingIfNeeded: color >> 24)
      }
    case .rgba:
      return packBytes(pixels, width: width, height: height) { color, output in
        output[0] = UInt8(truncatingIfNeeded: color)
        output[1] = UInt8(truncatingIfNeeded: color >> 8)
        output[2] = UInt8(truncatingIfNeeded: color >> 16)
        output[3] = UInt8(truncatingIfNeeded: color >> 24)
      }
    }
  }

  /// Packs palette indices.
  func pack(_ indices: [UInt8], width: Int, height: Int) -> PackedRows {
    indices.withUnsafeBufferPointer { indices in packSamples(width: width, height: height) { indices[$0] } }
  }

  @inline(__always)
  private func packSamples(width: Int, height: Int, _ sample: (Int) -> UInt8) -> PackedRows {
    let rowBytes = rowBytes(width: width)
    let bytes = [UInt8](unsafeUninitializedCapacity: rowBytes * height) { output, count in
      count = rowBytes * height
      if bitDepth == 8 {
        for i in 0..<width * height { output[i] = sample(i) }
        return
      }
      output.initialize(repeating: 0)
      let perByte = 8 / bitDepth
      for y in 0..<height {
        for x in 0..<width {
          let shift = 8 - bitDepth - x % perByte * bitDepth
          output[y * rowBytes + x / perByte] |= sample(y * width + x) << UInt8(shift)
        }
      }
    }
    return PackedRows(bytes: bytes, rowBytes: rowBytes, height: height, filterUnit: filterUnit)
  }

  @inline(__always)
  private func packBytes(
    _ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int,
    _ write: (UInt32, UnsafeMutablePointer<UInt8>) -> Void
  ) -> PackedRows {
    let channels = channels
    let bytes = [UInt8](unsafeUninitializedCapacity: width * height * channels) { output, count in
      count = width * height * channels
      guard let start = output.baseAddress else { return }
      for i in 0..<width * height { write(pixels[i], start + i * channels) }
    }
    return PackedRows(bytes: bytes, rowBytes: width * channels, height: height, filterUnit: filterUnit)
  }
}

/// From packed colors to the indices of a palette that holds them all.
struct ColorIndex {
  private static let slots = 1024
  private var colors = [UInt32](repeating: 0, count: slots)
  /// -1 where a slot is free.
  private var numbers = [Int16](repeating: -1, count: slots)

  init(_ palette: Palette) {
    for (number, color) in palette.colors.enumerated() {
      let packed = color.packed
      var slot = Self.home(packed)
      while numbers[slot] >= 0 { slot = (slot + 1) & (Self.slots - 1) }
      colors[slot] = packed
      numbers[slot] = Int16(number)
    }
  }

  /// The index of a color that the palette holds.
  @inline(__always)
  func index(of color: UInt32) -> UInt8 {
    var slot = Self.home(color)
    while numbers[slot] >= 0 {
      if colors[slot] == color { return UInt8(truncatingIfNeeded: numbers[slot]) }
      slot = (slot + 1) & (Self.slots - 1)
    }
    preconditionFailure("a color is not in the exact palette")
  }

  @inline(__always)
  private static func home(_ color: UInt32) -> Int { Int((color &* 2_654_435_761) >> 22) }
}
