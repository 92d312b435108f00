extension Raster {
  /// The upright picture: the stored pixels in another order, each exactly as it was.
  public func upright(_ orientation: Orientation) -> Raster {
    if orientation == .up { return self }
    let upright: Samples
    switch samples {
    case .rgba8(let stored): upright = .rgba8(permute(stored, orientation))
    case .rgba16(let stored): upright = .rgba16(permute(stored, orientation))
    case .cmyk8(let stored): upright = .cmyk8(permute(stored, orientation))
    }
    return Raster(size: orientation.swapsSides ? size.transposed : size, samples: upright)
  }

  /// Walks the upright picture row by row, and the stored one from `first` by `column` and `row` pixels.
  private func permute<Sample: SIMDScalar & FixedWidthInteger>(_ stored: [Sample], _ orientation: Orientation)
    -> [Sample]
  {
    let walk = orientation.walk(over: size)
    let upright = orientation.swapsSides ? size.transposed : size
    return [Sample](unsafeUninitializedCapacity: stored.count) { output, count in
      count = stored.count
      stored.withUnsafeBytes { bytes in
        let from = bytes.assumingMemoryBound(to: SIMD4<Sample>.self)
        let to = UnsafeMutableRawBufferPointer(output).assumingMemoryBound(to: SIMD4<Sample>.self)
        // Tiles keep both pictures in the cache where rows become columns.
        let tile = 32
        for top in stride(from: 0, to: upright.height, by: tile) {
          for left in stride(from: 0, to: upright.width, by: tile) {
            for y in top..<min(top + tile, upright.height) {
              var place = walk.first + left * walk.column + y * walk.row
              for x in left..<min(left + tile, upright.width) {
                to[y * upright.width + x] = from[place]
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
