import AssetCatalog
import Imaging
import Pipeline

/// What `check` says, for people and for machines.
struct CheckReport {
  /// What was found.
  let findings: [CheckFinding]
  /// What was put into `decal.json`.
  var fixed: [Diagnostic] = []

  /// Whether there is an error.
  var hasErrors: Bool { findings.contains { $0.severity == .error } || fixed.contains { $0.severity == .error } }

  /// Writes all of it.
  func show(_ reporter: Reporter) {
    if reporter.json { return reporter.io.standardOutput(json.serialized(.pretty)) }
    var explained: Set<String> = []
    for finding in findings {
      // Why and what to do is told once for each kind.
      let isNew = explained.insert(finding.id).inserted
      let texts = isNew ? [finding.why, finding.advice].filter { !$0.isEmpty } : []
      reporter.sayResult(finding.line, Help.wrap(texts.joined(separator: " "), to: Help.width - 4))
    }
    fixed.forEach { reporter.sayResult($0, []) }
    reporter.say(summary)
  }

  /// Says why nothing was looked at.
  func refuse(_ reporter: Reporter) -> ExitCode {
    if reporter.json { reporter.io.standardOutput(json.serialized(.pretty)) }
    findings.forEach { reporter.show($0.line) }
    return .usage
  }

  private var summary: String {
    func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }
    let parts = [(count(.error), "error"), (count(.warning), "warning"), (count(.note), "note")]
    let words = parts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
    return words.isEmpty ? "nothing to object to" : words.joined(separator: ", ")
  }

  private var json: JSONValue {
    .object([
      .init("command", .string("check")), .init("version", .string(decalVersion)), .init("ok", .bool(!hasErrors)),
      .init("findings", .array(findings.map(\.json))), .init("fixed", .array(fixed.map(\.json))),
    ])
  }
}

extension CheckFinding {
  /// The usual line, with the frame where it is about one.
  fileprivate var line: Diagnostic {
    Diagnostic(severity, path: path, frame.map { "frame \($0 + 1): \(message)" } ?? message, id: id)
  }

  /// All fields; what there is not is left out, frames count from 0.
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .string(id)), .init("severity", .string(severity.rawValue)), .init("message", .string(message)),
      .init("path", path.map(JSONValue.string) ?? .null), .init("why", .string(why)), .init("advice", .string(advice)),
    ]
    if let frame { members.append(.init("frame", .int(frame))) }
    if let region {
      members.append(
        .init(
          "region",
          .object([
            .init("x", .int(region.x)), .init("y", .int(region.y)), .init("width", .int(region.width)),
            .init("height", .int(region.height)),
          ])))
    }
    if let edit {
      members.append(
        .init(
          "edit",
          .object([.init("key", .array(edit.path.map(JSONValue.string))), .init("value", edit.value)])))
    }
    return .object(members)
  }
}
