import Imaging

/// What a frame must change on the canvas.
struct FrameDifference {
  /// The smallest rectangle that holds every changed pixel.
  var rect: PixelRect
  /// How many pixels of it change.
  var changed: Int
  /// Whether every changed pixel is opaque, so that it can be drawn over the canvas with the rest left clear.
  ///
  /// Translucent pixels never are: decoders round their blending differently.
  var allowsOver: Bool

  /// The whole canvas, for the first frame.
  init(whole size: PixelSize) {
    rect = PixelRect(size)
    changed = size.area
    allowsOver = false
  }

  /// Compares what is shown with what comes next; nil where nothing changes.
  init?<Element: Equatable>(
    from shown: [Element], to next: [Element], size: PixelSize, isOpaque: (Element) -> Bool
  ) {
    precondition(shown.count == size.area && next.count == size.area, "planes have the canvas's size")
    var (left, right, top, bottom) = (size.width, -1, size.height, -1)
    var changed = 0
    var allowsOver = true
    shown.withUnsafeBufferPointer { shown in
      next.withUnsafeBufferPointer { next in
        for y in 0..<size.height {
          let row = y * size.width
          for x in 0..<size.width where shown[row + x] != next[row + x] {
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            bottom = y
            changed += 1
            if allowsOver, !isOpaque(next[row + x]) { allowsOver = false }
          }
        }
      }
    }
    guard changed > 0 else { return nil }
    rect = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    self.changed = changed
    self.allowsOver = allowsOver
  }

  /// Whether leaving unchanged pixels clear is so plainly better that the other way need not be priced.
  var isSparse: Bool { allowsOver && changed * 2 < rect.width * rect.height }

  /// The pixels of the rectangle, to replace what is shown.
  func source<Element>(_ next: [Element], width: Int) -> [Element] {
    var output: [Element] = []
    output.reserveCapacity(rect.width * rect.height)
    for y in rect.y..<rect.maxY { output += next[(y * width + rect.x)..<(y * width + rect.maxX)] }
    return output
  }

  /// The pixels of the rectangle, to be drawn over what is shown; `keep`, the clear one, where nothing changes.
  func over<Element: Equatable>(_ next: [Element], shown: [Element], width: Int, keep: Element) -> [Element] {
    [Element](unsafeUninitializedCapacity: rect.width * rect.height) { output, count in
      shown.withUnsafeBufferPointer { shown in
        next.withUnsafeBufferPointer { next in
          for y in 0..<rect.height {
            let start = (rect.y + y) * width + rect.x
            for x in 0..<rect.width {
              output[y * rect.width + x] = next[start + x] == shown[start + x] ? keep : next[start + x]
            }
          }
        }
      }
      count = rect.width * rect.height
    }
  }
}
