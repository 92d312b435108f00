import AssetCatalog
import Pipeline

/// One option: the parser, the help and the did-you-mean all come from it.
struct Option: Sendable {
  /// How an option takes its value.
  enum Value: Sendable {
    /// None.
    case none
    /// The word after it or after `=`, by this name.
    case required(String)
    /// The word after `=`, or the next word where it is one of these, else the word that is meant without one.
    case optional(String, words: [String], meant: String)
  }

  /// The names with their dashes, the one for people to learn last.
  let names: [String]
  /// How it takes its value.
  let value: Value
  /// One line without a final stop.
  let help: String
  /// What else there is to say, whole sentences; may be empty.
  let details: String
  /// What holds where it is not given; nil where nothing does.
  let defaultText: String?
  /// The words that its value may be, where there is a list of them; others may be taken, too.
  var choices: [String] = []
  /// Whether each use adds a value.
  var isList = false
  /// Puts the value in its place; answers what is wrong with it, or nil.
  let update: @Sendable (String?, inout Arguments) -> String?

  /// The name for people to learn.
  var name: String { names[names.count - 1] }

  /// `-o, --output OUT`.
  var synopsis: String {
    let all = names.joined(separator: ", ")
    switch value {
    case .none: return all
    case .required(let word): return "\(all) \(word)"
    case .optional(let word, _, _): return "\(all)[=\(word)]"
    }
  }

  /// Whether a typed name is one of its names.
  func isNamed(_ typed: String) -> Bool { names.contains(typed) }
}

extension Option {
  /// An option without a value.
  static func flag<Value: Sendable>(
    _ names: String..., sets place: any WritableKeyPath<Arguments, Value> & Sendable, to value: Value, _ help: String,
    _ details: String = ""
  ) -> Option {
    Option(
      names: names, value: .none, help: help, details: details, defaultText: nil,
      update: { _, arguments in
        arguments[keyPath: place] = value
        return nil
      })
  }

  /// An option whose value is read as the same key of `decal.json` is.
  static func value<Value>(
    _ names: String..., as word: String, _ reader: ValueReader<Value>,
    into place: any WritableKeyPath<Arguments, Value?> & Sendable, default defaultText: String? = nil, _ help: String,
    _ details: String = ""
  ) -> Option {
    reading(names, .required(word), reader, defaultText, help, details) { $0[keyPath: place] = $1 }
  }

  /// The same where there is always a value.
  static func value<Value>(
    _ names: String..., as word: String, _ reader: ValueReader<Value>,
    into place: any WritableKeyPath<Arguments, Value> & Sendable, default defaultText: String? = nil, _ help: String,
    _ details: String = ""
  ) -> Option {
    reading(names, .required(word), reader, defaultText, help, details) { $0[keyPath: place] = $1 }
  }

  /// An option that may be given again; each adds a value.
  static func list(
    _ names: String..., as word: String, _ reader: ValueReader<String>,
    into place: any WritableKeyPath<Arguments, [String]> & Sendable, default defaultText: String? = nil,
    _ help: String, _ details: String = ""
  ) -> Option {
    var option = reading(names, .required(word), reader, defaultText, help, details) {
      $0[keyPath: place].append($1)
    }
    option.isList = true
    return option
  }

  /// The words that a schema lists, wherever they stand in it.
  private static func words(_ schema: [JSONValue.Member]) -> [String] {
    schema.flatMap { member -> [String] in
      guard case .array(let items) = member.value else { return [] }
      return items.flatMap { item -> [String] in
        switch item {
        case .string(let word) where member.key == "enum": [word]
        case .object(let members) where member.key == "anyOf": words(members)
        default: []
        }
      }
    }
  }

  static func reading<Value>(
    _ names: [String], _ kind: Option.Value, _ reader: ValueReader<Value>, _ defaultText: String?, _ help: String,
    _ details: String, _ put: @escaping @Sendable (inout Arguments, Value) -> Void
  ) -> Option {
    Option(
      names: names, value: kind, help: help, details: details, defaultText: defaultText, choices: words(reader.schema),
      update: { text, arguments in
        guard let value = reader.read(text: text ?? "") else {
          return reader.complaint(of: names[names.count - 1], about: "\"\(text ?? "")\"")
        }
        put(&arguments, value)
        return nil
      })
  }
}
