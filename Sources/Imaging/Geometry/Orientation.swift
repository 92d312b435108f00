/// How stored rows and columns stand to the upright picture; the raw values are those of EXIF tag 0x0112.
///
/// Source: Exif 2.32, section 4.6.4.
public enum Orientation: Int, Sendable, CaseIterable {
  /// Row 0 is the top, column 0 the left.
  case up = 1
  /// Row 0 is the top, column 0 the right.
  case upMirrored = 2
  /// Row 0 is the bottom, column 0 the right.
  case down = 3
  /// Row 0 is the bottom, column 0 the left.
  case downMirrored = 4
  /// Row 0 is the left, column 0 the top.
  case leftMirrored = 5
  /// Row 0 is the right, column 0 the top.
  case right = 6
  /// Row 0 is the right, column 0 the bottom.
  case rightMirrored = 7
  /// Row 0 is the left, column 0 the bottom.
  case left = 8

  /// Whether turning upright exchanges width and height.
  public var swapsSides: Bool { rawValue >= 5 }

  /// Whether columns of the upright picture run against the stored axis that they lie along.
  var reversesColumns: Bool { [.upMirrored, .down, .right, .rightMirrored].contains(self) }
  /// Whether rows of the upright picture run against the stored axis that they lie along.
  var reversesRows: Bool { [.down, .downMirrored, .rightMirrored, .left].contains(self) }
}
