import Synchronization
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

  @Test func framesInAStoreAreStillWholeAndShareRows() {
    final class Store: BandStore {
      let bands = Mutex<[[UInt8]]>([])
      /// Takes every band but the first ones.
      func keep(_ band: UnsafeRawBufferPointer) -> Int? {
        bands.withLock { bands in
          bands.append([UInt8](band))
          return bands.count > 5 ? bands.count - 1 : nil
        }
      }
      func read(_ place: Int, into band: UnsafeMutableRawBufferPointer) {
        bands.withLock { band.copyBytes(from: $0[place]) }
      }
    }
    func frame(_ n: Int) -> Bitmap {
      picture(5, 37) { x, y in y == n % 37 ? RGBA8(UInt8(n), 0, 0) : RGBA8(UInt8(x), UInt8(y), 7, 128) }
    }
    let store = Store()
    var frames = [SizedFrame(bitmap: frame(0), delay: .zero)]
    for n in 1..<40 {
      frames.append(SizedFrame(bitmap: frame(n), delay: .zero, after: frames[n - 1], store: store))
    }
    for n in 0..<40 { #expect(frames[n].bitmap == frame(n)) }
    // Five bands of the second frame, then at most two of each.
    #expect((5 + 38...5 + 2 * 38).contains(store.bands.withLock { $0.count }))
  }

  @Test func framesOfOtherSizesShareNothing() {
    let small = SizedFrame(bitmap: picture(4, 40) { _, _ in .white })
    let large = SizedFrame(bitmap: picture(9, 40) { _, _ in .white }, delay: .zero, after: small)
    #expect(large.bitmap == picture(9, 40) { _, _ in .white })
  }
}
