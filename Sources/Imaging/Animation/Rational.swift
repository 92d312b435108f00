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
  ///
  /// Sums may have terms of nearly 64 bits, so that nothing is multiplied within them.
  public var milliseconds: Int {
    let (whole, part) = numerator.quotientAndRemainder(dividingBy: denominator)
    let (thousandths, rest) = denominator.dividingFullWidth(part.multipliedFullWidth(by: 1000))
    return whole * 1000 + thousandths + (rest >= denominator - rest ? 1 : 0)
  }

  /// The exact half; where its terms pass 64 bits, the nearest that fits.
  public var half: Rational {
    let (twice, over) = denominator.multipliedReportingOverflow(by: 2)
    return over ? Rational(numerator / 2, denominator) : Rational(numerator, twice)
  }

  /// The exact sum; where its terms pass 64 bits (files may name any denominators), the nearest microsecond.
  public static func + (a: Rational, b: Rational) -> Rational {
    let divisor = greatestCommonDivisor(a.denominator, b.denominator)
    let (left, leftOver) = a.numerator.multipliedReportingOverflow(by: b.denominator / divisor)
    let (right, rightOver) = b.numerator.multipliedReportingOverflow(by: a.denominator / divisor)
    let (numerator, sumOver) = left.addingReportingOverflow(right)
    let (denominator, over) = (a.denominator / divisor).multipliedReportingOverflow(by: b.denominator)
    if leftOver || rightOver || sumOver || over {
      return Rational(Int((a.value + b.value) * 1_000_000 + 0.5), 1_000_000)
    }
    return Rational(numerator, denominator)
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
