import AssetCatalog
import Foundation
import Testing

/// How far sizes, colors and frames may be from the committed ones where pixels are not exact, as a fraction.
private let margin = 0.15

/// What a manifest says otherwise than the committed one.
///
/// Compared are the options, sources, labels, diagnostics' names, times and plays; pixels exactly where nothing was
/// given up; bytes always, and colors, frames and quality under a palette, within the margin. Not compared are the versions and
/// the bytes of files: libraries compress differently.
private func differences(_ built: JSONValue, _ committed: JSONValue) -> [String] {
  var found: [String] = []
  func same(_ key: String, _ a: JSONValue?, _ b: JSONValue?, _ place: String) {
    if a?[key] != b?[key] { found.append("\(place): \(key) differs") }
  }
  func near(_ key: String, _ a: JSONValue?, _ b: JSONValue?, _ place: String) {
    guard let a = a?[key].number, let b = b?[key].number else { return same(key, a, b, place) }
    if abs(Double(a - b)) > margin * Double(b) { found.append("\(place): \(key) \(a), committed is \(b)") }
  }
  same("version", built, committed, "manifest")
  same("options", built, committed, "manifest")
  for key in ["icons", "stickers"] where built[key].items.count != committed[key].items.count {
    return found + ["manifest: the number of \(key) differs"]
  }
  for (a, b) in zip(built["icons"].items, committed["icons"].items) {
    let place = b["output"]?["path"].text ?? "icon"
    same("source", a, b, place)
    for key in ["path", "width", "height", "pixelsSha256"] { same(key, a["output"], b["output"], place) }
    near("bytes", a["output"], b["output"], place)
  }
  for (a, b) in zip(built["stickers"].items, committed["stickers"].items) {
    let place = b["name"].text ?? "sticker"
    for key in ["name", "label", "status", "source"] { same(key, a, b, place) }
    let (out, was) = (a["output"], b["output"])
    for key in ["path", "width", "height", "durationMs", "plays"] { same(key, out, was, place) }
    near("bytes", out, was, place)
    same("method", out?["encoding"], was?["encoding"], place)
    if was?["encoding"]?["method"].text == "lossless" {
      for key in ["pixelsSha256", "frames"] { same(key, out, was, place) }
    } else {
      for key in ["colors", "keptFrames", "quality"] { near(key, out?["encoding"], was?["encoding"], place) }
    }
  }
  return found
}

/// `make check` runs this; `make check UPDATE=1` rewrites the committed manifest.
@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct ExamplesTests {
  let committed = URL(fileURLWithPath: ExamplePack.folder + "/manifest.json")

  @Test func thePackIsTheCommittedOne() throws {
    let (scratch, outcome) = try ExamplePack.pressed.get()
    #expect(outcome.code == 0, "\(outcome.errors)")
    let bytes = try #require(scratch.bytes("out/manifest.json"))
    if ProcessInfo.processInfo.environment["DECAL_UPDATE"] != nil {
      try Data(bytes).write(to: committed, options: .atomic)
    }
    let built = try JSONValue(parsing: bytes)
    #expect(built["stickers"].items.count { $0["output"]?["frames"].number ?? 0 > 1 } >= 4)
    #expect(ExamplePack.stickers(built).count >= 12)
    #expect(differences(built, try JSONValue(parsing: Array(Data(contentsOf: committed)))) == [])
  }

  @Test func everyFileOfThePackIsNamedByItsCatalogAndTheOtherWayRound() throws {
    let (scratch, _) = try ExamplePack.pressed.get()
    let files = scratch.tree("out/Stickers.xcstickers")
    var named: Set<String> = []
    for (path, bytes) in files where path.hasSuffix("Contents.json") {
      let contents = try JSONValue(parsing: bytes)
      let folder = String(path.dropLast("Contents.json".count))
      named.insert(path)
      for image in contents["images"].items { named.insert(folder + (image["filename"].text ?? "")) }
      for sticker in contents["stickers"].items {
        #expect(files[folder + (sticker["filename"].text ?? "") + "/Contents.json"] != nil)
      }
      if let picture = contents["properties"]?["filename"].text { named.insert(folder + picture) }
    }
    #expect(Set(files.keys) == named)
  }

  @Test func aPackThatDiffersIsFound() throws {
    let text = String(decoding: try Data(contentsOf: committed), as: UTF8.self)
    let manifest = try JSONValue(parsing: Array(text.utf8))
    #expect(differences(manifest, manifest).isEmpty)
    let pixels = try #require(manifest["stickers"].items.first { $0["name"].text == "hello" }?["output"])
    for (old, new) in [
      (pixels["pixelsSha256"].text ?? "-", "0"), ("\"plays\": 0", "\"plays\": 1"), ("\"regular\"", "\"large\""),
      ("\"bytes\": \(pixels["bytes"].number ?? 0)", "\"bytes\": \((pixels["bytes"].number ?? 0) * 5 / 4)"),
    ] {
      #expect(text.contains(old))
      let changed = text.replacingOccurrences(of: old, with: new)
      #expect(!differences(try JSONValue(parsing: Array(changed.utf8)), manifest).isEmpty, "\(old)")
    }
  }
}
