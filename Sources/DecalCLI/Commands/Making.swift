import AssetCatalog
import Pipeline

/// Runs one way of making things, and reports: the frame of `build`, `convert` and `icon`.
///
/// `warnings` came before; the builder's are added to them. `folder` is the pack's, as it was typed.
func make(
  _ command: String, _ arguments: Arguments, _ context: Context, limits: LimitOptions, output: String,
  folder: String = "", warnings: [Diagnostic] = [],
  _ work: (Builder) async throws -> BuildSummary
) async throws -> ExitCode {
  let reporter = Reporter(context, arguments)
  let progress = Progress(context, arguments)
  let observer: any BuildObserver = arguments.json ? EventLines(context, arguments) : progress
  var builder = Builder(
    disk: context.disk, observer: observer, jobs: arguments.jobs ?? max(1, context.io.processors),
    force: arguments.force, limits: limits.limits)
  (builder.waits, builder.adopts) = (!arguments.noWait, arguments.adopt)
  builder.memory = context.memory(arguments)
  builder.isDry = arguments.dryRun
  builder.isDetailed = arguments.json || arguments.explain || arguments.dryRun
  defer { progress.clear() }
  do {
    let stages = arguments.timings ? StageTimes() : nil
    let start = ContinuousClock.now
    var summary = try await StageTimes.$current.withValue(stages) { try await work(builder) }
    progress.clear()
    summary.diagnostics = (warnings + summary.diagnostics).filter { !$0.isAllowed(arguments) }
    var report = BuildReport(command: command, summary: summary, output: output)
    (report.explains, report.isDry) = (arguments.explain || arguments.dryRun, arguments.dryRun)
    report.located = { context.located($0, in: folder) }
    report.timings = stages.map { Timings($0, wall: ContinuousClock.now - start, context.io.usage()) }
    report.show(reporter)
    return summary.diagnostics.fails(arguments) ? .assetFailed : .success
  } catch let refusal as BuildRefusal {
    progress.clear()
    let diagnostics = arguments.json ? refusal.diagnostics : refusal.diagnostics.map { context.located($0, in: folder) }
    return refuse(command, warnings + diagnostics, output: output, reporter)
  } catch let error as DiskError {
    progress.clear()
    let failure = Diagnostic(.error, path: error.path, error.message, id: "cannot-\(error.operation)")
    _ = refuse(command, warnings + [failure], output: output, reporter)
    return .assetFailed
  }
}

/// Reports problems that kept the work from its end.
func refuse(_ command: String, _ diagnostics: [Diagnostic], output: String, _ reporter: Reporter) -> ExitCode {
  if reporter.json {
    var summary = BuildSummary()
    summary.diagnostics = diagnostics
    reporter.io.standardOutput(BuildReport(command: command, summary: summary, output: output).lastEvent)
  }
  diagnostics.forEach(reporter.show)
  return .usage
}

extension Context {
  /// The bytes that jobs may take together: what was asked for, or half of the machine's.
  func memory(_ arguments: Arguments) -> Int? {
    arguments.memory.map { $0 * 1_000_000 } ?? io.memory.flatMap { $0 > 0 ? $0 / 2 : nil }
  }

  /// A diagnostic of the pack in a folder, for people: the path of a file in the pack begins where they are.
  func located(_ diagnostic: Diagnostic, in folder: String) -> Diagnostic {
    var diagnostic = diagnostic
    diagnostic.path = diagnostic.path.map { located($0, in: folder) }
    return diagnostic
  }

  /// A path from where the user is; what is no file in the pack's folder, such as a key, stays as it is.
  func located(_ path: String, in folder: String) -> String {
    guard !folder.isEmpty, folder != ".", !path.hasPrefix("/") else { return path }
    let place = Path.join(folder, path)
    let status = (try? disk.status(self.path(place), followLinks: false)) ?? nil
    return status == nil ? path : place
  }

  /// A typed path as the disk takes it.
  func path(_ typed: String) -> String { Path.join(io.workingDirectory, typed) }
}

extension Arguments {
  /// The configuration with everything that was typed put over it.
  func over(_ base: Configuration) -> Configuration {
    var result = base
    result.name = name ?? base.name
    result.grid = grid ?? base.grid
    result.preview = preview ?? base.preview
    result.limits = limits.over(base.limits)
    result.icon = IconOptions(icon, over: base.icon)
    result.defaults = sticker.over(base.defaults)
    // What is typed is meant for every sticker, those with options of their own included.
    result.imposed = sticker.over(base.imposed)
    return result
  }
}

extension IconOptions {
  init(_ typed: IconOptions, over base: IconOptions) {
    self = base
    master = typed.master ?? base.master
    messages = typed.messages ?? base.messages
    dark = typed.dark ?? base.dark
    tinted = typed.tinted ?? base.tinted
    appIcon = typed.appIcon ?? base.appIcon
    background = typed.background ?? base.background
    fit = typed.fit ?? base.fit
    color = typed.color ?? base.color
  }
}

extension [Diagnostic] {
  /// Whether a run that says this has failed: errors, and warnings where they count.
  func fails(_ arguments: Arguments) -> Bool {
    contains { $0.severity == .error || (arguments.werror && $0.severity == .warning && !$0.isAllowed(arguments)) }
  }
}

extension Diagnostic {
  /// Whether the user does not want to hear of it.
  func isAllowed(_ arguments: Arguments) -> Bool { severity != .error && arguments.allowed.contains(id) }
}
