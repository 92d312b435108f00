import AssetCatalog

/// What is wrong with a configuration, collected while it is read.
struct ConfigurationProblems {
  /// The file as the user wrote it.
  let file: String
  /// Where its keys are.
  let lines: KeyLines
  /// What was found.
  var diagnostics: [Diagnostic] = []

  /// Adds a diagnostic on the line of a key.
  mutating func add(_ severity: Severity, at path: [String], _ message: String, id: String) {
    let place = lines.line(of: path).map { "\(file):\($0)" } ?? file
    diagnostics.append(Diagnostic(severity, path: place, message, id: id))
  }

  /// Applies an object's members by a list of keys; a key that is not on the list is warned of.
  mutating func apply<Target>(
    _ members: [JSONValue.Member], of keys: [ConfigurationKey<Target>], at path: [String], to target: inout Target
  ) {
    for member in members {
      let place = path + [member.key]
      if let key = keys.first(where: { $0.name == member.key }) {
        key.apply(member.value, place, &target, &self)
      } else {
        let names = keys.map(\.name)
        let hint = suggestion(for: member.key, among: names).map { "did you mean \"\($0)\"?" }
        let list = "the keys here are " + names.joined(separator: ", ")
        add(.warning, at: place, "unknown key \"\(dotted(place))\"; \(hint ?? list)", id: "unknown-key")
      }
    }
  }

  /// The members of an object; anything else is an error.
  mutating func members(of json: JSONValue, at path: [String], holding content: String) -> [JSONValue.Member] {
    if case .object(let members) = json { return members }
    add(
      .error, at: path, "\(dotted(path)) \(shown(json)) is not an object; use { } with \(content)", id: "config-value")
    return []
  }
}

extension Configuration {
  /// The most bytes of a `decal.json`; what is larger is no configuration.
  public static let maximumBytes = 1 << 20

  /// Reads the text of a `decal.json`.
  ///
  /// The second value is all that is wrong with it: warnings for unknown keys, errors for wrong values. With an error
  /// the configuration is not to be built. `file` is its path for the messages.
  public static func parse(_ bytes: [UInt8], file: String) -> (configuration: Configuration, diagnostics: [Diagnostic])
  {
    let document: JSONValue
    do {
      document = try JSONValue(parsing: bytes, comments: true)
    } catch {
      let place = "\(file):\(error.line):\(error.column)"
      return (Configuration(), [Diagnostic(.error, path: place, "not JSON: \(error.message)", id: "config-syntax")])
    }
    var problems = ConfigurationProblems(file: file, lines: KeyLines(bytes))
    var configuration = Configuration()
    let members = problems.members(of: document, at: [], holding: "the keys of a pack")
    problems.apply(members, of: ConfigurationKey<Configuration>.top, at: [], to: &configuration)
    return (configuration, problems.diagnostics)
  }
}

/// A key path as messages have it: `overrides.wave.fit`; the document itself is "the configuration".
func dotted(_ path: [String]) -> String { path.isEmpty ? "the configuration" : path.joined(separator: ".") }

/// A value as messages have it, cut where it is long.
func shown(_ json: JSONValue) -> String {
  let text = json.serialized(.compact)
  return text.count <= 40 ? text : text.prefix(37) + "..."
}
