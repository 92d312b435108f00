import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

@Suite("What a sticker costs") struct QualityTests {
  private let file = "/pack/out/Stickers.xcstickers/Sticker Pack.stickerpack/art.sticker/art.png"

  private func build(
    _ bytes: [UInt8], _ change: (inout Configuration) -> Void
  ) async throws -> (sticker: StickerResult, disk: MemoryDisk) {
    let disk = MemoryDisk()
    disk.add("/pack/art/art.png", bytes)
    var configuration = Configuration()
    configuration.defaults.effort = .fast
    change(&configuration)
    let summary = try await Builder(disk: disk).build(configuration, root: "/pack")
    return (summary.stickers[0], disk)
  }

  private func moving(_ count: Int, rate: Int) throws -> [UInt8] {
    let frames = (0..<count).map { SizedFrame(bitmap: Art.noisy(48, UInt64($0 + 1)), delay: Rational(1, rate)) }
    return try RateDistortionEncoder(effort: .fast).encode(SizedAnimation(frames: frames), budget: .max).bytes
  }

  @Test func whatIsExactSaysSo() async throws {
    let sticker = try await build(Art.png()) { $0.grid = .small }.sticker
    #expect(sticker.quality == .lossless)
    #expect(sticker.report?.method == .lossless)
    #expect(!sticker.diagnostics.contains { $0.id == "low-quality" })
  }

  @Test func whatLooksPoorIsToldWithAdviceThatFits() async throws {
    let still = try await build(Art.noise(40)) { $0.defaults.budget = 9000 }.sticker
    #expect((still.quality?.score ?? 100) < 50)
    let told = try #require(still.diagnostics.first { $0.id == "low-quality" })
    #expect(told.severity == .warning && told.path == "art/art.png")
    #expect(told.message.contains("flatter shading") && told.message.contains("smaller grid"), "\(told.message)")
    // No smaller grid is advised where there is none, nor fewer frames for a still.
    let small = try await build(Art.noise(40)) {
      $0.defaults.budget = 6000
      $0.grid = .small
    }.sticker
    let message = try #require(small.diagnostics.first { $0.id == "low-quality" }?.message)
    #expect(!message.contains("smaller grid") && !message.contains("frames"), "\(message)")
    let moved = try await build(moving(24, rate: 24)) {
      $0.defaults.budget = 60_000
      $0.grid = .small
    }.sticker
    let advice = try #require(moved.diagnostics.first { $0.id == "low-quality" }?.message)
    #expect(advice.contains("fewer frames"), "\(advice)")
  }

  @Test func theManifestHoldsQualityAndFlicker() async throws {
    let (sticker, disk) = try await build(Art.noise(40)) { $0.defaults.budget = 60_000 }
    let manifest = try JSONValue(parsing: disk.bytes("/pack/out/manifest.json") ?? [])
    guard case .array(let entries)? = manifest["stickers"] else { throw Missing() }
    let encoding = entries[0]["output"]?["encoding"]
    let score = try #require(sticker.quality).score
    #expect(encoding?["quality"] == .double((score * 10).rounded() / 10))
    #expect(encoding?["flicker"] == .int(0))
  }

  @Test func pixelsAreGivenUpOnlyWhereAskedFor() async throws {
    let bytes = Art.noise(40)
    let whole = try await build(bytes) { $0.defaults.budget = 40_000 }
    #expect(whole.sticker.size == PixelSize(square: 408))
    let (sticker, disk) = try await build(bytes) {
      $0.defaults.budget = 40_000
      $0.defaults.allowDownscale = true
    }
    #expect(sticker.size == PixelSize(square: 300))
    #expect(try PictureFacts(decoding: disk.bytes(file) ?? []).size == PixelSize(square: 300))
    #expect((sticker.quality?.score ?? 0) > (whole.sticker.quality?.score ?? 100))
    #expect(sticker.diagnostics.contains { $0.id == "downscaled" && $0.severity == .warning })
    let manifest = try JSONValue(parsing: disk.bytes("/pack/out/manifest.json") ?? [])
    #expect(manifest["options"]?["defaults"]?["allowDownscale"] == .bool(true))
    guard case .array(let entries)? = manifest["stickers"] else { throw Missing() }
    #expect(entries[0]["output"]?["width"] == .int(300))
    // The catalog's grid stays the one asked for.
    let contents = disk.bytes("/pack/out/Stickers.xcstickers/Sticker Pack.stickerpack/Contents.json") ?? []
    #expect(try StickerPackContents(parsing: contents).gridSize == .regular)
  }

  @Test func whatLooksGoodKeepsItsPixels() async throws {
    let sticker = try await build(Art.png()) { $0.defaults.allowDownscale = true }.sticker
    #expect(sticker.size == PixelSize(square: 408))
  }

  @Test func theEncodingIsTheOneAskedFor() async throws {
    for (encoding, types) in [(PixelEncoding.auto, [3]), (.rgba, [2, 6])] {
      for budget in [499_999, 60_000] {
        let (sticker, disk) = try await build(moving(3, rate: 10)) {
          $0.grid = .small
          $0.defaults.encoding = encoding
          $0.defaults.budget = budget
        }
        let made = try StrictAPNG(disk.bytes(file) ?? [])
        if budget < 499_999 || encoding == .rgba { #expect(types.contains(made.colorType)) }
        #expect(sticker.bytes <= budget)
      }
    }
  }

  private struct Missing: Error {}
}
