import Testing

@testable import Pipeline

@Suite("What a build saw, as folders and names")
struct SeenFilesTests {
  private func file(_ path: String, isLink: Bool = false) -> SeenFile {
    SeenFile(path: path, isLink: isLink, stamp: nil, isSettled: true, digest: Digest(of: path))
  }

  /// The files of sights of these paths, in this order.
  private func seen(_ paths: [String], accept: (inout Sight) -> Bool = { _ in true }) -> SeenFiles {
    var sights = Sights()
    for path in paths { sights[path, isLink: false] = Sight(file: file(path), time: 1) }
    return sights.empty(accept)
  }

  @Test func pathsComeBackWithWhatWasSeenOfThem() {
    let paths = ["/", "/a", "/a/b", "/a/b/c.png", "art/d.png", "e", "é", "e\u{301}"]
    let files = seen(paths)
    #expect(Set(files.map { PathKey($0.path) }) == Set(paths.map { PathKey($0) }))
    #expect(files.allSatisfy { $0.digest == Digest(of: $0.path) })
  }

  @Test func theirOrderIsNotThatInWhichTheyWereSeen() {
    let paths = ["/b/1", "/b/2", "/a/3", "/a/b/4", "/a/c", "/a/b"]
    let order = ["/a/3", "/a/b", "/a/c", "/a/b/4", "/b/1", "/b/2"]
    #expect(seen(paths).map(\.path) == order)
    #expect(seen(paths.reversed()).map(\.path) == order)
  }

  @Test func aListLongerThanAPieceIsWhole() {
    let paths = (0..<2_000).map { "/art/\($0 % 3)/\($0).png" }
    #expect(seen(paths).map(\.path).sorted() == paths.sorted())
  }

  @Test func aLinkAndWhatItLeadsToAreTwo() {
    var sights = Sights()
    sights["/a", isLink: false] = Sight(file: file("/a"), time: 1)
    sights["/a", isLink: true] = Sight(file: file("/a", isLink: true), time: 2)
    #expect(sights["/a", isLink: false]?.time == 1 && sights["/a", isLink: true]?.time == 2)
    #expect(sights.empty { _ in true }.map(\.isLink) == [false, true])
  }

  @Test func whatIsForgottenOrNotAcceptedIsNotThere() {
    var sights = Sights()
    for path in ["/a", "/b", "/c"] { sights[path, isLink: false] = Sight(file: file(path), time: 1) }
    sights["/b", isLink: false] = nil
    var shown: Set<String> = []
    let files = sights.empty { sight in
      shown.insert(sight.file.path)
      return sight.file.path != "/c"
    }
    #expect(files.map(\.path) == ["/a"] && shown == ["/a", "/c"])
    #expect(sights["/a", isLink: false] == nil && sights.empty { _ in true }.isEmpty)
  }

  @Test func filesOfAListThatIsReadKeepTheirOrder() {
    let paths = ["/b/1", "/b/2", "/a", "/b/3"]
    var files = SeenFiles()
    for path in paths { files.append(file(path)) }
    #expect(files.map(\.path) == paths)
  }
}
