import Imaging

/// Counts distinct colors over pictures, in the file's own numbers, up to a limit that bounds its memory.
final class ColorCounter {
  /// Where counting stops; a picture with more is no candidate for anything that depends on the number.
  static let limit = 1 << 21

  private(set) var count = 0
  /// Open addressing; 0 is free, so that the color 0 is kept apart.
  private var slots = [UInt64](repeating: 0, count: 1 << 12)
  private var sawZero = false

  /// Adds the pixels of some of a picture's samples.
  func add(_ raster: Raster, _ range: Range<Int>) {
    switch raster.samples {
    case .rgba8(let samples), .cmyk8(let samples): samples[range].withUnsafeBufferPointer { add($0) }
    case .rgba16(let samples): samples[range].withUnsafeBufferPointer { add($0) }
    }
  }

  private func add<Sample: FixedWidthInteger>(_ samples: UnsafeBufferPointer<Sample>) {
    if count >= Self.limit { return }
    var last: UInt64?
    for i in stride(from: 0, to: samples.count, by: 4) {
      var color: UInt64 = 0
      for c in 0..<4 { color = color << UInt64(Sample.bitWidth) | UInt64(samples[i + c]) }
      if color == last { continue }
      last = color
      insert(color)
      if count >= Self.limit { return }
    }
  }

  private func insert(_ color: UInt64) {
    if color == 0 {
      if !sawZero { count += 1 }
      sawZero = true
      return
    }
    if count * 2 >= slots.count { grow() }
    if Self.place(color, in: &slots) { count += 1 }
  }

  private func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 4)
    for key in slots where key != 0 { _ = Self.place(key, in: &larger) }
    slots = larger
  }

  /// Stores a key; false where it was there.
  private static func place(_ key: UInt64, in slots: inout [UInt64]) -> Bool {
    slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count - 1
      // Fibonacci hashing spreads neighboring colors.
      var at = Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 24) & mask
      while slots[at] != 0 {
        if slots[at] == key { return false }
        at = (at + 1) & mask
      }
      slots[at] = key
      return true
    }
  }
}

extension Raster {
  /// Of some of the samples the lowest alpha, 65535 = opaque, and whether there is none between clear and opaque.
  func alphaRange(_ range: Range<Int>) -> (lowest: UInt16, isBinary: Bool) {
    func scan<Sample: FixedWidthInteger>(_ samples: [Sample], scale: UInt16) -> (UInt16, Bool) {
      samples[range].withUnsafeBufferPointer { p in
        var lowest = Sample.max
        var isBinary = true
        for i in stride(from: 3, to: p.count, by: 4) {
          lowest = min(lowest, p[i])
          if p[i] != 0, p[i] != Sample.max { isBinary = false }
        }
        return (UInt16(lowest) * scale, isBinary)
      }
    }
    switch samples {
    case .rgba8(let samples): return scan(samples, scale: 257)
    case .rgba16(let samples): return scan(samples, scale: 1)
    case .cmyk8: return (.max, true)
    }
  }
}
