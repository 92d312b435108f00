import AssetCatalog
import Codecs
import Imaging
import Synchronization

/// One file that a job is made from.
struct JobInput: Hashable, Sendable {
  /// The name alone: where the art lies does not count.
  var name: String
  /// The digest of its bytes.
  var digest: Digest
}

/// All that decides what a job makes, but not where the art or the output lies.
struct Fingerprint: Hashable, Sendable {
  /// The digest of all of it.
  let digest: Digest

  /// Takes all of it together; `kind` tells jobs of different sorts apart.
  init(kind: String, tool: String, recipe: CanonicalText, inputs: [JobInput]) {
    let parts = [kind, tool, recipe.text] + inputs.map { "\($0.digest.hex) \($0.name)" }
    // Lengths keep the parts apart.
    digest = Digest(of: parts.map { "\($0.utf8.count):\($0)" }.joined(separator: "\n"))
  }

  init(_ digest: Digest) { self.digest = digest }
}

/// The versions that decide what the same art becomes.
struct ToolIdentity: Hashable, Sendable {
  /// Raised where the code makes other bytes under the same version.
  private static let generation = 14

  /// Name and version, one a line.
  let text: String

  /// This program.
  static let current = ToolIdentity(
    text: (["decal \(decalVersion)", "generation \(generation)"] + libraryVersions().map { "\($0.name) \($0.version)" })
      .joined(separator: "\n"))
}

/// The fingerprints of a sticker job: a still that fits its budget does not depend on what only animations do.
struct StickerFingerprints: Sendable {
  /// What the job is made from.
  let inputs: [JobInput]
  /// The recipe as it decides.
  let recipe: CanonicalText
  /// Where the budget, the plays and what else animations need count.
  let full: Fingerprint
  /// Where they do not.
  let still: Fingerprint

  init(_ job: StickerJob, inputs: [JobInput], tool: ToolIdentity, texts: RecipeTexts) {
    self.inputs = inputs
    var recipe = job.recipe
    // It ends a job or does nothing.
    recipe.render.limits.time = nil
    if case .file = job.source.content { recipe.fps = .zero }
    self.recipe = texts.text(of: recipe)
    (recipe.budget, recipe.plays) = (0, nil)
    let names = [JobInput(name: Path.name(job.source.path), digest: .none)]
    full = Fingerprint(kind: "sticker", tool: tool.text, recipe: self.recipe, inputs: names + inputs)
    still = Fingerprint(kind: "still", tool: tool.text, recipe: texts.text(of: recipe), inputs: names + inputs)
  }
}

/// The texts of recipes: most stickers of a pack share theirs, and taking a value apart takes time.
final class RecipeTexts: Sendable {
  private let texts = Mutex<[StickerRecipe: CanonicalText]>([:])

  /// The text of a recipe.
  func text(of recipe: StickerRecipe) -> CanonicalText {
    if let text = texts.withLock({ $0[recipe] }) { return text }
    let text = CanonicalText(recipe)
    texts.withLock { $0[recipe] = text }
    return text
  }
}

/// The fingerprint of the icons.
struct IconFingerprint: Sendable {
  /// The masters, in the order of `IconOptions.masters`.
  let inputs: [JobInput]
  /// The options without paths.
  let recipe: CanonicalText
  /// All of it.
  let fingerprint: Fingerprint

  init(_ options: IconOptions, limits: DecodeLimits, inputs: [JobInput], tool: ToolIdentity) {
    self.inputs = inputs
    var options = options
    // Which masters there are counts; where they lie does not.
    options.master = options.master.map { _ in "given" }
    options.messages = options.messages.map { _ in "given" }
    options.dark = options.dark.map { _ in "given" }
    options.tinted = options.tinted.map { _ in "given" }
    var limits = limits
    limits.time = nil
    recipe = CanonicalText((icon: options, limits: limits))
    fingerprint = Fingerprint(kind: "icons", tool: tool.text, recipe: recipe, inputs: inputs)
  }
}
