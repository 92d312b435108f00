import Imaging

/// A delay as fcTL stores it.
struct StoredDelay: Hashable {
  var numerator: UInt16
  var denominator: UInt16
}

/// Fits exact delays into the 16-bit fractions of APNG.
///
/// A delay that has no such fraction is shown in several parts whose sum is exact; where even that is impossible, the
/// nearest fraction is taken and what is missing is carried into the next delay.
struct DelayFitter {
  private static let limit = Int(UInt16.max)
  /// Players show parts of 10 ms and less for 100 ms.
  private static let shortestPart = Rational(1, 50)
  private var carry = Rational.zero

  /// The parts, at least one, in which a delay is stored.
  mutating func parts(of exact: Rational) -> [StoredDelay] {
    var rest = max(.zero, exact + carry)
    carry = .zero
    var parts: [StoredDelay] = []
    while rest.numerator / rest.denominator > Self.limit {
      parts.append(StoredDelay(numerator: .max, denominator: 1))
      rest = rest + Rational(-Self.limit)
    }
    if let whole = Self.stored(rest) { return parts + [whole] }
    if rest.denominator <= Self.limit {
      // The numerator is too large, so there is at least a second to take off.
      var seconds = rest.numerator / rest.denominator
      var tail = rest + Rational(-seconds)
      if tail < Self.shortestPart {
        seconds -= 1
        tail = tail + Rational(1)
      }
      if seconds > 0, let first = Self.stored(Rational(seconds)), let last = Self.stored(tail) {
        return parts + [first, last]
      }
    }
    let near = Self.nearest(to: rest)
    carry = rest + Rational(-near.numerator, near.denominator)
    return parts + [Self.stored(near) ?? StoredDelay(numerator: .max, denominator: 1)]
  }

  private static func stored(_ delay: Rational) -> StoredDelay? {
    guard let numerator = UInt16(exactly: delay.numerator), let denominator = UInt16(exactly: delay.denominator) else {
      return nil
    }
    return StoredDelay(numerator: numerator, denominator: denominator)
  }

  /// The last convergent of the continued fraction that fits.
  private static func nearest(to delay: Rational) -> Rational {
    var (a, b) = (delay.numerator, delay.denominator)
    var (p0, q0, p1, q1) = (0, 1, 1, 0)
    while b != 0 {
      let term = a / b
      let (p, pOver) = term.multipliedReportingOverflow(by: p1)
      let (q, qOver) = term.multipliedReportingOverflow(by: q1)
      if pOver || qOver || p > limit - p0 || q > limit - q0 { break }
      (p0, q0, p1, q1) = (p1, q1, p + p0, q + q0)
      (a, b) = (b, a - term * b)
    }
    return Rational(p1, max(q1, 1))
  }
}
