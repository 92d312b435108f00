import AssetCatalog
import Codecs
import Imaging
import Testing

@testable import Pipeline

private func plan(_ names: [String], _ change: (inout Configuration) -> Void = { _ in }) -> BuildPlan {
  var configuration = Configuration()
  change(&configuration)
  let assets = names.map { name in
    SourceAsset(
      name: name, path: "art/\(name).png",
      content: .file(SourceFile(location: "/art/\(name).png", path: "art/\(name).png")))
  }
  return BuildPlan(configuration.resolved(), art: Discovery(assets: assets), limits: DecodeLimits())
}

@Suite("The plan of a pack") struct BuildPlanTests {
  @Test func listedStickersComeFirstAndTheRestAsItWasFound() {
    let plan = plan(["a", "b", "c", "d"]) { $0.order = ["c", "a"] }
    #expect(plan.stickers.map(\.source.name) == ["c", "a", "b", "d"])
  }

  @Test(
    "A listed name that is missing is an error, whatever it looks like",
    arguments: ["foxx", "../../evil.png", "/tmp/evil.png", "a/../../b.png", "C:\\x.png"])
  func missingNames(name: String) {
    let plan = plan(["fox"]) { $0.order = [name] }
    #expect(plan.stickers.map(\.source.name) == ["fox"])
    #expect(plan.diagnostics.filter { $0.severity == .error }.map(\.id) == ["order-missing"])
    #expect(plan.diagnostics[0].message.contains(name))
  }

  @Test func aMistypedNameGetsASuggestion() {
    let plan = plan(["fox", "bear"]) {
      $0.order = ["foxx"]
      $0.labels = ["baer": "A bear"]
      $0.overrides = ["wolf": StickerOptions()]
    }
    #expect(
      plan.diagnostics.filter { $0.severity > .note }.map(\.line) == [
        "order: error: there is no sticker \"foxx\"; did you mean \"fox\"? [order-missing]",
        "labels.baer: warning: there is no sticker of this name; did you mean \"bear\"? [unknown-sticker]",
        "overrides.wolf: warning: there is no sticker of this name; it has no effect [unknown-sticker]",
      ])
  }

  @Test func aNameIsMeantInEitherUnicodeForm() {
    let plan = plan(["e\u{301}"]) {
      $0.order = ["\u{e9}"]
      $0.labels = ["\u{e9}": "Accent"]
    }
    #expect(plan.stickers.map(\.label) == ["Accent"])
    #expect(plan.diagnostics.isEmpty)
  }

  @Test func aStickersOwnOptionsComeBeforeThePacks() {
    let plan = plan(["fox", "bear"]) {
      $0.grid = .large
      $0.defaults.padding = 5
      $0.defaults.budget = 1000
      $0.defaults.fps = Rational(12)
      var own = StickerOptions()
      (own.padding, own.fit, own.plays, own.label) = (7, .cover, 3, "A bear")
      $0.overrides["bear"] = own
    }
    let (fox, bear) = (plan.stickers[0], plan.stickers[1])
    #expect((fox.recipe.render.padding, bear.recipe.render.padding) == (5, 7))
    #expect((fox.recipe.render.fit, bear.recipe.render.fit) == (.contain, .cover))
    #expect((fox.recipe.budget, bear.recipe.budget) == (1000, 1000))
    #expect((fox.recipe.plays, bear.recipe.plays) == (nil, 3))
    #expect((fox.recipe.render.side, bear.recipe.fps) == (618, Rational(12)))
    #expect((fox.label, bear.label) == ("Fox", "A bear"))
  }

  @Test func oneNoteTellsOfAllLabelsThatAreMadeFromNames() {
    let plan = plan(["waving-fox_2", "bear", "cat"]) { $0.labels = ["bear": "A bear"] }
    #expect(plan.stickers.map(\.label) == ["Waving fox 2", "A bear", "Cat"])
    #expect(plan.diagnostics.map(\.id) == ["labels-from-names"])
    #expect(plan.diagnostics[0].message.hasPrefix("2 labels are made from file names, such as \"Waving fox 2\""))
  }

  @Test func aLabelThatIsTooLongIsWarnedOfAndKept() {
    let long = String(repeating: "x", count: 151)
    let plan = plan(["fox"]) { $0.labels = ["fox": long] }
    #expect(plan.stickers[0].label == long)
    #expect(plan.diagnostics.map(\.id) == ["label-too-long"])
  }

  @Test func theSameConfigurationAndArtHaveTheSamePlan() {
    let change: (inout Configuration) -> Void = { $0.labels = ["a": "A", "zz": "Z", "yy": "Y", "xx": "X"] }
    #expect(plan(["a", "b"], change) == plan(["a", "b"], change))
  }
}
