import Imaging

/// A frame after its pass.
struct CodedFrame {
  var rect: PixelRect
  var blend: Blend
  var symbols: SymbolCounts
  private var spelling: Spelling

  /// What makes its stream, in fewer bytes than that has.
  private enum Spelling {
    /// Quickest.
    case tokens([DeflateToken])
    /// Smallest: the zlib stream of the tokens.
    case packed([UInt8])
  }

  init(rect: PixelRect, blend: Blend, tokens: [DeflateToken]) {
    (self.rect, self.blend, symbols, spelling) = (rect, blend, SymbolCounts(tokens), .tokens(tokens))
  }

  /// Takes a tenth of the memory from now on.
  mutating func pack() { spelling = .packed(zlib) }

  /// For each row a filter byte 0 and the indices.
  var stream: [UInt8] {
    let length = (rect.width + 1) * rect.height
    switch spelling {
    case .tokens(let tokens): return Self.spell(tokens, length)
    case .packed(let bytes): return inflate(bytes, to: length)
    }
  }

  /// The tokens as they were chosen, as a zlib stream.
  var zlib: [UInt8] {
    switch spelling {
    case .tokens(let tokens): DeflateWriter.zlib(tokens, yielding: stream)
    case .packed(let bytes): bytes
    }
  }

  private static func spell(_ tokens: [DeflateToken], _ length: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { output, count in
      for token in tokens {
        if token.isLiteral {
          output[count] = UInt8(token.packed)
          count += 1
          continue
        }
        for place in count..<count + token.length { output[place] = output[place - token.distance] }
        count += token.length
      }
    }
  }
}

/// A frame that is to be coded, made ready.
struct CodingFrame {
  var bitmap: Bitmap
  /// The frame before; nil where the whole canvas is replaced.
  var before: Bitmap?
  /// `ActivityMask` weights.
  var weights: [UInt8]
  /// See `PreparedAnimation.stays`.
  var stays: [UInt8]
  /// The nearest indices, steadied over time.
  var wanted: [UInt8]
}

/// Codes the frames of an animation one after another with one palette and one lambda.
final class RateDistortionPass {
  private let size: PixelSize
  private let settings: RateDistortionSettings
  /// The squared error that one bit may cost from the next frame on.
  var lambda: Float
  private let points: [SIMD4<Float>]
  private let firstOpaque: Int
  private let trellis: IndexTrellis
  /// What tokens are expected to cost, by blend.
  private(set) var costs: [DeflateCosts]

  /// What is on the canvas.
  private(set) var shown: [UInt8]

  private let region: RegionBuffers

  /// Begins with what tokens are expected to cost, by blend.
  init(
    _ size: PixelSize, _ palette: Palette, points: [SIMD4<Float>], costs: [DeflateCosts],
    settings: RateDistortionSettings
  ) {
    self.size = size
    self.settings = settings
    lambda = settings.lambda
    self.points = points
    firstOpaque = palette.translucentCount
    trellis = IndexTrellis(
      points: points, firstOpaque: firstOpaque, capacity: size.area + size.height, settings: settings)
    self.costs = costs
    shown = [UInt8](repeating: 0, count: size.area)
    region = RegionBuffers(capacity: size.area)
  }

  /// Codes a frame over what is on the canvas and shows it.
  func code(_ frame: CodingFrame) -> CodedFrame {
    let plan =
      frame.before.map { self.plan(frame, after: $0) } ?? Plan(rect: PixelRect(size), blends: [.source])
    load(plan.rect, frame)
    var best: (frame: CodedFrame, stream: [UInt8], cost: Double)?
    for blend in plan.blends {
      var (coded, stream) = run(plan.rect, blend, costs[Int(blend.rawValue)])
      for _ in 0..<settings.repeats where plan.rect.width * plan.rect.height > 1000 {
        var own = costs[Int(blend.rawValue)]
        own.learn(coded.symbols)
        load(plan.rect, frame)
        (coded, stream) = run(plan.rect, blend, own, anew: true)
      }
      let cost = plan.blends.count == 1 ? 0 : coded.symbols.estimatedBytes * 8 + distortion(coded, stream)
      if cost < best?.cost ?? .infinity { best = (coded, stream, cost) }
    }
    guard let best else { preconditionFailure("a frame has a blend") }
    costs[Int(best.frame.blend.rawValue)].learn(best.frame.symbols)
    draw(best.frame, best.stream)
    return best.frame
  }

  private func run(
    _ rect: PixelRect, _ blend: Blend, _ costs: DeflateCosts, anew: Bool = false
  ) -> (CodedFrame, stream: [UInt8]) {
    let request = IndexTrellis.Request(
      width: rect.width, height: rect.height, blend: blend, targets: region.targets, kinds: region.kinds,
      weights: region.weights, masks: region.masks, nominal: region.nominal, shown: region.shown)
    trellis.code(request, costs: costs, anew: anew)
    // A copy of its own, or it would keep all the room that the trellis had for the largest frame.
    let tokens = trellis.tokens.withUnsafeBufferPointer { Array($0) }
    return (CodedFrame(rect: rect, blend: blend, tokens: tokens), trellis.stream)
  }

  /// The weighted error of a coded frame in its rectangle, in bits.
  private func distortion(_ frame: CodedFrame, _ stream: [UInt8]) -> Double {
    var sum = 0.0
    let width = frame.rect.width
    for y in 0..<frame.rect.height {
      for x in 0..<width {
        let i = y * width + x
        if region.kinds[i] == .held { continue }
        var index = stream[y * (width + 1) + 1 + x]
        if frame.blend == .over, index == 0 { index = region.shown[i] }
        sum += Double(region.weights[i] * squaredLength(points[Int(index)] - region.targets[i]))
      }
    }
    return sum
  }

  private func draw(_ frame: CodedFrame, _ stream: [UInt8]) {
    let (width, canvas) = (frame.rect.width, size.width)
    shown.withUnsafeMutableBufferPointer { shown in
      stream.withUnsafeBufferPointer { stream in
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
  private func plan(_ frame: CodingFrame, after before: Bitmap) -> Plan {
    let size = size
    let lambda = lambda
    let firstOpaque = firstOpaque
    var (left, right, top, bottom) = (size.width, -1, size.height, -1)
    var changed = 0
    var barred = 0
    // A pixel that must become clear or translucent cannot be drawn over what is there.
    var forbidsOver = false
    frame.bitmap.withPackedPixels { pixels in
      before.withPackedPixels { before in
        frame.wanted.withUnsafeBufferPointer { plane in
          shown.withUnsafeBufferPointer { shown in
            frame.weights.withUnsafeBufferPointer { mask in
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

  private func load(_ rect: PixelRect, _ frame: CodingFrame) {
    let canvas = size.width
    let isFirst = frame.before == nil
    let perBit = 1 / max(lambda, 1e-6)
    let still = settings.stillness * perBit
    let region = region
    frame.weights.withUnsafeBufferPointer { mask in
      frame.bitmap.withPackedPixels { pixels in
        (frame.before ?? frame.bitmap).withPackedPixels { before in
          frame.wanted.withUnsafeBufferPointer { plane in
            shown.withUnsafeBufferPointer { shown in
              let stays = frame.stays
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
