/// The connected parts of a mask, diagonal neighbors included.
struct MaskParts {
  /// For each pixel the number of its part, from 0; -1 outside.
  private(set) var labels: [Int32]
  /// The number of parts.
  private(set) var count = 0

  /// Finds the parts of the pixels that are not 0, in the order of their first pixels.
  init(_ mask: [UInt8], _ size: PixelSize) {
    labels = [Int32](repeating: -1, count: size.area)
    var stack: [Int] = []
    let (width, height) = (size.width, size.height)
    labels.withUnsafeMutableBufferPointer { labels in
      for start in 0..<size.area where mask[start] != 0 && labels[start] < 0 {
        let part = Int32(count)
        count += 1
        labels[start] = part
        stack.append(start)
        while let at = stack.popLast() {
          let (x, y) = (at % width, at / width)
          for row in max(y - 1, 0)...min(y + 1, height - 1) {
            for i in row * width + max(x - 1, 0)...row * width + min(x + 1, width - 1)
            where mask[i] != 0 && labels[i] < 0 {
              labels[i] = part
              stack.append(i)
            }
          }
        }
      }
    }
  }
}
