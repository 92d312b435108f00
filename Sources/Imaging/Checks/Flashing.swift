/// An animation's general flashes, as WCAG 2.2 defines them in success criterion 2.3.1.
///
/// A flash is a pair of opposing changes of the relative luminance by 10 % or more, the darker image below 80 %. More
/// than three within a second over a quarter of the picture can cause seizures.
public struct Flashing: Hashable, Sendable {
  /// The most flashes within a second.
  public var flashes: Int
  /// The part of the canvas that flashes together.
  public var area: Double
  /// The frame at which that second begins.
  public var frame: Int

  /// Changes that make more than three flashes.
  static let mostChanges = 6
  /// The least change of the relative luminance.
  static let leastChange: Float = 0.1
  /// The darker image of a flash is below this.
  static let darkest: Float = 0.8
  /// The least part of the canvas.
  public static let leastArea = 0.25
  /// Cells on each side of the canvas.
  static let cells = 20
  /// Frames looked at, loops included.
  static let mostFrames = 2000

  /// The second in which the largest area flashes, or nil where none does; the animation is seen on a chat.
  ///
  /// Loops count. Cells of the canvas that flash must do so together: their mean must flash, too, so that motion alone
  /// does not count.
  public static func find(in animation: SizedAnimation, on background: ChatBackground) -> Flashing? {
    let duration = animation.duration.value
    guard animation.isAnimated, duration > 0 else { return nil }
    let series = animation.frames.map { cellLuminance($0.bitmap, background) }
    var times: [Double] = []
    var order: [Int] = []
    let wanted = Int((1 / duration).rounded(.up)) + 1
    let loops = animation.playCount == 0 ? wanted : min(wanted, animation.playCount)
    var time = 0.0
    for _ in 0..<loops {
      for (index, frame) in animation.frames.enumerated() where times.count < mostFrames {
        times.append(time)
        order.append(index)
        time += frame.delay.value
      }
    }
    return worst(series, order, times, frames: animation.frames.count)
  }

  private static func worst(_ series: [[Float]], _ order: [Int], _ times: [Double], frames: Int) -> Flashing? {
    let count = cells * cells
    let changes = (0..<count).map { cell in changeTimes(order.map { series[$0][cell] }, times) }
    let candidates = changes.indices.filter { changes[$0].count > mostChanges }
    guard Double(candidates.count) >= leastArea * Double(count) else { return nil }
    var worst: Flashing?
    for (place, start) in times.enumerated().prefix(frames) {
      let window = start...start + 1
      let flashing = candidates.filter { changes[$0].count { window.contains($0) } > mostChanges }
      let area = Double(flashing.count) / Double(count)
      guard area >= leastArea, area > worst?.area ?? 0 else { continue }
      let inside = times.indices.filter { window.contains(times[$0]) }
      let mean = inside.map { place in
        flashing.reduce(Float(0)) { $0 + series[order[place]][$1] } / Float(flashing.count)
      }
      let together = changeTimes(mean, inside.map { times[$0] }).count
      guard together > mostChanges else { continue }
      worst = Flashing(flashes: (together + 1) / 2, area: area, frame: order[place])
    }
    return worst
  }

  /// When a luminance has changed by the least change since it last turned.
  static func changeTimes(_ values: [Float], _ times: [Double]) -> [Double] {
    guard var low = values.first else { return [] }
    var high = low
    var direction = 0
    var found: [Double] = []
    for (value, time) in zip(values, times) {
      if direction >= 0 { high = max(high, value) }
      if direction <= 0 { low = min(low, value) }
      if direction >= 0, high - value >= leastChange, value < darkest {
        found.append(time)
        (direction, low) = (-1, value)
      } else if direction <= 0, value - low >= leastChange, low < darkest {
        found.append(time)
        (direction, high) = (1, value)
      }
    }
    return found
  }

  /// The mean relative luminance of each cell, from every second pixel of every second row.
  private static func cellLuminance(_ frame: Bitmap, _ background: ChatBackground) -> [Float] {
    let size = frame.size
    var sums = [Float](repeating: 0, count: cells * cells)
    var counts = [Float](repeating: 0, count: cells * cells)
    frame.pixels.withUnsafeBufferPointer { pixels in
      SRGB.linear8.withUnsafeBufferPointer { linear in
        for y in stride(from: 0, to: size.height, by: 2) {
          let row = y * cells / size.height * cells
          for x in stride(from: 0, to: size.width, by: 2) {
            let i = (y * size.width + x) * 4
            let alpha = Int(pixels[i + 3])
            let under = background.level * (255 - alpha)
            func level(_ sample: UInt8) -> Float { linear[(Int(sample) * alpha + under) / 255] }
            let cell = row + x * cells / size.width
            sums[cell] += SRGB.luminance(level(pixels[i]), level(pixels[i + 1]), level(pixels[i + 2]))
            counts[cell] += 1
          }
        }
      }
    }
    return zip(sums, counts).map { $1 == 0 ? 0 : $0 / $1 }
  }
}
