extension LinearBitmap {
  /// A rectangle of the picture; it must lie inside.
  func cropped(to rect: PixelRect) -> LinearBitmap {
    if rect == PixelRect(size) { return self }
    precondition(rect.intersection(PixelRect(size)) == rect, "inside the picture")
    var samples: [Float] = []
    samples.reserveCapacity(rect.size.area * 4)
    for y in rect.y..<rect.maxY {
      let start = (y * size.width + rect.x) * 4
      samples.append(contentsOf: self.samples[start..<start + rect.width * 4])
    }
    return LinearBitmap(size: rect.size, samples: samples)
  }

  /// The middle of the picture; it must be at least as large.
  func centered(_ target: PixelSize) -> LinearBitmap {
    cropped(
      to: PixelRect(
        x: (size.width - target.width) / 2, y: (size.height - target.height) / 2, width: target.width,
        height: target.height))
  }

  /// The picture with rows and columns exchanged.
  func transposed() -> LinearBitmap {
    var result = LinearBitmap(size: size.transposed)
    result.samples.withUnsafeMutableBytes { output in
      samples.withUnsafeBytes { input in
        let target = output.assumingMemoryBound(to: SIMD4<Float>.self)
        let source = input.assumingMemoryBound(to: SIMD4<Float>.self)
        for y in 0..<size.height {
          for x in 0..<size.width { target[x * size.height + y] = source[y * size.width + x] }
        }
      }
    }
    return result
  }

  /// Sets every alpha to 1 and leaves the colors; what has that already is not copied.
  mutating func makeOpaque() {
    let isOpaque = samples.withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: SIMD4<Float>.self).allSatisfy { $0.w == 1 }
    }
    if isOpaque { return }
    samples.withUnsafeMutableBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<Float>.self)
      for i in 0..<pixels.count { pixels[i].w = 1 }
    }
  }

  /// Takes solid pixels to full alpha with their own color; answers whether others are left.
  mutating func resolveSolid() -> Bool {
    samples.withUnsafeMutableBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<Float>.self)
      var hasHoles = false
      for i in 0..<pixels.count where pixels[i].w < 1 {
        if pixels[i].w >= IconShape.solidAlpha { pixels[i] /= pixels[i].w } else { hasHoles = true }
      }
      return hasHoles
    }
  }
}
