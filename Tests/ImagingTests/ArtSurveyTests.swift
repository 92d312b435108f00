import Imaging
import TestSupport
import Testing

@Suite("Survey of art")
struct ArtSurveyTests {
  private func survey(_ frames: Bitmap...) -> ArtSurvey {
    frames.reduce(into: ArtSurvey()) { $0.add(Raster(size: $1.size, samples: .rgba8($1.pixels)), x: 0, y: 0) }
  }

  @Test("the content is the union over all frames, faint pixels included")
  func content() {
    let first = picture(20, 10) { x, y in x == 3 && y == 8 ? RGBA8(0, 0, 0, 1) : .clear }
    let second = picture(20, 10) { x, y in x == 15 && y == 2 ? .white : RGBA8(9, 9, 9, 0) }
    #expect(survey(first).content == PixelRect(x: 3, y: 8, width: 1, height: 1))
    #expect(survey(first, second).content == PixelRect(x: 3, y: 2, width: 13, height: 7))
    #expect(survey(picture(4, 4) { _, _ in .clear }).content.isEmpty)
    #expect(survey(picture(4, 4) { _, _ in .white }).content == PixelRect(x: 0, y: 0, width: 4, height: 4))
  }

  @Test("a smaller frame counts where it lies on the canvas")
  func origin() {
    var survey = ArtSurvey()
    survey.add(Raster(size: PixelSize(square: 1), samples: .rgba16([1, 1, 1, 65535])), x: 5, y: 6)
    #expect(survey.content == PixelRect(x: 5, y: 6, width: 1, height: 1))
  }

  @Test("pixel art is small, hard and has few colors")
  func pixelArt() {
    func sprite(_ side: Int, colors: Int, alpha: UInt8 = 255) -> Bitmap {
      picture(side, side) { x, y in
        let color = (y * side + x) % colors
        return RGBA8(UInt8(color % 16 * 16), UInt8(color / 16 * 8), 0, x == 1 && y == 1 ? alpha : 255)
      }
    }
    #expect(survey(sprite(16, colors: 8)).isPixelArt)
    #expect(survey(sprite(128, colors: 64)).isPixelArt)
    #expect(survey(sprite(128, colors: 63, alpha: 0)).isPixelArt)
    #expect(!survey(sprite(128, colors: 65)).isPixelArt)
    #expect(!survey(sprite(129, colors: 8)).isPixelArt)
    #expect(!survey(sprite(16, colors: 8, alpha: 128)).isPixelArt)
    #expect(!survey(sprite(16, colors: 8), sprite(16, colors: 8, alpha: 128)).isPixelArt)
    #expect(!survey(picture(16, 16) { _, _ in .clear }).isPixelArt)
  }

  @Test("clear pixels are one color, whatever they hide")
  func hidden() {
    #expect(survey(picture(16, 16) { x, y in y == 0 ? .black : RGBA8(UInt8(x * 16), UInt8(y * 16), 0, 0) }).isPixelArt)
  }
}
