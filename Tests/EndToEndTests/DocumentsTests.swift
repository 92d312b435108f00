import Foundation
import Imaging
import TestSupport
import Testing

private func text(_ path: String) throws -> String {
  try String(contentsOf: URL(fileURLWithPath: packageRoot + "/" + path), encoding: .utf8)
}

private func isProgram(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

/// Where a program is; nil where it is not installed.
private func program(_ name: String) -> String? {
  ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }.first(where: isProgram)
}

@Suite struct DocumentsTests {
  @Test func theLibrarysExampleIsWhatIsCompiledHereAndItPresses() async throws {
    let article = try text("Sources/Pipeline/Pipeline.docc/Pipeline.md")
    let example = article.components(separatedBy: "```swift\n")[1].components(separatedBy: "```")[0]
    #expect(example == (try text("Tests/EndToEndTests/LibraryExample.swift")))
    let scratch = Scratch()
    scratch.add("art/dot.png", picture())
    scratch.add("icon.png", master())
    let told = try await pressPack(in: scratch.path)
    #expect(told.contains("manifest.json") && told.contains { $0.hasSuffix("dot.sticker/dot.png") }, "\(told)")
  }

  /// `DECAL_UPDATE=1` writes it.
  @Test(.enabled(if: Program.path != nil, "the program is not built"))
  func theReferenceIsCurrent() throws {
    let reference = try Program.run(["help", "--reference"], in: Scratch())
    if ProcessInfo.processInfo.environment["DECAL_UPDATE"] != nil {
      try reference.output.write(toFile: packageRoot + "/REFERENCE.md", atomically: true, encoding: .utf8)
    }
    #expect(try text("REFERENCE.md") == reference.output, "DECAL_UPDATE=1 make test FILTER=DocumentsTests")
  }

  @Test(
    .enabled(if: Program.path != nil, "the program is not built"),
    .enabled(if: isProgram("/usr/bin/groff"), "no groff"))
  func theManualPageIsSetWithoutAComplaint() throws {
    let scratch = Scratch()
    scratch.add("decal.1", try Program.run(["help", "--man"], in: scratch).output)
    let set = try Program.runTool(
      ["/usr/bin/groff", "-man", "-ww", "-Tascii", "-P-cbou", "decal.1"], in: scratch)
    #expect(set.code == 0 && set.errors == "", "\(set.errors)")
    for words in ["--allow-downscale", "NO_COLOR", "decal init", "EXIT STATUS", "timeLimit", "maxPixels"].dropLast(2) {
      #expect(set.output.contains(words), "\(words)")
    }
  }

  @Test(.enabled(if: isProgram(packageRoot + "/.venv/bin/python"), "no .venv; make test-deps makes it"))
  func theWorkflowIsYAMLWhoseStepsUseWhatThereIs() throws {
    let script = """
      import sys, yaml
      steps = yaml.safe_load(open(sys.argv[1]))["jobs"]["stickers"]["steps"]
      ids = {step.get("id") for step in steps}
      for step in steps:
          assert ("run" in step) != ("uses" in step), step
          condition = step.get("if", "")
          assert "steps." not in condition or condition.split("steps.")[1].split(".")[0] in ids, step
          print(step.get("run", ""))
      """
    let read = try Program.runTool(
      [packageRoot + "/.venv/bin/python", "-c", script, packageRoot + "/templates/github-actions.yml"], in: Scratch())
    #expect(read.code == 0, "\(read.errors)")
    let lines = read.output.split(separator: "\n").map(String.init)
    let makefile = try text("Makefile")
    for line in lines where line.hasPrefix("make -C .decal-source ") {
      #expect(makefile.contains("\n\(line.split(separator: " ")[3]):"), "\(line)")
    }
    // The pack of decal init passes it.
    let scratch = Scratch()
    #expect(try Program.run(["init"], in: scratch).code == 0)
    let build = try #require(lines.first { $0.hasPrefix("decal build") })
    #expect(try Program.runShell(build, in: scratch).code == 0)
  }

  @Test(.enabled(if: Program.path != nil, "the program is not built"))
  func theCommandsOfTheREADMERunAsTheyAreWritten() throws {
    let scratch = smallPack(2)
    var wave = GIFMaker(width: 64, height: 64)
    for index in 0..<2 {
      wave.addControl(delay: 20)
      wave.addSolid(index, width: 64, height: 64)
    }
    wave.add([0x3b])
    for name in ["wave.gif", "gifs/wave.gif"] { scratch.add(name, wave.bytes) }
    let block: [[UInt8]] = Array(repeating: [90, 120, 130], count: 128)
    scratch.add("master.jpg", JPEGMaker().finish(Array(repeating: block, count: 128)))
    for name in ["icon.png", "master.png"] { scratch.add(name, master()) }
    #expect(try Program.run(["build", "-o", "earlier"], in: scratch).code == 0)
    rename(scratch.path + "/earlier/Stickers.xcstickers", scratch.path + "/Some.xcstickers")

    let readme = try text("README.md")
    let inline = readme.split(separator: "`", omittingEmptySubsequences: false)
    let commands = (inline + readme.split(separator: "\n")).filter { $0.hasPrefix("decal ") }.map(String.init)
    #expect(commands.count > 20)
    // A watcher does not end, and finds nothing else than a build does.
    for command in commands where !command.hasPrefix("decal watch") {
      let outcome = try Program.runShell(command, in: scratch)
      // The pack of this test is nothing to show: check may say so.
      let codes: ClosedRange<Int32> = command.hasPrefix("decal check") ? 0...1 : 0...0
      #expect(codes.contains(outcome.code), "\(command): \(outcome.errors)")
    }
  }

  @Test func documentsLinkToWhatIsThere() throws {
    let documents = try FileManager.default.contentsOfDirectory(atPath: packageRoot).filter { $0.hasSuffix(".md") }
    #expect(documents.count >= 7)
    for document in documents {
      for part in try text(document).components(separatedBy: "](").dropFirst() {
        let target = part.prefix { $0 != ")" && $0 != "#" }
        guard !target.isEmpty, !target.hasPrefix("http") else { continue }
        #expect(FileManager.default.fileExists(atPath: packageRoot + "/" + target), "\(document): \(target)")
      }
    }
  }
}

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct CompletionTests {
  /// What bash offers for a line that ends where the cursor is.
  private func offered(_ words: String...) throws -> [String] {
    let scratch = Scratch()
    scratch.add("decal.bash", try Program.run(["completions", "bash"], in: scratch).output)
    let script = """
      source decal.bash; complete -p decal >/dev/null || exit 9
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _decal; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let answer = try Program.runTool(["/bin/bash", "-c", script, "bash"] + words, in: scratch)
    #expect(answer.code == 0, "\(answer.errors)")
    return answer.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: isProgram("/bin/bash"), "no bash")) func bashOffersWhatFits() throws {
    #expect(try offered("decal", "i") == ["init", "icon", "inspect"])
    #expect(try offered("decal", "build", "--gr") == ["--grid"])
    #expect(try offered("decal", "build", "--grid", "") == ["small", "regular", "large"])
    #expect(try offered("decal", "build", "--grid", "=", "re") == ["regular"])
    #expect(try offered("decal", "build", "--grid", "=") == ["small", "regular", "large"])
    #expect(try offered("decal", "build", "-g", "l") == ["large"])
    #expect(try offered("decal", "icon", "x.png", "--fit", "co") == ["contain", "cover"])
    #expect(try offered("decal", "build", "--background", "bl") == ["black", "blue"])
    // Nothing of ours: readline completes names of files.
    #expect(try offered("decal", "build", "--icon", "") == [])
    #expect(try offered("decal", "build", "") == [])
    #expect(try offered("decal", "completions", "") == ["bash", "zsh", "fish"])
    #expect(try offered("decal", "help", "lim") == ["limits"])
    #expect(try offered("decal", "clean", "--gr") == [])
  }

  /// Writes a shell's script to a file, which the shell must be able to read.
  private func script(_ shell: String, named name: String) throws -> Scratch {
    let scratch = Scratch()
    scratch.add(name, try Program.run(["completions", shell], in: scratch).output)
    let checked = try Program.runTool([#require(program(shell)), "-n", name], in: scratch)
    #expect(checked.code == 0 && checked.errors == "", "\(checked.errors)")
    return scratch
  }

  @Test(.enabled(if: isProgram("/bin/bash"), "no bash")) func bashReadsItsScript() throws {
    _ = try script("bash", named: "decal")
  }

  @Test(.enabled(if: program("fish") != nil, "no fish; make test-deps installs it")) func fishOffersWhatFits() throws {
    let scratch = try script("fish", named: "decal.fish")
    func offered(_ line: String) throws -> [String] {
      let words = ["/usr/bin/env", "HOME=" + scratch.path, try #require(program("fish")), "-c"]
      let answer = try Program.runTool(words + ["source decal.fish; complete -C '\(line)'"], in: scratch)
      #expect(answer.code == 0, "\(answer.errors)")
      return answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try offered("decal i") == ["icon", "init", "inspect"])
    #expect(try offered("decal build --gr") == ["--grid"])
    #expect(try offered("decal build --grid ") == ["large", "regular", "small"])
    #expect(try offered("decal build --grid=re") == ["--grid=regular"])
    #expect(try offered("decal icon x.png --fit co") == ["contain", "cover"])
    #expect(try offered("decal completions ") == ["bash", "fish", "zsh"])
    #expect(try offered("decal help lim") == ["limits"])
    #expect(try offered("decal build --icon decal.f") == ["decal.fish"])
    #expect(try offered("decal clean --gr") == [])
  }

  /// The shell itself is asked, on a terminal: each line must bring what is expected behind it.
  @Test(
    .enabled(if: program("zsh") != nil, "no zsh; make test-deps installs it"),
    .enabled(if: isProgram("/usr/bin/timeout"), "no timeout"))
  func zshOffersWhatFits() throws {
    let scratch = try script("zsh", named: "_decal")
    let ask = """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'PROMPT=; RPROMPT=; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; bindkey -e
      bindkey "^I" list-choices; print RE''ADY'
      zpty -r shell answer '*READY*'
      while (( $# )); do
        zpty -w -n shell $'\\x15'"$1"$'\\t'
        zpty -r shell answer "*$2*"
        shift 2
      done
      print all were offered
      """
    let lines = [
      "decal i", "icon*init*inspect", "decal build --gr", "--grid*small, regular or large", "decal build --grid ",
      "large*regular*small", "decal build --grid=r", "regular", "decal icon x.png --fit co", "contain*cover",
      "decal completions ", "bash*fish*zsh", "decal help lim", "limits", "decal build --icon _d", "_decal",
    ]
    let answer = try Program.runTool(
      ["/usr/bin/timeout", "60", try #require(program("zsh")), "-f", "-c", ask, "ask"] + lines, in: scratch)
    #expect(answer.output == "all were offered\n", "\(answer.output)\(answer.errors)")
  }

  @Test func anotherShellIsAMistake() throws {
    let outcome = try Program.run(["completions", "tcsh"], in: Scratch())
    #expect(outcome.code == 2 && outcome.errors.contains("use bash, zsh or fish"), "\(outcome.errors)")
  }
}
