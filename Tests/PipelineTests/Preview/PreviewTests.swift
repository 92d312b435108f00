import AssetCatalog
import Imaging
import TestSupport
import Testing

@testable import Pipeline

private let page = "/pack/out/preview.html"
private let state = "/pack/out/preview-state.js"

/// What stands between two texts, the first time they come.
private func between(_ start: String, _ end: String, in text: String) -> String? {
  guard let from = text.firstRange(of: start), let to = text[from.upperBound...].firstRange(of: end) else { return nil }
  return String(text[from.upperBound..<to.lowerBound])
}

extension MemoryDisk {
  fileprivate func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

  /// The data of a page.
  fileprivate func data(_ path: String = page) throws -> JSONValue {
    let page = try #require(text(path))
    let json = try #require(between(#"<script type="application/json" id="data">"#, "</script>", in: page))
    return try JSONValue(parsing: Array(json.utf8))
  }
}

extension JSONValue {
  /// The addresses of a sticker's source, in two parts.
  fileprivate var sources: [(path: String, version: String)] {
    self["before"]?["addresses"].items.compactMap(\.text).map { address in
      let parts = address.split(separator: "?", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    } ?? []
  }
  /// Where a sticker's source lies.
  fileprivate var extent: [Double] { self["before"]?["extent"].items.compactMap(\.number) ?? [] }
}

extension JSONValue? {
  fileprivate var items: [JSONValue] { if case .array(let items)? = self { items } else { [] } }
  fileprivate var text: String? { if case .string(let text)? = self { text } else { nil } }
}

@Suite("The preview page") struct PreviewTests {
  @Test func itShowsWhatTheManifestSaysAndWhereThePicturesAre() async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.add("/pack/icon.png", Art.plain(1024))
    try await pack.build {
      $0.icon.master = "icon.png"
      $0.overrides["cat"] = StickerOptions()
      $0.overrides["cat"]?.budget = 90_000
    }
    let data = try pack.disk.data()
    let stickers = data["stickers"].items
    #expect(stickers.map { $0["name"].text } == ["cat", "dance", "wave"])
    for sticker in stickers {
      let address = try #require(sticker["picture"].text)
      let path = try #require(sticker["output"]?["path"].text)
      let digest = try #require(sticker["output"]?["sha256"].text)
      #expect(address == path.split(separator: " ").joined(separator: "%20") + "?" + digest.prefix(8))
    }
    #expect(stickers[0]["budget"] == .int(90_000) && stickers[1]["budget"] == .int(499_999))
    #expect(stickers[0].sources.map(\.path) == ["../art/cat.png"] && stickers[0]["before"]?["delayMs"] == nil)
    #expect(stickers[1].sources.map(\.path) == ["../art/dance/1.png", "../art/dance/2.png"])
    #expect(Set(stickers[1].sources.map(\.version)).count == 1 && stickers[1].sources[0].version.count == 8)
    #expect(stickers[1]["before"]?["delayMs"] == .double(1000.0 / 15) && stickers[1]["before"]?["files"] == .int(2))
    let icons = data["icons"].items
    #expect(icons.count == 13 && icons.allSatisfy { $0["set"].text == "messages" && $0["picture"].text != nil })
    #expect(data["grid"]?["columns"] == .int(4) && data["grid"]?["points"] == .int(100))
  }

  @Test func itIsTheSameWhateverTheJobsAndNamesNoPlaceOfTheMachine() async throws {
    var pages: [String] = []
    for jobs in [1, 8] {
      let pack = try StatefulPack.mixed()
      try await pack.build { _ in
      } builder: {
        $0.jobs = jobs
      }
      pages.append(try #require(pack.disk.text(page)))
    }
    let elsewhere = StatefulPack([("cat.png", Art.png())], root: "/other/place")
    try await elsewhere.build()
    #expect(pages[0] == pages[1])
    #expect(
      !pages[0].contains("/pack/") && elsewhere.disk.text("/other/place/out/preview.html")?.contains("/other") == false)
  }

  @Test func whereNothingChangedNothingIsWrittenAndALostPageComesBack() async throws {
    let pack = try StatefulPack.mixed()
    let first = try await pack.build()
    #expect(first.written.contains("preview.html"))
    let bytes = pack.disk.bytes(page)
    #expect(try await pack.build().written == [] && pack.writes == [])
    try pack.disk.removeFile(page)
    #expect(try await pack.build().written == ["preview.html"])
    #expect(pack.disk.bytes(page) == bytes)
  }

  @Test func namesCannotEndTheScriptThatHoldsThem() async throws {
    let names = ["</script><script>alert(1)", "<!-- x", "a & \"b\" 'c'", "שלום \u{202E}gnp", "<\u{338}script>"]
    let data = JSONValue.object([.init("names", .array(names.map(JSONValue.string)))])
    let document = JSONDocument([.init("names", .value(.array(names.map(JSONValue.string))))])
    let bytes = try PreviewPage.bytes(document, title: "</title><b>&", isInline: false, refreshes: false).load()
    let text = String(decoding: bytes, as: UTF8.self)
    let json = try #require(between(#"id="data">"#, "</script>", in: text))
    #expect(!json.utf8.contains(UInt8(ascii: "<")))
    #expect(try JSONValue(parsing: Array(json.utf8)) == data)
    #expect(text.contains("<title>&lt;/title&gt;&lt;b&gt;&amp;</title>"))
  }

  @Test func itsPolicyKnowsItsOwnScriptAndNoNetwork() throws {
    for isInline in [false, true] {
      let bytes = try PreviewPage.bytes(JSONDocument([]), title: "", isInline: isInline, refreshes: false).load()
      let text = String(decoding: bytes, as: UTF8.self)
      let policy = try #require(between(#"http-equiv="Content-Security-Policy" content=""#, "\"", in: text))
      #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("http") && !policy.contains("unsafe"))
      let script = try #require(between("<script>", "</script>", in: text))
      let digest = SHA256.hexDigest(Array(script.utf8))
      let raw = stride(from: 0, to: 64, by: 2).map { place in
        UInt8(digest.dropFirst(place).prefix(2), radix: 16)!
      }
      #expect(policy.contains("script-src 'sha256-\(Base64.text(raw))';"))
      #expect(policy.contains("file:") == !isInline)
      // No address of any server stands in the template.
      #expect(!text.contains("http://") && !text.contains("https://") && !text.contains("src=\"//"))
    }
  }

  @Test(arguments: [
    ([], ""), ([102], "Zg=="), ([102, 111], "Zm8="), ([102, 111, 111], "Zm9v"), ([255, 239], "/+8="),
  ])
  func bytesAreTextAsTheStandardHasIt(bytes: [UInt8], text: String) { #expect(Base64.text(bytes) == text) }
}

@Suite("Whose the preview page is") struct PreviewOwnershipTests {
  @Test func aPageOfSomebodyElseStaysAndThePackIsBuilt() async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.add(page, Array("<h1>mine</h1>".utf8))
    let summary = try await pack.build { _ in
    } builder: {
      $0.force = true
    }
    #expect(pack.disk.text(page) == "<h1>mine</h1>")
    #expect(!summary.hasErrors && summary.diagnostics.contains { $0.id == "in-the-way" && $0.severity == .warning })
    #expect(summary.written.contains("manifest.json"))
    try await pack.build { $0.preview = .none }
    #expect(pack.disk.text(page) == "<h1>mine</h1>")
  }

  @Test func anEditedPageStaysButForForce() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build()
    let bytes = try #require(pack.disk.bytes(page))
    let edited = Array(String(decoding: bytes, as: UTF8.self).replacing("Stickers</h2>", with: "My own</h2>").utf8)
    #expect(edited != bytes)
    pack.disk.add(page, edited)
    for _ in 0..<2 {
      let summary = try await pack.build()
      #expect(summary.diagnostics.contains { $0.id == "edited-output" && $0.path == "preview.html" })
      #expect(pack.disk.bytes(page) == edited)
    }
    try await pack.build { _ in
    } builder: {
      $0.force = true
    }
    #expect(pack.disk.bytes(page) == bytes)
  }

  @Test func withoutAPreviewTheOneThatDecalWroteGoes() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build { _ in
    } builder: {
      $0.refreshesPreview = true
    }
    #expect(pack.disk.bytes(page) != nil && pack.disk.bytes(state) != nil)
    let summary = try await pack.build { $0.preview = .none }
    #expect(summary.removed == ["preview.html"] && summary.written == [])
    #expect(pack.disk.bytes(page) == nil && pack.disk.bytes(state) == nil)
    #expect(try await pack.build { $0.preview = .none }.removed == [])
  }

  @Test func aLinkInItsPlaceIsNotFollowed() async throws {
    let pack = try StatefulPack.mixed()
    pack.disk.add("/pack/notes.html", [1])
    pack.disk.addLink(page, to: "/pack/notes.html")
    let summary = try await pack.build()
    #expect(summary.diagnostics.contains { $0.id == "in-the-way" })
    #expect(pack.disk.bytes("/pack/notes.html") == [1])
  }

  @Test func onlyAWatcherLeavesAFileThatSaysWhichPageIsTheNewest() async throws {
    let pack = try StatefulPack.mixed()
    try await pack.build { _ in
    } builder: {
      $0.refreshesPreview = true
    }
    let seal = PreviewPage.seal(of: try #require(pack.disk.bytes(page)))
    #expect(pack.disk.text(state) == "decalState(\"\(seal)\");\n")
    #expect(try pack.disk.data()["refreshes"] == .bool(true))
    // Art that changes makes another page, of which the file says so.
    pack.disk.add("/pack/art/cat.png", Art.png(12, 12, RGBA8(1, 2, 3)))
    try await pack.build { _ in
    } builder: {
      $0.refreshesPreview = true
    }
    let next = PreviewPage.seal(of: try #require(pack.disk.bytes(page)))
    #expect(next != seal && pack.disk.text(state) == "decalState(\"\(next)\");\n")
    #expect(try await pack.build().written == ["preview.html"] && pack.disk.bytes(state) == nil)
    #expect(try pack.disk.data()["refreshes"] == .bool(false))
    pack.disk.add(state, Array("mine()".utf8))
    try PreviewState.remove(output: "/pack/out", disk: pack.disk)
    #expect(pack.disk.text(state) == "mine()")
  }
}

@Suite("What the preview page shows beside finished stickers") struct PreviewContentTests {
  @Test func aStickerThatFailedHasItsErrorAndNoPicture() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("bad.png", Array(Art.png().dropLast(40)))])
    try await pack.build()
    let bad = try #require(try pack.disk.data()["stickers"].items.first { $0["name"].text == "bad" })
    #expect(bad["status"].text == "failed" && bad["picture"] == nil && bad["output"] == nil)
    #expect(bad["diagnostics"].items.first?["severity"].text == "error")
    #expect(bad.sources.map(\.path) == ["../art/bad.png"] && bad["before"]?["extent"] == nil)
  }

  @Test func theLastGoodOneIsShownWhileItsArtIsBad() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png())])
    try await pack.build()
    pack.disk.add("/pack/art/cat.png", Array(Art.png(12, 12, .black).dropLast(40)))
    try await pack.build { _ in
    } builder: {
      $0.keepsEarlier = true
      // Long after the change: it is not taken for half-written.
      $0.now = { Int.max / 2 }
    }
    let cat = try #require(try pack.disk.data()["stickers"].items.first { $0["name"].text == "cat" })
    #expect(cat["status"].text == "kept" && cat["picture"].text?.contains("cat.sticker/cat.png?") == true)
    #expect(!cat["diagnostics"].items.isEmpty)
  }

  @Test func aStickerMadeElsewhereIsShownInItsPlace() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("dog.png", Art.png())])
    let folder = "/pack/out/Stickers.xcstickers/Sticker Pack.stickerpack/old.sticker"
    pack.disk.add(folder + "/Art.png", Art.png(20, 20))
    pack.disk.add(
      folder + "/Contents.json", StickerContents(filename: "Art.png", accessibilityLabel: "An old one").bytes)
    try await pack.build { $0.order = ["dog", "old"] }
    let stickers = try pack.disk.data()["stickers"].items
    #expect(stickers.map { $0["name"].text } == ["dog", "old", "cat"])
    #expect(stickers[1]["status"].text == "adopted" && stickers[1]["label"].text == "An old one")
    #expect(stickers[1]["picture"].text?.contains("/old.sticker/Art.png?") == true)
  }

  @Test func aPageToSendHoldsItsPicturesAndOnlySmallSources() async throws {
    let pack = StatefulPack([("cat.png", Art.png()), ("large.png", Art.noise(620))])
    #expect(Art.noise(620).count > PreviewLinks.largestSource)
    try await pack.build { $0.preview = .inline }
    let data = try pack.disk.data()
    let folder = "/pack/out/Stickers.xcstickers/Sticker Pack.stickerpack"
    let cat = data["stickers"].items[0]
    let bytes = try #require(pack.disk.bytes(folder + "/cat.sticker/cat.png"))
    #expect(cat["picture"].text == "data:image/png;base64," + Base64.text(bytes))
    #expect(cat["before"]?["addresses"].items.map(\.text) == ["data:image/png;base64," + Base64.text(Art.png())])
    let large = data["stickers"].items[1]["before"]
    #expect(large?["addresses"].items == [] && large?["why"].text?.contains("1 MB") == true)
  }

  @Test func aPageToSendHoldsAllFramesOrTheFirst() async throws {
    let padding = [UInt8](repeating: 65, count: 400_000)
    let frames = (1...3).map {
      PlainPNG.still(Bitmap(size: PixelSize(square: 9), fill: RGBA8(UInt8($0), 0, 0)), extra: [("tEXt", padding)])
    }
    #expect(2 * frames[0].count < PreviewLinks.largestSource && 3 * frames[0].count > PreviewLinks.largestSource)
    for count in [2, 3] {
      let pack = StatefulPack(frames.prefix(count).enumerated().map { ("dance/\($0 + 1).png", $1) })
      try await pack.build { $0.preview = .inline }
      let before = try pack.disk.data()["stickers"].items[0]["before"]
      #expect(before?["addresses"].items.count == (count == 2 ? 2 : 1) && before?["files"] == .int(count))
      #expect((before?["why"].text?.contains("the first one") == true) == (count == 3))
    }
  }

  @Test func aSourceLiesOnItsStickerAsItWasPressed() async throws {
    // A box of 20 x 10 px in a corner of 40 x 40 px, which trimming brings to the whole width.
    let box = picture(40, 40) { x, y in 10..<30 ~= x && 30..<40 ~= y ? RGBA8(200, 40, 40) : .clear }
    let pack = StatefulPack([("box.png", PlainPNG.still(box)), ("wide.png", Art.png(80, 40))])
    let options: (inout Configuration) -> Void = {
      $0.defaults.kernel = .catmullRom
      $0.overrides["box"] = StickerOptions()
      $0.overrides["box"]?.trim = true
      $0.overrides["wide"] = StickerOptions()
      $0.overrides["wide"]?.fit = .cover
    }
    try await pack.build(options)
    #expect(try pack.disk.data()["stickers"].items.map(\.extent) == [[-0.5, -1.25, 2, 2], [-0.5, 0, 2, 1]])
    // What is not made again is known from the build before.
    pack.disk.add("/pack/art/wide.png", Art.png(40, 40))
    let summary = try await pack.build(options)
    #expect(summary.jobs.map(\.origin) == [.kept, .pressed])
    #expect(try pack.disk.data()["stickers"].items.map(\.extent) == [[-0.5, -1.25, 2, 2], [0, 0, 1, 1]])
  }

  @Test(arguments: [
    ("out", "../art/cat.png"), ("a/b/out", "../../../art/cat.png"), ("/pack/out", "../art/cat.png"),
    ("./a/../out", "../art/cat.png"),
    ("/far/away", "../../pack/art/cat.png"),
  ])
  func sourcesAreFoundFromWhereverThePageLies(output: String, address: String) async throws {
    let pack = StatefulPack([("cat.png", Art.png())])
    try await pack.build { $0.output = output }
    let data = try pack.disk.data(Path.join("/pack", output) + "/preview.html")
    #expect(data["stickers"].items[0].sources.map(\.path) == [address])
  }

  @Test func everyByteOfAPathThatMeansSomethingInAnAddressIsANumber() {
    #expect(PreviewLinks.encoded("a b/100%?#.png") == "a%20b/100%25%3F%23.png")
    #expect(PreviewLinks.encoded("é\u{301}:'\"<") == "%C3%A9%CC%81%3A%27%22%3C")
    #expect(PreviewLinks.encoded("A-z_0~.9") == "A-z_0~.9")
  }
}
