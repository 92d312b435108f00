import Codecs
import Imaging

/// What a finished file shows, found by decoding it.
struct PictureFacts: Hashable, Sendable {
  /// The canvas.
  var size: PixelSize
  /// The frames.
  var frames: Int
  /// The time of one play, in seconds; zero for a still.
  var duration: Rational
  /// Times it plays, 0 = for ever.
  var plays: Int
  /// The digest of what is seen, whatever the compression.
  ///
  /// SHA-256 over each displayed frame in order: its canvas as 8-bit R, G, B, A with straight alpha, row by row from the
  /// top, four zeros for every wholly transparent pixel; then its delay as stored, the numerator and the denominator in
  /// lowest terms of seconds, eight bytes each, the most significant first (0 and 1 for a still).
  var digest: Digest

  /// Facts that are known.
  init(size: PixelSize, frames: Int, duration: Rational, plays: Int, digest: Digest) {
    (self.size, self.frames, self.duration, self.plays, self.digest) = (size, frames, duration, plays, digest)
  }

  /// Decodes a finished file; throws `DecodeError`.
  init(decoding bytes: [UInt8]) throws(DecodeError) { self.init(of: try SizedAnimation(decoding: bytes)) }

  /// What a decoded file shows.
  init(of animation: SizedAnimation) {
    var hash = SHA256()
    for frame in animation.frames {
      hash.update(frame.bitmap.pixels)
      hash.update(bigEndian: UInt64(frame.delay.numerator))
      hash.update(bigEndian: UInt64(frame.delay.denominator))
    }
    size = animation.size
    frames = animation.frames.count
    duration = animation.duration
    plays = animation.playCount
    digest = hash.digest()
  }
}
