import AssetCatalog
import Codecs
import Imaging
import TestSupport

@testable import Pipeline

/// A pack on a disk in memory whose builds keep their state.
struct StatefulPack {
  let disk: MemoryDisk
  let root: String

  /// `art` is put below `art/`.
  init(_ art: [(String, [UInt8])], root: String = "/pack", disk: MemoryDisk = MemoryDisk()) {
    (self.disk, self.root) = (disk, root)
    for (name, bytes) in art { disk.add("\(root)/art/\(name)", bytes) }
  }

  /// A still, an animation in a file and one of numbered frames.
  static func mixed() throws -> StatefulPack {
    StatefulPack([
      ("cat.png", Art.png()), ("dance/1.png", Art.png(12, 12, RGBA8(220, 30, 30))),
      ("dance/2.png", Art.png(12, 12, RGBA8(40, 60, 220))),
      ("wave.png", try Art.animation(colors: [RGBA8(220, 30, 30), RGBA8(30, 200, 60)])),
    ])
  }

  @discardableResult
  func build(
    _ change: (inout Configuration) -> Void = { _ in }, builder edit: (inout Builder) -> Void = { _ in }
  ) async throws -> BuildSummary {
    var configuration = Configuration()
    configuration.grid = .small
    configuration.defaults.effort = .fast
    change(&configuration)
    var builder = Builder(disk: disk)
    builder.state = StateFolder(path: root + "/.decal")
    edit(&builder)
    disk.forget()
    return try await builder.build(configuration, root: root)
  }

  /// The output, without the state where that is in it.
  var output: [String: [UInt8]] {
    Dictionary(uniqueKeysWithValues: disk.tree(root + "/out").map { ($0.path, $0.bytes) })
  }

  /// Files of the state.
  func state(_ folder: String) -> [String] {
    disk.tree("\(root)/.decal/\(folder)").map { "\(root)/.decal/\(folder)/\($0.path)" }
  }

  /// What the last build wrote outside the state.
  var writes: [String] {
    disk.writes.filter { !$0.hasPrefix(root + "/.decal/") && !$0.hasSuffix(Ownership.journalName) }
      .map { String($0.dropFirst(root.count + 1)) }
  }

  /// What says what was made, in the order of writing.
  static let summaries = ["out/manifest.json", "out/preview.html"]
  static let folder = "out/Stickers.xcstickers/Sticker Pack.stickerpack"
}

extension BuildSummary {
  /// The names of jobs whose work was done.
  var pressed: [String] { jobs.filter { $0.origin == .pressed }.map(\.name) }
  /// The names of jobs whose results came from the cache.
  var cached: [String] { jobs.filter { $0.origin == .cached }.map(\.name) }
  /// The reason of a job; nil where it was up to date.
  func reason(_ name: String) -> Reason? {
    guard case .build(let reason)? = jobs.first(where: { $0.name == name })?.decision else { return nil }
    return reason
  }
}
