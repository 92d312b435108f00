import Imaging

/// Keeps the index of a pixel over time where changing it is not worth the bits.
///
/// For each pixel, the exact minimum over all index sequences of the weighted squared error plus `lambda` for each
/// change: a Potts model solved by dynamic programming over the at most 16 indices that the pixel takes nearest.
struct TemporalSmoother {
  private static let states = 16
  private static let block = 1024

  let points: [SIMD4<Float>]
  let firstOpaque: Int
  let lambda: Float

  /// Smooths the planes of frames that follow each other, in place; the first one may be one to go on from.
  func smooth(
    _ planes: inout [[UInt8]], frames: ArraySlice<Bitmap>, weights: ArraySlice<[UInt8]>, holdsFirst: Bool = false
  ) {
    let count = planes.count
    guard count > 1, lambda > 0 else { return }
    let area = planes[0].count
    let history = PixelHistory(frames: count, states: Self.states)
    var changed = [UInt8](repeating: 0, count: area)
    for t in 1..<count { mark(&changed, planes[t - 1], planes[t]) }
    var start = 0
    while start < area {
      let pixels = (start..<min(start + Self.block, area)).filter { changed[$0] != 0 }
      start += Self.block
      if pixels.isEmpty { continue }
      history.load(pixels, planes, frames, weights)
      for place in pixels.indices { solve(history, place, holdsFirst) }
      history.store(pixels, in: &planes)
    }
  }

  private func mark(_ changed: inout [UInt8], _ before: [UInt8], _ after: [UInt8]) {
    changed.withUnsafeMutableBufferPointer { changed in
      before.withUnsafeBufferPointer { before in
        after.withUnsafeBufferPointer { after in
          for i in 0..<changed.count { changed[i] |= before[i] ^ after[i] }
        }
      }
    }
  }

  /// Replaces the indices of one pixel by the best sequence of them.
  private func solve(_ history: PixelHistory, _ place: Int, _ holdsFirst: Bool) {
    let count = history.frames
    let indices = history.indices + place * count
    let colors = history.colors + place * count
    let weights = history.weights + place * count
    let candidates = history.candidates
    var states = 0
    for t in 0..<count {
      let index = indices[t]
      if t > 0, index == indices[t - 1] { continue }
      var j = 0
      while j < states, candidates[j] != index { j += 1 }
      if j < states { continue }
      // A pixel as restless as this has nothing to be steadied.
      if states == Self.states { return }
      candidates[states] = index
      states += 1
    }
    let (cost, error, from) = (history.cost, history.error, history.from)
    var cheapest: Float = 0
    var cheapestState = 0
    points.withUnsafeBufferPointer { points in
      for t in 0..<count {
        if t == 0 || holdsFirst && t == 1 || colors[t] != colors[t - 1] || weights[t] != weights[t - 1] {
          let color = snappedColor(colors[t])
          let kind = AlphaKind(of: color)
          let target = PerceptualSpace.point(color)
          let weight = Float(weights[t]) * (1 / 255)
          for j in 0..<states {
            let index = Int(candidates[j])
            error[j] =
              kind.allows(index, firstOpaque: firstOpaque)
              ? weight * squaredLength(points[index] - target) : .infinity
          }
        }
        // The first candidate is the index of the first frame.
        if holdsFirst, t == 0 { for j in 1..<states { error[j] = .infinity } }
        var (lowest, lowestState) = (Float.infinity, 0)
        let origins = from + t * Self.states
        for j in 0..<states {
          var arrival = t == 0 ? 0 : cost[j]
          var origin = j
          if t > 0, cheapest + lambda < arrival {
            arrival = cheapest + lambda
            origin = cheapestState
          }
          let total = arrival + error[j]
          cost[j] = total
          origins[j] = UInt8(truncatingIfNeeded: origin)
          if total < lowest { (lowest, lowestState) = (total, j) }
        }
        (cheapest, cheapestState) = (lowest, lowestState)
      }
    }
    var state = cheapestState
    for t in (0..<count).reversed() {
      indices[t] = candidates[state]
      state = Int(from[t * Self.states + state])
    }
  }
}

/// Some pixels over time, each pixel's moments side by side.
private final class PixelHistory {
  static let capacity = 1024
  let frames: Int
  let indices: UnsafeMutablePointer<UInt8>
  let colors: UnsafeMutablePointer<UInt32>
  let weights: UnsafeMutablePointer<UInt8>
  let candidates: UnsafeMutablePointer<UInt8>
  let cost: UnsafeMutablePointer<Float>
  let error: UnsafeMutablePointer<Float>
  let from: UnsafeMutablePointer<UInt8>

  init(frames: Int, states: Int) {
    self.frames = frames
    indices = .allocate(capacity: Self.capacity * frames)
    colors = .allocate(capacity: Self.capacity * frames)
    weights = .allocate(capacity: Self.capacity * frames)
    candidates = .allocate(capacity: states)
    cost = .allocate(capacity: states)
    error = .allocate(capacity: states)
    from = .allocate(capacity: frames * states)
  }

  deinit {
    indices.deallocate()
    colors.deallocate()
    weights.deallocate()
    candidates.deallocate()
    cost.deallocate()
    error.deallocate()
    from.deallocate()
  }

  func load(_ pixels: [Int], _ planes: [[UInt8]], _ bitmaps: ArraySlice<Bitmap>, _ masks: ArraySlice<[UInt8]>) {
    pixels.withUnsafeBufferPointer { pixels in
      for t in 0..<frames {
        bitmaps[bitmaps.startIndex + t].withPackedPixels { source in
          planes[t].withUnsafeBufferPointer { plane in
            masks[masks.startIndex + t].withUnsafeBufferPointer { mask in
              var to = t
              for pixel in pixels {
                indices[to] = plane[pixel]
                colors[to] = source[pixel]
                weights[to] = mask[pixel]
                to &+= frames
              }
            }
          }
        }
      }
    }
  }

  func store(_ pixels: [Int], in planes: inout [[UInt8]]) {
    for t in 0..<frames {
      planes[t].withUnsafeMutableBufferPointer { plane in
        var from = t
        for pixel in pixels {
          plane[pixel] = indices[from]
          from &+= frames
        }
      }
    }
  }
}
