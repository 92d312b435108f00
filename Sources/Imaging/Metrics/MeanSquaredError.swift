/// The mean squared error between two pictures of one size, in squared 8-bit units of `PerceptualSpace`: the mean over a
/// black and a white ground, chroma weighted.
///
/// Every `stride`th pixel is looked at.
public func meanSquaredError(_ a: Bitmap, _ b: Bitmap, stride step: Int = 5) -> Double {
  precondition(a.size == b.size, "pictures that are compared have one size")
  var sum = 0.0
  var seen = 0
  a.withPackedPixels { a in
    b.withPackedPixels { b in
      for i in Swift.stride(from: 0, to: a.count, by: step) {
        seen += 1
        if a[i] == b[i] { continue }
        sum += Double(PerceptualSpace.distance(PerceptualSpace.point(a[i]), PerceptualSpace.point(b[i])))
      }
    }
  }
  return seen == 0 ? 0 : sum / Double(seen)
}
