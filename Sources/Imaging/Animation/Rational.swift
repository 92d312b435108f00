/// An exact fraction in lowest terms, used for delays and durations in seconds.
public struct Rational: Hashable, Sendable {
  /// The numerator.
  public let numerator: Int
  /// The denominator, at least 1.
  public let denominator: Int

  /// Makes a fraction and reduces it; the denominator must be positive.
  public init(_ numerator: Int, _ denominator: Int = 1) {
    precondition(denominator > 0, "a denominator is positive")
    let divisor = Rational.greatestCommonDivisor(abs(numerator), denominator)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// Zero.
  public static let zero = Rational(0)

  /// The value in floating point.
  public var value: Double { Double(numerator) / Double(denominator) }

  /// The value in thousandths, rounded half up: milliseconds where this is seconds.
  public var milliseconds: Int { (numerator * 2000 + denominator) / (denominator * 2) }

  /// The exact sum.
  public static func + (a: Rational, b: Rational) -> Rational {
    let divisor = greatestCommonDivisor(a.denominator, b.denominator)
    return Rational(
      a.numerator * (b.denominator / divisor) + b.numerator * (a.denominator / divisor),
      a.denominator / divisor * b.denominator)
  }

  /// Adds to the left side.
  public static func += (a: inout Rational, b: Rational) { a = a + b }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return max(a, 1)
  }
}

extension Rational: Comparable {
  /// Compares by value.
  public static func < (a: Rational, b: Rational) -> Bool {
    let left = a.numerator.multipliedFullWidth(by: b.denominator)
    let right = b.numerator.multipliedFullWidth(by: a.denominator)
    return (left.high, left.low) < (right.high, right.low)
  }
}
