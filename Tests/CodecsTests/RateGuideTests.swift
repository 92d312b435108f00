import Foundation
import Testing

@testable import Codecs

/// Lambda on its way through the frames of an imagined clip, whose sizes follow it exactly.
@Suite struct RateGuideTests {
  private let slope = -0.4

  /// The bytes of each frame at lambda 1, and those of a pass that a guide leads from there.
  ///
  /// Streams take `share` of that; it is told where it is seen in every sixth frame.
  private func total(
    _ frames: [Double], sampled: [Int: Double], target: Double, ratio: Double = 1, share: Double? = nil
  ) -> Double {
    var guide = RateGuide(
      sampled: sampled, ratio: ratio, count: frames.count, target: target, slope: slope, range: 0.25...4)
    var lambda = 1.0
    var sum = 0.0
    for (number, bytes) in frames.enumerated() {
      let taken = bytes * exp(log(lambda) * slope)
      let written = taken * (share ?? 1)
      sum += written
      let isTold = share != nil && PaletteFileWriter.tells(number, of: frames.count)
      lambda = guide.lambda(after: number, bytes: taken, written: isTold ? Int(written) : nil, now: lambda)
    }
    return sum
  }

  @Test(arguments: [0.85, 0.95, 1, 1.08, 1.2])
  func `a clip ends within a percent of its target, however much a sample was off`(_ error: Double) {
    let frames = [40_000.0] + (1..<60).map { 8_000 + 400 * sin(Double($0) / 9) }
    let runs = [8, 9, 10, 28, 29, 30, 48, 49, 50]
    let sampled = Dictionary(uniqueKeysWithValues: runs.map { ($0, frames[$0] * error) })
    let target = frames.reduce(0, +) * 0.97
    #expect(abs(total(frames, sampled: sampled, target: target) / target - 1) < 0.01)
  }

  @Test(arguments: [0.75, 0.9, 1.05]) func `what streams take is learned from those that are compressed`(
    _ share: Double
  ) {
    let frames = [40_000.0] + (1..<60).map { 8_000 + 400 * sin(Double($0) / 9) }
    let sampled = Dictionary(uniqueKeysWithValues: [8, 29, 49].map { ($0, frames[$0]) })
    let target = frames.reduce(0, +) * 0.87
    #expect(abs(total(frames, sampled: sampled, target: target, ratio: 0.9, share: share) / target - 1) < 0.015)
  }

  @Test func `lambda moves little from a frame to the next and stays in its range`() {
    var guide = RateGuide(sampled: [5: 100], ratio: 1, count: 40, target: 1_000, slope: slope, range: 0.5...1.5)
    var lambda = 1.0
    for number in 0..<40 {
      let next = guide.lambda(after: number, bytes: 500, now: lambda)
      #expect(next >= lambda && next <= lambda * 1.061 && next <= 1.5)
      lambda = next
    }
    #expect(lambda == 1.5)
  }

  @Test func `a clip of one frame, or of none that was sampled, leaves lambda as it is`() {
    var guide = RateGuide(sampled: [0: 100], ratio: 1, count: 6, target: 1_000, slope: slope, range: 0.5...2)
    for number in 0..<6 { #expect(guide.lambda(after: number, bytes: 300, now: 1) == 1) }
  }
}
