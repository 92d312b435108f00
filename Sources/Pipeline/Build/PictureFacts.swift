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
  var digest: String

  /// Decodes a finished file; throws `DecodeError`.
  init(decoding bytes: [UInt8]) throws(DecodeError) {
    let reader = try ImageReader(bytes: bytes)
    var hash = SHA256()
    (size, frames, duration) = (reader.header.size, 0, .zero)
    while let frame = try reader.nextFrame() {
      guard case .rgba8(let samples) = frame.raster.samples else {
        throw .unsupported(format: reader.header.format, reason: "a finished file has 8-bit samples")
      }
      hash.update(PictureFacts.visible(samples))
      hash.update(bigEndian: UInt64(frame.storedDelay.numerator))
      hash.update(bigEndian: UInt64(frame.storedDelay.denominator))
      duration += frame.storedDelay
      frames += 1
    }
    plays = reader.header.playCount
    digest = hash.hexDigest()
  }

  /// The samples with the colors of wholly transparent pixels cleared.
  private static func visible(_ samples: [UInt8]) -> [UInt8] {
    var result = samples
    result.withUnsafeMutableBufferPointer { pixels in
      for i in stride(from: 0, to: pixels.count, by: 4) where pixels[i + 3] == 0 {
        (pixels[i], pixels[i + 1], pixels[i + 2]) = (0, 0, 0)
      }
    }
    return result
  }
}
