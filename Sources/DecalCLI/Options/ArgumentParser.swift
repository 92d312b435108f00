import Pipeline

/// Takes words apart by a list of options; looks at no file.
struct ArgumentParser {
  /// The options there are.
  let options: [Option]
  /// The command, for messages.
  let command: String

  /// All words after the command, and all that makes no sense among them.
  func parse(_ words: [String]) -> (arguments: Arguments, errors: [UsageError]) {
    var arguments = Arguments()
    var errors: [UsageError] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        arguments.operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        arguments.operands.append(word)
        continue
      }
      do throws(UsageError) {
        let (option, attached) = try find(word)
        let value = try value(of: option, attached: attached, rest: &rest)
        if let complaint = option.update(value, &arguments) {
          errors.append(UsageError(message: complaint, id: "option-value"))
        }
      } catch {
        errors.append(error)
      }
    }
    return (arguments, errors)
  }

  /// The option that a word names, and what is attached to it: `--opt=value` or `-ovalue`.
  private func find(_ word: String) throws(UsageError) -> (Option, attached: String?) {
    if word.hasPrefix("--") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if let option = options.first(where: { $0.isNamed(parts[0]) }) {
        return (option, parts.count > 1 ? parts[1] : nil)
      }
      throw unknown(parts[0])
    }
    let name = String(word.prefix(2))
    guard let option = options.first(where: { $0.isNamed(name) }) else { throw unknown(word) }
    let attached = word.dropFirst(2)
    if case .none = option.value, !attached.isEmpty { throw unknown(word) }
    return (option, attached.isEmpty ? nil : String(attached))
  }

  private func value(
    of option: Option, attached: String?, rest: inout ArraySlice<String>
  ) throws(UsageError) -> String? {
    switch option.value {
    case .none:
      guard attached == nil else {
        throw UsageError(message: "\(option.name) takes no value; write \(option.name) alone", id: "option-value")
      }
      return nil
    case .optional(_, let words, let meant):
      if let attached { return attached }
      if let next = rest.first, words.contains(next) { return rest.popFirst() }
      return meant
    case .required(let word):
      if let attached { return attached }
      guard let next = rest.first else {
        throw UsageError(message: "\(option.name) needs a value: \(option.name) \(word)", id: "option-value")
      }
      if next.hasPrefix("-"), options.contains(where: { $0.isNamed(next) }) || next == "--" {
        throw UsageError(
          message: "\(option.name) needs a value before \(next); write \(option.name)=\(next) if that is it",
          id: "option-value")
      }
      return rest.popFirst()
    }
  }

  private func unknown(_ typed: String) -> UsageError {
    let names = options.flatMap(\.names).filter { $0.hasPrefix("--") }
    // Compared without the dashes: they are alike in all names and would make short names look near.
    let near = suggestion(for: bare(typed), among: names.map(bare))
    let owner = Command.all.first { $0.options.contains { $0.isNamed(typed) } }
    let hint =
      owner.map { "it belongs to \"decal \($0.name)\"" } ?? near.map { "did you mean --\($0)?" }
      ?? "\"decal help \(command)\" lists the options"
    return UsageError(message: "unknown option \(typed); \(hint)", id: "unknown-option")
  }

  private func bare(_ name: String) -> String { String(name.drop { $0 == "-" }) }
}
