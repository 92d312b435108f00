extension Bitmap {
  /// The part of the opaque area that is a smooth gradient, which few colors show as bands.
  ///
  /// A place is in a gradient where the sum of the channels rises or falls evenly over 18 px, by 1 to 15 levels a channel
  /// every 6 px. Every second pixel of every second row is looked at.
  public var gradientShare: Double {
    var (smooth, opaque) = (0, 0)
    pixels.withUnsafeBufferPointer { pixels in
      /// The sum of the channels, or nil where it is not opaque.
      func sum(_ x: Int, _ y: Int) -> Int? {
        let i = (y * size.width + x) * 4
        return pixels[i + 3] == 255 ? Int(pixels[i]) + Int(pixels[i + 1]) + Int(pixels[i + 2]) : nil
      }
      func isSmooth(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Bool {
        guard x + 18 * dx < size.width, y + 18 * dy < size.height, var last = sum(x, y) else { return false }
        var (least, most) = (Int.max, Int.min)
        for step in 1...3 {
          guard let here = sum(x + 6 * step * dx, y + 6 * step * dy) else { return false }
          (least, most, last) = (min(least, here - last), max(most, here - last), here)
        }
        if most < 0 { (least, most) = (-most, -least) }
        return least >= 3 && most <= 45 && most - least <= max(5, most * 2 / 5)
      }
      for y in stride(from: 0, to: size.height, by: 2) {
        for x in stride(from: 0, to: size.width, by: 2) where pixels[(y * size.width + x) * 4 + 3] == 255 {
          opaque += 1
          if isSmooth(x, y, 1, 0) || isSmooth(x, y, 0, 1) { smooth += 1 }
        }
      }
    }
    return opaque == 0 ? 0 : Double(smooth) / Double(opaque)
  }

  /// The number of distinct colors, counted up to a limit.
  public func colors(upTo limit: Int) -> Int {
    var colors: Set<UInt32> = []
    withPackedPixels { pixels in
      for color in pixels where colors.count < limit { colors.insert(color) }
    }
    return colors.count
  }
}
