/// Makes palettes of any size from one histogram: clusters are split where the variance is largest, then settled by
/// k-means rounds, all in `PerceptualSpace`.
///
/// Opaque and translucent colors are never in one cluster: what is opaque stays opaque, and a soft edge stays soft.
public struct Quantizer: Sendable {
  /// Rounds of k-means; more than 8 changed no palette visibly.
  private static let rounds = 8
  /// A color that holds this share of its cluster is stored exactly: flat fills stay flat and true.
  private static let dominantShare: Float = 0.4
  /// How much the variance of translucent colors counts against that of opaque ones.
  ///
  /// Translucent pixels are few, but they are the edges, where the eye looks. With few entries in all, shading needs
  /// them more.
  private static func softWeight(_ count: Int) -> Double { 1 + 7 * Double(count) / 256 }

  private let colors: [UInt32]
  private let points: [SIMD4<Float>]
  private let weights: [Float]
  /// Entries before this one are opaque.
  private let opaqueCount: Int
  private let hasClear: Bool
  private let opaque: SplitSequence
  private let soft: SplitSequence

  /// Prepares the clusters of a histogram.
  public init(_ histogram: ColorHistogram) {
    let entries = histogram.entries
    colors = entries.map(\.color)
    points = colors.map { PerceptualSpace.point($0) }
    weights = entries.map { Float($0.weight) }
    opaqueCount = colors.firstIndex { $0 < 0xFF00_0000 } ?? colors.count
    hasClear = histogram.hasClear
    opaque = SplitSequence(0..<opaqueCount, points: points, weights: weights)
    soft = SplitSequence(opaqueCount..<colors.count, points: points, weights: weights)
  }

  /// A palette of at most `count` entries, 4 to 256.
  ///
  /// There is a clear entry where a pixel is clear, and with `reservesClear` in any case.
  public func palette(_ count: Int, reservesClear: Bool) -> Palette {
    precondition((4...256).contains(count), "a palette is asked for 4 to 256 entries")
    let needsClear = hasClear || reservesClear
    let share = share(of: count - (needsClear ? 1 : 0), softWeight: Self.softWeight(count))
    let solid = settle(opaque.clusters(share.opaque).map(mean), range: 0..<opaqueCount, isOpaque: true, false)
    let faint = settle(
      soft.clusters(share.soft).map(mean), range: opaqueCount..<points.count, isOpaque: false, needsClear)
    return Palette(solid + faint, reservesClear: needsClear)
  }

  /// How many entries opaque and translucent colors get: the widest cluster of either kind is split next.
  private func share(of count: Int, softWeight: Double) -> (opaque: Int, soft: Int) {
    var share = (opaque: min(opaqueCount, 1), soft: min(colors.count - opaqueCount, 1))
    while share.opaque + share.soft < count {
      let solid = share.opaque > 0 ? opaque.variance(ofSplit: share.opaque) : 0
      let faint = share.soft > 0 ? soft.variance(ofSplit: share.soft) * softWeight : 0
      if solid == 0, faint == 0 { break }
      if solid >= faint { share.opaque += 1 } else { share.soft += 1 }
    }
    return share
  }

  private func mean(_ members: ArraySlice<Int>) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    var weight: Float = 0
    for i in members {
      sum += points[i] * weights[i]
      weight += weights[i]
    }
    return sum / weight
  }

  /// Moves centers to the means of what is nearest to them, then names their colors.
  private func settle(
    _ initial: [SIMD4<Float>], range: Range<Int>, isOpaque: Bool, _ pullsToClear: Bool
  ) -> [RGBA8] {
    guard initial.count < range.count else { return range.map { RGBA8(packed: colors[$0]) } }
    var centers = initial
    var clusters: [Cluster] = []
    for _ in 0..<Self.rounds {
      clusters = assign(range, to: centers, pullsToClear: pullsToClear)
      var isSettled = true
      for (i, cluster) in clusters.enumerated() where cluster.weight > 0 {
        let moved = cluster.sum / cluster.weight
        if PerceptualSpace.distance(moved, centers[i]) > 1e-3 { isSettled = false }
        centers[i] = moved
      }
      if isSettled { break }
    }
    return zip(centers, clusters).compactMap { center, cluster in
      guard cluster.weight > 0 else { return nil }
      if cluster.heaviestWeight > Self.dominantShare * cluster.weight { return RGBA8(packed: colors[cluster.heaviest]) }
      var color = PerceptualSpace.color(at: center)
      color.alpha = isOpaque ? 255 : min(max(color.alpha, 1), 254)
      return color
    }
  }

  private struct Cluster {
    var sum = SIMD4<Float>.zero
    var weight: Float = 0
    var heaviest = 0
    var heaviestWeight: Float = 0
  }

  /// Gives each color of a range to its nearest center; a faint one may fall to the clear entry and count for none.
  private func assign(_ range: Range<Int>, to centers: [SIMD4<Float>], pullsToClear: Bool) -> [Cluster] {
    var places = centers.enumerated().map { (point: $1, number: $0) }
    if pullsToClear { places.append((.zero, centers.count)) }
    let search = NearestPoint(places)
    var clusters = [Cluster](repeating: Cluster(), count: places.count)
    clusters.withUnsafeMutableBufferPointer { clusters in
      points.withUnsafeBufferPointer { points in
        for i in range {
          let number = search.nearest(to: points[i]).number
          clusters[number].sum += points[i] * weights[i]
          clusters[number].weight += weights[i]
          if weights[i] > clusters[number].heaviestWeight {
            clusters[number].heaviestWeight = weights[i]
            clusters[number].heaviest = i
          }
        }
      }
    }
    return Array(clusters.prefix(centers.count))
  }
}

/// Clusters of weighted places, split again and again at the widest; the first n - 1 splits give n clusters.
struct SplitSequence: Sendable {
  private struct Box {
    var range: Range<Int>
    var axis: Int
    var variance: Double
  }

  /// Members in an order in which every cluster is a range.
  private var order: [Int]
  private let all: Range<Int>
  /// The cluster that is split (by its first member), where, and the variance that it had.
  private var cuts: [(start: Int, cut: Int, variance: Double)] = []

  /// Splits a range of places to 256 clusters, or until every cluster is one color.
  init(_ range: Range<Int>, points: [SIMD4<Float>], weights: [Float]) {
    order = Array(range)
    all = order.indices
    guard !all.isEmpty else { return }
    var boxes = [Self.measure(all, order, points, weights)]
    while boxes.count < 256 {
      guard let widest = boxes.indices.max(by: { boxes[$0].variance < boxes[$1].variance }),
        boxes[widest].variance > 1e-3
      else { break }
      let box = boxes[widest]
      let cut = Self.split(box, &order, points, weights)
      cuts.append((box.range.lowerBound, cut, box.variance))
      boxes[widest] = Self.measure(box.range.lowerBound..<cut, order, points, weights)
      boxes.append(Self.measure(cut..<box.range.upperBound, order, points, weights))
    }
  }

  /// The variance of the cluster whose split makes `count` clusters one more; 0 where none can be split.
  func variance(ofSplit count: Int) -> Double { count - 1 < cuts.count ? cuts[count - 1].variance : 0 }

  /// At most `count` clusters; none is empty.
  func clusters(_ count: Int) -> [ArraySlice<Int>] {
    guard count > 0, !all.isEmpty else { return [] }
    var ranges = [all]
    for (start, cut, _) in cuts.prefix(count - 1) {
      guard let i = ranges.firstIndex(where: { $0.lowerBound == start }) else { continue }
      ranges.append(cut..<ranges[i].upperBound)
      ranges[i] = start..<cut
    }
    return ranges.map { order[$0] }
  }

  private static func measure(
    _ range: Range<Int>, _ order: [Int], _ points: [SIMD4<Float>], _ weights: [Float]
  ) -> Box {
    var sum = SIMD4<Double>.zero
    var squares = SIMD4<Double>.zero
    var weight = 0.0
    for i in order[range] {
      let point = SIMD4<Double>(points[i])
      let own = Double(weights[i])
      sum += point * own
      squares += point * point * own
      weight += own
    }
    let spread = squares - sum * sum / weight
    var axis = 0
    for i in 1..<4 where spread[i] > spread[axis] { axis = i }
    return Box(range: range, axis: axis, variance: range.count < 2 ? 0 : max(spread.sum(), 0))
  }

  /// Sorts a box along its axis and finds the cut that leaves the least variance within the halves.
  private static func split(
    _ box: Box, _ order: inout [Int], _ points: [SIMD4<Float>], _ weights: [Float]
  ) -> Int {
    var keyed = order[box.range].map { (value: points[$0][box.axis], index: $0) }
    keyed.sort { ($0.value, $0.index) < ($1.value, $1.index) }
    var total = 0.0
    var totalSum = 0.0
    for (value, index) in keyed {
      total += Double(weights[index])
      totalSum += Double(weights[index]) * Double(value)
    }
    var weight = 0.0
    var sum = 0.0
    var best = -1.0
    var cut = 1
    for (position, (value, index)) in keyed.enumerated() {
      order[box.range.lowerBound + position] = index
      weight += Double(weights[index])
      sum += Double(weights[index]) * Double(value)
      guard position + 1 < keyed.count else { break }
      let gap = sum / weight - (totalSum - sum) / (total - weight)
      let gain = weight * (total - weight) * gap * gap
      if gain > best {
        best = gain
        cut = position + 1
      }
    }
    return box.range.lowerBound + cut
  }
}
