import AssetCatalog
import Codecs
import Imaging

/// A JSON file beside a sticker's art, of the same stem, that says how this one sticker is made.
struct Sidecar: Hashable, Sendable {
  /// The file.
  var file: SourceFile
  /// What it says.
  @Shared var options = StickerOptions()

  /// What reading one comes to.
  struct Reading {
    /// The sidecar.
    var sidecar: Sidecar
    /// What is wrong with it; with an error its sticker is not to be made.
    var diagnostics: [Diagnostic]
  }

  /// The keys: those of an override, and the schema for editors.
  static let keys =
    [
      ConfigurationKey<StickerOptions>(
        name: "$schema", help: "The address of a schema, for editors.", schema: [.init("type", .string("string"))]
      ) { _, _, _, _ in }
    ] + ConfigurationKey<StickerOptions>.override

  /// Reads a file that lies where a sidecar would; nil where it is something else.
  ///
  /// Drawing programs write JSON beside their pictures, too: Lottie, sheets of frames, anything that is no object, and objects
  /// none of whose keys is one of ours or near one. `base` is what holds where the sidecar says nothing.
  static func read(_ bytes: [UInt8], of file: SourceFile, grid: GridSize, over base: StickerOptions) -> Reading? {
    if ForeignFormat.art(in: bytes) != nil { return nil }
    let document: JSONValue
    do {
      document = try JSONValue(parsing: bytes, comments: true)
    } catch {
      let place = "\(file.path):\(error.line):\(error.column)"
      return Reading(
        sidecar: Sidecar(file: file),
        diagnostics: [Diagnostic(.error, path: place, "not JSON: \(error.message)", id: "config-syntax")])
    }
    guard case .object(let members) = document, members.isEmpty || members.contains(where: { isMeant($0.key) }) else {
      return nil
    }
    var problems = ConfigurationProblems(file: file.path, lines: KeyLines(bytes))
    var sidecar = Sidecar(file: file)
    problems.apply(members, of: keys, at: [], to: &sidecar.options)
    for problem in sidecar.options.problems(grid: grid, over: base) {
      problems.add(problem.severity, at: [problem.key], problem.message, id: problem.id)
    }
    return Reading(sidecar: sidecar, diagnostics: problems.diagnostics)
  }

  private static func isMeant(_ key: String) -> Bool {
    let names = keys.map(\.name)
    return names.contains(key) || suggestion(for: key, among: names) != nil
  }
}

/// What is wrong with one of a sticker's options, between it and the pack.
struct OptionProblem {
  var severity: Severity
  var key: String
  var message: String
  var id: String
}

extension StickerOptions {
  /// What does not go with a grid size or with Apple's limit; `base` is what holds where these say nothing, and `prefix` stands
  /// before the keys.
  func problems(grid: GridSize, over base: StickerOptions, prefix: String = "") -> [OptionProblem] {
    var found: [OptionProblem] = []
    if let message = borderProblem(grid: grid, over: base) {
      let key = padding == nil ? "outline" : "padding"
      found.append(OptionProblem(severity: .error, key: key, message: prefix + message, id: "config-value"))
    }
    if let budget, budget > Configuration.appleLimit {
      let message = "\(prefix)budget \(budget) is over the \(Configuration.appleLimit) bytes that Apple takes"
      found.append(OptionProblem(severity: .warning, key: "budget", message: message, id: "budget-over-limit"))
    }
    return found
  }

  /// What is wrong where padding and outline leave no room for art.
  private func borderProblem(grid: GridSize, over base: StickerOptions) -> String? {
    guard padding != nil || outline != nil else { return nil }
    let all = over(base)
    let (padding, outline) = (all.padding ?? 0, all.outline?.width ?? 0)
    guard (padding + outline) * 2 >= grid.pixels else { return nil }
    let most = (grid.pixels - 1) / 2
    return outline == 0
      ? "padding \(padding) leaves no room for art in \(grid.pixels) px; use 0 to \(most)"
      : "padding \(padding) and an outline of \(outline) px leave no room for art in \(grid.pixels) px; "
        + "use \(most) together at the most"
  }
}
