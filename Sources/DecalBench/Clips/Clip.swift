import Foundation
import Imaging

/// A made animation: a kind of sticker motion, the same for the same seed.
struct Clip: Sendable {
  let name: String
  /// The side in pixels at which the bench shows it; it can be painted at any.
  let side: Int
  let frames: Int
  /// Frames a second.
  let rate: Int
  /// Paints the frame at a time from 0 to 1.
  let paint: @Sendable (inout ClipCanvas, Float) -> Void

  /// All frames, painted.
  func animation(side: Int) -> SizedAnimation {
    var frames: [SizedFrame] = []
    for number in 0..<self.frames {
      var canvas = ClipCanvas(side: side)
      paint(&canvas, Float(number) / Float(self.frames))
      let delay = Rational(1, rate)
      frames.append(
        frames.last.map { SizedFrame(bitmap: canvas.bitmap, delay: delay, after: $0) }
          ?? SizedFrame(bitmap: canvas.bitmap, delay: delay))
    }
    return SizedAnimation(frames: frames)
  }

  /// The kinds, each unlike the others in what it asks of an encoder.
  static func all(seed: UInt64) -> [Clip] {
    [ghost(seed), ember(seed), wow(seed), marble(seed), meadow(seed), streamers(seed)]
  }
}

/// The sine of a part of a whole turn.
func wave(_ part: Float) -> Float { Foundation.sin(part * 2 * Float.pi) }

/// A direction, by a part of a whole turn.
func direction(_ part: Float) -> SIMD2<Float> { SIMD2(wave(part + 0.25), wave(part)) }
