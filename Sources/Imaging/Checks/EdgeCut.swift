/// A place where art seems to go on beyond its canvas.
public struct EdgeCut: Hashable, Sendable {
  /// A side of the canvas.
  public enum Side: String, CaseIterable, Sendable {
    /// The first row.
    case top
    /// The last row.
    case bottom
    /// The first column.
    case left
    /// The last column.
    case right
  }

  /// The side.
  public var side: Side
  /// The pixels along the side that are cut through.
  public var region: PixelRect
  /// Their number as a part of the side.
  public var share: Double

  /// The least part of a side that is cut through; less is a tip that touches.
  static let leastShare = 0.12
  /// From this part on the side is the art's own: a card, a scene, a photograph.
  static let mostShare = 0.95
  /// How much of the width a little way inside is left at the edge; round and pointed things have less.
  static let leastWidth = 0.92
  /// The part of the cut whose color goes on inward: what ends at the edge by itself has a border there.
  static let leastContinuation = 0.7

  /// The cuts of a frame whose art fills a rectangle of the canvas, on those of its sides.
  ///
  /// A cut is a long opaque run on a side, as wide at the edge as a little way inside, of several colors that all go on
  /// inward: art that ends by itself narrows there, or has a border.
  public static func find(in frame: Bitmap, inside rect: PixelRect, sides: Set<Side> = Set(Side.allCases)) -> [EdgeCut]
  {
    let rect = rect.intersection(PixelRect(frame.size))
    guard rect.width >= 16, rect.height >= 16 else { return [] }
    return Side.allCases.filter(sides.contains).flatMap { side in
      let view = SideView(frame: frame, rect: rect, side: side)
      return view.runs(at: 0).filter(view.isCut).map { run in
        EdgeCut(side: side, region: view.region(run), share: Double(run.count) / Double(view.length))
      }
    }
  }
}

/// A picture seen from one of its sides: places along it, and depths from it.
private struct SideView {
  let frame: Bitmap
  let rect: PixelRect
  let side: EdgeCut.Side

  /// Alpha of pixels that are cut, not softly ended.
  static let solidAlpha: UInt8 = 224

  var length: Int { side == .top || side == .bottom ? rect.width : rect.height }
  /// As far inside as a shape that narrows shows it.
  private var look: Int { max(4, length * 3 / 100) }

  func color(_ along: Int, _ depth: Int) -> RGBA8 {
    switch side {
    case .top: frame[rect.x + along, rect.y + depth]
    case .bottom: frame[rect.x + along, rect.maxY - 1 - depth]
    case .left: frame[rect.x + depth, rect.y + along]
    case .right: frame[rect.maxX - 1 - depth, rect.y + along]
    }
  }

  func runs(at depth: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for along in 0...length {
      let isSolid = along < length && color(along, depth).alpha >= Self.solidAlpha
      if isSolid, start == nil { start = along }
      if !isSolid, let first = start {
        runs.append(first..<along)
        start = nil
      }
    }
    return runs
  }

  func isCut(_ run: Range<Int>) -> Bool {
    let share = Double(run.count) / Double(length)
    guard share >= EdgeCut.leastShare, share <= EdgeCut.mostShare else { return false }
    let inside = runs(at: look).filter { $0.overlaps(run) }.reduce(0) { $0 + $1.count }
    guard inside > 0, Double(run.count) >= Double(inside) * EdgeCut.leastWidth else { return false }
    return goesOn(run) && hasColors(run)
  }

  private func goesOn(_ run: Range<Int>) -> Bool {
    let same = run.count { color($0, 0).isNear(color($0, look), 40) }
    return Double(same) >= Double(run.count) * EdgeCut.leastContinuation
  }

  /// Whether the run crosses several colors: a plain one may be the art's own flat foot.
  private func hasColors(_ run: Range<Int>) -> Bool {
    let colors = run.map { color($0, 0) }
    let least = max(2, run.count * 2 / 100)
    var (stretches, count) = (0, 0)
    var first: RGBA8?
    for color in colors {
      if let start = first, color.isNear(start, 48) {
        count += 1
      } else {
        (first, count) = (color, 1)
      }
      if count == least { stretches += 1 }
    }
    return stretches >= 3
  }

  func region(_ run: Range<Int>) -> PixelRect {
    switch side {
    case .top: PixelRect(x: rect.x + run.lowerBound, y: rect.y, width: run.count, height: 1)
    case .bottom: PixelRect(x: rect.x + run.lowerBound, y: rect.maxY - 1, width: run.count, height: 1)
    case .left: PixelRect(x: rect.x, y: rect.y + run.lowerBound, width: 1, height: run.count)
    case .right: PixelRect(x: rect.maxX - 1, y: rect.y + run.lowerBound, width: 1, height: run.count)
    }
  }
}

extension RGBA8 {
  /// Whether no channel differs by more than some levels.
  func isNear(_ other: RGBA8, _ levels: Int) -> Bool {
    func difference(_ a: UInt8, _ b: UInt8) -> Int { abs(Int(a) - Int(b)) }
    return max(
      difference(red, other.red), difference(green, other.green), difference(blue, other.blue),
      difference(alpha, other.alpha)) <= levels
  }
}
