import Imaging
import TestSupport
import Testing

@testable import Pipeline

/// Finds the art of a disk's `/art`, from the root `/`.
private func discover(
  _ disk: MemoryDisk, _ inputs: [String] = ["art"], excluding: [String] = [], asFrames: Bool = false
) throws -> Discovery {
  var discoverer = Discoverer(disk: disk, root: "/")
  return try discoverer.discover(inputs, excluding: excluding, asFrames: asFrames)
}

private func disk(_ names: [String]) -> MemoryDisk {
  let disk = MemoryDisk()
  for name in names { disk.add("/art/" + name, Art.png()) }
  return disk
}

@Suite("Finding art") struct DiscoveryTests {
  @Test func artComesInNaturalOrderAndFoldersStandInTheirPlace() throws {
    let found = try discover(disk(["10.png", "2.png", "3/b.png", "3/a.png", "Zoo.png"]))
    #expect(found.assets.map(\.path) == ["art/2.png", "art/3/a.png", "art/3/b.png", "art/10.png", "art/Zoo.png"])
  }

  @Test func unicodeNamesAreKeptByteByByte() throws {
    let names = ["e\u{301}.png", "🦊 👍🏽.png", "say \"hi\".png", "-rf.png", "CON.png"]
    let found = try discover(disk(names))
    let stems = Set(names.map { Array($0.utf8.dropLast(4)) })
    #expect(Set(found.assets.map { Array($0.name.utf8) }) == stems)
  }

  @Test func namesThatAreNoSafeFolderNamesAreChangedAndSaid() throws {
    let found = try discover(disk(["back\\slash.png", "new\nline.png", "tab\t.png"]))
    #expect(Set(found.assets.map(\.name)) == ["back-slash", "new-line", "tab"])
    #expect(found.diagnostics.map(\.id) == ["name-changed", "name-changed", "name-changed"])
  }

  @Test func systemFilesArePassedOverInSilence() throws {
    let disk = disk(["cat.png"])
    for name in [
      ".DS_Store", "Thumbs.db", "desktop.ini", "._cat.png", "__MACOSX/._cat.png", ".hidden.png", "cat.png~",
      ".cat.png.swp", "Icon\r",
    ] { disk.add("/art/" + name, [0, 5, 0x16, 7]) }
    let found = try discover(disk)
    #expect(found.assets.map(\.name) == ["cat"])
    #expect(found.diagnostics.isEmpty)
  }

  @Test func filesThatAreNoArtAreSkippedWithANote() throws {
    let disk = disk(["cat.png"])
    disk.add("/art/notes.txt", Array("hello".utf8))
    disk.add("/art/cat.psd", Array("8BPS".utf8))
    let found = try discover(disk)
    #expect(found.assets.map(\.name) == ["cat"])
    #expect(
      found.diagnostics.map(\.line) == ["art: note: 2 files that are no art were skipped: cat.psd, notes.txt [skipped]"]
    )
  }

  @Test func filesThatOnlySayThatTheyAreImagesFail() throws {
    let disk = disk(["cat.png"])
    disk.add("/art/bad.png", Array("random".utf8))
    disk.add("/art/empty.gif", [])
    disk.addDirectory("/art/folder.png")
    let found = try discover(disk)
    let problems = found.assets.compactMap(\.problem)
    #expect(problems.map(\.id) == ["not-an-image", "not-an-image", "not-an-image"])
    #expect(problems.map(\.path) == ["art/bad.png", "art/empty.gif", "art/folder.png"])
  }

  @Test func theContentCountsAndNotTheName() throws {
    let disk = MemoryDisk()
    disk.add("/art/cat.txt", Art.png())
    disk.add("/art/dog", Art.png())
    #expect(try discover(disk).assets.map(\.name) == ["cat", "dog"])
  }

  @Test func finishedArtOfAnotherFormatFailsUnlessItsExportIsThere() throws {
    let disk = disk(["cat.png"])
    let heic: [UInt8] = [0, 0, 0, 24] + Array("ftypheic".utf8)
    disk.add("/art/cat.heic", heic)
    disk.add("/art/dog.heic", heic)
    let found = try discover(disk)
    #expect(
      found.assets.compactMap(\.problem).map(\.line) == [
        "art/dog.heic: error: HEIC is not read; export it as PNG or JPEG [unsupported-format]"
      ])
    #expect(found.assets.count == 2)
  }

  @Test func drawingsOfOtherKindsAreNamedWithTheExportToUse() throws {
    let disk = disk(["cat.png"])
    disk.add("/art/a.svg", Array("<?xml version='1.0'?><svg/>".utf8))
    disk.add("/art/b.json", Array(#"{"v":"5.5.7","fr":30,"ip":0,"op":60,"assets":["#.utf8))
    disk.add("/art/c.tgs", [0x1f, 0x8b, 8, 0])
    disk.add("/art/d.aseprite", [1, 2, 3, 4, 0xe0, 0xa5])
    disk.add("/art/e.procreate", [0x50, 0x4b, 3, 4] + Array("....Document.archive".utf8))
    disk.add("/art/f.avif", [0, 0, 0, 24] + Array("ftypmif1....avifmiaf".utf8))
    disk.add("/art/g.psd", Array("8BPS".utf8))
    disk.add("/art/notes.json", Array(#"{"a":1}"#.utf8))
    let found = try discover(disk)
    #expect(
      found.assets.compactMap(\.problem).map(\.line) == [
        "art/a.svg: error: SVG is not read; export it as PNG, at 618 px or more [unsupported-format]",
        "art/b.json: error: Lottie is not read; export it as APNG, GIF, animated WebP or numbered PNG files "
          + "[unsupported-format]",
        "art/f.avif: error: AVIF is not read; export it as PNG [unsupported-format]",
      ])
    let told = found.diagnostics.filter { $0.id == "working-file" }
    #expect(told.allSatisfy { $0.severity == .warning && $0.message.contains("a working file (") })
    #expect(told.map(\.path) == ["art/c.tgs", "art/d.aseprite", "art/e.procreate", "art/g.psd"])
    #expect(told.map { $0.message.split(separator: "; ")[1] }.allSatisfy { $0.contains("PNG") })
    #expect(
      found.diagnostics.filter { $0.id == "skipped" }.map(\.message) == [
        "1 file that is no art was skipped: notes.json"
      ])
  }

  @Test func picturesThatAreOnlyInICloudFail() throws {
    let disk = disk(["cat.png", "here.png"])
    for name in [".dog.png.icloud", ".here.png.icloud", ".notes.txt.icloud", ".icloud"] {
      disk.add("/art/" + name, Array("bplist00".utf8))
    }
    let found = try discover(disk)
    #expect(found.assets.map(\.name) == ["cat", "dog", "here"])
    #expect(
      found.assets.compactMap(\.problem).map(\.line) == [
        "art/dog.png: error: only in iCloud, not on this machine; download it in Finder first [not-downloaded]"
      ])
  }

  @Test func whatIsNoPictureUnderAPicturesNameIsToldByWhatItIs() throws {
    let disk = disk(["cat.png"])
    let page = Array("<!DOCTYPE html><html></html>".utf8)
    disk.add("/art/dog.png", page)
    disk.add("/art/index.html", page)
    disk.add("/art/fox.png", Array("version https://git-lfs.github.com/spec/v1\noid sha256:1\n".utf8))
    let found = try discover(disk)
    #expect(
      found.assets.compactMap(\.problem).map(\.line) == [
        "art/dog.png: error: a web page, not an image; open the link and save the picture itself [unsupported-format]",
        "art/fox.png: error: a Git LFS pointer, not an image; run \"git lfs pull\" [unsupported-format]",
      ])
    #expect(found.diagnostics.map(\.id) == ["skipped"])
  }

  @Test func theOutputInsideTheArtIsNotArt() throws {
    let disk = disk(["cat.png", "deep/out/Stickers.xcstickers/x.png", "old/Stickers.xcstickers/y.png"])
    let found = try discover(disk, excluding: ["art/deep/../deep/out"])
    #expect(found.assets.map(\.name) == ["cat"])
  }

  @Test func anOutputThatIsTheArtFolderIsRefused() {
    let refusal = #expect(throws: BuildRefusal.self) { try discover(disk(["cat.png"]), excluding: ["art/."]) }
    #expect(refusal?.diagnostics.map(\.id) == ["output-is-input"])
  }

  @Test func theMasterIconInsideTheArtIsNoSticker() throws {
    #expect(try discover(disk(["cat.png", "icon.png"]), excluding: ["art/icon.png"]).assets.map(\.name) == ["cat"])
  }

  @Test func linksThatGoInCirclesEnd() throws {
    let disk = disk(["cat.png", "sub/dog.png"])
    disk.addLink("/art/loop", to: "..")
    disk.addLink("/art/sub/self", to: ".")
    #expect(try discover(disk).assets.map(\.name) == ["cat", "dog"])
  }

  @Test func aFileWithTwoNamesIsUsedOnceUnderItsOwn() throws {
    let disk = disk(["cat.png"])
    disk.addLink("/art/alias.png", to: "cat.png")
    disk.add("/shared/fox.png", Art.png())
    disk.addLink("/art/fox.png", to: "../shared/fox.png")
    disk.addLink("/art/nowhere.png", to: "gone.png")
    let found = try discover(disk)
    #expect(found.assets.map(\.name) == ["cat", "fox"])
    #expect(found.diagnostics.map(\.id) == ["broken-link", "same-file"])
  }

  @Test func everythingThatIsMissingIsNamedAtOnce() {
    let refusal = #expect(throws: BuildRefusal.self) { try discover(disk(["cat.png"]), ["gone", "art", "away.png"]) }
    #expect(refusal?.diagnostics.map(\.path) == ["gone", "away.png"])
  }

  @Test func aFolderThatCannotBeReadIsNamed() throws {
    let disk = disk(["cat.png", "secret/dog.png"])
    disk.setFault { operation, path, _ in operation == .list && path.hasSuffix("secret") ? 13 : nil }
    let found = try discover(disk)
    #expect(found.assets.map(\.name) == ["cat"])
    #expect(
      found.diagnostics.map(\.line) == [
        "art/secret: error: cannot list: permission denied; change its mode or owner [unreadable]"
      ])
  }

  @Test func onlyTheLargestOfSeveralScalesIsTaken() throws {
    let found = try discover(disk(["cat.png", "cat@2x.png", "cat@3x.png", "dog@3x.png"]))
    #expect(found.assets.map(\.path) == ["art/cat@3x.png", "art/dog@3x.png"])
    #expect(found.assets.map(\.name) == ["cat", "dog"])
    #expect(found.diagnostics.map(\.id) == ["scale-variants"])
  }
}

@Suite("Sources of one sticker") struct NameCollisionTests {
  @Test(
    "Sources that would make one sticker all fail and are all named",
    arguments: [
      ["a/cat.png", "b/cat.gif"], ["Cat.png", "cat.png", "CAT.PNG"], ["se\u{f1}or.png", "sen\u{303}or.png"],
      ["a/b.png", "a\\b.png", "a-b.png"],
    ])
  func collisions(names: [String]) throws {
    let disk = disk(names + ["fox.png"])
    let found = try discover(disk)
    let collided = found.assets.filter { $0.problem?.id == "name-collision" }
    #expect(found.assets.filter { $0.problem == nil }.map(\.name).contains("fox"))
    #expect(found.assets.count == names.count + 1)
    if names[0] == "a/b.png" {
      #expect(collided.map(\.name) == ["a-b", "a-b"])
    } else {
      #expect(collided.count == names.count)
    }
  }

  @Test func namesThatOnlyLookAlikeAreDifferentStickers() throws {
    let found = try discover(disk(["walk-in.png", "walk_in.png", "walk in.png"]))
    #expect(found.assets.allSatisfy { $0.problem == nil })
  }
}

@Suite("Numbered frames") struct FrameSequenceTests {
  private func folder(_ names: [String], size: (Int, Int) -> (Int, Int) = { _, _ in (12, 12) }) -> MemoryDisk {
    let disk = MemoryDisk()
    for (index, name) in names.enumerated() {
      let (width, height) = size(index, names.count)
      disk.add("/art/" + name, Art.png(width, height))
    }
    return disk
  }

  @Test func runningNumbersOfOneSizeAreOneAnimation() throws {
    let found = try discover(folder(["wave/f10.png", "wave/f9.png", "wave/f8.png", "cat.png"]))
    #expect(found.assets.map(\.name) == ["cat", "wave"])
    #expect(found.assets[1].files.map(\.path) == ["art/wave/f8.png", "art/wave/f9.png", "art/wave/f10.png"])
    #expect(found.diagnostics.map(\.line) == ["art/wave: note: 3 numbered frames are one animation [frame-sequence]"])
  }

  @Test func aGapInManyNumbersIsNamed() throws {
    let names = (0..<12).filter { $0 != 5 }.map { "wave/progress-\($0).png" }
    let found = try discover(folder(names))
    #expect(found.assets.map(\.name) == ["wave"])
    #expect(found.diagnostics.map(\.id) == ["frame-sequence", "frame-gap"])
    let forced = try discover(folder(["d.frames/1.png", "d.frames/2.png", "d.frames/5.png"]))
    #expect(forced.diagnostics.last?.message.contains("3, 4") == true)
  }

  @Test(
    "What is no run of numbers is a group of stickers",
    arguments: [
      ["g/gopher-11.png", "g/gopher-15.png"], ["g/a1.png", "g/b2.png"], ["g/1.png", "g/01.png"],
      ["g/fox.png", "g/cat.png"], ["g/1-1.png", "g/2-2.png"],
    ])
  func groups(names: [String]) throws {
    let found = try discover(folder(names))
    #expect(found.assets.count == names.count)
    #expect(found.diagnostics.map(\.id).filter { $0 != "name-collision" } == ["sticker-group"])
  }

  @Test func framesOfDifferentSizesAreStickersUnlessTheFolderSaysOtherwise() throws {
    let sizes = { (index: Int, _: Int) in (12 + index % 2, 12) }
    #expect(
      try discover(folder(["d/1.png", "d/2.png", "d/3.png"], size: sizes)).assets.map(\.name) == ["1", "2", "3"])
    let forced = try discover(folder(["d.frames/1.png", "d.frames/2.png", "d.frames/3.png"], size: sizes))
    #expect(forced.assets.map(\.name) == ["d"])
    #expect(forced.assets[0].files.count == 3)
  }

  @Test func numbersRightInTheArtFolderAreStickers() throws {
    let found = try discover(folder(["1.png", "2.png", "3.png"]))
    #expect(found.assets.map(\.name) == ["1", "2", "3"])
    #expect(found.diagnostics.map(\.id) == ["sticker-group"])
    #expect(try discover(folder(["1.png", "2.png"]), asFrames: true).assets.map(\.name) == ["art"])
  }

  @Test func aFolderOfOneFrameIsAStill() throws {
    let found = try discover(folder(["solo.frames/1.png"]))
    #expect(found.assets.map(\.name) == ["solo"])
    #expect(found.assets[0].files.count == 1)
  }

  @Test func onePictureInAFolderIsAStickerWithoutAWord() throws {
    let found = try discover(folder(["g/solo.png"]))
    #expect(found.assets.map(\.name) == ["solo"])
    #expect(found.diagnostics.isEmpty)
  }

  @Test func animationsAreNoFramesOfOne() throws {
    let disk = MemoryDisk()
    for name in ["1", "2"] {
      disk.add("/art/g/\(name).png", try Art.animation(colors: [RGBA8(255, 0, 0), RGBA8(0, 255, 0)]))
    }
    #expect(try discover(disk).assets.map(\.name) == ["1", "2"])
  }
}
