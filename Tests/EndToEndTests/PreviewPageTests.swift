import Codecs
import Foundation
import Imaging
import Testing

/// What `make test-deps` installs.
private enum Tools {
  static func first(_ paths: [String]) -> String? {
    paths.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static let chromium = first([
    "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ])
  static let python = first([packageRoot + "/.venv/bin/python", "/usr/bin/python3", "/opt/homebrew/bin/python3"])
  static let script = packageRoot + "/Tests/tools/preview_check.py"
}

/// Art that moves.
private func animation(_ color: RGBA8) throws -> [UInt8] {
  let frames = [color, RGBA8(20, 20, 20)].map {
    SizedFrame(bitmap: Bitmap(size: PixelSize(square: 12), fill: $0), delay: Rational(1, 5))
  }
  return try RateDistortionEncoder().encode(SizedAnimation(frames: frames, playCount: 0), budget: 499_999).bytes
}

@Suite(
  .enabled(if: Program.path != nil, "the program is not built"),
  .enabled(if: Tools.chromium != nil && Tools.python != nil, "no Chromium or no Python; make test-deps installs them"))
struct PreviewPageTests {
  private func check(_ words: [String], in scratch: Scratch) throws {
    let outcome = try Program.runTool([Tools.python!, Tools.script, Tools.chromium!] + words, in: scratch)
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome.output)\(outcome.errors)")
  }

  /// `DECAL_SHOTS` names a folder for screenshots to look at.
  @Test func thePageWorksInABrowserAndAsksNoNetwork() throws {
    let scratch = Scratch()
    let names = [
      "<img src=x onerror=hacked=1>", "<script>hacked=1", "a \"quoted\" 'name' & more", "🦊 family 👩‍👩‍👧", "مرحبا",
      "שלום <b>x",
      "\u{202E}gnp", "100% #1?", "<!--", "`${hacked=1}`",
    ]
    for (index, name) in names.enumerated() {
      scratch.add("names/art/\(name).png", picture(RGBA8(200, UInt8(index * 20), 20)))
    }
    scratch.add("names/art/moves.png", try animation(RGBA8(250, 120, 10)))
    for number in 1...3 { scratch.add("names/art/steps/\(number).png", picture(RGBA8(UInt8(number * 80), 20, 20))) }
    scratch.add("names/art/bad.png", Array(picture().dropLast(60)))
    scratch.add("names/icon.png", master())
    let label = "</script><script>hacked=1</script>"
    scratch.add(
      "names/decal.json",
      "{ \"name\": \"<Fox> & \\\"Co\\\" שלום\", \"icon\": { \"master\": \"icon.png\", \"appIcon\": \"single\" }, \"labels\": { \"moves\": \"\(label)\" } }"
    )
    #expect(try Program.run(["build", "names"], in: scratch).code == 1)
    for number in 1...490 { scratch.add("many/art/sticker \(number).png", picture(side: 20)) }
    for number in 491...500 { scratch.add("many/art/sticker \(number).png", try animation(RGBA8(10, 90, 250))) }
    scratch.add("many/decal.json", #"{ "grid": "small", "effort": "fast", "order": ["sticker 491", "sticker 492"] }"#)
    #expect(try Program.run(["build", "many"], in: scratch).code == 0)
    var words = ["pages", "names/out/preview.html", "many/out/preview.html"]
    if let shots = ProcessInfo.processInfo.environment["DECAL_SHOTS"] { words.append(shots) }
    try check(words, in: scratch)
  }

  @Test func aWatchedPageRefreshesKeepsItsPlaceAndMarksWhatChanged() throws {
    let scratch = Scratch()
    for name in ["one", "two", "three"] { scratch.add("art/\(name).png", picture()) }
    scratch.add("new.png", picture(RGBA8(10, 200, 90)))
    let watching = try Program.start(["watch", "--stickers", "art", "--grid", "small"], in: scratch)
    defer {
      watching.process.interrupt()
      watching.process.waitUntilExit()
      #expect(!scratch.exists("out/preview-state.js"))
    }
    while !watching.outputSoFar.contains("watching; Ctrl-C ends it"), watching.process.isRunning { usleep(20_000) }
    try check(["watch", "."], in: scratch)
  }
}
