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

/// What became of the soft pixels of a picture, alpha 17 to 239: how many there are, how many are still translucent, and
/// by how much alpha is off in all of them together.
public func softPixels(of source: Bitmap, in shown: Bitmap) -> (count: Int, kept: Int, error: Int) {
  var (count, kept, error) = (0, 0, 0)
  for y in 0..<source.size.height {
    for x in 0..<source.size.width where (17..<240).contains(source[x, y].alpha) {
      count += 1
      if (1...254).contains(shown[x, y].alpha) { kept += 1 }
      error += abs(Int(shown[x, y].alpha) - Int(source[x, y].alpha))
    }
  }
  return (count, kept, error)
}
