package import AssetCatalog
import Imaging

/// One key of `decal.json`: the list of them is what the parser knows and what the JSON Schema is made from.
package struct ConfigurationKey<Target>: Sendable {
  /// The key.
  package let name: String
  /// What it is, one sentence.
  package let help: String
  /// The JSON Schema of its value, without the description.
  package let schema: [JSONValue.Member]
  /// What holds where it is not there; nil where that depends on the art, or is nothing.
  package var standard: JSONValue?
  /// Puts a value in its place, or says what is wrong with it.
  let apply: @Sendable (JSONValue, [String], inout Target, inout ConfigurationProblems) -> Void

  /// A key that holds one value.
  static func value<Value>(
    _ name: String, _ reader: ValueReader<Value>, _ place: any WritableKeyPath<Target, Value> & Sendable,
    default standard: JSONValue? = nil, _ help: String
  ) -> ConfigurationKey {
    key(name, reader, standard, help) { $0[keyPath: place] = $1 }
  }

  /// A key that holds one value, whose absence means something.
  static func value<Value>(
    _ name: String, _ reader: ValueReader<Value>, _ place: any WritableKeyPath<Target, Value?> & Sendable,
    default standard: JSONValue? = nil, _ help: String
  ) -> ConfigurationKey {
    key(name, reader, standard, help) { $0[keyPath: place] = $1 }
  }

  private static func key<Value>(
    _ name: String, _ reader: ValueReader<Value>, _ standard: JSONValue?, _ help: String,
    _ put: @escaping @Sendable (inout Target, Value) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(name: name, help: help, schema: reader.schema, standard: standard) {
      json, path, target, problems in
      if let value = reader.read(json) {
        put(&target, value)
      } else {
        problems.add(.error, at: path, reader.complaint(of: dotted(path), about: shown(json)), id: "config-value")
      }
    }
  }
}

extension ConfigurationKey where Target == StickerOptions {
  /// The keys that stand at the top and in each override.
  package static let sticker: [ConfigurationKey] = [
    .value(
      "fit", .fit, \.fit, default: .string("contain"),
      "How art meets its square: contain shows all of it, cover fills the square and crops, fill stretches."),
    .value(
      "kernel", .kernel, \.kernel,
      "The resampling kernel; without it catmull-rom, and whole pixels for small pixel art."),
    .value(
      "padding", .padding, \.padding, default: .int(0),
      "Empty border on each side, in pixels of the finished sticker."),
    .value(
      "trim", .flag, \.trim, default: .bool(false), "Whether transparent margins are cut off before fitting."),
    .value("background", .color, \.background, default: .string("transparent"), "A color under the whole sticker."),
    .value(
      "outline", .outline, \.outline, default: .int(0),
      "A border around the art, as die-cut stickers have it: its width in pixels of the finished sticker, or width and color."
    ),
    .value(
      "defringe", .defringe, \.defringe, default: .string("off"),
      "Takes the color that art was flattened over out of its edges; auto looks for it."),
    .value("fps", .rate, \.fps, default: .int(15), "Frames a second of numbered frame files."),
    .value(
      "budget", .budget, \.budget, default: .int(StickerRecipe.defaultBudget), "The most bytes of a finished sticker."),
    .value("effort", .effort, \.effort, default: .string("normal"), "How hard the encoders try."),
    .value(
      "encoding", .encoding, \.encoding, default: .string("auto"),
      "rgba writes no palette, for readers that mishandle them, at a loss of quality."),
    .value(
      "allowDownscale", .flag, \.allowDownscale, default: .bool(false),
      "Whether a sticker that looks poor within its budget may have fewer pixels than the grid asks for."),
    .value("plays", .plays, \.plays, "Times an animation plays, 0 = for ever; the file's own by default."),
  ]

  /// What each override may have beside them.
  package static let override: [ConfigurationKey] =
    sticker + [.value("label", .text("a label"), \.label, "What VoiceOver reads.")]
}

extension ConfigurationKey where Target == IconOptions {
  /// The keys of `icon`.
  package static let icon: [ConfigurationKey] = [
    .value("master", .text("a path"), \.master, "The master icon, 1024 x 1024 px or more."),
    .value("messages", .text("a path"), \.messages, "A master of its own for the 4:3 icons of Messages."),
    .value("dark", .text("a path"), \.dark, "A dark master for the app icon of iOS 18."),
    .value("tinted", .text("a path"), \.tinted, "A tinted master for the app icon of iOS 18."),
    .value(
      "appIcon", .appIconStyle, \.appIcon, "Also write an app icon: one of 1024 px, or the 18 older sizes."),
    .value("background", .opaqueColor, \.background, "The color under a master with transparency."),
    .value("fit", .fit, \.fit, "How a master that is not square becomes square; it is refused by default."),
    .value(
      "color", .iconColor, \.color, default: .string("srgb"), "keep-p3 keeps colors outside sRGB and tags Display P3."),
  ]
}

extension ConfigurationKey where Target == Configuration {
  /// The keys at the top, in the order of the documentation.
  package static let top: [ConfigurationKey] =
    [
      ConfigurationKey(
        name: "$schema", help: "The address of this schema, for editors.", schema: [.init("type", .string("string"))]
      ) { _, _, _, _ in },
      .value("name", .folderName, \.name, default: .string("Sticker Pack"), "The name of the sticker pack."),
      .value("grid", .grid, \.grid, default: .string("regular"), "The grid size: 300, 408 or 618 px."),
      iconKey,
      .value(
        "stickers", .texts("a path", orOne: true), \.stickers, default: .string("art"), "Folders or files with art."),
      .value("output", .text("a path"), \.output, default: .string("out"), "The output folder."),
    ] + ConfigurationKey<StickerOptions>.sticker.map(atTop) + [
      .value(
        "order", .texts("a sticker's name", orOne: false), \.order, default: .array([]),
        "Sticker names in display order; the rest follow."),
      labelsKey, overridesKey,
      .value(
        "preview", .preview, \.preview, default: .bool(true),
        "Whether OUT/preview.html shows the pack; \"inline\" makes it one file to send."),
      limitsKey,
      .value(
        "cacheSize", .megabytes, \.cacheSize, default: .int(1000),
        "The most megabytes of finished files kept in .decal for later builds."),
    ]

  private static func atTop(_ key: ConfigurationKey<StickerOptions>) -> ConfigurationKey {
    ConfigurationKey(name: key.name, help: key.help, schema: key.schema, standard: key.standard) {
      json, path, target, problems in
      key.apply(json, path, &target.defaults, &problems)
    }
  }

  private static let iconKey = ConfigurationKey(
    name: "icon", help: "The master icon: its path, or an object.",
    schema: [
      .init(
        "anyOf",
        .array([.object(ValueReader.text("a path").schema), schemaObject(ConfigurationKey<IconOptions>.icon)]))
    ]
  ) { json, path, target, problems in
    if let master = ValueReader.text("a path").read(json) {
      target.icon.master = master
    } else if case .object(let members) = json {
      problems.apply(members, of: ConfigurationKey<IconOptions>.icon, at: path, to: &target.icon)
    } else {
      problems.add(
        .error, at: path, "\(dotted(path)) \(shown(json)) is not an icon; use a path in quotes, or an object in { }",
        id: "config-value")
    }
  }

  private static let limitsKey = ConfigurationKey(
    name: "limits", help: "Bounds on what is decoded, against files that do harm.",
    schema: schemaMembers(ConfigurationKey<LimitOptions>.limits)
  ) { json, path, target, problems in
    let members = problems.members(of: json, at: path, holding: "limits")
    problems.apply(members, of: ConfigurationKey<LimitOptions>.limits, at: path, to: &target.limits)
  }

  private static let labelsKey = ConfigurationKey(
    name: "labels", help: "What VoiceOver reads, by sticker name; file names are read where there is none.",
    schema: [
      .init("type", .string("object")), .init("additionalProperties", .object(ValueReader.text("a label").schema)),
    ], standard: .object([])
  ) { json, path, target, problems in
    let reader = ValueReader.text("a label")
    for member in problems.members(of: json, at: path, holding: "labels by sticker name") {
      if let label = reader.read(member.value) {
        target.labels[member.key] = label
      } else {
        let key = path + [member.key]
        problems.add(.error, at: key, reader.complaint(of: dotted(key), about: shown(member.value)), id: "config-value")
      }
    }
  }

  private static let overridesKey = ConfigurationKey(
    name: "overrides",
    help: "Options of one sticker, by sticker name. A file wave.json beside wave.gif says the same, and comes first.",
    schema: [
      .init("type", .string("object")),
      .init("additionalProperties", schemaObject(ConfigurationKey<StickerOptions>.override)),
    ], standard: .object([])
  ) { json, path, target, problems in
    for member in problems.members(of: json, at: path, holding: "options by sticker name") {
      let key = path + [member.key]
      var options = StickerOptions()
      let members = problems.members(of: member.value, at: key, holding: "the options of one sticker")
      problems.apply(members, of: ConfigurationKey<StickerOptions>.override, at: key, to: &options)
      target.overrides[member.key] = options
    }
  }
}
