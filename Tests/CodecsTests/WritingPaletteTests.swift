import Imaging
import TestSupport
import Testing

@testable import Codecs

/// What glows and bright edges keep when an animation is pressed into a palette file of half its exact size.
@Suite struct WritingPaletteTests {
  /// Frames pressed and read again.
  private func pressed(_ frames: [Bitmap]) throws -> [Bitmap] {
    let source = animation(frames)
    let exact = try RateDistortionEncoder(effort: .fast).encode(source, budget: .max).bytes.count
    let asset = try RateDistortionEncoder().encode(source, budget: exact / 2)
    #expect(asset.report.method == .palette)
    #expect(asset.bytes.count <= exact / 2)
    let shown = try StrictAPNG(asset.bytes).frames.map(\.canvas)
    try #require(shown.count == frames.count)
    return shown
  }

  /// A disc that moves by 2 px a frame, with an edge of `edge` pixels.
  private func discs(edge: Double, color: (Int, Int) -> RGBA8) -> [Bitmap] {
    (0..<3).map { frame in
      picture(170) { x, y in
        let (dx, dy) = (Double(x) + 0.5 - 85 - Double(frame * 2), Double(y) + 0.5 - 85)
        let cover = max(0, min(1, (75 - (dx * dx + dy * dy).squareRoot()) / edge + 0.5))
        var own = color(x - frame * 2, y)
        own.alpha = UInt8((cover * 255).rounded())
        return own.alpha == 0 ? .clear : own
      }
    }
  }

  @Test func `a pressed glow keeps its levels in order`() throws {
    let frames = (0..<6).map { frame in
      picture(204) { x, y in
        let (dx, dy) = (Double(x - 102 - frame * 2), Double(y - 102))
        let alpha = 255 * (1 - (dx * dx + dy * dy).squareRoot() / 102)
        return alpha < 0.5 ? .clear : RGBA8(255, 255, 255, UInt8(alpha))
      }
    }
    for (number, shown) in try pressed(frames).enumerated() {
      let radius = (102 + number * 2..<204).map { Int(shown[$0, 102].alpha) }
      for (inner, outer) in zip(radius, radius.dropFirst()) { #expect(outer <= inner + 12) }
      #expect(Set(radius).count >= 20)
    }
  }

  @Test func `a pressed soft edge stays soft`() throws {
    var noise = Noise()
    let colors = (0..<300).map { _ in RGBA8(noise.byte(), noise.byte(), noise.byte()) }
    let frames = discs(edge: 4) { x, y in colors[abs(x / 9 * 7 + y / 9 * 13) % 300] }
    for (frame, shown) in zip(frames, try pressed(frames)) {
      let soft = softPixels(of: frame, in: shown)
      #expect(soft.count > 1000)
      #expect(soft.kept * 10 >= soft.count * 9)
      #expect(soft.error <= soft.count * 11)
    }
  }

  @Test func `a pressed bright edge has no dark specks`() throws {
    var noise = Noise()
    let colors = (0..<300).map { _ in RGBA8(noise.byte(), noise.byte(), noise.byte()) }
    let yellow = RGBA8(255, 210, 0)
    let frames = discs(edge: 1.5) { x, y in
      let (dx, dy) = (x - 85, y - 85)
      return dx * dx + dy * dy > 65 * 65 ? yellow : colors[abs(x / 3 * 7 + y / 3 * 13) % 300]
    }
    for (frame, shown) in zip(frames, try pressed(frames)) {
      for y in 0..<170 {
        for x in 0..<170 where (32..<255).contains(frame[x, y].alpha) {
          #expect(shown[x, y].colorDistance(to: yellow) <= 40)
        }
      }
    }
  }
}
