/// Signs that a picture was enlarged before.
public enum Enlargement {
  /// Columns and rows with a change that are needed to trust a factor.
  static let leastLines = 12
  /// Edges a line that are needed to trust a width: smoke and glows have two, a single disc has four.
  static let leastEdges = 3

  /// The side of the equal blocks that a picture is made of, 1 where it is made of pixels.
  ///
  /// Art that was enlarged without smoothing changes only at every k-th column and row.
  public static func blockSide(of raster: Raster) -> Int {
    switch raster.samples {
    case .rgba8(let samples): blockSide(samples, raster.size)
    case .rgba16(let samples): blockSide(samples, raster.size)
    case .cmyk8: 1
    }
  }

  private static func blockSide<Sample: FixedWidthInteger>(_ samples: [Sample], _ size: PixelSize) -> Int {
    samples.withUnsafeBufferPointer { samples in
      /// Whether two pixels look otherwise; clear ones are all one.
      func differ(_ a: Int, _ b: Int) -> Bool {
        let (a, b) = (a * 4, b * 4)
        if samples[a + 3] == 0, samples[b + 3] == 0 { return false }
        return samples[a] != samples[b] || samples[a + 1] != samples[b + 1] || samples[a + 2] != samples[b + 2]
          || samples[a + 3] != samples[b + 3]
      }
      var columns = ChangeLines()
      var rows = ChangeLines()
      for y in 0..<size.height {
        for x in 1..<max(size.width, 1) where !columns.holds(x) {
          let i = y * size.width + x
          if differ(i, i - 1), columns.add(x) == 1 { return 1 }
        }
      }
      for y in 1..<max(size.height, 1) {
        let start = y * size.width
        if (start..<start + size.width).contains(where: { differ($0, $0 - size.width) }), rows.add(y) == 1 { return 1 }
      }
      guard columns.count >= leastLines, rows.count >= leastLines else { return 1 }
      let side = greatestCommonDivisor(columns.step, rows.step)
      // Blocks change at most of the lines between them, a drawing on an even grid at few.
      let isDense = columns.fills(side) && rows.fills(side)
      return isDense ? side : 1
    }
  }

  /// How many pixels the sharpest edges of a finished frame take, or nil where there are too few to tell.
  ///
  /// Along each row and each column, over white, every rise or fall of 56 levels or more has a width: its height over its
  /// steepest step. The answer is that of the sharpest tenth. What is drawn or reduced has 1 to 1.7, what was enlarged
  /// smoothly as much as the factor.
  public static func edgeWidth(of frame: Bitmap) -> Double? {
    let (width, height) = (frame.size.width, frame.size.height)
    let gray = frame.pixels.withUnsafeBufferPointer { pixels in
      (0..<frame.size.area).map { i in
        let sum = Int(pixels[i * 4]) * 54 + Int(pixels[i * 4 + 1]) * 183 + Int(pixels[i * 4 + 2]) * 19
        return (sum / 256 * Int(pixels[i * 4 + 3]) + 255 * (255 - Int(pixels[i * 4 + 3]))) / 255
      }
    }
    var widths = EdgeWidths()
    gray.withUnsafeBufferPointer { gray in
      for y in 0..<height { widths.walk(gray, from: y * width, step: 1, count: width) }
      for x in 0..<width { widths.walk(gray, from: x, step: width, count: height) }
    }
    return widths.sharpest(least: leastEdges * max(width, height))
  }
}

func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }

/// Columns or rows with a change, and the greatest step that leads to all of them from the first.
private struct ChangeLines {
  private var lines: Set<Int> = []
  private var first: Int?
  private(set) var step = 0

  var count: Int { lines.count }

  /// Whether half of the lines between blocks have a change, from the first that has one to the last.
  func fills(_ side: Int) -> Bool {
    guard let first = lines.min(), let last = lines.max() else { return false }
    return lines.count * 2 > (last - first) / side
  }

  func holds(_ line: Int) -> Bool { lines.contains(line) }

  /// Adds a line and gives the step, 0 while there is one line alone.
  mutating func add(_ line: Int) -> Int {
    lines.insert(line)
    if let first { step = greatestCommonDivisor(step, abs(line - first)) } else { first = line }
    return step
  }
}

/// Widths of edges in tenths of a pixel.
private struct EdgeWidths {
  private var counts = [Int](repeating: 0, count: 400)
  private var total = 0

  /// The least height of an edge in levels.
  static let leastHeight = 56

  mutating func walk(_ gray: UnsafeBufferPointer<Int>, from start: Int, step: Int, count: Int) {
    var (from, steepest, last) = (gray[start], 0, gray[start])
    for i in 1..<max(count, 1) {
      let value = gray[start + i * step]
      let change = value - last
      if change != 0, change.signum() != (last - from).signum(), last != from {
        end(last - from, steepest)
        (from, steepest) = (last, 0)
      }
      if change == 0, last != from {
        end(last - from, steepest)
        (from, steepest) = (value, 0)
      }
      steepest = max(steepest, abs(change))
      last = value
    }
    if last != from { end(last - from, steepest) }
  }

  private mutating func end(_ height: Int, _ steepest: Int) {
    guard abs(height) >= Self.leastHeight, steepest > 0 else { return }
    counts[min(abs(height) * 10 / steepest, counts.count - 1)] += 1
    total += 1
  }

  /// That of the sharpest tenth, in pixels; nil where there are fewer than some.
  func sharpest(least: Int) -> Double? {
    guard total >= least else { return nil }
    var seen = 0
    for (tenths, count) in counts.enumerated() {
      seen += count
      if seen * 10 >= total { return Double(tenths) / 10 }
    }
    return nil
  }
}
