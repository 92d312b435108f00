import Imaging

/// A frame after its pass.
struct CodedFrame {
  var rect: PixelRect
  var blend: Blend
  var symbols: SymbolCounts
  /// For each row a filter byte 0 and the indices.
  var stream: [UInt8]

  /// The indices of the rectangle, row by row.
  var indices: [UInt8] {
    let rowBytes = rect.width + 1
    return [UInt8](unsafeUninitializedCapacity: rect.width * rect.height) { output, count in
      for y in 0..<rect.height {
        for x in 0..<rect.width { output[y * rect.width + x] = stream[y * rowBytes + 1 + x] }
      }
      count = rect.width * rect.height
    }
  }
}

/// Codes the frames of an animation one after another with one palette and one lambda.
final class RateDistortionPass {
  private let animation: PreparedAnimation
  private let planes: [[UInt8]]
  private let settings: RateDistortionSettings
  private let points: [SIMD4<Float>]
  private let firstOpaque: Int
  private let trellis: IndexTrellis
  private var costs: [DeflateCosts]

  /// What is on the canvas.
  private(set) var shown: [UInt8]

  private let region: RegionBuffers

  init(
    _ animation: PreparedAnimation, planes: [[UInt8]], palette: Palette, points: [SIMD4<Float>],
    settings: RateDistortionSettings
  ) {
    self.animation = animation
    self.planes = planes
    self.settings = settings
    self.points = points
    firstOpaque = palette.translucentCount
    let area = animation.size.area
    trellis = IndexTrellis(
      points: points, firstOpaque: firstOpaque, capacity: area + animation.size.height, settings: settings)
    let expected = DeflateCosts(literalCounts: RateDistortionPass.runStarts(planes))
    costs = [expected, expected]
    shown = [UInt8](repeating: 0, count: area)
    region = RegionBuffers(capacity: area)
  }

  /// Codes frame `t` over what is on the canvas and shows it; the first, and any `anew`, replaces the whole canvas.
  func code(_ t: Int, anew: Bool = false) -> CodedFrame {
    let isFirst = t == 0 || anew
    let plan = isFirst ? Plan(rect: PixelRect(animation.size), blends: [.source]) : plan(t)
    load(plan.rect, frame: t, isFirst: isFirst)
    var best: (frame: CodedFrame, cost: Double)?
    for blend in plan.blends {
      let frame = run(plan.rect, blend)
      let cost = plan.blends.count == 1 ? 0 : frame.symbols.estimatedBytes * 8 + distortion(frame)
      if cost < best?.cost ?? .infinity { best = (frame, cost) }
    }
    guard let frame = best?.frame else { preconditionFailure("a frame has a blend") }
    costs[Int(frame.blend.rawValue)].learn(frame.symbols)
    draw(frame)
    return frame
  }

  private func run(_ rect: PixelRect, _ blend: Blend) -> CodedFrame {
    let request = IndexTrellis.Request(
      width: rect.width, height: rect.height, blend: blend, targets: region.targets, kinds: region.kinds,
      weights: region.weights, masks: region.masks, nominal: region.nominal, shown: region.shown)
    trellis.code(request, costs: costs[Int(blend.rawValue)])
    return CodedFrame(rect: rect, blend: blend, symbols: SymbolCounts(trellis.tokens), stream: trellis.stream)
  }

  /// The weighted error of a coded frame in its rectangle, in bits.
  private func distortion(_ frame: CodedFrame) -> Double {
    var sum = 0.0
    let width = frame.rect.width
    for y in 0..<frame.rect.height {
      for x in 0..<width {
        let i = y * width + x
        if region.kinds[i] == .held { continue }
        var index = frame.stream[y * (width + 1) + 1 + x]
        if frame.blend == .over, index == 0 { index = region.shown[i] }
        sum += Double(region.weights[i] * squaredLength(points[Int(index)] - region.targets[i]))
      }
    }
    return sum
  }

  private func draw(_ frame: CodedFrame) {
    let (width, canvas) = (frame.rect.width, animation.size.width)
    shown.withUnsafeMutableBufferPointer { shown in
      frame.stream.withUnsafeBufferPointer { stream in
        for y in 0..<frame.rect.height {
          let row = (frame.rect.y + y) * canvas + frame.rect.x
          for x in 0..<width {
            let index = stream[y * (width + 1) + 1 + x]
            if frame.blend == .source || index != 0 { shown[row + x] = index }
          }
        }
      }
    }
  }

  private struct Plan {
    var rect: PixelRect
    var blends: [Blend]
  }

  /// The rectangle of the pixels whose change is worth its bits, and the ways to draw it that are worth pricing.
  private func plan(_ t: Int) -> Plan {
    let size = animation.size
    let lambda = settings.lambda
    let firstOpaque = firstOpaque
    var (left, right, top, bottom) = (size.width, -1, size.height, -1)
    var changed = 0
    var barred = 0
    // A pixel that must become clear or translucent cannot be drawn over what is there.
    var forbidsOver = false
    let mask = animation.weights[t]
    animation.frames[t].withPackedPixels { pixels in
      animation.frames[t - 1].withPackedPixels { before in
        planes[t].withUnsafeBufferPointer { plane in
          shown.withUnsafeBufferPointer { shown in
            mask.withUnsafeBufferPointer { mask in
              points.withUnsafeBufferPointer { points in
                for y in 0..<size.height {
                  for x in 0..<size.width {
                    let i = y * size.width + x
                    let wanted = Int(plane[i])
                    let current = Int(shown[i])
                    if wanted == current { continue }
                    let color = snappedColor(pixels[i])
                    let mustChange = !AlphaKind(of: color).allows(current, firstOpaque: firstOpaque)
                    let target = PerceptualSpace.point(color)
                    let weight = Float(mask[i]) * (1 / 255)
                    let gain =
                      weight * (squaredLength(points[current] - target) - squaredLength(points[wanted] - target))
                    if !mustChange, pixels[i] == before[i] { continue }
                    if !mustChange, gain <= (isStill(pixels[i], before[i]) ? 30 : 0.5) * lambda { continue }
                    changed += 1
                    if wanted < firstOpaque {
                      if mustChange { forbidsOver = true }
                      if gain > 3 * lambda { barred += 1 }
                    }
                    left = min(left, x)
                    right = max(right, x)
                    top = min(top, y)
                    bottom = y
                  }
                }
              }
            }
          }
        }
      }
    }
    if changed == 0 { return Plan(rect: PixelRect(x: 0, y: 0, width: 1, height: 1), blends: [.over]) }
    let rect = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    if forbidsOver { return Plan(rect: rect, blends: [.source]) }
    if barred == 0 { return Plan(rect: rect, blends: [.over]) }
    return Plan(rect: rect, blends: barred * 20 < changed ? [.source, .over] : [.source])
  }

  private func load(_ rect: PixelRect, frame t: Int, isFirst: Bool) {
    let canvas = animation.size.width
    let perBit = 1 / max(settings.lambda, 1e-6)
    let still = settings.stillness * perBit
    let region = region
    animation.weights[t].withUnsafeBufferPointer { mask in
      animation.frames[t].withPackedPixels { pixels in
        animation.frames[max(t - 1, 0)].withPackedPixels { before in
          planes[t].withUnsafeBufferPointer { plane in
            shown.withUnsafeBufferPointer { shown in
              let stays = animation.stays[t]
              for y in 0..<rect.height {
                for x in 0..<rect.width {
                  let from = (rect.y + y) * canvas + rect.x + x
                  let to = y * rect.width + x
                  region.nominal[to] = plane[from]
                  region.masks[to] = mask[from]
                  region.shown[to] = shown[from]
                  if !isFirst, pixels[from] == before[from] {
                    (region.kinds[to], region.targets[to], region.weights[to]) = (.held, .zero, 1)
                    continue
                  }
                  let color = snappedColor(pixels[from])
                  var target = PerceptualSpace.point(color)
                  var weight = Float(mask[from]) * (perBit / 255) * Float(stays[from]).squareRoot()
                  if !isFirst, isStill(pixels[from], before[from]) {
                    // Two squared errors are one, up to a constant: that against their weighted mean.
                    target = (target * weight + points[Int(shown[from])] * still) / (weight + still)
                    weight += still
                  }
                  (region.kinds[to], region.targets[to], region.weights[to]) = (AlphaKind(of: color), target, weight)
                }
              }
            }
          }
        }
      }
    }
  }

  /// How often each index begins a run, a guess at what will be literals.
  private static func runStarts(_ planes: [[UInt8]]) -> [Float] {
    var counts = [Float](repeating: 0, count: 256)
    for plane in planes {
      for i in stride(from: 1, to: plane.count, by: 7) where plane[i] != plane[i - 1] { counts[Int(plane[i])] += 1 }
    }
    return counts
  }
}

/// Whether a pixel looks the same in two source frames, up to noise.
@inline(__always)
private func isStill(_ a: UInt32, _ b: UInt32) -> Bool {
  if a == b { return true }
  let alpha = Int(a >> 24)
  if abs(alpha - Int(b >> 24)) > 1 { return false }
  func gap(_ shift: UInt32) -> Int { abs(Int(a >> shift & 255) - Int(b >> shift & 255)) }
  return (gap(0) + gap(8) + gap(16)) * alpha <= 3 * 255
}

/// What a region asks for, copied together pixel by pixel.
private final class RegionBuffers {
  let targets: UnsafeMutablePointer<SIMD4<Float>>
  let kinds: UnsafeMutablePointer<AlphaKind>
  let weights: UnsafeMutablePointer<Float>
  let masks: UnsafeMutablePointer<UInt8>
  let nominal: UnsafeMutablePointer<UInt8>
  let shown: UnsafeMutablePointer<UInt8>

  init(capacity: Int) {
    targets = .allocate(capacity: capacity)
    kinds = .allocate(capacity: capacity)
    weights = .allocate(capacity: capacity)
    masks = .allocate(capacity: capacity)
    nominal = .allocate(capacity: capacity)
    shown = .allocate(capacity: capacity)
  }

  deinit {
    targets.deallocate()
    kinds.deallocate()
    weights.deallocate()
    masks.deallocate()
    nominal.deallocate()
    shown.deallocate()
  }
}
