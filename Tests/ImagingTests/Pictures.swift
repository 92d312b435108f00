import Imaging
import TestSupport

extension Bitmap {
  /// The picture on a square canvas, as a sticker is made.
  func pressed(_ side: Int, fit: Fit = .contain, kernel: Kernel = .default, padding: Int = 0) -> Bitmap {
    let placement = Placement(art: PixelRect(size), canvas: PixelSize(square: side), fit: fit, padding: padding)
    return Resampler(source: size, placement: placement, kernel: kernel).resample(linear)
      .placed(on: placement.canvas, x: placement.target.x, y: placement.target.y).bitmap()
  }

  /// The picture with left and right exchanged.
  var mirrored: Bitmap { picture(size.width, size.height) { self[size.width - 1 - $0, $1] } }

  /// The picture with top and bottom exchanged.
  var flipped: Bitmap { picture(size.width, size.height) { self[$0, size.height - 1 - $1] } }

  /// The picture with rows and columns exchanged.
  var transposed: Bitmap { picture(size.height, size.width) { self[$1, $0] } }

  /// The colors of all pixels, row by row.
  var colors: [RGBA8] {
    (0..<size.area).map { self[$0 % size.width, $0 / size.width] }
  }

  /// The greatest difference of any sample from that of another picture of the size.
  func distance(to other: Bitmap) -> Int {
    zip(pixels, other.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  /// The smallest rectangle that holds the pixels that a test picks.
  func box(where picks: (RGBA8) -> Bool) -> PixelRect {
    var box = PixelRect(x: 0, y: 0, width: 0, height: 0)
    for y in 0..<size.height {
      for x in 0..<size.width where picks(self[x, y]) { box = box.union(PixelRect(x: x, y: y, width: 1, height: 1)) }
    }
    return box
  }
}
