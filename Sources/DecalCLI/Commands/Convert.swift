import Pipeline

/// `decal convert`.
func performConvert(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  guard let output = arguments.output else {
    throw UsageError(message: "convert needs -o OUTPUT, a file or a folder", id: "missing-output")
  }
  let configuration = arguments.over(Configuration())
  let problems = configuration.problems(file: "decal")
  if problems.contains(where: { $0.severity == .error }) {
    return refuse("convert", problems, output: output, Reporter(context, arguments))
  }
  return try await make("convert", arguments, context, limits: configuration.limits, output: output, warnings: problems)
  {
    try await $0.convert(arguments.operands.map(context.path), to: context.path(output), configuration: configuration)
  }
}

/// `decal icon`.
func performIcon(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  guard let output = arguments.output else {
    throw UsageError(message: "icon needs -o DIR, the folder that becomes the icon set", id: "missing-output")
  }
  var configuration = arguments.over(Configuration())
  configuration.icon.master = context.path(arguments.operands[0])
  configuration.icon.messages = arguments.icon.messages.map(context.path)
  configuration.icon.dark = arguments.icon.dark.map(context.path)
  configuration.icon.tinted = arguments.icon.tinted.map(context.path)
  return try await make("icon", arguments, context, limits: configuration.limits, output: output) {
    try await $0.makeIconSet(configuration, root: "", output: context.path(output))
  }
}
