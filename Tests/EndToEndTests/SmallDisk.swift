import Foundation

/// A file system of a few kilobytes, mounted in a test's folder until it is let go; Linux, as root.
final class SmallDisk {
  private let path: String
  /// Held so that the folder goes after the disk in it.
  private let scratch: Scratch

  /// Whether this process may mount.
  static let canBeMade: Bool = {
    guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/bin/mount") else { return false }
    return SmallDisk(in: Scratch(), named: "probe", kilobytes: 64) != nil
  }()

  init?(in scratch: Scratch, named name: String, kilobytes: Int) {
    self.scratch = scratch
    path = scratch.path + "/" + name
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard SmallDisk.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path]) else { return nil }
  }

  deinit { _ = SmallDisk.run("/bin/umount", [path]) }

  /// Takes all the space that is left.
  func fill() {
    guard let file = fopen(path + "/filler", "w") else { return }
    let block = [UInt8](repeating: 1, count: 4096)
    while fwrite(block, 1, block.count, file) == block.count && fflush(file) == 0 {}
    fclose(file)
  }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
