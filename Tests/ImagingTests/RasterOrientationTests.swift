import Imaging
import Testing

@Suite("Orientation")
struct RasterOrientationTests {
  /// Where EXIF puts the upright pixel at a column and a row of an upright picture of a size.
  private func stored(_ orientation: Orientation, _ x: Int, _ y: Int, _ upright: PixelSize) -> (x: Int, y: Int) {
    let (right, bottom) = (upright.width - 1 - x, upright.height - 1 - y)
    return switch orientation {
    case .up: (x, y)
    case .upMirrored: (right, y)
    case .down: (right, bottom)
    case .downMirrored: (x, bottom)
    case .leftMirrored: (y, x)
    case .right: (y, right)
    case .rightMirrored: (bottom, right)
    case .left: (bottom, x)
    }
  }

  @Test("all eight orientations give the same upright picture", arguments: Orientation.allCases)
  func upright(orientation: Orientation) {
    let upright = PixelSize(width: 70, height: 41)
    let size = orientation.swapsSides ? upright.transposed : upright
    var narrow = [UInt8](repeating: 0, count: size.area * 4)
    var wide = [UInt16](repeating: 0, count: size.area * 4)
    var expected: [UInt16] = []
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let place = stored(orientation, x, y, upright)
        for (channel, value) in [x, y, x ^ y, 255].enumerated() {
          narrow[(place.y * size.width + place.x) * 4 + channel] = UInt8(value)
          wide[(place.y * size.width + place.x) * 4 + channel] = UInt16(value * 257)
          expected.append(UInt16(value))
        }
      }
    }
    let narrowUpright = Raster(size: size, samples: .rgba8(narrow)).upright(orientation)
    #expect(narrowUpright.equals(Raster(size: upright, samples: .rgba8(expected.map { UInt8($0) }))))
    let wideUpright = Raster(size: size, samples: .rgba16(wide)).upright(orientation)
    #expect(wideUpright.equals(Raster(size: upright, samples: .rgba16(expected.map { $0 * 257 }))))
    let ink = Raster(size: size, samples: .cmyk8(narrow)).upright(orientation)
    #expect(ink.equals(Raster(size: upright, samples: .cmyk8(expected.map { UInt8($0) }))))
  }

  @Test("a picture lying on its side has its top at the right")
  func corners() {
    // Orientation 6, as telephones write it: row 0 of the file is the right side of the picture.
    let red: [UInt8] = [255, 0, 0, 255]
    let blue: [UInt8] = [0, 0, 255, 255]
    let upright = Raster(size: PixelSize(width: 1, height: 2), samples: .rgba8(red + blue)).upright(.right)
    #expect(upright.equals(Raster(size: PixelSize(width: 2, height: 1), samples: .rgba8(blue + red))))
  }

  @Test("pictures differ by size, layout or one sample")
  func equality() {
    let size = PixelSize(width: 2, height: 1)
    let raster = Raster(size: size, samples: .rgba8([1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(raster.equals(Raster(size: size, samples: .rgba8([1, 2, 3, 4, 5, 6, 7, 8]))))
    #expect(!raster.equals(Raster(size: size, samples: .rgba8([1, 2, 3, 4, 5, 6, 7, 9]))))
    #expect(!raster.equals(Raster(size: size, samples: .cmyk8([1, 2, 3, 4, 5, 6, 7, 8]))))
    #expect(!raster.equals(Raster(size: size.transposed, samples: .rgba8([1, 2, 3, 4, 5, 6, 7, 8]))))
  }

  @Test("bands hold the rows of the upright picture", arguments: Orientation.allCases)
  func bands(orientation: Orientation) {
    let size = PixelSize(width: 150, height: 131)
    let stored = Raster(size: size, samples: .rgba16((0..<size.area * 4).map { UInt16(truncatingIfNeeded: $0 &* 977) }))
    let upright = stored.upright(orientation)
    guard case .rgba16(let expected) = upright.samples else { return }
    var bands = UprightBands(stored, orientation)
    #expect(bands.size == upright.size)
    let length = upright.size.width * 4
    for y in [0, 1, 63, 64, 65, 2, bands.size.height - 1] {
      let (band, row) = bands.row(y)
      guard case .rgba16(let samples) = band.samples else { continue }
      #expect(samples[row * length..<(row + 1) * length] == expected[y * length..<(y + 1) * length])
    }
    var all: [UInt16] = []
    bands.forEach { band, start in
      #expect(start * length == all.count)
      if case .rgba16(let samples) = band.samples { all += samples }
    }
    #expect(all == expected)
  }
}
