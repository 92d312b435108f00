/// How often each color is seen, over all frames of an animation; clear pixels are not counted.
///
/// Colors are exact until there are too many; then the lowest bits are dropped, one at a time, opaque colors staying
/// apart from translucent ones.
public final class ColorHistogram {
  /// One color and its pixels.
  struct Entry {
    var color: UInt32
    var weight: Int
  }

  private static let slotBits = 18
  private static let slots = 1 << slotBits
  /// A third of the slots: chains stay short, and 87,000 colors are more than a palette of 256 profits from.
  private static let capacity = slots / 3

  private var keys = UnsafeMutablePointer<UInt32>.allocate(capacity: slots)
  private var table = UnsafeMutablePointer<Entry>.allocate(capacity: slots)
  private var used = 0
  private var droppedBits = 0

  /// Whether a clear pixel was seen.
  public private(set) var hasClear = false

  /// Makes an empty histogram.
  public init() {
    keys.initialize(repeating: 0, count: Self.slots)
    table.initialize(repeating: Entry(color: 0, weight: 0), count: Self.slots)
  }

  deinit {
    keys.deallocate()
    table.deallocate()
  }

  /// Counts the pixels of a picture, nearly clear as clear and nearly opaque as opaque.
  public func add(_ bitmap: Bitmap) {
    bitmap.withPackedPixels { pixels in
      var i = 0
      while i < pixels.count {
        let color = snappedColor(pixels[i])
        var end = i + 1
        while end < pixels.count, pixels[end] == pixels[i] { end += 1 }
        if color == 0 { hasClear = true } else { count(color, weight: end - i) }
        i = end
      }
    }
  }

  /// The colors in a stable order: opaque before translucent, then by value.
  var entries: [Entry] {
    (0..<Self.slots).lazy.filter { self.keys[$0] != 0 }.map { self.table[$0] }
      .sorted { a, b in
        let (aOpaque, bOpaque) = (a.color >= 0xFF00_0000, b.color >= 0xFF00_0000)
        return aOpaque == bOpaque ? a.color < b.color : aOpaque
      }
  }

  @inline(__always)
  private func count(_ color: UInt32, weight: Int) {
    let key = key(color)
    var slot = Int((key &* 2_654_435_761) >> (32 - UInt32(Self.slotBits)))
    while keys[slot] != key {
      if keys[slot] == 0 {
        keys[slot] = key
        table[slot] = Entry(color: color, weight: weight)
        used += 1
        if used > Self.capacity { coarsen() }
        return
      }
      slot = (slot + 1) & (Self.slots - 1)
    }
    table[slot].weight += weight
  }

  /// Opaque colors keep their alpha and translucent ones never reach it; no key is zero, the mark of a free slot.
  @inline(__always)
  private func key(_ color: UInt32) -> UInt32 {
    guard droppedBits > 0 else { return color }
    let mask = UInt32(0xFF << droppedBits & 0xFF) &* 0x0101_0101
    let masked = color & mask
    if color >= 0xFF00_0000 { return masked | 0xFF00_0000 }
    return max(masked, 1)
  }

  private func coarsen() {
    let old = entries.sorted { ($1.weight, $0.color) < ($0.weight, $1.color) }
    droppedBits += 1
    keys.update(repeating: 0, count: Self.slots)
    used = 0
    // The heaviest color of a coarse cell comes first and stands for it.
    for entry in old { count(entry.color, weight: entry.weight) }
  }
}
