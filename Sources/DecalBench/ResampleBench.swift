import Imaging

/// Times the way from stored pixels to a finished bitmap, stage by stage.
enum ResampleBench {
  static func run() {
    let side = 3000
    let pixels = (0..<side * side * 4).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let clock = ContinuousClock()
    func time(_ name: String, _ work: () -> Void) {
      let best = (0..<3).map { _ in clock.measure(work) }.min() ?? .zero
      let milliseconds = Double(best.components.attoseconds) / 1e15 + Double(best.components.seconds) * 1000
      print(Bench.cell(Bench.fixed(milliseconds, 1), 8) + " ms  " + name)
    }
    pixels.withUnsafeBufferPointer { pixels in
      let length = side * 4
      func row(_ y: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: pixels[y * length..<(y + 1) * length])
      }
      let scratch = UnsafeMutableBufferPointer<Float>.allocate(capacity: length)
      defer { scratch.deallocate() }
      time("8-bit sRGB to premultiplied linear light, 3000x3000 px") {
        for y in 0..<side { SRGB.premultiply(row(y), into: scratch) }
      }
      for kernel in Kernel.allCases {
        let resampler = Resampler(
          source: PixelSize(square: side), target: PixelSize(square: 618), kernel: kernel)
        time("the same and to 618x618 px by \(kernel.rawValue)") {
          _ = resampler.resample { y, output in SRGB.premultiply(row(y), into: output) }
        }
      }
      let small = LinearBitmap(size: PixelSize(square: 618), samples: [Float](repeating: 0.5, count: 618 * 618 * 4))
      time("618x618 px to straight 8 bits") { _ = small.bitmap() }
    }
  }
}
