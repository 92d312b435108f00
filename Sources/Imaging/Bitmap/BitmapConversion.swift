extension Bitmap {
  /// The picture in the working space.
  public var linear: LinearBitmap {
    LinearBitmap(
      size: size,
      samples: [Float](unsafeUninitializedCapacity: pixels.count) { output, count in
        count = pixels.count
        pixels.withUnsafeBufferPointer { SRGB.premultiply($0, into: output) }
      })
  }
}

extension LinearBitmap {
  /// The picture as 8-bit sRGB with straight alpha, each sample rounded to the nearest level.
  ///
  /// Color is divided by alpha before either is clamped; alpha that rounds to 0 gives transparent black.
  public func bitmap() -> Bitmap {
    Bitmap(
      size: size,
      pixels: [UInt8](unsafeUninitializedCapacity: samples.count) { output, count in
        count = samples.count
        samples.withUnsafeBufferPointer { SRGB.unpremultiply($0, into: output) }
      })
  }

  /// Puts a color under the whole picture, in linear light.
  public mutating func flatten(over matte: RGBA8) {
    let pixel = Bitmap(size: PixelSize(square: 1), fill: matte).linear.samples
    let under = SIMD4(pixel[0], pixel[1], pixel[2], pixel[3])
    samples.withUnsafeMutableBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<Float>.self)
      for i in 0..<pixels.count {
        pixels[i] += under * (1 - min(max(pixels[i].w, 0), 1))
      }
    }
  }

  /// The picture on a larger transparent canvas, its top left corner at a column and a row of the canvas.
  ///
  /// It must lie inside.
  public func placed(on canvas: PixelSize, x: Int, y: Int) -> LinearBitmap {
    if canvas == size { return self }
    precondition(
      x >= 0 && y >= 0 && x + size.width <= canvas.width && y + size.height <= canvas.height, "inside the canvas")
    return LinearBitmap(size: canvas) { pixels in
      samples.withUnsafeBytes { bytes in
        let source = bytes.assumingMemoryBound(to: SIMD4<Float>.self).baseAddress
        let (right, above) = (x + size.width, pixels + y * canvas.width)
        pixels.update(repeating: .zero, count: y * canvas.width)
        for row in 0..<size.height {
          let line = above + row * canvas.width
          line.update(repeating: .zero, count: x)
          if let source { (line + x).update(from: source + row * size.width, count: size.width) }
          (line + right).update(repeating: .zero, count: canvas.width - right)
        }
        let below = y + size.height
        (pixels + below * canvas.width).update(repeating: .zero, count: (canvas.height - below) * canvas.width)
      }
    }
  }
}
