extension Raster {
  /// The upright picture: the stored pixels in another order, each exactly as it was.
  public func upright(_ orientation: Orientation) -> Raster {
    if orientation == .up { return self }
    return upright(orientation, rows: 0..<(orientation.swapsSides ? size.width : size.height))
  }

  /// Some rows of the upright picture.
  func upright(_ orientation: Orientation, rows: Range<Int>) -> Raster {
    let upright: Samples
    switch samples {
    case .rgba8(let stored): upright = .rgba8(permute(stored, orientation, rows))
    case .rgba16(let stored): upright = .rgba16(permute(stored, orientation, rows))
    case .cmyk8(let stored): upright = .cmyk8(permute(stored, orientation, rows))
    }
    let width = orientation.swapsSides ? size.height : size.width
    return Raster(size: PixelSize(width: width, height: rows.count), samples: upright)
  }

  /// Walks rows of the upright picture, and the stored one from `first` by `column` and `row` pixels.
  private func permute<Sample: SIMDScalar & FixedWidthInteger>(
    _ stored: [Sample], _ orientation: Orientation, _ rows: Range<Int>
  ) -> [Sample] {
    let walk = orientation.walk(over: size)
    let width = orientation.swapsSides ? size.height : size.width
    return [Sample](unsafeUninitializedCapacity: width * rows.count * 4) { output, count in
      count = width * rows.count * 4
      stored.withUnsafeBytes { bytes in
        let from = bytes.assumingMemoryBound(to: SIMD4<Sample>.self)
        let to = UnsafeMutableRawBufferPointer(output).assumingMemoryBound(to: SIMD4<Sample>.self)
        // Tiles keep both pictures in the cache where rows become columns.
        let tile = 32
        for top in stride(from: 0, to: rows.count, by: tile) {
          for left in stride(from: 0, to: width, by: tile) {
            for y in top..<min(top + tile, rows.count) {
              var place = walk.first + left * walk.column + (rows.lowerBound + y) * walk.row
              for x in left..<min(left + tile, width) {
                to[y * width + x] = from[place]
                place += walk.column
              }
            }
          }
        }
      }
    }
  }
}

extension Orientation {
  /// Where the upright picture's first pixel is stored, and the steps in stored pixels to its next column and row.
  fileprivate func walk(over stored: PixelSize) -> (first: Int, column: Int, row: Int) {
    let (width, height) = (stored.width, stored.height)
    let last = width * height - 1
    return switch self {
    case .up: (0, 1, width)
    case .upMirrored: (width - 1, -1, width)
    case .down: (last, -1, -width)
    case .downMirrored: (last - (width - 1), 1, -width)
    case .leftMirrored: (0, width, 1)
    case .right: (last - (width - 1), -width, 1)
    case .rightMirrored: (last, -width, -1)
    case .left: (width - 1, width, -1)
    }
  }
}
