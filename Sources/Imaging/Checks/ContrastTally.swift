/// Sums over the pixels of a part on one background.
private struct BackgroundTally {
  var weight = 0
  var rim = 0
  var ink = 0
  var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)

  mutating func add(_ strength: ChatContrast.Strength, _ x: Int, _ y: Int, _ alpha: Int, isRim: Bool) {
    guard strength != .none else { return }
    weight += alpha
    if isRim { rim += 1 }
    guard strength == .ink else { return }
    ink += alpha
    (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
  }

  mutating func add(_ other: BackgroundTally) {
    (weight, rim, ink) = (weight + other.weight, rim + other.rim, ink + other.ink)
    (left, top) = (min(left, other.left), min(top, other.top))
    (right, bottom) = (max(right, other.right), max(bottom, other.bottom))
  }
}

/// Sums over the pixels of a part.
struct ContrastTally {
  private var weight = 0
  private var count = 0
  private var rim = 0
  private var light = BackgroundTally()
  private var dark = BackgroundTally()
  private var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)

  /// Adds a pixel of a picture; `luminance` holds that of the 256 levels.
  mutating func add(
    _ pixels: UnsafeBufferPointer<UInt8>, _ size: PixelSize, _ x: Int, _ y: Int, _ luminance: UnsafeBufferPointer<Float>
  ) {
    let at = (y * size.width + x) * 4
    let (r, g, b, alpha) = (Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]), Int(pixels[at + 3]))
    func isOpen(_ x: Int, _ y: Int) -> Bool {
      guard x >= 0, y >= 0, x < size.width, y < size.height else { return true }
      return pixels[(y * size.width + x) * 4 + 3] < ContrastSurvey.solidAlpha
    }
    let isRim =
      alpha >= Int(ContrastSurvey.solidAlpha)
      && (isOpen(x - 1, y) || isOpen(x + 1, y) || isOpen(x, y - 1) || isOpen(x, y + 1))
    (weight, count) = (weight + alpha, count + 1)
    if isRim { rim += 1 }
    light.add(ChatContrast.strength(r, g, b, alpha: alpha, from: 255, luminance), x, y, alpha, isRim: isRim)
    dark.add(ChatContrast.strength(r, g, b, alpha: alpha, from: 0, luminance), x, y, alpha, isRim: isRim)
    (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
  }

  /// Adds the pixels of another part.
  mutating func add(_ other: ContrastTally) {
    (weight, count, rim) = (weight + other.weight, count + other.count, rim + other.rim)
    light.add(other.light)
    dark.add(other.dark)
    (left, top) = (min(left, other.left), min(top, other.top))
    (right, bottom) = (max(right, other.right), max(bottom, other.bottom))
  }

  /// The part of a frame that these are.
  func part(of all: ContrastTally) -> ContrastSurvey.Part {
    ContrastSurvey.Part(
      box: PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1),
      share: share(weight, all.weight), solidity: share(weight, count * 255), light: contrast(light),
      dark: contrast(dark))
  }

  private func contrast(_ tally: BackgroundTally) -> ChatContrast {
    let across = share(tally.right - tally.left + 1, right - left + 1)
    let down = share(tally.bottom - tally.top + 1, bottom - top + 1)
    return ChatContrast(
      area: share(tally.weight, weight), rim: share(tally.rim, rim), ink: share(tally.ink, weight),
      inkSpan: tally.right < 0 ? 0 : min(across, down))
  }

  private func share(_ part: Int, _ whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }
}
