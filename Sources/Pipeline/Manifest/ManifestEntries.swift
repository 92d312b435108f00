import AssetCatalog
import Codecs
import Imaging

/// Makes the manifest's entries; paths come relative and portable.
enum ManifestEntry {
  /// The entry of a sticker.
  ///
  /// A sticker that failed has no `output`, or that of the earlier build where that stays published.
  static func sticker(
    _ job: StickerJob, outcome: StickerOutcome, output: JSONValue?, portable: PortablePaths
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(job.source.name)), .init("label", .string(job.label)),
      .init("status", .string(outcome.sticker != nil ? "made" : output != nil ? "kept" : "failed")),
      .init("source", .object(sourceMembers(job.source.path, outcome.source, portable))),
      .init("diagnostics", .array(outcome.diagnostics.map { diagnostic($0, portable) })),
    ]
    if let sidecar = job.source.sidecar {
      members.append(
        .init(
          "sidecar",
          .object([
            .init("path", .string(portable.path(sidecar.file.path))),
            .init("options", .object(self.sticker(sidecar.options))),
          ])))
    }
    if let output { members.append(.init("output", output)) }
    return .object(members)
  }

  private static func sourceMembers(_ path: String, _ facts: SourceFacts?, _ portable: PortablePaths)
    -> [JSONValue.Member]
  {
    var members = [JSONValue.Member("path", .string(portable.path(path)))]
    if let facts {
      members += [
        .init("format", .string(facts.format.rawValue)), .init("width", .int(facts.size.width)),
        .init("height", .int(facts.size.height)), .init("frames", .int(facts.frames)),
        .init("sha256", .string(facts.digest.hex)),
      ]
    }
    return members
  }

  /// The output of a sticker.
  static func output(_ sticker: PressedSticker, path: String, digest: Digest) -> JSONValue {
    let (picture, report) = (sticker.picture, sticker.report)
    return .object([
      .init("path", .string(path)), .init("width", .int(picture.size.width)),
      .init("height", .int(picture.size.height)), .init("bytes", .int(sticker.bytes.count)),
      .init("sha256", .string(digest.hex)), .init("pixelsSha256", .string(picture.digest.hex)),
      .init("frames", .int(picture.frames)), .init("durationMs", .int(picture.duration.milliseconds)),
      .init("plays", .int(picture.plays)),
      .init(
        "encoding",
        .object([
          .init("method", .string(report.method.rawValue)), .init("colors", report.colors.map { .int($0) } ?? .null),
          .init("sourceFrames", .int(report.sourceFrames)), .init("mergedFrames", .int(report.mergedFrames)),
          .init("keptFrames", .int(report.keptFrames)),
          .init("quality", .double(rounded(sticker.quality.score, to: 10))),
          .init("flicker", .double(rounded(sticker.quality.flicker, to: 100))),
        ])),
    ])
  }

  private static func rounded(_ value: Double, to parts: Double) -> Double { (value * parts).rounded() / parts }

  /// The entry of an icon file.
  static func icon(_ icon: PressedIcon, file: OutputFile, master: SourceFacts?, portable: PortablePaths) -> JSONValue {
    let output: [JSONValue.Member] = [
      .init("path", .string(file.path)), .init("width", .int(icon.picture.size.width)),
      .init("height", .int(icon.picture.size.height)), .init("bytes", .int(file.bytes.count)),
      .init("sha256", .string(file.digest.hex)), .init("pixelsSha256", .string(icon.picture.digest.hex)),
    ]
    return .object([
      .init("source", .object(sourceMembers(icon.master, master, portable))), .init("output", .object(output)),
    ])
  }

  /// A diagnostic.
  static func diagnostic(_ diagnostic: Diagnostic, _ portable: PortablePaths) -> JSONValue {
    .object([
      .init("path", diagnostic.path.map { .string(portable.path($0)) } ?? .null),
      .init("severity", .string(diagnostic.severity.rawValue)),
      .init("id", .string(diagnostic.id)), .init("message", .string(portable.text(diagnostic.message))),
    ])
  }

  /// The options that decide what is made; where it goes is not one of them.
  static func options(_ configuration: Configuration, portable: PortablePaths) -> JSONValue {
    let overrides = configuration.overrides.mapValues { configuration.imposed.over($0) }
      .filter { $0.value != StickerOptions() }
    return .object([
      .init("name", .string(configuration.name)), .init("grid", .string(configuration.grid.rawValue)),
      .init("icon", icon(configuration.icon, portable)),
      .init("stickers", .array(configuration.stickers.map { .string(portable.path($0)) })),
      .init("defaults", .object(sticker(configuration.defaults))),
      .init("order", .array(configuration.order.map { .string($0) })),
      .init("labels", .object(configuration.labels.map { .init($0.key, .string($0.value)) })),
      .init("overrides", .object(overrides.map { .init($0.key, .object(sticker($0.value))) })),
    ])
  }

  private static func icon(_ options: IconOptions, _ portable: PortablePaths) -> JSONValue {
    let texts: [(String, String?)] = [
      ("master", options.master.map(portable.path)), ("messages", options.messages.map(portable.path)),
      ("dark", options.dark.map(portable.path)), ("tinted", options.tinted.map(portable.path)),
      ("appIcon", options.appIcon?.rawValue), ("background", options.background.map(\.hexadecimal)),
      ("fit", options.fit?.rawValue), ("color", options.color?.rawValue),
    ]
    return .object(texts.compactMap { key, value in value.map { .init(key, .string($0)) } })
  }

  /// The options that are set.
  private static func sticker(_ options: StickerOptions) -> [JSONValue.Member] {
    let texts: [(String, String?)] = [
      ("fit", options.fit?.rawValue), ("kernel", options.kernel?.rawValue),
      ("background", options.background.map(\.hexadecimal)), ("effort", options.effort?.rawValue),
      ("label", options.label),
      ("encoding", options.encoding?.rawValue),
      ("defringe", options.defringe.map(defringe)),
      ("fps", options.fps.map { $0.denominator == 1 ? "\($0.numerator)" : "\($0.numerator)/\($0.denominator)" }),
    ]
    let numbers = [("padding", options.padding), ("budget", options.budget), ("plays", options.plays)]
    let flags = [("trim", options.trim), ("allowDownscale", options.allowDownscale)]
    return texts.compactMap { key, value in value.map { JSONValue.Member(key, .string($0)) } }
      + numbers.compactMap { key, value in value.map { JSONValue.Member(key, .int($0)) } }
      + flags.compactMap { key, value in value.map { JSONValue.Member(key, .bool($0)) } }
      + (options.outline.map {
        [.init("outline", .object([.init("width", .int($0.width)), .init("color", .string($0.color.hexadecimal))]))]
      } ?? [])
  }

  private static func defringe(_ defringe: Defringe) -> String {
    switch defringe {
    case .off: "off"
    case .auto: "auto"
    case .matte(let color): color.hexadecimal
    }
  }
}

/// Makes paths that mean the same on another machine.
struct PortablePaths: Sendable {
  /// Absolute paths and what stands for them, the longest first.
  private let replacements: [(from: String, to: String)]

  /// `root` is what relative paths start from; each absolute one of `inputs` is known by its last component.
  init(root: String, inputs: [String]) {
    var replacements: [(from: String, to: String)] = []
    for input in inputs where input.utf8.first == UInt8(ascii: "/") {
      let parts = Path.components(input)
      guard !parts.isEmpty else { continue }
      let path = "/" + parts.joined(separator: "/")
      let isBelow = root.utf8.first == UInt8(ascii: "/") && Path.contains(root, path)
      let rest = isBelow ? parts.dropFirst(Path.components(root).count).joined(separator: "/") : Path.name(path)
      replacements.append((path, rest.isEmpty ? "." : rest))
    }
    if root.utf8.first == UInt8(ascii: "/"), root.utf8.count > 1 {
      replacements.append((root.hasSuffix("/") ? root : root + "/", ""))
    }
    self.replacements = replacements.sorted { $0.from.utf8.count > $1.from.utf8.count }
  }

  /// A path.
  func path(_ path: String) -> String {
    for (from, to) in replacements where path.hasPrefix(from) {
      let rest = path.dropFirst(from.count)
      if rest.isEmpty || from.hasSuffix("/") || rest.hasPrefix("/") { return to + rest }
    }
    return path
  }

  /// A text that may name paths.
  func text(_ text: String) -> String {
    replacements.reduce(text) { $0.replacing($1.from, with: $1.to) }
  }
}
