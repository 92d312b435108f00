import AssetCatalog
import Foundation

/// The package's root folder.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().path

/// The example pack, pressed once for all tests that look at it.
enum ExamplePack {
  /// Its folder.
  static let folder = packageRoot + "/examples/fox"
  /// Where it was pressed to, in `out`, and how that ended.
  static let pressed: Result<(scratch: Scratch, outcome: ProgramOutcome), any Error> = {
    // A static value lives to the end, its folder must not.
    atexit { if let pressed = try? ExamplePack.pressed.get() { pressed.scratch.remove() } }
    return Result {
      let scratch = Scratch()
      // A state of its own: what an earlier version of the code made does not count.
      let arguments = ["build", folder, "-o", scratch.path + "/out", "--cache-dir", scratch.path + "/state"]
      return (scratch, try Program.run(arguments, in: scratch))
    }
  }()

  /// The finished stickers, as paths from the test's folder, in the pack's order.
  static func stickers(_ manifest: JSONValue) -> [String] {
    manifest["stickers"].items.compactMap { $0["output"]?["path"].text }.map { "out/" + $0 }
  }
}

extension JSONValue? {
  /// The items of a list.
  var items: [JSONValue] { if case .array(let items)? = self { items } else { [] } }
  /// The text.
  var text: String? { if case .string(let text)? = self { text } else { nil } }
  /// The whole number.
  var number: Int? { if case .int(let number)? = self { number } else { nil } }
}
