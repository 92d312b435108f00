/// One 8-bit sRGB color with straight alpha.
public struct RGBA8: Hashable, Sendable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8
  /// Alpha, 0 clear to 255 opaque.
  public var alpha: UInt8

  /// Makes a color, opaque by default.
  @inlinable
  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Transparent black.
  public static let clear = RGBA8(0, 0, 0, 0)
  /// Opaque white.
  public static let white = RGBA8(255, 255, 255)
  /// Opaque black.
  public static let black = RGBA8(0, 0, 0)
}
