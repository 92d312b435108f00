import AssetCatalog
import Codecs
import Imaging
import Testing

@testable import Pipeline

private func parse(_ text: String) -> (configuration: Configuration, lines: [String]) {
  let (configuration, diagnostics) = Configuration.parse(Array(text.utf8), file: "decal.json")
  return (configuration, diagnostics.map(\.line))
}

@Suite struct ConfigurationParsing {
  @Test func anEmptyObjectIsTheDefaults() {
    let (configuration, lines) = parse("{}")
    #expect(configuration == Configuration())
    #expect(lines == [])
  }

  @Test func everyKeyIsReadWithCommentsAmongThem() {
    let (configuration, lines) = parse(
      """
      { // a pack
        "$schema": "https://example.org/decal.schema.json",
        "name": "Fox", "grid": "large", "stickers": ["art", "more"], "output": "press",
        /* how */ "fit": "cover", "kernel": "lanczos3", "padding": 12, "trim": true, "background": "#f80",
        "outline": { "width": 8, "color": "black" }, "defringe": "auto",
        "fps": "24000/1001", "budget": 480000, "effort": "max", "encoding": "rgba", "allowDownscale": true, "plays": 3,
        "icon": { "master": "icon.png", "messages": "wide.png", "dark": "dark.png", "tinted": "tint.png",
                  "appIcon": "single", "background": "#102030", "fit": "contain" },
        "order": ["wave", "hello"], "labels": { "wave": "Fox waving" },
        "overrides": { "hello": { "fit": "fill", "label": "Hello!", "background": "transparent", "fps": 12.5 } },
      }
      """)
    #expect(lines == [])
    var expected = Configuration()
    expected.name = "Fox"
    expected.grid = .large
    expected.stickers = ["art", "more"]
    expected.output = "press"
    expected.defaults.fit = .cover
    expected.defaults.kernel = .lanczos3
    expected.defaults.padding = 12
    expected.defaults.trim = true
    expected.defaults.background = RGBA8(255, 136, 0)
    expected.defaults.outline = Outline(width: 8, color: .black)
    expected.defaults.defringe = .auto
    expected.defaults.fps = Rational(24000, 1001)
    expected.defaults.budget = 480_000
    expected.defaults.effort = .max
    expected.defaults.encoding = .rgba
    expected.defaults.allowDownscale = true
    expected.defaults.plays = 3
    expected.icon.master = "icon.png"
    expected.icon.messages = "wide.png"
    expected.icon.dark = "dark.png"
    expected.icon.tinted = "tint.png"
    expected.icon.appIcon = .single
    expected.icon.background = RGBA8(16, 32, 48)
    expected.icon.fit = .contain
    expected.order = ["wave", "hello"]
    expected.labels = ["wave": "Fox waving"]
    var hello = StickerOptions()
    hello.fit = .fill
    hello.label = "Hello!"
    hello.background = .clear
    hello.fps = Rational(25, 2)
    expected.overrides = ["hello": hello]
    #expect(configuration == expected)
  }

  @Test func onePathStandsForAListAndForAnIcon() {
    let configuration = parse(#"{ "icon": "i.png", "stickers": "pics" }"#).configuration
    #expect(configuration.icon.master == "i.png")
    #expect(configuration.stickers == ["pics"])
  }

  @Test func allProblemsAreToldAtOnceWithTheirLines() {
    let lines = parse(
      """
      {
        "gird": "small",
        "grid": "medium",
        "padding": -3,
        "icon": {
          "fit": "squeeze"
        },
        "overrides": { "wave": {
          "trim": "yes" } }
      }
      """
    ).lines
    #expect(
      lines == [
        #"decal.json:2: warning: unknown key "gird"; did you mean "grid"? [unknown-key]"#,
        #"decal.json:3: error: grid "medium" is not a grid size; use small, regular or large [config-value]"#,
        "decal.json:4: error: padding -3 is not a padding in pixels; use a whole number from 0 to 308 [config-value]",
        #"decal.json:6: error: icon.fit "squeeze" is not a fit; use contain, cover or fill [config-value]"#,
        #"decal.json:9: error: overrides.wave.trim "yes" is not a switch; use true or false [config-value]"#,
      ])
  }

  @Test func anUnknownKeyWithNoNearNameListsTheKeys() {
    #expect(
      parse(#"{ "icon": { "zzzzzz": 1 } }"#).lines == [
        "decal.json:1: warning: unknown key \"icon.zzzzzz\"; the keys here are "
          + "master, messages, dark, tinted, appIcon, background, fit, color [unknown-key]"
      ])
  }

  @Test func brokenJSONNamesItsPlace() {
    let lines = parse("{\n  \"grid\": \n}").lines
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("decal.json:3:1: error: not JSON: "))
    #expect(lines[0].hasSuffix(" [config-syntax]"))
  }

  @Test(arguments: ["[]", "12", "null", "\"text\""])
  func aDocumentThatIsNoObjectIsRefused(_ text: String) {
    #expect(
      parse(text).lines.map { $0.hasPrefix("decal.json: error: the configuration \(text) is not an object") } == [true])
  }

  @Test(arguments: [
    #"{"name": ""}"#, #"{"name": "a/b"}"#, #"{"name": ".hidden"}"#, #"{"name": 3}"#, #"{"grid": 408}"#,
    #"{"stickers": []}"#,
    #"{"stickers": ["a", 1]}"#, #"{"output": " "}"#, #"{"fps": 0}"#, #"{"fps": "24/0"}"#, #"{"fps": 1000}"#,
    #"{"fps": "23.976023"}"#, ##"{"background": "#12345"}"##, #"{"background": "mauve"}"#, #"{"budget": 0}"#,
    #"{"plays": 1.5}"#, #"{"labels": []}"#, #"{"labels": {"a": ""}}"#, #"{"overrides": {"a": 1}}"#,
    #"{"order": "wave"}"#, #"{"outline": 65}"#, #"{"outline": -1}"#, #"{"outline": {"color": "white"}}"#,
    #"{"outline": {"width": 3, "colour": "white"}}"#, #"{"outline": "8 white"}"#, #"{"defringe": "yes"}"#,
    #"{"defringe": true}"#,
    #"{"icon": 7}"#, ##"{"icon": {"background": "#00000080"}}"##, #"{"kernel": "bicubic"}"#, #"{"trim": 1}"#,
    #"{"fit": null}"#,
  ])
  func aWrongValueIsOneError(_ text: String) {
    let lines = parse(text).lines
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.contains(": error: ") && $0.hasSuffix("[config-value]") })
  }

  @Test func aKeyInsideATextOrACommentDoesNotMoveALine() {
    let lines = parse("{\n\"output\": \"a \\\"grid\\\": {[\", // \"grid\": {\n/* { \n */\n\"grid\": 1 }").lines
    #expect(lines.map { $0.hasPrefix("decal.json:5: error: grid 1 ") } == [true])
  }
}

@Suite struct ConfigurationValues {
  @Test(arguments: [
    ("#fff", RGBA8.white), ("#0F8", RGBA8(0, 255, 136)), ("#102030", RGBA8(16, 32, 48)),
    ("#10203040", RGBA8(16, 32, 48, 64)), ("White", .white), ("transparent", .clear),
  ])
  func colorsAreReadAsInCSS(_ text: String, _ color: RGBA8) {
    #expect(ValueReader.color.read(text: text) == color)
  }

  @Test(arguments: [
    ("15", Rational(15)), ("12.5", Rational(25, 2)), ("29.97", Rational(2997, 100)),
    ("24000/1001", Rational(24000, 1001)),
    ("0.1", Rational(1, 10)), ("23.976", Rational(2997, 125)),
  ])
  func ratesAreExact(_ text: String, _ rate: Rational) {
    #expect(ValueReader.rate.read(text: text) == rate)
    if let number = Double(text) { #expect(ValueReader.rate.read(.double(number)) == rate) }
  }

  @Test(arguments: ["", "-1", "0", "121", "1e1", "nan", "1/1000000000", "99999999999999999999", "1/2/3", "+5", "٣"])
  func ratesThatCannotBeAreRefused(_ text: String) {
    #expect(ValueReader.rate.read(text: text) == nil)
  }

  @Test func paddingIsBoundedByTheGrid() {
    var configuration = Configuration()
    configuration.grid = .small
    configuration.defaults.padding = 149
    #expect(configuration.problems(file: "decal.json") == [])
    configuration.overrides["wave"] = configuration.defaults
    configuration.overrides["wave"]?.padding = 150
    #expect(
      configuration.problems(file: "decal.json").map(\.line) == [
        "decal.json: error: overrides.wave.padding 150 leaves no room for art in 300 px; use 0 to 149 [config-value]"
      ])
  }

  @Test func contradictionsBetweenKeysAreTold() {
    var configuration = Configuration()
    configuration.order = ["a", "b", "a"]
    configuration.labels["a"] = "One"
    configuration.overrides["a"] = StickerOptions()
    configuration.overrides["a"]?.label = "Two"
    configuration.icon.appIcon = .single
    configuration.defaults.budget = 600_000
    #expect(configuration.problems(file: nil).map(\.severity) == [.warning, .error, .error, .error])
  }

  @Test func anIconTakesThePacksOpaqueBackgroundAndFit() {
    var configuration = Configuration()
    configuration.defaults.fit = .cover
    configuration.defaults.background = RGBA8(1, 2, 3)
    #expect(configuration.resolved().icon.background == RGBA8(1, 2, 3))
    #expect(configuration.resolved().icon.fit == .cover)
    configuration.icon.background = .white
    configuration.defaults.background = .clear
    #expect(configuration.resolved().icon.background == .white)
  }
}

@Suite struct Suggestions {
  @Test(arguments: [
    ("gird", "grid"), ("Grid", "grid"), ("padd", "padding"), ("bugdet", "budget"), ("kernal", "kernel"),
    ("trin", "trim"),
  ])
  func aNearNameIsFound(_ typed: String, _ name: String) {
    #expect(suggestion(for: typed, among: ["fit", "grid", "padding", "budget", "kernel", "trim"]) == name)
  }

  @Test(arguments: ["", "zzzz", "watermelon"])
  func aFarNameIsNot(_ typed: String) {
    #expect(suggestion(for: typed, among: ["grid", "padding", "budget", "kernel", "trim"]) == nil)
  }
}
