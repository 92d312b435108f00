import Imaging

/// One row a kernel: the figures that chose `Kernel.default` and `Overshoot.limited`.
enum KernelBench {
  private static let columns: [(name: String, measure: @Sendable (Method) -> String)] = [
    ("halo", { String(halo($0)) }), ("seam", { String(seam($0)) }), ("glow", { String(glow($0)) }),
    ("checker", { checker($0) }), ("mesh", { String(mesh($0)) }), ("lines", { lines($0) }),
    ("ringing", { String(ringing($0)) }), ("symmetry", { String(symmetry($0)) }),
    ("alias", { Bench.fixed(alias($0), 1) }), ("detail", { Bench.fixed(detail($0), 0) }),
    ("edge", { Bench.fixed(edgeWidth($0), 2) }),
    ("ramp", { Bench.fixed(ramp($0), 1) }),
  ]

  /// A kernel and what becomes of its overshoot.
  struct Method {
    var kernel: Kernel
    var overshoot: Overshoot

    func callAsFunction(_ image: LinearBitmap, _ width: Int, _ height: Int? = nil) -> LinearBitmap {
      Resampler(
        source: image.size, target: PixelSize(width: width, height: height ?? width), kernel: kernel,
        overshoot: overshoot
      ).resample(image)
    }
  }

  /// Prints the table and what its columns mean.
  static func run() {
    print("kernel              " + columns.map { Bench.cell($0.name) }.joined())
    for kernel in Kernel.allCases {
      for overshoot in Overshoot.allCases {
        let overshoots = ![.nearest, .box, .triangle].contains(kernel)
        if overshoot == .kept && !overshoots { continue }
        let name = kernel.rawValue + (overshoot == .kept ? ", kept" : overshoots ? ", limited" : "")
        let method = Method(kernel: kernel, overshoot: overshoot)
        print(name + Bench.cell("", 20 - name.count) + columns.map { Bench.cell($0.measure(method)) }.joined())
      }
    }
    print(
      """

      halo      levels that visible pixels of a red disc are off red, over white and black hidden color; at most 2
      seam      levels that pixels of a (200,200,200) plate with alpha of 16 and more are off; at most 1
      glow      levels that pixels of a glow with alpha 4 to 40 are off; at most 3
      checker   least and greatest level of a 1 px checkerboard made 4 times smaller; 186 to 190
      mesh      levels that 1 black pixel in 9 is off 242, 3 times smaller; at most 3
      lines     1 px lines of 32 that still show at 2048 to 300 px : strongest to weakest; 32, at most 1.4
      ringing   levels beyond the two flat colors of a plate; at most 20
      symmetry  levels between a round badge and its mirror image; at most 1
      alias     percent of the contrast of stripes too fine for the target that is left (root mean square)
      detail    percent of the contrast of stripes at half the target's limit that is left
      edge      target pixels that a hard edge takes from 10 to 90 percent
      ramp      thousandths of a step from pixel to pixel that an enlarged even ramp is off
      """)
  }

  private static func halo(_ method: Method) -> Int {
    [RGBA8(255, 255, 255, 0), RGBA8(0, 0, 0, 0)].flatMap { hidden in
      let disc = FieldArt.disc(hidden: hidden)
      return [300, 408, 618].map { worst(method(disc, $0), RGBA8(255, 0, 0), alpha: 8) }
    }.max() ?? 0
  }

  private static func seam(_ method: Method) -> Int {
    worst(method(FieldArt.plate, 300), RGBA8(200, 200, 200), alpha: 16)
  }

  private static func glow(_ method: Method) -> Int {
    let art = FieldArt.make(512, 512) { x, _ in RGBA8(255, 120, 0, UInt8(x * 40 / 511)) }
    return worst(method(art, 300), RGBA8(255, 120, 0), alpha: 4)
  }

  /// The greatest difference of any channel from a color, over pixels of at least an alpha.
  private static func worst(_ image: LinearBitmap, _ color: RGBA8, alpha: UInt8) -> Int {
    let pixels = image.bitmap().pixels
    let wanted = [Int(color.red), Int(color.green), Int(color.blue)]
    return stride(from: 0, to: pixels.count, by: 4).reduce(0) { worst, i in
      guard pixels[i + 3] >= alpha else { return worst }
      return (0..<3).reduce(worst) { max($0, abs(Int(pixels[i + $1]) - wanted[$1])) }
    }
  }

  private static func checker(_ method: Method) -> String {
    let art = FieldArt.make(1200, 1200) { x, y in (x + y) % 2 == 0 ? .white : .black }
    let pixels = method(art, 300).bitmap().pixels
    let reds = stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] }
    return "\(reds.min() ?? 0)-\(reds.max() ?? 0)"
  }

  private static func mesh(_ method: Method) -> Int {
    let art = FieldArt.make(1224, 1224) { x, y in x % 3 == 1 && y % 3 == 1 ? .black : .white }
    return worst(method(art, 408), RGBA8(242, 242, 242), alpha: 0)
  }

  private static func lines(_ method: Method) -> String {
    let art = FieldArt.make(2048, 8) { x, _ in x % 64 == 17 ? .black : .white }
    let row = method(art, 300, 8).bitmap()
    let darkness: [Int] = (0..<32).map { line in
      let center = Int(Double(17 + 64 * line) * 300 / 2048)
      return (center - 4...center + 4).reduce(0) { sum, x in
        x < 0 || x >= 300 ? sum : sum + 255 - Int(row[x, 4].red)
      }
    }
    let shown = (0..<32).count { line in
      let center = Int((Double(17 + 64 * line) * 300 / 2048).rounded())
      return (center - 1...center + 1).contains { row[$0, 4].red < 250 }
    }
    let ratio = Double(darkness.max() ?? 0) / Double(max(1, darkness.min() ?? 0))
    return "\(shown):\(Bench.fixed(min(ratio, 99), 2))"
  }

  private static func ringing(_ method: Method) -> Int {
    let art = FieldArt.make(512, 512) { x, y in
      (128...383).contains(x) && (128...383).contains(y) ? RGBA8(220, 220, 220) : RGBA8(32, 60, 200)
    }
    let floor = [32, 60, 200]
    return [192, 300].reduce(0) { worst, side in
      let pixels = method(art, side).bitmap().pixels
      return stride(from: 0, to: pixels.count, by: 4).reduce(worst) { worst, i in
        (0..<3).reduce(worst) { max($0, floor[$1] - Int(pixels[i + $1]), Int(pixels[i + $1]) - 220) }
      }
    }
  }

  private static func symmetry(_ method: Method) -> Int {
    let badge = FieldArt.badge
    return [369, 300, 100, 618].reduce(0) { worst, side in
      let image = method(badge, side).bitmap()
      return (0..<side * side).reduce(worst) { worst, i in
        let (x, y) = (i % side, i / side)
        let alpha = Int(image[x, y].alpha)
        return max(
          worst, abs(alpha - Int(image[side - 1 - x, y].alpha)), abs(alpha - Int(image[x, side - 1 - y].alpha)))
      }
    }
  }
}
