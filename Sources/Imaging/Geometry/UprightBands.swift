/// A picture seen upright, in bands of rows, so that a large one is not in memory twice.
public struct UprightBands: Sendable {
  /// Enough that turning a band costs no more than turning the whole.
  private static let height = 64

  /// The size of the upright picture.
  public let size: PixelSize
  private let stored: Raster
  private let orientation: Orientation
  /// The band at hand and its first row.
  private var current: (band: Raster, start: Int)?

  /// Makes the bands of a stored picture.
  public init(_ stored: Raster, _ orientation: Orientation) {
    self.stored = stored
    self.orientation = orientation
    size = orientation.swapsSides ? stored.size.transposed : stored.size
  }

  /// A picture that holds an upright row, and the row's number in it; rows are best asked for in order.
  public mutating func row(_ y: Int) -> (band: Raster, row: Int) {
    precondition(y >= 0 && y < size.height, "a row of the picture")
    if orientation == .up { return (stored, y) }
    if let current, y >= current.start, y < current.start + current.band.size.height {
      return (current.band, y - current.start)
    }
    let start = y / Self.height * Self.height
    let band = stored.upright(orientation, rows: start..<min(start + Self.height, size.height))
    current = (band, start)
    return (band, y - start)
  }

  /// Gives the bands from the top down, each with its first row.
  public func forEach(_ body: (_ band: Raster, _ start: Int) -> Void) {
    if orientation == .up { return body(stored, 0) }
    for start in stride(from: 0, to: size.height, by: Self.height) {
      body(stored.upright(orientation, rows: start..<min(start + Self.height, size.height)), start)
    }
  }
}
