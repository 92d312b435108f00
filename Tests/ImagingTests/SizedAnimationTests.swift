import TestSupport
import Testing

@testable import Imaging

@Suite struct SizedAnimations {
  @Test(arguments: [(3, 5), (20, 8), (20, 9), (31, 100)])
  func framesThatShareRowsAreStillWhole(width: Int, height: Int) {
    func frame(_ n: Int) -> Bitmap {
      picture(width, height) { x, y in
        y == n % height && x == n % width ? RGBA8(255, 0, 0) : RGBA8(UInt8(x), UInt8(y), 7, 128)
      }
    }
    var frames = [SizedFrame(bitmap: frame(0), delay: Rational(1, 10))]
    for n in 1..<40 { frames.append(SizedFrame(bitmap: frame(n), delay: Rational(n, 10), after: frames[n - 1])) }
    for n in 0..<40 { #expect(frames[n].bitmap == frame(n) && frames[n].size == frame(n).size) }
    frames[5].bitmap = frame(7)
    #expect(frames[5].bitmap == frame(7) && frames[6].bitmap == frame(6))
  }

  @Test func framesOfOtherSizesShareNothing() {
    let small = SizedFrame(bitmap: picture(4, 40) { _, _ in .white })
    let large = SizedFrame(bitmap: picture(9, 40) { _, _ in .white }, delay: .zero, after: small)
    #expect(large.bitmap == picture(9, 40) { _, _ in .white })
  }
}
