import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

@Suite("The budget") struct BudgetTests {
  private let folder = "/pack/out/Stickers.xcstickers/Sticker Pack.stickerpack"

  private func build(
    _ art: [(String, [UInt8])], _ change: (inout Configuration) -> Void = { _ in }
  ) async throws -> (summary: BuildSummary, disk: MemoryDisk) {
    let disk = MemoryDisk()
    for (name, bytes) in art { disk.add("/pack/art/" + name, bytes) }
    var configuration = Configuration()
    configuration.grid = .large
    configuration.defaults.effort = .fast
    change(&configuration)
    return (try await Builder(disk: disk).build(configuration, root: "/pack"), disk)
  }

  /// A square of 618 px with so many pixels of noise in its first rows, the rest plain.
  private func partlyNoise(_ pixels: Int) -> Bitmap {
    var bitmap = Art.noisy(618, 3)
    for i in pixels * 4..<bitmap.pixels.count { bitmap.pixels[i] = i % 4 == 3 ? 255 : 40 }
    return bitmap
  }

  @Test func theLimitIsFourHundredNinetyNineThousandNineHundredNinetyNineBytes() async throws {
    // The most noise whose smallest exact file keeps the limit, and a little more.
    func size(_ pixels: Int) -> Int { StillEncoder(effort: .fast).encode(partlyNoise(pixels)).bytes.count }
    var (fits, tooMany) = (100_000, 200_000)
    while tooMany - fits > 40 {
      let middle = (fits + tooMany) / 2
      if size(middle) <= 499_999 { fits = middle } else { tooMany = middle }
    }
    #expect(size(fits) > 499_500 && size(tooMany) < 500_500)
    let (summary, disk) = try await build(
      [fits, tooMany].enumerated().map { ("\($0).png", StillEncoder(effort: .fast).encode(partlyNoise($1)).bytes) })
    #expect(summary.stickers.map { $0.report?.method } == [.lossless, .palette])
    for number in 0...1 {
      let bytes = try #require(disk.bytes("\(folder)/\(number).sticker/\(number).png"))
      #expect(bytes.count <= 499_999)
    }
    let exact = try SizedAnimation(decoding: disk.bytes("\(folder)/0.sticker/0.png") ?? [])
    #expect(exact.frames[0].bitmap == partlyNoise(fits))
    #expect(summary.diagnostics.contains { $0.id == "palette" && $0.message.contains("499999 bytes") })
    #expect(StickerRecipe.defaultBudget == 499_999)
  }

  @Test func aStillIsPressedFurtherOnlyWhereItWouldNotFit() async throws {
    var bitmap = Bitmap(size: PixelSize(square: 300), fill: RGBA8(0, 0, 0))
    for y in 0..<300 {
      for x in 0..<300 { bitmap[x, y] = RGBA8(UInt8(x * x / 400), UInt8((x + 2 * y) / 4), UInt8(y * y / 500)) }
    }
    func pressed(_ budget: Int) async throws -> (sticker: [UInt8], report: EncodingReport?) {
      let (summary, disk) = try await build([("soft.png", encodeRGBA8(bitmap))]) {
        $0.defaults.effort = .normal
        $0.defaults.budget = budget
      }
      return (disk.bytes(folder + "/soft.sticker/soft.png") ?? [], summary.stickers[0].report)
    }
    let roomy = try await pressed(499_999)
    let tight = try await pressed(roomy.sticker.count - 1)
    #expect(roomy.report?.method == .lossless && roomy.report?.attempts == 1)
    #expect(tight.report?.method == .lossless && tight.report?.attempts == 2)
    #expect(!tight.sticker.isEmpty && tight.sticker.count < roomy.sticker.count)
    #expect(try await pressed(roomy.sticker.count).sticker == roomy.sticker)
  }

  @Test func noiseFitsByAPaletteAndIsRefusedAloudWhereNothingCanFit() async throws {
    let art = [("noise.png", encodeRGBA8(Art.noisy(618, 1)))]
    let (summary, disk) = try await build(art)
    #expect(!summary.hasErrors)
    #expect(summary.stickers[0].report?.method == .palette)
    #expect((disk.bytes(folder + "/noise.sticker/noise.png")?.count ?? .max) <= 499_999)
    let (refused, empty) = try await build(art) { $0.defaults.budget = 400 }
    #expect(refused.diagnostics.contains { $0.id == "over-budget" && $0.severity == .error })
    #expect(empty.bytes(folder + "/noise.sticker/noise.png") == nil)
  }

  @Test(arguments: [PixelEncoding.auto, .rgba]) func aTranslucentColorComesThroughEitherEncoding(
    encoding: PixelEncoding
  ) async throws {
    // A pixel that readers of indexed files once took for premultiplied.
    var frames = (0..<2).map { Art.noisy(300, UInt64($0 + 5)) }
    for i in frames.indices {
      for y in 100..<200 { for x in 100..<200 { frames[i][x, y] = RGBA8(154, 231, 231, 50) } }
    }
    let source = SizedAnimation(frames: frames.map { SizedFrame(bitmap: $0, delay: Rational(1, 10)) })
    let file = try RateDistortionEncoder(effort: .fast).encode(source, budget: .max).bytes
    let (summary, disk) = try await build([("a.png", file)]) {
      $0.grid = .small
      $0.defaults.budget = 150_000
      $0.defaults.encoding = encoding
    }
    #expect(summary.stickers[0].report?.method == .palette)
    let shown = try SizedAnimation(decoding: disk.bytes(folder + "/a.sticker/a.png") ?? [])
    for frame in shown.frames {
      let color = frame.bitmap[150, 150]
      for (a, b) in [(color.red, 154), (color.green, 231), (color.blue, 231), (color.alpha, 50)] {
        #expect(abs(Int(a) - b) <= 2)
      }
    }
  }
}
