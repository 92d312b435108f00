import Foundation
import Imaging
import Testing

private func text(_ path: String) throws -> String {
  try String(contentsOf: URL(fileURLWithPath: packageRoot + "/" + path), encoding: .utf8)
}

private func isProgram(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

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
  func theWorkflowIsYAML() throws {
    let read = try Program.runTool(
      [
        packageRoot + "/.venv/bin/python", "-c",
        "import sys, yaml; print(*yaml.safe_load(open(sys.argv[1]))['jobs'])",
        packageRoot + "/templates/github-actions.yml",
      ], in: Scratch())
    #expect(read.output == "stickers\n", "\(read.errors)")
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

  @Test(arguments: ["bash", "zsh", "fish"]) func theScriptsHaveNoMistake(_ shell: String) throws {
    let path = ["/bin/", "/usr/bin/"].map { $0 + shell }.first(where: isProgram)
    let scratch = Scratch()
    let script = try Program.run(["completions", shell], in: scratch)
    #expect(script.code == 0 && script.output.contains("allow-downscale"))
    guard let path else { return }
    scratch.add("script", script.output)
    let checked = try Program.runTool([path, "-n", "script"], in: scratch)
    #expect(checked.code == 0 && checked.errors == "", "\(checked.errors)")
  }

  @Test func anotherShellIsAMistake() throws {
    let outcome = try Program.run(["completions", "tcsh"], in: Scratch())
    #expect(outcome.code == 2 && outcome.errors.contains("use bash, zsh or fish"), "\(outcome.errors)")
  }
}
