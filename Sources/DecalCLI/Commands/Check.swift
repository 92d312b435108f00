import AssetCatalog
import Pipeline

/// `decal check`: everything that is named is looked at, whatever became of what came before it.
func performCheck(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  let reporter = Reporter(context, arguments)
  var run = CheckRun(arguments, context)
  do {
    try await run.look()
  } catch let refusal as BuildRefusal {
    return CheckReport(findings: refusal.diagnostics.map(CheckFinding.init)).refuse(reporter)
  }
  let report = CheckReport(findings: run.told, fixed: try run.fixed())
  report.show(reporter)
  let hasWarnings = run.told.contains { $0.severity == .warning }
  return report.hasErrors || (arguments.werror && hasWarnings) ? .assetFailed : .success
}

/// One run: what was found, and in which pack.
private struct CheckRun {
  let arguments: Arguments
  let context: Context
  private var findings: [CheckFinding] = []
  /// The pack's configuration file, where one pack was looked at.
  private var request: BuildRequest?

  init(_ arguments: Arguments, _ context: Context) { (self.arguments, self.context) = (arguments, context) }

  /// What is told: what is allowed is left out, what is raised is an error.
  var told: [CheckFinding] {
    findings.compactMap { finding in
      var finding = finding
      if arguments.raised.contains(finding.id) { finding.severity = .error }
      let isAllowed = finding.severity != .error && arguments.allowed.contains(finding.id)
      return isAllowed ? nil : finding
    }
  }

  mutating func look() async throws {
    let unknown = arguments.raised.filter { CheckRule.named($0) == nil }
    let ids = CheckRule.all.map(\.id)
    findings = unknown.compactMap { id in
      suggestion(for: id, among: ids).map { near in
        CheckFinding(
          Diagnostic(
            .warning, path: "--raise", "there is no finding \"\(id)\"; did you mean \(near)?", id: "unknown-id"))
      }
    }
    let master = arguments.icon.master
    let isPack = arguments.operands.isEmpty && (master == nil || hasConfiguration("") || arguments.fix)
    if isPack { try await look(pack: "") }
    for operand in arguments.operands {
      try Task.checkCancellation()
      let path = operand.count > 1 && operand.hasSuffix("/") ? String(operand.dropLast()) : operand
      if hasConfiguration(path) { try await look(pack: path) } else { try await look(at: path) }
    }
    if let master, !isPack {
      findings += checker(arguments.limits).check(
        icon: master, root: context.io.workingDirectory, fit: arguments.icon.fit)
    }
    if arguments.fix, request?.file == nil {
      throw BuildRefusal([
        Diagnostic(
          .error, path: "--fix", "there is no decal.json to put anything in; give the folder of a pack",
          id: "no-configuration")
      ])
    }
  }

  /// Diagnostics whose path is that of a key.
  private static let ofKeys = ["unknown-sticker", "order-missing", "kept-sticker"]

  private func hasConfiguration(_ folder: String) -> Bool {
    let path = Path.join(context.path(folder), "decal.json")
    return ((try? context.disk.status(path, followLinks: true)) ?? nil) != nil
  }

  private func checker(_ limits: LimitOptions) -> Checker {
    Checker(
      disk: context.disk, limits: limits.limits, jobs: arguments.jobs ?? max(1, context.io.processors),
      memory: context.memory(arguments))
  }

  private mutating func look(pack path: String) async throws {
    var typed = arguments
    typed.operands = path.isEmpty ? [] : [path]
    let request = BuildRequest(typed, context)
    if request.diagnostics.contains(where: { $0.severity == .error }) { throw BuildRefusal(request.diagnostics) }
    findings += request.diagnostics.map(CheckFinding.init)
    let found = try await checker(request.configuration.limits)
      .check(pack: request.configuration, root: request.root, state: request.state)
    findings += found.map { finding in
      var finding = finding
      // Paths in a pack are relative to it; keys of the configuration are none.
      if !path.isEmpty, let place = finding.path, !CheckRun.ofKeys.contains(finding.id) {
        finding.path = Path.join(path, place)
      }
      return finding
    }
    self.request = request
  }

  private mutating func look(at path: String) async throws {
    let configuration = arguments.over(Configuration())
    let problems = configuration.problems(file: "decal")
    if problems.contains(where: { $0.severity == .error }) { throw BuildRefusal(problems) }
    findings += try await checker(arguments.limits)
      .check(path, root: context.io.workingDirectory, configuration: configuration)
  }

  /// Puts the edits of what is told into `decal.json`; answers what was done.
  func fixed() throws -> [Diagnostic] {
    guard arguments.fix, let request, let shown = request.file else { return [] }
    var edits: [ConfigurationEdit] = []
    for edit in told.compactMap(\.edit) where !edits.contains(edit) { edits.append(edit) }
    do throws(DiskError) {
      // Where it is a link, what it leads to is edited.
      let place = try context.disk.canonicalPath(Path.join(request.root, "decal.json"))
      let (text, made) = Configuration.text(try context.disk.read(place), applying: edits)
      if !made.isEmpty { try context.disk.write(text, to: place) }
      let left = edits.count - made.count
      let notes = made.map { edit in
        Diagnostic(.note, path: shown, "added \(edit.path.joined(separator: ".")): \(edit.value.oneLine)", id: "fixed")
      }
      let rest = Diagnostic(
        .note, path: shown,
        made.isEmpty && left == 0 ? "nothing to fix" : "\(left) more say otherwise there; left as they are",
        id: "not-fixed")
      return notes + (left > 0 || made.isEmpty ? [rest] : [])
    } catch {
      return [Diagnostic(.error, path: shown, error.message, id: "cannot-write")]
    }
  }
}
