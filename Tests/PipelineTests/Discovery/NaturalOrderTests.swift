import Testing

@testable import Pipeline

@Suite("Natural order") struct NaturalOrderTests {
  @Test(
    "Names come in the order that people expect",
    arguments: [
      ["2.png", "10.png"], ["1.png", "01.png", "2.png"], ["a.png", "B.png", "c.png"], ["cat.png", "cat 2.png"],
      ["cat2.png", "cat10.png", "catalog.png"], ["e\u{301}a.png", "\u{e9}b.png"], ["🦊1.png", "🦊2.png", "🦊10.png"],
      ["frame-9-1.png", "frame-10-0.png"], ["99999999999999999999.png", "100000000000000000000.png"],
    ])
  func order(names: [String]) {
    #expect(names.reversed().naturallySorted { $0 } == names)
    #expect(names.naturallySorted { $0 } == names)
  }

  @Test func namesThatDifferInCaseOrNormalizationHaveOneOrder() {
    let names = ["CAT.PNG", "Cat.png", "cat.png", "e\u{301}.png", "\u{e9}.png"]
    let sorted = names.naturallySorted { $0 }.map { Array($0.utf8) }
    for _ in 0..<5 { #expect(names.shuffled().naturallySorted { $0 }.map { Array($0.utf8) } == sorted) }
  }

  @Test func theOrderIsTransitive() {
    let names = ["10", "1\u{301}", "2", "1", "01", "a1", "A01", "a", "b", "1a", "1 a", "", "-1", "１"]
    for a in names {
      for b in names {
        let (x, y) = (NaturalKey(a), NaturalKey(b))
        #expect((x < y) != (y < x) || a.utf8.elementsEqual(b.utf8))
        for c in names where x < y && y < NaturalKey(c) { #expect(x < NaturalKey(c)) }
      }
    }
  }
}
