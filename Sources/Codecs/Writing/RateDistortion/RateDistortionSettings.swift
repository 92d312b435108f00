/// The trade between bytes and visible error of one pass.
struct RateDistortionSettings {
  /// Squared error that one bit may cost; the one knob of the search.
  var lambda: Float
  /// Weight of a change where the source does not change, the guard against flicker.
  var stillness: Float = 0.15
  /// Earlier places where the same bytes were expected that may be copied from.
  var expectedHits = 2
  /// Earlier places where the bytes that are expected were chosen that may be copied from.
  var chosenHits = 4
  /// Copies that compete at once, by fours.
  var copyGroups = 4
  /// How often a frame is coded anew, with prices learned from its own tokens.
  var repeats = 0
  /// The share of a row's error that the next row makes up for where the picture is busiest.
  ///
  /// A dither that hides in what is there. More costs more bytes than it is worth.
  var diffusion: Float = 0.6
  /// The same where the picture is flat, for a palette of endless steps; less where they are small, see
  /// `flatDiffusions`.
  var flatDiffusion: Float = 0.6

  /// A squared step between entries that is seen as much as it is not.
  private static let visibleStep: Float = 80
  /// How many lambdas a squared step weighs: where bits are dear, a dither costs more than rings do.
  private static let lambdasOfStep: Float = 12

  /// The share of an error that is made up for in flat places, by the nearest of the entries at `points`.
  ///
  /// Rings in a glow and steps in a gradient come from a palette too coarse for it: the farther an entry's second
  /// nearest neighbor, the more is diffused. Where entries lie close, and where an entry is met exactly, nothing is.
  func flatDiffusions(_ points: [SIMD4<Float>]) -> [Float] {
    let doubt = Self.lambdasOfStep * lambda + Self.visibleStep
    return points.map { point in
      var (first, second) = (Float.infinity, Float.infinity)
      for other in points where other != point {
        let step = squaredLength(other - point)
        if step < first { (first, second) = (step, first) } else if step < second { second = step }
      }
      return second.isFinite ? flatDiffusion * second / (second + doubt) : 0
    }
  }
}
