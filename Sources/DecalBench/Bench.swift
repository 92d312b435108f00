/// The measurements behind the project's choices; `swift run -c release DecalBench NAME`.
enum Bench {
  /// Runs the measurement that is named, or lists them.
  static func run(_ arguments: [String]) {
    switch arguments.first {
    case "kernels": KernelBench.run()
    case "resample": ResampleBench.run()
    case "build" where arguments.count > 1:
      do { try BuildBench.run(program: arguments[1]) } catch { print("\(error)") }
    case "conformance": ConformanceRun.run(corpus: arguments.dropFirst().first)
    case "hostile": HostileRun.run(corpus: arguments.dropFirst().first)
    case "floor": FloorBench.run(Array(arguments.dropFirst()))
    case "encode": EncodeBench.run(Array(arguments.dropFirst()))
    case "strict": StrictBench.run(Array(arguments.dropFirst()))
    case "clips": ClipsCommand.run(Array(arguments.dropFirst()))
    case "long": LongClip.run(Array(arguments.dropFirst()))
    case "quality": QualityBench.run(Array(arguments.dropFirst()))
    case "differences": QualityBench.differences(Array(arguments.dropFirst()))
    case "read": HostileRun.read(Array(arguments.dropFirst()))
    case "render" where arguments.count > 2:
      RenderBench.run(side: Int(arguments[1]) ?? 300, files: Array(arguments.dropFirst(2)))
    default:
      print(
        "usage: DecalBench kernels | resample | render SIDE FILE... | conformance [CORPUS] | hostile [CORPUS] | read FILE... | clips DIR | long FRAMES SIDE FILE | quality TARGET SHOWN... | strict FILE... | encode DIR FILE... | floor LEVEL SOURCE RESULT... | build DECAL"
      )
      print("  kernels   what each resampling kernel does to edges, lines, glows and fine patterns")
      print("  hostile   memory and time of every file of the corpus that was made to do harm; read decodes files")
      print("  build     builds with little to do beside ninja, and what watching costs; DECAL is the built program")
      print("  conformance  every file of the test suites against its reference; writes CONFORMANCE.md")
      print("  resample  how long a 3000x3000 px picture takes to become 618x618 px")
      print("  clips     made animations of six kinds, written there as lossless APNG")
      print("  long      writes a GIF of many frames in which every pixel moves")
      print(
        "  quality   score, flicker and milliseconds of finished animations; differences COUNT: what its weights weigh")
      print("  encode    stills written as the smallest PNG of the same pixels")
      print("  floor     decodes a source, compresses finished PNGs again: what the libraries alone take")
      print("  strict    finished animations by the strict decoder of the tests and by libpng: all see the same")
      print("  render    how art files become a sticker's pixels: milliseconds, frames, source size, diagnostics")
    }
  }

  /// A table cell, aligned to the right.
  static func cell(_ text: String, _ width: Int = 9) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  /// A number with a fixed number of decimals.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var factor = 1
    for _ in 0..<decimals { factor *= 10 }
    let rounded = Int((abs(value) * Double(factor)).rounded())
    let sign = value < 0 && rounded > 0 ? "-" : ""
    let fraction = String(rounded % factor)
    let digits = decimals == 0 ? "" : "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    return sign + String(rounded / factor) + digits
  }
}
