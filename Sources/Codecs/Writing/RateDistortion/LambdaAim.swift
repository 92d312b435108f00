#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Steers lambda towards a size: log of size, and of error, against log of lambda are close to lines.
struct LambdaAim {
  struct Slopes {
    var size = -0.33
    var error = 0.5
  }

  /// What two lambdas nearer to each other than this, in logs, come to tells more of the palette between them than of lambda.
  private static let tellingRun = 0.2

  private(set) var lambda: Double
  private(set) var slopes: Slopes
  /// The error at lambda, as the line has it.
  private(set) var expectedError = 0.0
  private let range: ClosedRange<Double>
  private var last: (lambda: Double, size: Double, error: Double)?

  init(start: Double, range: ClosedRange<Double>, _ slopes: Slopes) {
    lambda = min(max(start, range.lowerBound), range.upperBound)
    self.range = range
    self.slopes = slopes
  }

  /// Takes the lambda that a pass was led to for the one that it began with.
  mutating func take(_ lambda: Double) { self.lambda = min(max(lambda, range.lowerBound), range.upperBound) }

  /// Moves lambda after a size was seen; false where there is nowhere to go.
  @discardableResult
  mutating func move(size: Double, target: Double, error: Double = 0) -> Bool {
    if let last, abs(log(lambda / last.lambda)) > Self.tellingRun {
      let run = log(lambda / last.lambda)
      slopes.size = min(max(log(size / last.size) / run, -0.9), -0.12)
      if error > 0, last.error > 0 { slopes.error = min(max(log(error / last.error) / run, 0), 1) }
    }
    last = (lambda, size, error)
    let step = min(max(log(target / size) / slopes.size, -2.5), 2.5)
    let next = min(max(lambda * exp(step), range.lowerBound), range.upperBound)
    expectedError = error * exp(log(next / lambda) * slopes.error)
    if next == lambda { return false }
    lambda = next
    return true
  }
}
