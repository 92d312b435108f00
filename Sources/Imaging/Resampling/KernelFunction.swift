#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Kernel {
  /// The distance beyond which the kernel is 0, in target pixels of a reduction.
  var support: Double {
    switch self {
    case .nearest, .box: 0.5
    case .triangle: 1
    case .mitchell, .catmullRom, .lanczos2: 2
    case .lanczos3: 3
    }
  }

  /// Whether the kernel has negative lobes, which overshoot at edges.
  var overshoots: Bool { support > 1 }

  /// The kernel at a distance from its center, not normalized; box and nearest are weighed otherwise.
  func value(_ x: Double) -> Double {
    switch self {
    case .nearest, .box: abs(x) <= 0.5 ? 1 : 0
    case .triangle: max(0, 1 - abs(x))
    case .mitchell: Kernel.cubic(abs(x), b: 1.0 / 3, c: 1.0 / 3)
    case .catmullRom: Kernel.cubic(abs(x), b: 0, c: 0.5)
    case .lanczos2: Kernel.lanczos(x, lobes: 2)
    case .lanczos3: Kernel.lanczos(x, lobes: 3)
    }
  }

  /// The family of Mitchell and Netravali, "Reconstruction Filters in Computer Graphics", 1988, equation 8.
  private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
    if x < 1 { return (((12 - 9 * b - 6 * c) * x + (-18 + 12 * b + 6 * c)) * x * x + (6 - 2 * b)) / 6 }
    if x < 2 { return (((-b - 6 * c) * x + (6 * b + 30 * c)) * x + (-12 * b - 48 * c)) * x / 6 + (8 * b + 24 * c) / 6 }
    return 0
  }

  /// The cardinal sine under its own widened main lobe.
  private static func lanczos(_ x: Double, lobes: Double) -> Double {
    if abs(x) >= lobes { return 0 }
    return sinc(x) * sinc(x / lobes)
  }

  private static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : sin(.pi * x) / (.pi * x)
  }
}
