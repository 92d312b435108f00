import AssetCatalog
import Codecs
import Imaging

/// Everything besides the art that decides a sticker's bytes.
struct StickerRecipe: Hashable, Sendable {
  /// How the pixels are made.
  var render: RenderOptions
  /// Frames a second of numbered frames.
  var fps = Rational(15)
  /// The most bytes of the file.
  var budget = StickerRecipe.defaultBudget
  /// How hard the encoders try.
  var effort = Effort.normal
  /// How the file stores pixels.
  var encoding = PixelEncoding.auto
  /// Whether the file may have fewer pixels where it looks poor otherwise.
  var allowsDownscale = false
  /// Times the animation plays, 0 = for ever; nil keeps the file's.
  var plays: Int?

  /// Apple takes less than 500 KB.
  static let defaultBudget = 499_999
}

/// One sticker to be made.
struct StickerJob: Hashable, Sendable {
  /// What it is made from; its name is the sticker's.
  var source: SourceAsset
  /// How.
  @Shared var recipe: StickerRecipe
  /// What VoiceOver reads.
  var label: String
}

extension StickerJob {
  /// Shares the recipe of another job where it is the same.
  fileprivate mutating func share(with other: StickerJob) {
    if _recipe == other._recipe { _recipe = other._recipe }
  }
}

/// A pack to be made: values only, nothing is read any more to know what to do.
struct BuildPlan: Hashable, Sendable {
  /// The name of the sticker pack folder.
  var name: String
  /// The grid size.
  var grid: GridSize
  /// The stickers in display order, those included that are known to fail.
  var stickers: [StickerJob]
  /// What the pack shows, in display order.
  var entries: [PlanEntry]
  /// The icons, or nil where there is no master.
  var icons: IconOptions?
  /// What planning has to tell.
  var diagnostics: [Diagnostic] = []
}

/// One thing that a pack shows.
enum PlanEntry: Hashable, Sendable {
  /// The sticker at this place of the plan.
  case sticker(Int)
  /// A folder in the pack that Decal did not write and that the order names.
  case kept(String)
}

extension BuildPlan {
  /// Plans a pack from the art that was found; `kept` gives the folder that a name without art has in the pack.
  init(
    _ configuration: Configuration, art: Discovery, limits: DecodeLimits, kept: (String) -> String? = { _ in nil }
  ) {
    name = configuration.name
    grid = configuration.grid
    icons = configuration.icon.master == nil ? nil : configuration.icon
    let ordering = BuildPlan.ordered(art.assets, by: configuration.order, kept: kept)
    entries = ordering.entries
    diagnostics = art.diagnostics + ordering.diagnostics
    var last: StickerJob?
    stickers = ordering.assets.map { asset in
      var job = StickerJob(
        source: asset,
        recipe: StickerRecipe(configuration.options(of: asset), grid: configuration.grid, limits: limits),
        label: configuration.label(of: asset) ?? StickerLabel.readable(asset.name))
      if let last { job.share(with: last) }
      last = job
      return job
    }
    diagnostics += labelDiagnostics(configuration)
    diagnostics += BuildPlan.unknownNames(
      configuration, names: art.assets.map(\.name) + configuration.order.filter { kept($0) != nil })
  }

  /// The listed names first, then the rest as it came.
  private static func ordered(
    _ assets: [SourceAsset], by order: [String], kept: (String) -> String?
  ) -> (assets: [SourceAsset], entries: [PlanEntry], diagnostics: [Diagnostic]) {
    var entries: [PlanEntry] = []
    var listed: [SourceAsset] = []
    var diagnostics: [Diagnostic] = []
    for name in order {
      let named = assets.filter { $0.name == name }
      entries += named.indices.map { .sticker(listed.count + $0) }
      listed += named
      if named.isEmpty, let folder = kept(name) {
        entries.append(.kept(folder))
        diagnostics.append(
          Diagnostic(
            .note, path: "order.\(name)", "\(folder) has no source; it was not written by decal and stays in the pack",
            id: "kept-sticker"))
      } else if named.isEmpty {
        let hint = suggestion(for: name, among: assets.map(\.name)).map { "did you mean \"\($0)\"?" }
        diagnostics.append(
          Diagnostic(
            .error, path: "order", "there is no sticker \"\(name)\"; \(hint ?? "take it from the list or add its art")",
            id: "order-missing"))
      }
    }
    let names = Set(order)
    let rest = assets.filter { !names.contains($0.name) }
    entries += rest.indices.map { .sticker(listed.count + $0) }
    return (listed + rest, entries, diagnostics)
  }

  private func labelDiagnostics(_ configuration: Configuration) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let unlabeled = stickers.filter { configuration.label(of: $0.source) == nil }
    if !unlabeled.isEmpty {
      let what = unlabeled.count == 1 ? "1 label is" : "\(unlabeled.count) labels are"
      diagnostics.append(
        Diagnostic(
          .note, path: nil,
          "\(what) made from file names, such as \"\(unlabeled[0].label)\"; say better under \"labels\"",
          id: "labels-from-names"))
    }
    for job in stickers where StickerLabel.isTooLong(job.label) {
      diagnostics.append(
        Diagnostic(
          .warning, path: job.source.path,
          "the label has \(job.label.unicodeScalars.count) characters, \(StickerLabel.limit) are the most; shorten it",
          id: "label-too-long"))
    }
    return diagnostics
  }

  /// Labels and overrides that no sticker takes.
  private static func unknownNames(_ configuration: Configuration, names: [String]) -> [Diagnostic] {
    let known = Set(names)
    let keys =
      configuration.labels.keys.filter { configuration.overrides[$0] == nil }.map { ("labels", $0) }
      + configuration.overrides.keys.map { ("overrides", $0) }
    return keys.filter { !known.contains($0.1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map { key, name in
        let hint = suggestion(for: name, among: names).map { "did you mean \"\($0)\"?" }
        return Diagnostic(
          .warning, path: "\(key).\(name)", "there is no sticker of this name; \(hint ?? "it has no effect")",
          id: "unknown-sticker")
      }
  }
}

extension StickerRecipe {
  /// The recipe that options give, with the documented defaults where they say nothing.
  init(_ options: StickerOptions, grid: GridSize, limits: DecodeLimits) {
    render = RenderOptions(side: grid.pixels)
    render.fit = options.fit ?? .contain
    render.kernel = options.kernel
    render.padding = options.padding ?? 0
    render.trim = options.trim ?? false
    render.background = options.background
    render.outline = options.outline ?? .none
    render.defringe = options.defringe ?? .off
    render.limits = limits
    fps = options.fps ?? fps
    budget = options.budget ?? budget
    effort = options.effort ?? effort
    encoding = options.encoding ?? encoding
    allowsDownscale = options.allowDownscale ?? allowsDownscale
    plays = options.plays
  }
}

extension Configuration {
  /// The options of a sticker: what was typed, then its sidecar, then its overrides, then the pack's.
  func options(of asset: SourceAsset) -> StickerOptions {
    let own = (asset.sidecar?.options ?? StickerOptions()).over(overrides[asset.name] ?? StickerOptions())
    return imposed.over(own.over(defaults))
  }

  /// The label that somebody gave a sticker.
  func label(of asset: SourceAsset) -> String? {
    asset.sidecar?.options.label ?? labels[asset.name] ?? overrides[asset.name]?.label
  }
}

extension StickerOptions {
  /// These options, and another's where these say nothing.
  package func over(_ base: StickerOptions) -> StickerOptions {
    var result = base
    result.fit = fit ?? base.fit
    result.kernel = kernel ?? base.kernel
    result.padding = padding ?? base.padding
    result.trim = trim ?? base.trim
    result.background = background ?? base.background
    result.outline = outline ?? base.outline
    result.defringe = defringe ?? base.defringe
    result.fps = fps ?? base.fps
    result.budget = budget ?? base.budget
    result.effort = effort ?? base.effort
    result.encoding = encoding ?? base.encoding
    result.allowDownscale = allowDownscale ?? base.allowDownscale
    result.label = label ?? base.label
    result.plays = plays ?? base.plays
    return result
  }
}
