import AssetCatalog
import Imaging
import TestSupport
import Testing

@testable import Pipeline

/// Something that a rule must find, or must pass.
struct CheckCase: Sendable, CustomTestStringConvertible {
  let rule: CheckRule
  let name: String
  let isSeeded: Bool
  /// Files by their paths below `/w`.
  var files: [String: [UInt8]]
  /// What is looked at: a path, or nothing for the pack of the configuration.
  var subject: String?
  var configuration = Configuration()
  var isMaster = false

  var testDescription: String { "\(rule.id): \(name)" }

  /// What is found on a disk in memory, on which nothing is written.
  func findings() async throws -> [CheckFinding] {
    let disk = MemoryDisk()
    disk.addDirectory("/w")
    for (path, bytes) in files { disk.add("/w/" + path, bytes) }
    let checker = Checker(disk: disk)
    var configuration = configuration
    configuration.grid = .small
    let found: [CheckFinding]
    if isMaster {
      found = checker.check(icon: subject ?? "", root: "/w")
    } else if let subject {
      found = try await checker.check(subject, root: "/w", configuration: configuration)
    } else {
      found = try await checker.check(pack: configuration, root: "/w")
    }
    precondition(disk.changes == 0, "a check writes nothing")
    return found
  }

  /// One picture of art.
  static func art(_ rule: CheckRule, _ name: String, _ isSeeded: Bool, _ bytes: [UInt8]) -> CheckCase {
    CheckCase(rule: rule, name: name, isSeeded: isSeeded, files: ["art/a.png": bytes], subject: "art/a.png")
  }

  static func art(_ rule: CheckRule, _ name: String, _ isSeeded: Bool, _ sketch: Sketch) -> CheckCase {
    art(rule, name, isSeeded, sketch.png)
  }

  static func art(_ rule: CheckRule, _ name: String, _ isSeeded: Bool, _ frames: [Sketch], _ milliseconds: Int)
    -> CheckCase
  {
    art(rule, name, isSeeded, animation(frames, milliseconds))
  }

  /// Two pictures in a folder.
  static func pair(_ rule: CheckRule, _ name: String, _ isSeeded: Bool, _ one: [UInt8], _ other: [UInt8]) -> CheckCase {
    CheckCase(
      rule: rule, name: name, isSeeded: isSeeded, files: ["art/a.png": one, "art/b.png": other], subject: "art")
  }

  /// A master icon.
  static func master(_ rule: CheckRule, _ name: String, _ isSeeded: Bool, _ sketch: Sketch) -> CheckCase {
    CheckCase(
      rule: rule, name: name, isSeeded: isSeeded, files: ["icon.png": sketch.png], subject: "icon.png", isMaster: true)
  }
}
