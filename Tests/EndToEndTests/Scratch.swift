import Codecs
import Foundation
import Imaging

/// A folder of a test's own, gone when the test is over.
final class Scratch: Sendable {
  /// Its path.
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("decal-test-\(UUID().uuidString)").path
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // Another user may have to reach it.
    chmod(path, 0o755)
  }

  deinit { remove() }

  /// Removes it at once.
  func remove() {
    // A test may have taken away the right to change a folder.
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for name in names { chmod(path + "/" + name, 0o755) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and the folders above it.
  func add(_ name: String, _ bytes: [UInt8]) {
    let url = URL(fileURLWithPath: path + "/" + name)
    try! FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try! Data(bytes).write(to: url)
  }

  /// Writes a text.
  func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

  /// The bytes of a file, or nil.
  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path + "/" + name).map(Array.init) }

  /// Whether something has a name.
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  /// Removes a folder with all in it.
  func removeTree(_ name: String) { try? FileManager.default.removeItem(atPath: path + "/" + name) }

  /// All folders below a folder, by path from the test's own.
  func folders(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: path + "/" + folder)?.compactMap { $0 as? String } ?? []
    return names.map { folder + "/" + $0 }.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path + "/" + $0, isDirectory: &isFolder) && isFolder.boolValue
    }
  }

  /// All files below a folder with their bytes, by path; folders are left out.
  func tree(_ folder: String) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    let names = FileManager.default.enumerator(atPath: path + "/" + folder)?.compactMap { $0 as? String } ?? []
    let folders = Set(folders(folder))
    for name in names where !folders.contains(folder + "/" + name) { result[name] = bytes(folder + "/" + name) }
    return result
  }
}

/// What the program wrote and how it ended.
struct ProgramOutcome {
  var code: Int32
  var output: String
  var errors: String
}

/// The built program.
enum Program {
  /// Beside the test bundle, or in the folder of test builds.
  static let path: String? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [
      bundle.appendingPathComponent("decal"), root.appendingPathComponent(".build/testing/release/decal"),
    ]
    return candidates.map(\.path).first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Runs it in a folder to its end.
  static func run(_ arguments: [String], in scratch: Scratch, prefix: [String] = []) throws -> ProgramOutcome {
    let process = try start(arguments, in: scratch, prefix: prefix)
    process.process.waitUntilExit()
    return process.outcome
  }

  /// Runs another program to its end.
  static func runTool(_ words: [String], in scratch: Scratch) throws -> ProgramOutcome {
    let tool = try launch(words, in: scratch)
    tool.process.waitUntilExit()
    return tool.outcome
  }

  /// Runs a line of the shell, in which `decal` is the program, to its end.
  static func runShell(_ line: String, in scratch: Scratch) throws -> ProgramOutcome {
    let folder = URL(fileURLWithPath: path!).deletingLastPathComponent().path
    return try runTool(["/usr/bin/env", "PATH=\(folder):/usr/bin:/bin", "/bin/sh", "-c", line], in: scratch)
  }

  /// Runs it as a user who may read and write only what all may.
  static func runUnprivileged(_ arguments: [String], in scratch: Scratch) throws -> ProgramOutcome {
    try run(
      arguments, in: scratch,
      prefix: geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [])
  }

  /// Whether a user who may read and write only what all may can run it.
  static let runsUnprivileged: Bool = {
    guard path != nil else { return false }
    guard geteuid() == 0 else { return true }
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else { return false }
    return (try? runUnprivileged(["--version"], in: Scratch()).code) == 0
  }()

  /// A program that runs; its streams go to files, which never fill up as pipes do.
  struct Running {
    let process: Process
    fileprivate let streams: Scratch

    /// What stands on the standard output by now.
    var outputSoFar: String { String(decoding: streams.bytes("output") ?? [], as: UTF8.self) }
    /// What stands on the standard error by now.
    var errorsSoFar: String { String(decoding: streams.bytes("errors") ?? [], as: UTF8.self) }

    var outcome: ProgramOutcome {
      func text(_ name: String) -> String { String(decoding: streams.bytes(name) ?? [], as: UTF8.self) }
      let code = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
      return ProgramOutcome(code: code, output: text("output"), errors: text("errors"))
    }
  }

  /// Starts it in a folder.
  static func start(_ arguments: [String], in scratch: Scratch, prefix: [String] = []) throws -> Running {
    try launch(prefix + [path!] + arguments, in: scratch)
  }

  /// Starts any program, its path first.
  static func launch(_ words: [String], in scratch: Scratch) throws -> Running {
    let streams = Scratch()
    streams.add("output", "")
    streams.add("errors", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: scratch.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: streams.path + "/output")
    process.standardError = FileHandle(forWritingAtPath: streams.path + "/errors")
    try process.run()
    return Running(process: process, streams: streams)
  }
}

/// A picture of one color with a clear border, as a PNG.
func picture(_ color: RGBA8 = RGBA8(200, 60, 20), side: Int = 64) -> [UInt8] {
  var bitmap = Bitmap(size: PixelSize(square: side))
  for y in 4..<(side - 4) { for x in 4..<(side - 4) { bitmap[x, y] = color } }
  return encodeRGBA8(bitmap)
}

/// An opaque picture, as a master icon is.
func master(side: Int = 1024) -> [UInt8] {
  encodeRGBA8(Bitmap(size: PixelSize(square: side), fill: RGBA8(30, 90, 160)))
}
