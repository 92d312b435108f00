import AssetCatalog
import Foundation
import Imaging
import Testing

/// What a build that may be killed at any instant leaves.
private struct Leftovers {
  let tree: [String: [UInt8]]

  /// Files that a `Contents.json` names and that are not there.
  var missing: [String] {
    var missing: [String] = []
    for (path, bytes) in tree where path.hasSuffix("Contents.json") {
      let folder = path.dropLast("Contents.json".count)
      guard let contents = try? JSONValue(parsing: bytes) else {
        missing.append(path + " as JSON")
        continue
      }
      let named =
        contents["stickers"].items.compactMap { $0["filename"].text }.map { $0 + "/Contents.json" }
        + contents["images"].items.compactMap { $0["filename"].text }
        + [contents["properties"]?["filename"].text].compactMap { $0 }
      missing += named.map { folder + $0 }.filter { tree[$0] == nil }
    }
    return missing
  }

  /// Files that are neither as they were nor as they are to be.
  func strangers(_ old: [String: [UInt8]], _ new: [String: [UInt8]]) -> [String] {
    tree.filter { path, bytes in
      !path.contains(".decal-tmp-") && !path.hasSuffix(".decal-journal") && bytes != old[path] && bytes != new[path]
    }.map(\.key)
  }
}

@Suite(.enabled(if: Program.path != nil, "the program is not built")) struct KilledBuilds {
  /// Two states of the art, by turns, so that each build has pictures to press, files to replace and some to remove.
  private func set(_ scratch: Scratch, _ turn: Int) {
    for index in 0..<4 {
      scratch.add("art/s\(index).png", noise(seed: UInt32(turn % 2 * 10 + index), side: 40))
    }
    for index in 0..<2 {
      let (here, gone) = turn % 2 == 0 ? ("a", "b") : ("b", "a")
      scratch.add("art/\(here)\(index).png", picture(side: 24))
      scratch.removeTree("art/\(gone)\(index).png")
    }
  }

  private func output(_ scratch: Scratch) -> [String: [UInt8]] { scratch.tree("out") }

  /// Kills builds at random instants; what each leaves must be whole, and the next build must heal it.
  ///
  /// `clears` forgets the state before each build, so that there is work to interrupt.
  private func check(_ count: Int, signals: [Int32], clears: Bool) throws {
    let scratch = Scratch()
    scratch.add("decal.json", #"{ "name": "Fox", "grid": "small", "effort": "fast" }"#)
    var trees: [[String: [UInt8]]] = []
    var longest = 0.0
    for turn in 0..<2 {
      set(scratch, turn)
      let start = Date()
      #expect(try Program.run(["build", "-q"], in: scratch).code == 0)
      longest = max(longest, Date().timeIntervalSince(start))
      trees.append(output(scratch))
    }
    var random = SystemRandomNumberGenerator()
    var cut = 0
    for turn in 0..<count {
      set(scratch, turn)
      if clears { scratch.removeTree(".decal") }
      let running = try Program.start(["build", "-q", "-j", "2"], in: scratch)
      usleep(UInt32.random(in: 0...UInt32(longest * 1_100_000), using: &random))
      let signal = signals[turn % signals.count]
      kill(running.process.processIdentifier, signal)
      running.process.waitUntilExit()
      let code = running.outcome.code
      #expect([0, 128 + signal].contains(code), "\(running.outcome.errors)")
      if code != 0 { cut += 1 }
      let left = Leftovers(tree: output(scratch))
      #expect(left.missing == [], "turn \(turn)")
      #expect(left.strangers(trees[0], trees[1]) == [], "turn \(turn)")
      if signal != SIGKILL { #expect(!scratch.tree(".").keys.contains { $0.contains(".decal-tmp-") }) }
      guard turn % 3 == 0 else { continue }
      let healed = try Program.run(["build", "-q"], in: scratch)
      #expect(healed.code == 0, "\(healed.errors)")
      #expect(output(scratch) == trees[turn % 2], "turn \(turn)")
      #expect(!scratch.tree(".").keys.contains { $0.contains(".decal-tmp-") || $0.hasSuffix(".decal-journal") })
    }
    // Else the instants were wrong.
    #expect(cut > 0)
  }

  @Test func twoHundredInstantsOfKill() throws { try check(200, signals: [SIGKILL], clears: true) }

  @Test func killsWithAFilledCache() throws { try check(60, signals: [SIGKILL], clears: false) }

  @Test func interruptsAndTerminations() throws { try check(60, signals: [SIGINT, SIGTERM], clears: true) }
}
