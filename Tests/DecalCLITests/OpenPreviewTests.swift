import DecalCLI
import Pipeline
import Synchronization
import TestSupport
import Testing

/// A pack of one sticker in `/w`, or in a folder below it.
private func pack(_ folder: String = "") -> MemoryDisk {
  let disk = disk([folder + "decal.json": #"{ "grid": "small", "effort": "fast" }"#])
  disk.add("/w/\(folder)art/cat.png", Art.png())
  return disk
}

/// Runs a command line whose shell commands are recorded and end with a code.
private func run(_ arguments: [String], on disk: MemoryDisk, code: Int32 = 0) async -> (
  code: ExitCode, commands: [String], errors: String
) {
  let log = CommandLog()
  var io = IO(
    standardOutput: { _ in }, standardError: { text in log.errors.withLock { $0 += text } }, workingDirectory: "/w")
  io.shell = { command, _ in
    log.commands.withLock { $0.append(command) }
    return code
  }
  let result = await DecalCLI.run(arguments: arguments, environment: [:], io: io, disk: disk)
  return (result, log.commands.withLock { $0 }, log.errors.withLock { $0 })
}

private final class CommandLog: Sendable {
  let commands = Mutex<[String]>([])
  let errors = Mutex("")
}

@Suite("Opening the preview") struct OpenPreviewTests {
  @Test func aBuiltPageIsOpenedByItsPathAsOneWord() async {
    let disk = pack("it's $HOME `x`/")
    let outcome = await run(["build", "it's $HOME `x`", "--open"], on: disk)
    #expect(outcome.code == .success, "\(outcome.errors)")
    #expect(outcome.commands.count == 1)
    #expect(
      outcome.commands.first?.contains(#" '/w/it'\''s $HOME `x`/out/preview.html' "#) == true, "\(outcome.commands)")
  }

  @Test func nothingIsOpenedUnasked() async {
    #expect(await run(["build"], on: pack()).commands == [])
  }

  @Test func withoutAPageOrAnOpenerThatIsSaidAndAllIsWell() async {
    let noPage = await run(["build", "--open", "--no-preview"], on: pack())
    #expect(noPage.commands == [] && noPage.code == .success && noPage.errors.contains("[not-opened]"))
    let noOpener = await run(["build", "--open"], on: pack(), code: 127)
    #expect(noOpener.code == .success && noOpener.errors.contains("open the page by hand [not-opened]"))
  }

  @Test func theOptionsDecideWhichPageIsMade() async {
    let disk = pack()
    #expect(await run(["build", "--inline"], on: disk).code == .success)
    let inline = String(decoding: disk.bytes("/w/out/preview.html") ?? [], as: UTF8.self)
    #expect(inline.contains(#""picture":"data:image/png;base64,"#))
    #expect(await run(["build"], on: disk).code == .success)
    let linked = String(decoding: disk.bytes("/w/out/preview.html") ?? [], as: UTF8.self)
    #expect(linked.contains(#""picture":"Stickers.xcstickers/Sticker%20Pack.stickerpack/cat.sticker/cat.png?"#))
    #expect(await run(["build", "--no-preview"], on: disk).code == .success)
    #expect(disk.bytes("/w/out/preview.html") == nil)
  }
}
