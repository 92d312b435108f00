import Imaging
import TestSupport
import Testing

@testable import Codecs

@Suite struct DisplayP3s {
  private func linear(_ bytes: [UInt8], _ gamut: OutputGamut) throws -> (row: [Float], clipped: Int) {
    let reader = try ImageReader(bytes: bytes)
    let raster = try #require(try reader.nextFrame()).raster
    let converter = ColorConverter(reader.header.color, gamut: gamut)
    var row = [Float](repeating: 0, count: raster.size.width * 4)
    row.withUnsafeMutableBufferPointer { converter.convert(raster, row: 0, into: $0) }
    #expect(converter.warnings.isEmpty)
    return (row, converter.clippedPixels)
  }

  private func levels(_ row: [Float]) -> [Int] { row.prefix(3).map { Int(SRGB.encode8($0)) } }

  @Test func itsOwnNumbersAreKept() throws {
    let file = DisplayP3.tagged(png: patch([0, 255, 10], [("sRGB", [0])]))
    let kept = try linear(file, .displayP3)
    #expect(levels(kept.row) == [0, 255, 10] && kept.clipped == 0)
    #expect(try linear(file, .sRGB).clipped == 2)
  }

  @Test func sRGBBecomesDisplayP3AndBack() throws {
    let file = patch([216, 69, 50], [])
    let wide = levels(try linear(file, .displayP3).row)
    for (value, color) in zip(wide, [200, 80, 60]) { #expect(abs(value - color) <= 2) }
    let tagged = DisplayP3.tagged(png: patch(wide.map { UInt8($0) }, [("sRGB", [0])]))
    for (value, color) in zip(levels(try linear(tagged, .sRGB).row), [216, 69, 50]) { #expect(abs(value - color) <= 1) }
    let color = DisplayP3.encoded(RGBA8(216, 69, 50))
    #expect([Int(color.red), Int(color.green), Int(color.blue)] == wide)
    #expect(DisplayP3.encoded(.white) == .white)
  }

  @Test func thePictureSaysOneThingOfItsColors() throws {
    let facts = try ImageFacts(bytes: DisplayP3.tagged(png: patch([1, 2, 3], [("sRGB", [0])])))
    #expect(facts.chunks.map(\.name) == ["IHDR", "iCCP", "IDAT", "IEND"])
    #expect(facts.profile == "Display P3" && facts.warnings.isEmpty)
  }
}
