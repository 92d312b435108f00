import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

@Suite("Icons of a pack") struct IconSetBuildTests {
  private func disk() -> MemoryDisk {
    let disk = MemoryDisk()
    disk.add("/pack/icon.png", Art.plain(64))
    disk.add("/pack/art/cat.png", Art.png())
    return disk
  }

  private func configuration(_ appIcon: AppIconStyle? = nil) -> Configuration {
    var configuration = Configuration()
    configuration.grid = .small
    configuration.icon.master = "icon.png"
    configuration.icon.appIcon = appIcon
    return configuration
  }

  private func check(_ disk: MemoryDisk, _ folder: String, count: Int) throws {
    let set = try IconSetContents(parsing: disk.bytes(folder + "/Contents.json") ?? [])
    #expect(set.images.count == count)
    let named = Set(set.images.compactMap(\.filename) + ["Contents.json"])
    #expect(Set(disk.tree(folder).map(\.path)) == named)
    for image in set.images {
      let picture = try PictureFacts(decoding: disk.bytes(folder + "/" + (image.filename ?? "")) ?? [])
      #expect(picture.size.width == image.slot.pixels?.width && picture.size.height == image.slot.pixels?.height)
    }
  }

  @Test func aPackHasTheIconsOfMessagesAndOfTheApp() async throws {
    let disk = disk()
    let out = "/pack/out"
    let summary = try await Builder(disk: disk).build(configuration(.legacy), root: "/pack")
    #expect(!summary.hasErrors && summary.icons == 13 + 18)
    try check(disk, out + "/" + CatalogLayout.messagesIconSet, count: 13)
    try check(disk, out + "/" + CatalogLayout.appIconSet, count: 18)
    #expect(disk.bytes(out + "/Assets.xcassets/Contents.json") == RootContents().bytes)
    _ = try await Builder(disk: disk).build(configuration(.single), root: "/pack")
    try check(disk, out + "/" + CatalogLayout.appIconSet, count: 1)
    _ = try await Builder(disk: disk).build(configuration(), root: "/pack")
    #expect(!disk.tree(out).contains { $0.path.hasPrefix("Assets") })
  }

  @Test func aMasterThatTurnsBadLeavesTheEarlierIcons() async throws {
    let disk = disk()
    _ = try await Builder(disk: disk).build(configuration(), root: "/pack")
    let manifest = disk.bytes("/pack/out/manifest.json")
    disk.add("/pack/icon.png", [1, 2, 3])
    let summary = try await Builder(disk: disk).build(configuration(), root: "/pack")
    #expect(summary.hasErrors)
    try check(disk, "/pack/out/" + CatalogLayout.messagesIconSet, count: 13)
    disk.add("/pack/icon.png", Art.plain(64))
    _ = try await Builder(disk: disk).build(configuration(), root: "/pack")
    #expect(disk.bytes("/pack/out/manifest.json") == manifest)
  }

  @Test func anIconSetAloneIsWrittenWhereItIsNamed() async throws {
    let disk = disk()
    disk.add("/pack/set.stickersiconset/notes.txt", [7])
    let builder = Builder(disk: disk)
    let summary = try await builder.makeIconSet(configuration(), root: "/pack", output: "set.stickersiconset")
    #expect(summary.icons == 13 && summary.written.count == 14)
    #expect(disk.writes.last == "/pack/set.stickersiconset/Contents.json")
    #expect(disk.bytes("/pack/set.stickersiconset/notes.txt") == [7])
    let again = try await builder.makeIconSet(configuration(), root: "/pack", output: "set.stickersiconset")
    #expect(again.written.isEmpty && again.unchanged.count == 14)
    _ = try await builder.makeIconSet(configuration(), root: "/pack", output: "AppIcon.appiconset")
    try check(disk, "/pack/AppIcon.appiconset", count: 1)
  }

  @Test func anAppIconAloneHasItsStyleAndItsOwnMasters() async throws {
    let disk = disk()
    disk.add("/pack/dark.png", Art.plain(64))
    let builder = Builder(disk: disk)
    var dark = configuration()
    dark.icon.dark = "dark.png"
    let summary = try await builder.makeIconSet(dark, root: "/pack", output: "AppIcon.appiconset")
    #expect(!summary.hasErrors && summary.icons == 2)
    try check(disk, "/pack/AppIcon.appiconset", count: 2)
    _ = try await builder.makeIconSet(configuration(.legacy), root: "/pack", output: "older")
    try check(disk, "/pack/older", count: 18)
  }

  @Test(arguments: [
    ("AppIcon.appiconset", AppIconStyle.legacy, true, false), ("set.stickersiconset", nil, true, false),
    ("set.stickersiconset", .single, false, false), ("AppIcon.appiconset", nil, false, true),
  ])
  func mastersThatASetHasNoPlaceForAreRefused(
    _ output: String, _ style: AppIconStyle?, _ hasDark: Bool, _ hasMessages: Bool
  ) async {
    let disk = disk()
    var configuration = configuration(style)
    configuration.icon.dark = hasDark ? "icon.png" : nil
    configuration.icon.messages = hasMessages ? "icon.png" : nil
    await #expect(throws: BuildRefusal.self) {
      try await Builder(disk: disk).makeIconSet(configuration, root: "/pack", output: output)
    }
    #expect(disk.writes.isEmpty)
  }

  @Test func aMasterIsNeverOverwritten() async throws {
    let disk = MemoryDisk()
    let name = IconSlot.messages[0].filename
    disk.add("/pack/set/" + name, Art.plain(64))
    var configuration = configuration()
    configuration.icon.master = "set/" + name
    let builder = Builder(disk: disk)
    await #expect(throws: BuildRefusal.self) {
      try await builder.makeIconSet(configuration, root: "/pack", output: "set")
    }
    #expect(disk.writes.isEmpty)
  }
}
