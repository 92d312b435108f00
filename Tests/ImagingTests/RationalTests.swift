import Imaging
import Testing

@Suite("Rational")
struct RationalTests {
  @Test("fractions are kept in lowest terms")
  func reduction() {
    #expect(Rational(10, 100) == Rational(1, 10))
    #expect(Rational(0, 7) == .zero && Rational(0, 7).denominator == 1)
    #expect(Rational(65535, 65535) == Rational(1))
    #expect(Rational(-6, 4).numerator == -3 && Rational(-6, 4).denominator == 2)
  }

  @Test("sums are exact")
  func sums() {
    #expect(Rational(1, 3) + Rational(1, 6) == Rational(1, 2))
    #expect((0..<24).reduce(.zero) { sum, _ in sum + Rational(1, 24) } == Rational(1))
    #expect(Rational(1, 100) + Rational(-1, 100) == .zero)
    // A thirtieth and a hundredth of a second, mixed for a whole animation.
    #expect((0..<300).reduce(.zero) { $0 + ($1 % 2 == 0 ? Rational(1, 30) : Rational(1, 100)) } == Rational(13, 2))
  }

  @Test("order goes by value")
  func order() {
    #expect(Rational(1, 3) < Rational(34, 100) && Rational(33, 100) < Rational(1, 3))
    #expect(Rational(-1, 2) < .zero && !(Rational(2, 4) < Rational(1, 2)))
    #expect(Rational(.max, 2) > Rational(.max - 1, 2))
  }

  @Test("milliseconds are rounded half up")
  func milliseconds() {
    #expect(Rational(1, 30).milliseconds == 33)
    #expect(Rational(1, 15).milliseconds == 67)
    #expect(Rational(1, 2000).milliseconds == 1)
    #expect(Rational(3, 10).milliseconds == 300)
    #expect(Rational(1, 8).value == 0.125)
    #expect(Rational(.max, .max - 1).milliseconds == 1000)
    #expect(Rational(5, .max).milliseconds == 0 && Rational(.max - 1, .max).milliseconds == 1000)
  }

  @Test("a half is exact, and near where its terms pass 64 bits")
  func half() {
    #expect(Rational(1, 3).half == Rational(1, 6) && Rational(2, 3).half == Rational(1, 3))
    #expect(Rational(.max - 1, .max).half.milliseconds == 500)
  }
}
