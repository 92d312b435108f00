/// The idioms of icon slots; the raw value is the word of `Contents.json`.
public enum IconIdiom: String, CaseIterable, Sendable {
  /// iPhone.
  case iphone
  /// iPad.
  case ipad
  /// Every device.
  case universal
  /// The App Store.
  case iosMarketing = "ios-marketing"
}

/// The platforms of icon slots; the raw value is the word of `Contents.json`.
public enum IconPlatform: String, CaseIterable, Sendable {
  /// iOS.
  case ios
}

/// The scales of icon slots; the raw value is the word of `Contents.json`.
public enum IconScale: String, CaseIterable, Sendable {
  /// One pixel a point.
  case x1 = "1x"
  /// Two pixels a point.
  case x2 = "2x"
  /// Three pixels a point.
  case x3 = "3x"

  /// Pixels a point.
  public var factor: Int {
    switch self {
    case .x1: 1
    case .x2: 2
    case .x3: 3
    }
  }
}

/// The appearances of iOS 18 that have icons of their own; the raw value is the word of `Contents.json`.
public enum IconAppearance: String, CaseIterable, Sendable {
  /// The dark home screen; the system draws the plate, so the icon may be translucent.
  case dark
  /// The tinted home screen; the icon is gray and the system colors it.
  case tinted
}

/// A width and a height in points, in steps of half a point.
public struct PointSize: Hashable, Sendable {
  /// The width.
  public let width: Double
  /// The height.
  public let height: Double

  /// Makes a size; both sides are positive.
  public init(_ width: Double, _ height: Double) {
    precondition(width > 0 && height > 0, "a size is positive")
    self.width = width
    self.height = height
  }
}

extension PointSize: LosslessStringConvertible {
  /// Reads `83.5x83.5`; nil where that is not two positive numbers up to 10,000 in steps of half a point.
  public init?(_ text: String) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
    for side in [width, height] {
      guard side > 0, side <= 10_000, Double(Int(side * 2)) == side * 2 else { return nil }
    }
    self.init(width, height)
  }

  /// The size as catalogs write it, `60x45` or `83.5x83.5`.
  public var description: String { "\(JSONWriter.decimal(width))x\(JSONWriter.decimal(height))" }
}

/// One place for an icon in an icon set.
public struct IconSlot: Hashable, Sendable {
  /// The size in points.
  public var size: PointSize
  /// Pixels a point; nil, which counts as one, in the slots that every scale shares.
  public var scale: IconScale?
  /// The idiom.
  public var idiom: IconIdiom
  /// The platform, where the slot names it.
  public var platform: IconPlatform?
  /// The appearance, or nil for the normal icon.
  public var appearance: IconAppearance?

  /// Makes a slot.
  public init(
    size: PointSize, scale: IconScale?, idiom: IconIdiom, platform: IconPlatform? = nil,
    appearance: IconAppearance? = nil
  ) {
    self.size = size
    self.scale = scale
    self.idiom = idiom
    self.platform = platform
    self.appearance = appearance
  }

  /// The exact size in pixels, points times scale; nil where that is not whole.
  public var pixels: (width: Int, height: Int)? {
    let factor = Double(scale?.factor ?? 1)
    let (width, height) = (size.width * factor, size.height * factor)
    guard Double(Int(width)) == width, Double(Int(height)) == height else { return nil }
    return (Int(width), Int(height))
  }

  /// The name of the slot's file, such as `Icon-60x45@2x-iphone.png`: readable, stable, unique within a table.
  public var filename: String {
    var name = "Icon-\(size)"
    if let scale { name += "@\(scale.rawValue)-\(idiom.rawValue)" }
    if let appearance { name += "-\(appearance.rawValue)" }
    return name + ".png"
  }
}
