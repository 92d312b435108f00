import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

/// Checks values against a JSON Schema, as much of it as `manifest.schema.json` uses.
private struct SchemaChecker {
  let root: JSONValue

  /// What is wrong, each with its place.
  func problems(_ value: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
    if case .string(let reference)? = schema["$ref"] {
      guard let target = root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] else {
        return ["\(place): no \(reference)"]
      }
      return problems(value, target, at: place)
    }
    var found: [String] = []
    if let wanted = schema["const"], wanted != value { found.append("\(place): not \(wanted)") }
    if case .array(let words)? = schema["enum"], !words.contains(value) {
      found.append("\(place): \(value) not in enum")
    }
    if let type = schema["type"], !matches(value, type) { found.append("\(place): not of type \(type)") }
    if case .int(let least)? = schema["minimum"], case .int(let number) = value, number < least {
      found.append("\(place): \(number) under \(least)")
    }
    if schema["pattern"] != nil, case .string(let text) = value,
      text.utf8.count != 64 || !text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    {
      found.append("\(place): no digest")
    }
    if case .array(let elements) = value, let items = schema["items"] {
      for (index, element) in elements.enumerated() { found += problems(element, items, at: "\(place)[\(index)]") }
    }
    if case .object(let members) = value { found += problems(members, schema, at: place) }
    return found
  }

  private func problems(_ members: [JSONValue.Member], _ schema: JSONValue, at place: String) -> [String] {
    var found: [String] = []
    if case .array(let required)? = schema["required"] {
      for case .string(let key) in required where !members.contains(where: { $0.key == key }) {
        found.append("\(place).\(key): missing")
      }
    }
    for member in members {
      if let property = schema["properties"]?[member.key] {
        found += problems(member.value, property, at: "\(place).\(member.key)")
      } else if schema["additionalProperties"] == .bool(false) {
        found.append("\(place).\(member.key): not known")
      } else if let other = schema["additionalProperties"], case .object = other {
        found += problems(member.value, other, at: "\(place).\(member.key)")
      }
    }
    return found
  }

  private func matches(_ value: JSONValue, _ type: JSONValue) -> Bool {
    if case .array(let types) = type { return types.contains { matches(value, $0) } }
    return switch (value, type) {
    case (.object, .string("object")), (.array, .string("array")), (.string, .string("string")),
      (.int, .string("integer")), (.int, .string("number")), (.double, .string("number")), (.bool, .string("boolean")),
      (.null, .string("null")):
      true
    default: false
    }
  }
}

@Suite("The manifest") struct ManifestTests {
  private let schemaPath =
    Path.parent(Path.parent(Path.parent(Path.parent(#filePath)))) + "/templates/manifest.schema.json"

  private func art() throws -> MemoryDisk {
    let disk = MemoryDisk()
    disk.add("/pack/art/cat.png", Art.png())
    disk.add("/pack/art/bad.png", [1, 2, 3])
    disk.add("/pack/art/wave.png", try Art.animation(colors: [RGBA8(200, 0, 0), RGBA8(0, 0, 200)], plays: 2))
    disk.add("/pack/art/d.frames/1.png", Art.png())
    disk.add("/pack/art/d.frames/2.png", Art.png(14, 12))
    disk.add("/pack/icon.png", Art.plain(64))
    return disk
  }

  private func build(_ disk: MemoryDisk, _ change: (inout Configuration) -> Void = { _ in }) async throws -> JSONValue {
    var configuration = Configuration()
    configuration.grid = .small
    change(&configuration)
    _ = try await Builder(disk: disk).build(configuration, root: "/pack")
    return try JSONValue(parsing: disk.bytes("/pack/out/manifest.json") ?? [])
  }

  private func stickers(_ manifest: JSONValue) -> [JSONValue] {
    if case .array(let stickers)? = manifest["stickers"] { stickers } else { [] }
  }

  @Test func aManifestFollowsItsSchema() async throws {
    let schema = try JSONValue(parsing: try SystemDisk().read(schemaPath))
    let manifest = try await build(try art()) {
      $0.icon.master = "icon.png"
      $0.icon.appIcon = .single
      $0.labels = ["cat": "A cat"]
      $0.order = ["gone"]
      $0.defaults.kernel = .mitchell
      var own = StickerOptions()
      (own.trim, own.background, own.fps, own.padding) = (true, RGBA8(1, 2, 3), Rational(24), 4)
      $0.overrides["d"] = own
    }
    #expect(SchemaChecker(root: schema).problems(manifest, schema) == [])
    if case .array(let icons)? = manifest["icons"] { #expect(icons.count == 14) } else { Issue.record("no icons") }
  }

  @Test func aStickersEntrySaysWhatWasMadeOfWhat() async throws {
    let disk = try art()
    let manifest = try await build(disk) { $0.stickers = ["art/wave.png", "art/d.frames"] }
    let (wave, frames) = (stickers(manifest)[0], stickers(manifest)[1])
    #expect(wave["source"]?["path"] == .string("art/wave.png"))
    #expect(wave["source"]?["format"] == .string("apng"))
    #expect(wave["source"]?["sha256"] == .string(SHA256.hexDigest(disk.bytes("/pack/art/wave.png") ?? [])))
    let bytes = disk.bytes("/pack/out/Stickers.xcstickers/Sticker Pack.stickerpack/wave.sticker/wave.png") ?? []
    let output = try #require(wave["output"])
    #expect(output["sha256"] == .string(SHA256.hexDigest(bytes)))
    #expect(output["pixelsSha256"] == .string(try PictureFacts(decoding: bytes).digest.hex))
    #expect(output["durationMs"] == .int(200) && output["plays"] == .int(2) && output["frames"] == .int(2))
    #expect(output["width"] == .int(300) && output["bytes"] == .int(bytes.count))
    #expect(frames["source"]?["frames"] == .int(2) && frames["source"]?["width"] == .int(14))
  }

  @Test func nothingInItTellsWhereOrWhenItWasMade() async throws {
    let disk = try art()
    disk.add("/pack/other/cat.png", Art.png())
    let manifest = try await build(disk) {
      $0.stickers = ["/pack/art", "/pack/other"]
      $0.icon.master = "/pack/icon.png"
      $0.output = "/pack/out"
    }
    let text = manifest.serialized(.pretty)
    #expect(!text.contains("/pack"))
    #expect(text.contains("\"art/cat.png\"") && text.contains("other/cat.png"))
  }

  @Test func theDigestOfPixelsSeesWhatIsSeen() throws {
    func facts(_ pixel: RGBA8, clear: RGBA8 = .clear, delay: Rational = .zero) throws -> PictureFacts {
      var bitmap = Bitmap(size: PixelSize(square: 4), fill: clear)
      bitmap[1, 1] = pixel
      return try PictureFacts(decoding: StillEncoder().encode(bitmap).bytes)
    }
    #expect(try facts(.white).digest == facts(.white, clear: RGBA8(9, 9, 9, 0)).digest)
    #expect(try facts(.white).digest != facts(RGBA8(255, 255, 254)).digest)
    let one = try PictureFacts(decoding: Art.animation(colors: [.white, .black]))
    let other = try PictureFacts(decoding: Art.animation(colors: [.black, .white]))
    #expect(one.digest != other.digest && one.frames == 2 && one.duration == Rational(1, 5))
  }

  @Test func pathsBelowOtherFoldersOfAlikeNamesStay() {
    let portable = PortablePaths(root: "/pack", inputs: ["/art/fox", "/pack/sub/art"])
    #expect(portable.path("/art/fox/a.png") == "fox/a.png")
    #expect(portable.path("/art/foxes/a.png") == "/art/foxes/a.png")
    #expect(portable.path("/pack/sub/art/b.png") == "sub/art/b.png")
    #expect(portable.path("art/b.png") == "art/b.png")
    #expect(portable.text("also made from /art/fox/a.png, x") == "also made from fox/a.png, x")
  }
}
