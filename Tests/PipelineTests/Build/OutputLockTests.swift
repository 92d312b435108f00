import AssetCatalog
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Lets go of a lock when it is told that somebody waits for it.
private final class Releaser: BuildObserver {
  let lock: any DiskLock
  let told = Mutex<[String]>([])

  init(_ lock: any DiskLock) { self.lock = lock }

  func receive(_ event: BuildEvent) {
    guard case .waiting(let output) = event else { return }
    told.withLock { $0.append(output) }
    lock.release()
  }
}

@Suite("Two builds of one output") struct OutputLockTests {
  private func disk() -> MemoryDisk {
    let disk = MemoryDisk()
    disk.add("/pack/art/cat.png", Art.png())
    return disk
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.grid = .small
    return configuration
  }

  @Test func theSecondWaitsAndSaysSoOnce() async throws {
    let disk = disk()
    disk.addDirectory("/pack/out")
    let releaser = Releaser(try #require(try disk.lock("/pack/out")))
    let summary = try await Builder(disk: disk, observer: releaser).build(configuration, root: "/pack")
    #expect(releaser.told.withLock { $0 } == ["out"])
    #expect(!summary.written.isEmpty)
    #expect(try disk.lock("/pack/out") != nil)
  }

  @Test func theSecondIsRefusedWhereItMustNotWait() async throws {
    let disk = disk()
    disk.addDirectory("/pack/out")
    let held = try #require(try disk.lock("/pack/out"))
    var builder = Builder(disk: disk)
    builder.waits = false
    let error = await #expect(throws: BuildRefusal.self) { try await builder.build(configuration, root: "/pack") }
    #expect(error?.diagnostics.map(\.id) == ["output-locked"])
    #expect(disk.writes.isEmpty)
    held.release()
    _ = try await builder.build(configuration, root: "/pack")
  }

  @Test func aBuildThatFailsLeavesNoFolder() async throws {
    let disk = MemoryDisk()
    disk.add("/pack/art/bad.png", [1])
    _ = try await Builder(disk: disk).build(configuration, root: "/pack")
    #expect(disk.directories("/pack") == ["art"])
    // A folder that was there stays.
    disk.addDirectory("/pack/out")
    _ = try await Builder(disk: disk).build(configuration, root: "/pack")
    #expect(disk.directories("/pack") == ["art", "out"])
  }
}
