public import Pipeline

/// Exit codes: 0 done, 1 some asset failed or is over its budget, 2 usage or configuration, 130 interrupted.
public enum ExitCode: Int32, Sendable {
  /// All done.
  case success = 0
  /// Some asset failed or is over its budget.
  case assetFailed = 1
  /// Wrong use or configuration.
  case usage = 2
  /// Interrupted by SIGINT.
  case interrupted = 130
  /// Terminated by SIGTERM.
  case terminated = 143
}

/// Runs one command line, without the program's name; the only door to the commands.
///
/// A canceled task ends with `interrupted`.
public func run(
  arguments: [String], environment: [String: String], io: IO, disk: any Disk
) async -> ExitCode {
  let context = Context(environment: environment, io: io, disk: disk)
  do {
    return try await dispatch(arguments, context)
  } catch let error as UsageError {
    show(error, context)
    return .usage
  } catch is CancellationError {
    Reporter(context, Arguments()).show(
      Diagnostic(.error, path: "decal", "interrupted; files that were there are whole", id: "interrupted"))
    return .interrupted
  } catch {
    preconditionFailure("a command let an error through: \(error)")
  }
}

private func show(_ error: UsageError, _ context: Context) {
  Reporter(context, Arguments()).show(Diagnostic(.error, path: "decal", error.message, id: error.id))
}

private func dispatch(_ arguments: [String], _ context: Context) async throws -> ExitCode {
  let io = context.io
  guard let first = arguments.first else {
    io.standardError(Help.short)
    return .usage
  }
  let rest = Array(arguments.dropFirst())
  switch first {
  case "-h", "--help":
    io.standardOutput(Help.overview)
    return .success
  case "-V", "--version":
    io.standardOutput(Help.version)
    return .success
  case "help":
    io.standardOutput(try help(on: rest))
    return .success
  default: break
  }
  guard let command = Command.all.first(where: { $0.name == first }) else { throw unknownCommand(first) }
  let (parsed, errors) = ArgumentParser(options: command.options, command: command.name).parse(rest)
  if parsed.help {
    io.standardOutput(Help.command(command))
    return .success
  }
  guard errors.isEmpty else {
    errors.forEach { show($0, context) }
    return .usage
  }
  try checkOperands(parsed.operands, of: command)
  return try await command.perform(parsed, context)
}

private func help(on topics: [String]) throws(UsageError) -> String {
  guard let topic = topics.first(where: { $0 != "-h" && $0 != "--help" }) else { return Help.overview }
  if let command = Command.all.first(where: { $0.name == topic }) { return Help.command(command) }
  if topic == "limits" { return Help.limits }
  // For "make install" and the tests.
  if topic == "--man" { return ManualPage.text }
  if topic == "--reference" { return Reference.markdown }
  if topic == "findings" { return Help.findings }
  if let text = Help.option(named: topic) ?? Help.finding(topic) { return text }
  let names =
    Command.all.map(\.name) + ["limits", "findings"] + CheckRule.all.map(\.id)
    + Command.all.flatMap(\.options).flatMap(\.names).map { String($0.drop { $0 == "-" }) }
  let near = suggestion(for: String(topic.drop { $0 == "-" }), among: names)
  let hint = near.map { "did you mean \($0)?" } ?? "\"decal help\" lists the commands"
  throw UsageError(message: "no help on \"\(topic)\"; \(hint)", id: "unknown-topic")
}

private func unknownCommand(_ typed: String) -> UsageError {
  if typed.hasPrefix("-") {
    let name = String(typed.prefix { $0 != "=" })
    // The command that is meant most often goes first.
    if let command = ([.build] + Command.all).first(where: { $0.options.contains { $0.isNamed(name) } }) {
      return UsageError(
        message: "\(name) comes after the command, as in: decal \(command.name) \(typed)", id: "unknown-option")
    }
    let near = suggestion(for: name, among: ["--help", "--version"])
    let hint = near.map { "did you mean \($0)?" } ?? "\"decal help\" lists the commands"
    return UsageError(message: "unknown option \(typed); \(hint)", id: "unknown-option")
  }
  let near = suggestion(for: typed, among: Command.all.map(\.name) + ["help", "--version"])
  let hint =
    near.map { "did you mean \($0)?" } ?? "the commands are \(alternatives(Command.all.map(\.name) + ["help"]))"
  return UsageError(message: "unknown command \"\(typed)\"; \(hint)", id: "unknown-command")
}

private func checkOperands(_ operands: [String], of command: Command) throws(UsageError) {
  let usage = "usage: decal \(command.name) \(command.operands)"
  if operands.count < command.operandCount.lowerBound {
    throw UsageError(message: "nothing to \(command.name); \(usage)", id: "missing-operand")
  }
  if operands.count > command.operandCount.upperBound {
    throw UsageError(
      message: "\"\(operands[command.operandCount.upperBound])\" is one too many; \(usage)", id: "extra-operand")
  }
  if operands.contains("") {
    throw UsageError(message: "an empty path was given; \(usage)", id: "empty-operand")
  }
}
