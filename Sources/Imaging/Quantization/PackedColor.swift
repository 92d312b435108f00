extension RGBA8 {
  /// The color in one word: red in the lowest byte, alpha in the highest, as the bytes lie in memory.
  @inlinable
  public var packed: UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
  }

  /// Takes a word apart, red from the lowest byte.
  @inlinable
  public init(packed: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: packed), UInt8(truncatingIfNeeded: packed >> 8),
      UInt8(truncatingIfNeeded: packed >> 16), UInt8(truncatingIfNeeded: packed >> 24))
  }
}

extension Bitmap {
  /// Lends the pixels as words, red in the lowest byte.
  ///
  /// Every platform that Swift runs Decal on is little-endian; the words are the bytes as they lie.
  @inlinable
  public func withPackedPixels<Result>(_ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
    pixels.withUnsafeBytes { body($0.bindMemory(to: UInt32.self)) }
  }
}

/// What is seen of a packed color: everything at alpha 0 is one transparent black.
@inlinable
public func visibleColor(_ packed: UInt32) -> UInt32 { packed >> 24 == 0 ? 0 : packed }

/// The alpha up to which a palette takes a pixel for clear, and from which it takes it for opaque.
///
/// Resampled art is full of alpha 251 to 254 inside; left as it is, no such pixel could be drawn over another, and
/// most frames would have to be stored whole.
@usableFromInline let nearlyClearAlpha: UInt32 = 4
@usableFromInline let nearlyOpaqueAlpha: UInt32 = 250

/// A packed color as a palette sees it: nearly clear is clear, nearly opaque is opaque.
///
/// What becomes opaque takes the color that it showed over middle gray: over black and over white it is then off by half
/// of the step at most, where keeping the color would leave all of it to one of them.
@inlinable
public func snappedColor(_ packed: UInt32) -> UInt32 {
  let alpha = packed >> 24
  if alpha == 255 { return packed }
  if alpha <= nearlyClearAlpha { return 0 }
  return alpha >= nearlyOpaqueAlpha ? overGray(packed, alpha) : packed
}

@inlinable
func overGray(_ packed: UInt32, _ alpha: UInt32) -> UInt32 {
  // The color times alpha plus 127.5 times the rest, over 255 and rounded; in halves to stay whole.
  func channel(_ shift: UInt32) -> UInt32 {
    let color: UInt32 = packed >> shift & 255
    let gray: UInt32 = 255 &* (256 &- alpha)
    return ((color &* alpha &* 2 &+ gray) / 510) << shift
  }
  return channel(0) | channel(8) | channel(16) | 0xFF00_0000
}
