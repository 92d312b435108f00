import Imaging
import TestSupport
import Testing

@testable import Codecs

@Suite struct WritingTruecolorTests {
  /// A soft disc over shading, moved by a number of pixels.
  private func frame(_ shift: Int, side: Int = 96) -> Bitmap {
    picture(side) { x, y in
      let (dx, dy) = (x - 30 - shift, y - 48)
      let distance = dx * dx + dy * dy
      return distance > 900
        ? .clear : RGBA8(UInt8(x * 2), UInt8(y * 2), UInt8((x * y) & 255), distance > 700 ? 100 : 255)
    }
  }

  private func encode(_ animation: SizedAnimation, budget: Int) throws -> (file: StrictAPNG, asset: EncodedAsset) {
    let asset = try TruecolorEncoder(effort: .fast).encode(animation, budget: budget)
    let file = try StrictAPNG(asset.bytes)
    #expect(!file.chunks.contains("PLTE"))
    #expect([2, 6].contains(file.colorType))
    return (file, asset)
  }

  @Test func `what fits is exact`() throws {
    let frames = (0..<5).map { frame($0 * 3) }
    let (file, asset) = try encode(animation(frames), budget: 499_999)
    #expect(asset.report.method == .lossless)
    #expect(file.frames.map(\.canvas) == frames)
    #expect(file.colorType == 6)
  }

  @Test func `few colors get no palette either`() throws {
    let frames = (0..<3).map { i in picture(32) { x, _ in x < 10 + i ? .black : .white } }
    let (file, asset) = try encode(animation(frames), budget: 499_999)
    #expect(asset.report.method == .lossless)
    #expect(file.frames.map(\.canvas) == frames)
  }

  @Test func `what does not fit is reduced until it does, in the same time`() throws {
    let source = animation((0..<10).map { frame($0 * 3) })
    let exact = try TruecolorEncoder(effort: .fast).encode(source, budget: .max).bytes.count
    let (file, asset) = try encode(source, budget: exact * 3 / 5)
    #expect(asset.bytes.count <= exact * 3 / 5)
    #expect(asset.bytes.count > exact / 4)
    #expect(asset.report.method == .palette)
    #expect(file.duration == source.duration)
    #expect(file.frames.count == asset.report.keptFrames)
    let shown = try SizedAnimation(decoding: asset.bytes)
    #expect(shown.frames.map(\.bitmap) == file.frames.map(\.canvas))
  }

  @Test func `a still takes the same way`() throws {
    let still = animation([frame(4, side: 128)], delays: [.zero])
    let exact = try encode(still, budget: .max)
    #expect(exact.asset.report.method == .lossless)
    #expect(exact.file.frames.map(\.canvas) == [frame(4, side: 128)])
    let (file, asset) = try encode(still, budget: exact.asset.bytes.count * 3 / 4)
    #expect(asset.bytes.count <= exact.asset.bytes.count * 3 / 4)
    #expect(asset.report.method == .palette)
    #expect(file.playCount == nil)
  }

  @Test func `what cannot fit is handed back too large`() throws {
    var noise = Noise()
    let source = animation([
      picture(64) { _, _ in RGBA8(noise.byte(), noise.byte(), noise.byte(), noise.byte()) }
    ])
    #expect(try TruecolorEncoder(effort: .fast).encode(source, budget: 300).bytes.count > 300)
  }
}
