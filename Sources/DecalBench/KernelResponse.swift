import Foundation
import Imaging

extension KernelBench {
  /// Stripes in linear light; `cycles` of them over `width` pixels.
  private static func stripes(_ width: Int, cycles: Double) -> LinearBitmap {
    var image = LinearBitmap(size: PixelSize(width: width, height: 1))
    for x in 0..<width {
      // A quarter of a cycle off, so that neither the crests nor the zeros meet the pixels.
      let value = Float(0.5 + 0.4 * sin((Double(x) + 0.5) / Double(width) * cycles * 2 * .pi + 0.785))
      for channel in 0..<4 { image.samples[x * 4 + channel] = channel == 3 ? 1 : value }
    }
    return image
  }

  /// The contrast that is left of stripes, 1 = all of it.
  private static func contrast(_ method: Method, cycles: Double) -> Double {
    let made = method(stripes(1024, cycles: cycles), 256, 1).samples
    let power = stride(from: 0, to: made.count, by: 4).reduce(0.0) { $0 + pow(Double(made[$1]) - 0.5, 2) }
    return (power / 256 * 2).squareRoot() / 0.4
  }

  /// What is left, in percent, of stripes beyond the 128 cycles that 256 pixels can show.
  static func alias(_ method: Method) -> Double {
    let left = stride(from: 161.0, to: 500, by: 13).map { contrast(method, cycles: $0) }
    return (left.reduce(0) { $0 + $1 * $1 } / Double(left.count)).squareRoot() * 100
  }

  /// What is left, in percent, of stripes of 64 cycles over 256 pixels.
  static func detail(_ method: Method) -> Double { contrast(method, cycles: 64) * 100 }

  /// The way from 10 to 90 percent at a hard edge made 4 times smaller, in target pixels, over all places of the edge.
  static func edgeWidth(_ method: Method) -> Double {
    // The edge moves by a quarter of a target pixel: together the four are one edge, sampled four times as finely.
    var samples: [(x: Double, value: Double)] = []
    for shift in 0..<4 {
      var image = LinearBitmap(size: PixelSize(width: 256, height: 1))
      for i in 0..<256 {
        for channel in 0..<4 { image.samples[i * 4 + channel] = channel == 3 || i >= 128 + shift ? 1 : 0 }
      }
      let made = method(image, 64, 1)
      samples += (0..<64).map { ((Double($0) + 0.5) - Double(128 + shift) / 4, Double(made.samples[$0 * 4])) }
    }
    samples.sort { $0.x < $1.x }
    func crossing(_ level: Double) -> Double {
      let middle = samples.firstIndex { $0.x >= 0 } ?? 0
      var i = middle
      while i > 0, samples[i - 1].value > level { i -= 1 }
      while i < samples.count - 1, samples[i].value <= level { i += 1 }
      let (a, b) = (samples[max(i - 1, 0)], samples[i])
      return b.value == a.value ? b.x : a.x + (b.x - a.x) * (level - a.value) / (b.value - a.value)
    }
    return crossing(0.9) - crossing(0.1)
  }

  /// How far a ramp of 64 pixels made 300 is from even, away from its ends, in thousandths of a pixel's step.
  static func ramp(_ method: Method) -> Double {
    var image = LinearBitmap(size: PixelSize(width: 64, height: 1))
    for i in 0..<image.samples.count { image.samples[i] = i % 4 == 3 ? 1 : Float(i / 4) / 64 }
    let made = method(image, 300, 1).samples
    return (20..<280).reduce(0) { worst, x in
      let exact = ((Double(x) + 0.5) * 64 / 300 - 0.5) / 64
      return max(worst, abs(Double(made[x * 4]) - exact) * 64 * 1000)
    }
  }
}
