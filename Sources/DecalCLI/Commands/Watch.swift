import Pipeline

/// `decal watch`.
func performWatch(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  let request = BuildRequest(arguments, context)
  if request.diagnostics.contains(where: { $0.severity == .error }) {
    return refuse("watch", request.diagnostics, output: request.configuration.output, Reporter(context, arguments))
  }
  let (source, why) = makeChangeSource(disk: context.disk, folder: request.root, polls: arguments.polls)
  let session = WatchSession(arguments, context, request, source: source)
  if let why { session.reporter.show(Diagnostic(.note, path: nil, "polling: \(why)", id: "polling")) }
  try await session.run()
  return .success
}

/// Builds, and builds again what changes, until the task is canceled.
final class WatchSession {
  let reporter: Reporter
  private let arguments: Arguments
  private let context: Context
  private var source: any ChangeSource
  private var request: BuildRequest
  private var scope: WatchScope
  private var gate = ChangeGate()
  private var errors = ProvisionalErrors()
  private var retry: Duration?
  /// What was told of the pack as it is.
  private var told: Set<Diagnostic> = []
  /// What was told of why it cannot be built anew.
  private var refused: Set<Diagnostic> = []
  private let now = Progress.systemTime()
  private let signals: AsyncStream<Signal>
  private let send: AsyncStream<Signal>.Continuation
  private var forward: Task<Void, Never>?
  /// The command that runs, and what those after it are to be told.
  private var command: (running: Task<Void, Never>?, waiting: [String]) = (nil, [])

  init(_ arguments: Arguments, _ context: Context, _ request: BuildRequest, source: any ChangeSource) {
    (self.arguments, self.context, self.request, self.source) = (arguments, context, request, source)
    reporter = Reporter(context, arguments)
    scope = WatchSession.scope(request, context)
    (signals, send) = AsyncStream.makeStream()
  }

  /// The pack's folder, as it was typed.
  private var folder: String { arguments.operands.first ?? "" }

  private enum Signal {
    case change(Change)
    case timer
    /// The command of `--on-change` is over, with this code.
    case ended(Int32)
  }

  /// Listens to the source.
  private func listen() {
    forward?.cancel()
    forward = Task { [changes = source.changes, send] in
      for await change in changes { send.yield(.change(change)) }
    }
  }

  func run() async throws {
    listen()
    defer {
      source.stop()
      forward?.cancel()
      try? PreviewState.remove(output: Path.join(request.root, request.configuration.output), disk: context.disk)
    }
    do {
      try await loop()
    } catch {
      command.running?.cancel()
      await command.running?.value
      throw error
    }
  }

  private func loop() async throws {
    follow([])
    try await rebuild(isFirst: true)
    var timer: (task: Task<Void, Never>, due: Duration)?
    defer { timer?.task.cancel() }
    var iterator = signals.makeAsyncIterator()
    while true {
      try Task.checkCancellation()
      if let due = [gate.due, retry].compactMap({ $0 }).min() {
        if due <= now() {
          retry = nil
          _ = gate.open()
          try await rebuild(isFirst: false)
          continue
        }
        if timer == nil || timer!.due > due {
          timer?.task.cancel()
          let wait = due - now()
          timer = (
            Task { [send] in
              try? await Task.sleep(for: wait)
              send.yield(.timer)
            }, due
          )
        }
      }
      guard let signal = await iterator.next() else { throw CancellationError() }
      switch signal {
      case .timer: timer = nil
      case .ended(let code): commandEnded(code)
      case .change(let change): if scope.counts(change) { gate.note(change, at: now()) }
      }
    }
  }
}

// MARK: - A build

extension WatchSession {
  private func rebuild(isFirst: Bool) async throws {
    let start = now()
    let fresh = isFirst ? request : BuildRequest(arguments, context)
    guard !fresh.diagnostics.contains(where: { $0.severity == .error }) else {
      tell(refusal: fresh.diagnostics)
      return follow(nil)
    }
    request = fresh
    let output = arguments.output ?? Path.join(arguments.operands.first ?? "", request.configuration.output)
    do {
      var summary = try await builder(isFirst).build(request.configuration, root: request.root)
      let took = now() - start
      summary.diagnostics = request.diagnostics + summary.diagnostics
      judge(summary)
      follow(summary.inputs)
      await report(summary, output: output, took: took, isFirst: isFirst)
    } catch let refusal as BuildRefusal {
      tell(refusal: request.diagnostics + refusal.diagnostics)
      follow(nil)
    } catch let error as DiskError {
      tell(refusal: [Diagnostic(.error, path: error.path, error.message, id: "cannot-\(error.operation)")])
      follow(nil)
    }
  }

  private func builder(_ isFirst: Bool) -> Builder {
    let observer: any BuildObserver =
      if arguments.json { EventLines(context, arguments) } else if isFirst { Progress(context, arguments) } else {
        SilentObserver()
      }
    var builder = Builder(
      disk: context.disk, observer: observer, jobs: arguments.jobs ?? max(1, context.io.processors),
      force: arguments.force && isFirst, limits: request.configuration.limits.limits)
    builder.state = request.state
    (builder.keepsEarlier, builder.refreshesPreview) = (true, true)
    (builder.waits, builder.memory) = (!arguments.noWait, context.memory(arguments))
    return builder
  }

  private static func scope(_ request: BuildRequest, _ context: Context) -> WatchScope {
    WatchScope(
      disk: context.disk, root: request.root,
      own: [Path.join(request.root, request.configuration.output), request.state.path])
  }

  /// Watches what a build read, or, where it read nothing, what it was to read; new folders are looked at once more.
  private func follow(_ inputs: [String]?) {
    let configuration = request.configuration
    let sources = (configuration.stickers + configuration.icon.masters).map { Path.join(request.root, $0) }
    let before = scope
    scope = WatchSession.scope(request, context)
    if let inputs { scope.follow(inputs, sources: sources) } else { scope.add(sources: sources, from: before) }
    let folders = scope.folders
    do throws(DiskError) {
      if try source.watch(folders) { gate.retry(at: now()) }
    } catch {
      reporter.show(Diagnostic(.note, path: error.path, "polling: \(error.message)", id: "polling"))
      source.stop()
      source = makeChangeSource(disk: context.disk, folder: request.root, polls: true).source
      listen()
      _ = try? source.watch(folders)
    }
  }
}

// MARK: - What is told

extension WatchSession {
  /// Shows problems of the pack as it is now that were not shown of the one before.
  private func tell(_ diagnostics: [Diagnostic]) {
    told = show(diagnostics, unlessIn: told)
    refused = []
  }

  /// Shows what keeps the pack from being built, once; the one that stands is as it was told of.
  private func tell(refusal diagnostics: [Diagnostic]) { refused = show(diagnostics, unlessIn: refused) }

  private func show(_ diagnostics: [Diagnostic], unlessIn known: Set<Diagnostic>) -> Set<Diagnostic> {
    let wanted = diagnostics.filter { $0.severity != .note && !$0.isAllowed(arguments) }
    for diagnostic in wanted where !known.contains(diagnostic) {
      reporter.show(context.located(diagnostic, in: folder))
    }
    return Set(wanted)
  }

  /// Takes note of what is bad and of what may be half-written.
  private func judge(_ summary: BuildSummary) {
    let failed = summary.stickers.filter { $0.output == nil }.map(\.source)
    let verdict = errors.judge(failed: failed, provisional: summary.provisional, at: now())
    retry = verdict.retry
    for source in verdict.cleared { reporter.say("\(context.located(source, in: folder)): well again") }
  }

  private func report(_ summary: BuildSummary, output: String, took: Duration, isFirst: Bool) async {
    var report = BuildReport(command: "watch", summary: summary, output: output)
    let isChanged = !summary.written.isEmpty || !summary.removed.isEmpty
    if arguments.json {
      if isFirst || isChanged { context.io.standardOutput(report.lastEvent) }
    } else if isFirst {
      report.explains = arguments.explain
      report.located = { [context, folder] in context.located($0, in: folder) }
      report.show(reporter)
      told = Set(summary.diagnostics)
      if arguments.opensPreview { await context.openPreview(request, in: output).forEach(reporter.show) }
      reporter.say("watching; Ctrl-C ends it")
    } else {
      tell(summary.diagnostics)
      if isChanged { reporter.say(report.line(took: took)) }
    }
    guard isChanged, arguments.onChange != nil else { return }
    if command.running != nil, command.waiting.isEmpty {
      reporter.show(
        Diagnostic(.note, path: nil, "--on-change still runs for the change before; the next waits", id: "on-change"))
    }
    command.waiting.append(report.lastEvent)
    startCommand()
  }

  /// Runs the command for the next change; building goes on meanwhile.
  private func startCommand() {
    guard command.running == nil, !command.waiting.isEmpty, let line = arguments.onChange else { return }
    let input = command.waiting.removeFirst()
    command.running = Task { [shell = context.io.shell, send] in send.yield(.ended(await shell(line, input))) }
  }

  private func commandEnded(_ code: Int32) {
    command.running = nil
    if code != 0 {
      let message = "--on-change ended with \(code): \(arguments.onChange ?? "")"
      reporter.show(Diagnostic(.warning, path: nil, message, id: "on-change"))
    }
    startCommand()
  }
}

extension BuildReport {
  /// One line: what was made and why, what was removed, how long it took.
  func line(took: Duration) -> String {
    let made = summary.jobs.filter { $0.origin == .pressed || $0.origin == .cached }
    var parts = made.prefix(3).map { job in
      guard case .build(let reason) = job.decision else { return job.name }
      return "\(job.name) (\(reason.text))"
    }
    if made.count > 3 { parts.append("\(grouped(made.count - 3)) more") }
    let gone = summary.removed.map(Path.name).filter { $0 != "Contents.json" }
    var what = parts.isEmpty ? "" : "pressed " + parts.joined(separator: ", ") + "; "
    if !gone.isEmpty {
      what += "removed " + gone.prefix(3).joined(separator: ", ") + (gone.count > 3 ? ", …" : "") + "; "
    }
    let changes = [(summary.written.count, "written"), (summary.removed.count, "removed")]
      .filter { $0.0 > 0 }.map { "\(counted($0.0, "file")) \($0.1)" }.joined(separator: ", ")
    let milliseconds = took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000
    return what + changes + " in \(milliseconds) ms"
  }
}
