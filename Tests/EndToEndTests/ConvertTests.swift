import AssetCatalog
import Foundation
import Imaging
import TestSupport
import Testing

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct ConvertTests {
  /// A text, a title and a profile of a hundred million zeros each, in a picture of one pixel.
  private var bomb: [UInt8] {
    var png = PNGMaker(width: 1, height: 1)
    let zeros = [0, 0] + zlibBomb(zeros: 100_000_000)
    png.add("iCCP", Array("x".utf8) + zeros)
    png.add("zTXt", Array("Comment".utf8) + zeros)
    png.add("iTXt", Array("Title".utf8) + [0, 1, 0, 0] + zeros)
    png.addPicture([[200, 80, 60, 255]])
    return png.finish()
  }

  /// What the program says that it has had at most, in bytes.
  private func peakMemory(_ outcome: ProgramOutcome) throws -> Int {
    let done = try JSONValue(parsing: Array(#require(outcome.output.split(separator: "\n").last).utf8))
    guard case .int(let memory)? = done["timings"]?["peakMemory"] else {
      Issue.record("no memory is told: \(outcome.output)")
      return 0
    }
    return memory
  }

  @Test func framesAreNeverAllInMemory() throws {
    let scratch = Scratch()
    // 400 frames of a megabyte each, in which every pixel changes: each code spells one pixel more than the one before.
    var gif = GIFMaker(width: 500, height: 500)
    for number in 0..<400 {
      gif.addControl(delay: 5)
      gif.addDescriptor(width: 500, height: 500)
      gif.addCodes([8, number % 2] + (10..<717).map { $0 } + [9])
    }
    scratch.add("long.gif", gif.bytes + [0x3b])
    let outcome = try Program.run(
      ["convert", "long.gif", "-o", "out.png", "--grid", "small", "--timings", "--json"], in: scratch)
    let memory = try peakMemory(outcome)
    #expect(outcome.code == 0 && memory < 300_000_000, "\(memory) bytes, \(outcome.errors)")
  }

  @Test func whatWouldFillTheMemoryIsNotInflated() throws {
    let scratch = Scratch()
    scratch.add("bomb.png", bomb)
    let outcome = try Program.run(
      ["convert", "bomb.png", "-o", "out.png", "--grid", "small", "--timings", "--json"], in: scratch)
    let memory = try peakMemory(outcome)
    #expect(outcome.code == 0 && scratch.exists("out.png"))
    #expect(memory > 1_000_000 && memory < 80_000_000, "\(memory) bytes")
    // The file is named where others are made beside it.
    #expect(outcome.output.split(separator: "\n").contains { $0.contains("bomb.png") && $0.contains("bad-profile") })
  }

  @Test func oneFrameIsAStillInEveryFormat() throws {
    let scratch = Scratch()
    var gif = GIFMaker(width: 40, height: 40)
    gif.addLoop(0)
    gif.addControl(delay: 10)
    gif.addSolid(1, width: 40, height: 40)
    scratch.add("gif.gif", gif.bytes + [0x3b])
    var png = PNGMaker(width: 40, height: 40)
    png.addAnimation(frames: 1)
    png.addFrame(width: 40, height: 40)
    png.addPicture(solidRows([0, 0, 255, 255], width: 40, height: 40))
    scratch.add("apng.png", png.finish())
    var webp = WebPMaker(width: 40, height: 40)
    webp.addSolid([0, 0, 255, 255], width: 40, height: 40)
    scratch.add("webp.webp", webp.finish(plays: 0))
    #expect(try Program.run(["convert", "gif.gif", "apng.png", "webp.webp", "-o", "out"], in: scratch).code == 0)
    for name in ["gif", "apng", "webp"] {
      let bytes = try #require(scratch.bytes("out/\(name).png"))
      #expect(!String(decoding: bytes, as: Unicode.ASCII.self).contains("acTL"), "\(name)")
    }
  }

  @Test func numberedFramesComeInTheOrderOfTheirNumbers() throws {
    let scratch = Scratch()
    let names = ["01", "2", "003", "4", "05", "6", "7", "8", "9", "10", "11", "12"]
    for (index, name) in names.enumerated() {
      scratch.add("frames/\(name).png", picture(RGBA8(UInt8(20 * index), 90, 40), side: 60))
    }
    #expect(try Program.run(["convert", "frames", "-o", "out.png", "--grid", "small"], in: scratch).code == 0)
    let made = try StrictAPNG(#require(scratch.bytes("out.png")))
    #expect(made.frames.map { $0.canvas[150, 150].red } == names.indices.map { UInt8(20 * $0) })
  }

  @Test func oddNamesStayInsideTheOutput() throws {
    let scratch = Scratch()
    for name in ["..png.png", "....png", "a..b.png"] { scratch.add("in/art/\(name)", picture()) }
    #expect(try Program.run(["build", "in", "--stickers", "in/art", "-o", "in/out"], in: scratch).code == 0)
    let outside = scratch.tree(".").keys.filter { !$0.hasPrefix("in/art/") && !$0.hasPrefix("in/out/") }
    #expect(outside.isEmpty && scratch.tree("in/out").keys.contains { $0.hasSuffix(".sticker/Contents.json") })
  }
}
