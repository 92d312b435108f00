package import AssetCatalog

/// The schema of an object by a list of keys; unknown ones are allowed, as Decal only warns of them.
package func schemaObject<Target>(_ keys: [ConfigurationKey<Target>]) -> JSONValue { .object(schemaMembers(keys)) }

/// The members of such a schema.
package func schemaMembers<Target>(_ keys: [ConfigurationKey<Target>]) -> [JSONValue.Member] {
  [
    .init("type", .string("object")),
    .init(
      "properties",
      .object(
        keys.map { key in
          let standard = key.standard.map { [JSONValue.Member("default", $0)] } ?? []
          return .init(key.name, .object([.init("description", .string(key.help))] + key.schema + standard))
        })),
  ]
}

extension Configuration {
  /// The JSON Schema of `decal.json`, made from the keys that the parser knows; `templates/decal.schema.json` is this.
  package static var schema: JSONValue {
    guard case .object(let members) = schemaObject(ConfigurationKey<Configuration>.top) else { return .null }
    return .object(
      [
        .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        .init("title", .string("decal.json")),
        .init(
          "description", .string("What goes into a sticker pack and how; paths are relative to this file's folder.")),
      ] + members)
  }
}
