import Imaging
import Testing

@Suite("Placement")
struct PlacementTests {
  private func place(_ width: Int, _ height: Int, _ side: Int, _ fit: Fit = .contain, padding: Int = 0) -> Placement {
    Placement(
      art: PixelRect(x: 0, y: 0, width: width, height: height), canvas: PixelSize(square: side), fit: fit,
      padding: padding)
  }

  @Test("contained art is centered, the smaller half of an odd margin at the top and left")
  func contain() {
    #expect(place(710, 599, 300).target == PixelRect(x: 0, y: 23, width: 300, height: 253))
    #expect(place(599, 710, 300).target == PixelRect(x: 23, y: 0, width: 253, height: 300))
    #expect(place(50, 50, 300).target == PixelRect(x: 0, y: 0, width: 300, height: 300))
    #expect(place(900, 1, 300).target == PixelRect(x: 0, y: 149, width: 300, height: 1))
  }

  @Test("the whole of a source lies where its part is seen, at the same scale")
  func extent() {
    let part = Placement(
      art: PixelRect(x: 10, y: 30, width: 20, height: 10), canvas: PixelSize(square: 300), fit: .contain)
    #expect(part.extent(of: PixelSize(square: 40)) == PixelRegion(x: -150, y: -375, width: 600, height: 600))
    #expect(
      place(80, 40, 300, .cover).extent(of: PixelSize(width: 80, height: 40))
        == PixelRegion(x: -150, y: 0, width: 600, height: 300))
    #expect(
      place(80, 40, 300, .fill, padding: 10).extent(of: PixelSize(width: 80, height: 40))
        == PixelRegion(x: 10, y: 10, width: 280, height: 280))
  }

  @Test("covering art is cropped evenly, between pixels where need be")
  func cover() {
    let wide = place(710, 599, 300, .cover)
    #expect(wide.target == PixelRect(x: 0, y: 0, width: 300, height: 300))
    #expect(wide.region == PixelRegion(x: 55.5, y: 0, width: 599, height: 599))
    let tall = place(3, 1000, 300, .cover)
    #expect(tall.region.width == 3 && abs(tall.region.height - 3) < 1e-9 && abs(tall.region.y - 498.5) < 1e-9)
  }

  @Test("filling art is stretched")
  func fill() {
    let placement = place(710, 599, 300, .fill)
    #expect(placement.target == PixelRect(x: 0, y: 0, width: 300, height: 300))
    #expect(placement.region == PixelRegion(x: 0, y: 0, width: 710, height: 599))
  }

  @Test("padding is kept free on every side, and leaves a pixel", arguments: Fit.allCases)
  func padding(fit: Fit) {
    let padded = place(100, 40, 300, fit, padding: 20).target
    #expect(padded.x >= 20 && padded.y >= 20 && padded.maxX <= 280 && padded.maxY <= 280)
    #expect(padded.width == 260)
    let greedy = place(100, 40, 300, fit, padding: 5000).target
    #expect(!greedy.isEmpty && greedy.maxX <= 300 && greedy.maxY <= 300)
  }

  @Test("art of the right size is copied, not scaled")
  func exact() {
    #expect(place(300, 300, 300).exactSource == PixelRect(x: 0, y: 0, width: 300, height: 300))
    #expect(place(260, 200, 300, padding: 20).exactSource == PixelRect(x: 0, y: 0, width: 260, height: 200))
    #expect(place(300, 400, 300, .cover).exactSource == PixelRect(x: 0, y: 50, width: 300, height: 300))
    #expect(place(300, 401, 300, .cover).exactSource == nil)
    #expect(place(301, 300, 300).exactSource == nil)
  }

  @Test("only what grows is enlarged")
  func enlarges() {
    #expect(place(299, 10, 300).enlarges)
    #expect(place(400, 100, 300, .fill).enlarges)
    #expect(!place(300, 10, 300).enlarges)
    #expect(!place(1024, 1024, 300).enlarges)
  }

  @Test("whole factors below 2 are none")
  func wholeFactor() {
    let canvas = PixelSize(square: 300)
    func target(_ width: Int, _ height: Int, padding: Int = 0) -> PixelRect? {
      Placement(
        enlargingByWholeFactor: PixelRect(x: 0, y: 0, width: width, height: height), canvas: canvas, padding: padding)?
        .target
    }
    #expect(target(151, 10) == nil)
    #expect(target(150, 10) == PixelRect(x: 0, y: 140, width: 300, height: 20))
    #expect(target(56, 56) == PixelRect(x: 10, y: 10, width: 280, height: 280))
    #expect(target(150, 10, padding: 1) == nil)
  }
}
