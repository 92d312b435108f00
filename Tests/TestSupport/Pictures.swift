public import Imaging

/// Makes a picture pixel by pixel.
public func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> RGBA8) -> Bitmap {
  var bitmap = Bitmap(size: PixelSize(width: width, height: height))
  for y in 0..<height {
    for x in 0..<width { bitmap[x, y] = color(x, y) }
  }
  return bitmap
}

extension RGBA8 {
  /// The greatest difference of red, green and blue.
  public func colorDistance(to other: RGBA8) -> Int {
    max(
      abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)), abs(Int(blue) - Int(other.blue)))
  }
}
