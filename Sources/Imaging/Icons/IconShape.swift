/// What a master icon is, by its alpha.
public enum IconShape: Hashable, Sendable {
  /// No pixel is translucent.
  case opaque
  /// An opaque plate that lacks nothing but its corners; the rectangle is its own, without shadow and margins.
  case plate(PixelRect)
  /// Art that stands free on transparency.
  case logo

  /// Alpha from which a pixel rounds to 255 in 8 bits.
  static let opaqueAlpha: Float = 254.5 / 255
  /// Alpha from which a pixel is part of a plate; shadows stay far below, antialiased edges mostly.
  static let solidAlpha: Float = 0.95
  /// The least part of a row or a column that is solid at a plate's side: 0.2 is a corner radius of 40 %.
  static let sideCoverage = 0.2
  /// The most of a plate's area that its corners may lack: a radius of 40 % lacks 13.7 %, a circle 21.5 %.
  static let cornerArea = 0.14
  /// The least of a plate's area that is solid, corners and holes taken together.
  static let solidArea = 0.75
  /// Margins up to this part of the canvas are no margins, but sides to be filled like corners.
  static let leastMargin = 0.01
  /// The least side of a plate as a part of the canvas; macOS templates leave 80 %.
  static let leastSide = 0.6
  /// How far the sides of a square plate may differ.
  static let squareTolerance = 0.04

  /// Analyzes a master.
  ///
  /// Where `square` is true a plate must be square within 4 %, because it becomes the whole of a square icon.
  public init(of art: LinearBitmap, square: Bool = true) {
    precondition(art.size.area > 0, "a master has pixels")
    let solid = SolidMask(art)
    if solid.isOpaque {
      self = .opaque
    } else if let rect = solid.plate(square: square) {
      self = .plate(rect)
    } else {
      self = .logo
    }
  }
}

/// Which pixels of a picture are solid, and whether together they are a plate.
struct SolidMask {
  let size: PixelSize
  /// 1 where solid.
  let bits: [UInt8]
  /// Whether all pixels round to alpha 255.
  let isOpaque: Bool

  init(_ art: LinearBitmap) {
    size = art.size
    var isOpaque = true
    bits = art.samples.withUnsafeBufferPointer { samples in
      (0..<art.size.area).map { i in
        let alpha = samples[i * 4 + 3]
        if alpha < IconShape.opaqueAlpha { isOpaque = false }
        return alpha >= IconShape.solidAlpha ? 1 : 0
      }
    }
    self.isOpaque = isOpaque
  }

  /// The plate's rectangle, or nil where the picture is no plate.
  func plate(square: Bool) -> PixelRect? {
    guard let rect = sides() else { return nil }
    guard Double(rect.width) >= Double(size.width) * IconShape.leastSide,
      Double(rect.height) >= Double(size.height) * IconShape.leastSide
    else { return nil }
    let difference = Double(abs(rect.width - rect.height)) / Double(max(rect.width, rect.height))
    if square, difference > IconShape.squareTolerance { return nil }
    guard sidesAreClosed(rect) else { return nil }
    let area = Double(rect.width * rect.height)
    guard Double(solidCount(in: rect)) >= area * IconShape.solidArea else { return nil }
    let open = openPixels(in: rect).reduce(0) { $0 + Int($1) }
    guard Double(open) <= area * IconShape.cornerArea else { return nil }
    let margin = max(rect.x, rect.y, size.width - rect.maxX, size.height - rect.maxY)
    return Double(margin) <= Double(min(size.width, size.height)) * IconShape.leastMargin ? PixelRect(size) : rect
  }

  private func solidCount(in rect: PixelRect) -> Int {
    (rect.y..<rect.maxY).reduce(0) { count, y in
      let row = bits[y * size.width + rect.x..<y * size.width + rect.maxX]
      return count + row.reduce(0) { $0 + Int($1) }
    }
  }

  /// The rectangle between the outermost rows and columns that are solid for a good part.
  private func sides() -> PixelRect? {
    var rows = [Int](repeating: 0, count: size.height)
    var columns = [Int](repeating: 0, count: size.width)
    for y in 0..<size.height {
      for x in 0..<size.width where bits[y * size.width + x] == 1 {
        rows[y] += 1
        columns[x] += 1
      }
    }
    let leastInRow = Int(Double(columns.count { $0 > 0 }) * IconShape.sideCoverage)
    let leastInColumn = Int(Double(rows.count { $0 > 0 }) * IconShape.sideCoverage)
    guard let left = columns.firstIndex(where: { $0 > leastInColumn }),
      let right = columns.lastIndex(where: { $0 > leastInColumn }),
      let top = rows.firstIndex(where: { $0 > leastInRow }), let bottom = rows.lastIndex(where: { $0 > leastInRow })
    else { return nil }
    return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Whether the middle of each side, 16 % of its length, is solid within 1.5 % of depth.
  private func sidesAreClosed(_ rect: PixelRect) -> Bool {
    func middle(_ length: Int) -> Range<Int> { length * 42 / 100..<max(length * 58 / 100, length * 42 / 100 + 1) }
    func depth(_ length: Int) -> Int { 1 + length * 15 / 1000 }
    func isSolid(_ x: Int, _ y: Int) -> Bool { bits[(rect.y + y) * size.width + rect.x + x] == 1 }
    let (right, bottom) = (rect.width - 1, rect.height - 1)
    return middle(rect.width).allSatisfy { x in
      (0..<depth(rect.height)).contains { isSolid(x, min($0, bottom)) }
        && (0..<depth(rect.height)).contains { isSolid(x, max(bottom - $0, 0)) }
    }
      && middle(rect.height).allSatisfy { y in
        (0..<depth(rect.width)).contains { isSolid(min($0, right), y) }
          && (0..<depth(rect.width)).contains { isSolid(max(right - $0, 0), y) }
      }
  }

  /// Marks with 1 the pixels of a rectangle that are not solid and connected with its border: its corners, not its holes.
  func openPixels(in rect: PixelRect) -> [UInt8] {
    let (width, height) = (rect.width, rect.height)
    var open = [UInt8](repeating: 0, count: width * height)
    var stack: [Int] = []
    func visit(_ x: Int, _ y: Int) {
      let i = y * width + x
      if open[i] == 0, bits[(rect.y + y) * size.width + rect.x + x] == 0 {
        open[i] = 1
        stack.append(i)
      }
    }
    for x in 0..<width {
      visit(x, 0)
      visit(x, height - 1)
    }
    for y in 0..<height {
      visit(0, y)
      visit(width - 1, y)
    }
    while let i = stack.popLast() {
      let (x, y) = (i % width, i / width)
      if x > 0 { visit(x - 1, y) }
      if x + 1 < width { visit(x + 1, y) }
      if y > 0 { visit(x, y - 1) }
      if y + 1 < height { visit(x, y + 1) }
    }
    return open
  }
}
