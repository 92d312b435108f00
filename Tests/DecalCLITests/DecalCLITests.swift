import AssetCatalog
import Codecs
import Imaging
import Pipeline
import TestSupport
import Testing

@testable import DecalCLI

@Suite struct HelpTexts {
  @Test(arguments: Command.all.map(\.name))
  func everyOptionStandsInTheHelpOfItsCommand(_ name: String) async throws {
    let command = try #require(Command.all.first { $0.name == name })
    let help = await decal("help", name)
    #expect(help.code == .success)
    // Those that every command has for safety have a page of their own.
    let limits = await decal("help", "limits")
    for option in command.options {
      #expect((help.output + limits.output).contains(option.synopsis), "\(option.name)")
    }
    #expect(help.output == (await decal(name, "--help")).output)
    #expect(help.output == (await decal(name, "-h", "--json")).output)
  }

  @Test func aHelpTextFitsOneScreen() async {
    for topic in [[]] + Command.all.map({ [$0.name] }) {
      let lines = topic.isEmpty ? Help.overview : Help.command(Command.all.first { $0.name == topic[0] }!)
      #expect(lines.split(separator: "\n", omittingEmptySubsequences: false).count <= 41, "\(topic)")
      for line in lines.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
      #expect(lines.contains("\nexamples:\n"))
    }
  }

  @Test func everyOptionHasHelpOfItsOwn() async {
    for option in Command.all.flatMap(\.options) {
      let help = await decal("help", option.name)
      #expect(help.code == .success)
      #expect(help.output.contains(option.help))
      for line in help.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func namesOfOptionsAreUsedOnceInACommand() {
    for command in Command.all {
      let names = command.options.flatMap(\.names)
      #expect(Set(names).count == names.count, "\(command.name)")
      #expect(names.allSatisfy { $0.hasPrefix("--") || $0.count == 2 })
      #expect(command.options.allSatisfy { $0.name.hasPrefix("--") })
    }
  }

  @Test func helpListsTheCommandsAndTheExitCodes() async {
    let help = await decal("--help")
    #expect(help.code == .success)
    for command in Command.all { #expect(help.output.contains("  \(command.name) ")) }
    #expect(help.output.contains("exit codes: 0 done"))
    #expect(help.output == (await decal("help")).output)
    #expect(help.errors == "")
  }

  @Test func aloneItShowsTheUsageAsAnError() async {
    let outcome = await decal()
    #expect(outcome.code == .usage)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("usage: decal COMMAND"))
  }

  @Test func theVersionNamesDecal() async {
    let outcome = await decal("--version")
    #expect(outcome.code == .success)
    #expect(outcome.output.hasPrefix("decal \(decalVersion)\n"))
  }
}

@Suite struct WrongUse {
  @Test(arguments: [
    (["biuld"], #"unknown command "biuld"; did you mean build? [unknown-command]"#),
    (["--verison"], "unknown option --verison; did you mean --version? [unknown-option]"),
    (
      ["frobnicate"],
      #"unknown command "frobnicate"; the commands are init, build, watch, convert, icon, check, inspect, clean, completions or help [unknown-command]"#
    ),
    (["build", "--gird", "small"], "unknown option --gird; did you mean --grid? [unknown-option]"),
    (["build", "--gird=small"], "unknown option --gird; did you mean --grid? [unknown-option]"),
    (["build", "--frames"], #"unknown option --frames; it belongs to "decal inspect" [unknown-option]"#),
    (["build", "-x"], #"unknown option -x; "decal help build" lists the options [unknown-option]"#),
    (["build", "-qv"], #"unknown option -qv; "decal help build" lists the options [unknown-option]"#),
    (["--grid", "small"], "--grid comes after the command, as in: decal build --grid [unknown-option]"),
    (["--nonsense"], #"unknown option --nonsense; "decal help" lists the commands [unknown-option]"#),
    (["help", "gird"], #"no help on "gird"; did you mean grid? [unknown-topic]"#),
    (["build", "--grid"], "--grid needs a value: --grid SIZE [option-value]"),
    (
      ["build", "--icon", "--grid", "small"],
      "--icon needs a value before --grid; write --icon=--grid if that is it [option-value]"
    ),
    (
      ["build", "--grid", "medium"], #"--grid "medium" is not a grid size; use small, regular or large [option-value]"#
    ),
    (["build", "--force=yes"], "--force takes no value; write --force alone [option-value]"),
    (["build", "-j", "0"], #"--jobs "0" is not a number of jobs; use a whole number from 1 to 256 [option-value]"#),
    (
      ["build", "--app-icon=both"], #"--app-icon "both" is not an app icon style; use single or legacy [option-value]"#
    ),
    (["build", "a", "b"], #""b" is one too many; usage: decal build [DIR] [extra-operand]"#),
    (["convert", "-o", "x"], "nothing to convert; usage: decal convert INPUT... -o OUTPUT [missing-operand]"),
    (["convert", "a.png"], "convert needs -o OUTPUT, a file or a folder [missing-output]"),
    (["icon", "a.png"], "icon needs -o DIR, the folder that becomes the icon set [missing-output]"),
    (["inspect"], "nothing to inspect; usage: decal inspect FILE... [missing-operand]"),
    (["inspect", ""], "an empty path was given; usage: decal inspect FILE... [empty-operand]"),
  ])
  func aMistakeIsNamedWithTheWayOut(_ arguments: [String], _ message: String) async {
    let outcome = await runList(arguments)
    #expect(outcome.code == .usage)
    #expect(outcome.output == "")
    #expect(outcome.errorLines == ["decal: error: " + message])
  }

  @Test func allMistakesAreNamedAtOnce() async {
    let outcome = await decal("build", "--gird", "--padding", "x", "--fps=fast")
    #expect(outcome.errorLines.count == 3)
    #expect(outcome.code == .usage)
  }

  private func runList(_ arguments: [String]) async -> Outcome {
    switch arguments.count {
    case 1: await decal(arguments[0])
    case 2: await decal(arguments[0], arguments[1])
    case 3: await decal(arguments[0], arguments[1], arguments[2])
    default: await decal(arguments[0], arguments[1], arguments[2], arguments[3])
    }
  }
}

@Suite struct ParsingArguments {
  private func parse(_ words: String...) -> Arguments {
    let (arguments, errors) = ArgumentParser(options: Command.build.options, command: "build").parse(words)
    #expect(errors.isEmpty)
    return arguments
  }

  @Test func valuesComeAfterASpaceOrAnEqualsSignOrAttached() {
    #expect(parse("--grid", "large") == parse("--grid=large"))
    #expect(parse("-g", "large") == parse("-glarge"))
    #expect(parse("-j2").jobs == 2)
    #expect(parse("-oout").output == "out")
    #expect(parse("--name=a=b").name == "a=b")
  }

  @Test func theLastOfARepeatedOptionCountsAndListsGrow() {
    #expect(parse("--grid", "small", "--grid", "large").grid == .large)
    #expect(parse("--trim", "--no-trim").sticker.trim == false)
    #expect(parse("--stickers", "a", "--stickers", "b").stickers == ["a", "b"])
  }

  @Test func twoDashesEndTheOptions() {
    #expect(parse("--force", "--", "--grid").operands == ["--grid"])
    #expect(parse("-").operands == ["-"])
  }

  @Test func theAppIconsStyleIsOptional() {
    #expect(parse("--app-icon").icon.appIcon == .single)
    #expect(parse("--app-icon", "legacy").icon.appIcon == .legacy)
    #expect(parse("--app-icon=legacy").icon.appIcon == .legacy)
    let other = parse("--app-icon", "pack")
    #expect(other.icon.appIcon == .single)
    #expect(other.operands == ["pack"])
  }

  @Test func everyStickerOptionIsRead() {
    let arguments = parse(
      "--fit", "cover", "--kernel", "box", "--padding", "5", "--trim", "--background", "#123", "--outline", "6,#ff0000",
      "--defringe", "white", "--fps", "12.5",
      "--budget", "1000", "--effort", "fast", "--encoding", "rgba", "--allow-downscale",
      "--plays", "2")
    var expected = StickerOptions()
    expected.fit = .cover
    expected.kernel = .box
    expected.padding = 5
    expected.trim = true
    expected.background = RGBA8(0x11, 0x22, 0x33)
    expected.outline = Outline(width: 6, color: RGBA8(255, 0, 0))
    expected.defringe = .matte(.white)
    expected.fps = Rational(25, 2)
    expected.budget = 1000
    expected.effort = .fast
    expected.encoding = .rgba
    expected.allowDownscale = true
    expected.plays = 2
    #expect(arguments.sticker == expected)
  }
}
