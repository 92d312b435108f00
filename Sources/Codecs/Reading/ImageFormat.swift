/// The formats that Decal reads; recognized by content, never by name.
public enum ImageFormat: String, CaseIterable, Sendable {
  /// Portable Network Graphics, one picture.
  case png
  /// A PNG with an animation control chunk.
  case apng
  /// GIF 87a and 89a.
  case gif
  /// JPEG, baseline, progressive and arithmetic.
  case jpeg
  /// WebP, lossy and lossless, still and animated.
  case webp
}
