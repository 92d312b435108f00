import Codecs
import Imaging
import Synchronization
import Testing

@testable import DecalCLI
@testable import Pipeline

private func sticker(
  _ name: String, bytes: Int, report: EncodingReport?, duration: Rational = .zero, diagnostics: [Diagnostic] = []
) -> StickerResult {
  StickerResult(
    name: name, source: "art/\(name).gif", output: report == nil ? nil : "\(name).png", bytes: bytes,
    size: PixelSize(square: 408), duration: duration, plays: 0, report: report,
    quality: report.map { $0.method == .lossless ? .lossless : AnimationQuality(score: 74.26, flicker: 0.613) },
    diagnostics: diagnostics)
}

@Suite struct Wording {
  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (499_999, "499,999"), (1_234_567, "1,234,567")])
  func thousandsAreSetApart(_ number: Int, _ text: String) { #expect(grouped(number) == text) }

  @Test(arguments: [
    (Rational(8, 5), "1.6 s"), (Rational(2), "2 s"), (Rational(2, 25), "0.08 s"), (Rational(1, 3), "0.33 s"),
    (Rational(10), "10 s"),
  ])
  func timesAreShort(_ time: Rational, _ text: String) { #expect(seconds(time) == text) }

  @Test func wideCharactersTakeTwoColumns() {
    #expect("狐".columns == 2)
    #expect("🦊".columns == 2)
    #expect("❤️".columns == 2)
    #expect("é".columns == 1)
    #expect("🦊a".filled(to: 5) == "🦊a  ")
  }

  @Test func aNameCannotSteerTheTerminal() {
    #expect(visible("a\u{1B}[2Jb\n") == #"a\u{1B}[2Jb\n"#)
    #expect(visible("狐 🦊") == "狐 🦊")
    let line = Diagnostic(.note, path: "a\rb\u{202E}gnp.x", "m\ts", id: "i").line
    #expect(line == #"a\rb\u{202E}gnp.x: note: m\ts [i]"#)
  }
}

@Suite struct Reports {
  private func summary() -> BuildSummary {
    var summary = BuildSummary()
    let failure = Diagnostic(.error, path: "art/broken.gif", "damaged gif: it ends early", id: "damaged")
    summary.stickers = [
      sticker("hello", bytes: 31_201, report: EncodingReport(method: .lossless, colors: nil)),
      sticker(
        "party", bytes: 498_120,
        report: EncodingReport(method: .palette, colors: 128, sourceFrames: 60, keptFrames: 28, mergedFrames: 4),
        duration: Rational(2)),
      sticker("broken", bytes: 0, report: nil, diagnostics: [failure]),
    ]
    (summary.icons, summary.stickerCount, summary.madeCount) = (13, 3, 2)
    summary.diagnostics = [failure]
    summary.written = ["a", "b"]
    summary.unchanged = ["c"]
    return summary
  }

  private func shown(_ arguments: Arguments, _ summary: BuildSummary) -> (output: String, errors: String) {
    let recorder = TextRecorder()
    let context = Context(environment: [:], io: recorder.io, disk: SystemDisk())
    BuildReport(command: "build", summary: summary, output: "out").show(Reporter(context, arguments))
    return (recorder.output, recorder.errors)
  }

  @Test func aLineAStickerSaysWhatWasGivenUp() {
    let (output, errors) = shown(Arguments(), summary())
    #expect(
      output == """
          hello    31,201 bytes  lossless
          party   498,120 bytes  28 of 56 frames, 2 s, 128 colors, quality 74, flicker 0.6
          broken  not made
          13 icons
        2 of 3 stickers and 13 icons in out: 2 files written, 1 unchanged

        """)
    #expect(errors == "art/broken.gif: error: damaged gif: it ends early [damaged]\n")
  }

  @Test func quietLeavesOnlyWarningsAndErrors() {
    var arguments = Arguments()
    arguments.quiet = true
    var summary = summary()
    summary.diagnostics.append(Diagnostic(.note, path: nil, "labels are made from names", id: "labels"))
    let (output, errors) = shown(arguments, summary)
    #expect(output == "")
    #expect(errors == "art/broken.gif: error: damaged gif: it ends early [damaged]\n")
  }

  @Test func severitiesAreColoredWhereAskedFor() {
    var arguments = Arguments()
    arguments.color = .always
    let (_, errors) = shown(arguments, summary())
    #expect(errors == "art/broken.gif: \u{1B}[1;31merror\u{1B}[0m: damaged gif: it ends early [damaged]\n")
  }

  @Test func JSONHoldsEverything() {
    var arguments = Arguments()
    arguments.json = true
    let (output, errors) = shown(arguments, summary())
    #expect(errors == "")
    #expect(output.hasSuffix("}\n") && output.split(separator: "\n").count == 1)
    for part in [
      #""event":"done""#, #""command":"build""#, #""ok":false"#, #""bytes":498120"#, #""encoding":"palette""#,
      #""durationMs":2000"#, #""quality":74.3"#, #""flicker":0.61"#, #""icons":13"#, #""id":"damaged""#,
      #""output":null"#,
    ] {
      #expect(output.replacing(": ", with: ":").contains(part), "\(part)")
    }
  }
}

@Suite struct ProgressBar {
  private func bar(_ environment: [String: String] = [:], terminal: Bool, width: Int = 80) -> String {
    let recorder = TextRecorder(terminal: terminal, width: width)
    let progress = Progress(
      Context(environment: environment, io: recorder.io, disk: SystemDisk()), Arguments())
    progress.receive(.planned(jobs: 2))
    progress.receive(.started(name: "wave 🦊"))
    progress.receive(.finished(name: "wave 🦊"))
    progress.clear()
    return recorder.errors
  }

  @Test func itIsDrawnOnATerminalAndWipedAway() {
    #expect(
      bar(terminal: true)
        == "\r\u{1B}[K[------------------------] 0/2 wave 🦊\r\u{1B}[K[############------------] 1/2 wave 🦊\r\u{1B}[K")
  }

  @Test func itTellsTheTimeLeftFromTheThirdJobOn() {
    let recorder = TextRecorder(terminal: true)
    let clock = Mutex(0)
    let progress = Progress(
      Context(environment: [:], io: recorder.io, disk: SystemDisk()), Arguments(),
      time: { .seconds(clock.withLock { $0 }) })
    progress.receive(.planned(jobs: 100))
    for done in 1...3 {
      clock.withLock { $0 = done * 4 }
      progress.receive(.finished(name: "x"))
      #expect(recorder.errors.contains("left") == (done == 3))
    }
    #expect(recorder.errors.hasSuffix("3/100, 6:29 left x"))
  }

  @Test func itIsNotDrawnElsewhere() {
    #expect(bar(terminal: false) == "")
    #expect(bar(["TERM": "dumb"], terminal: true) == "")
  }

  @Test func itNeverReachesTheLastColumn() {
    for line in bar(terminal: true, width: 20).split(separator: "\r") { #expect(line.dropFirst(3).count < 20) }
  }
}
