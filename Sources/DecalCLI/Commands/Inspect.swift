import AssetCatalog
import Codecs
import Pipeline

/// `decal inspect`: every file is looked at, whatever became of those before it.
func performInspect(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  let reporter = Reporter(context, arguments)
  let folders = frameFolders(for: arguments.operands)
  var documents: [JSONValue] = []
  var diagnostics: [Diagnostic] = []
  let limits = arguments.limits.limits
  for (path, folder) in zip(arguments.operands, folders) {
    try Task.checkCancellation()
    var found: [Diagnostic] = []
    do {
      let bytes = try readImage(path, arguments, context)
      let report = InspectReport(path: path, facts: try ImageFacts(bytes: bytes, limits: limits))
      documents.append(report.json)
      report.lines.forEach(reporter.say)
      found = report.facts.warnings.map { Diagnostic(.warning, path: path, $0.message, id: $0.id) }
      if let frames = arguments.frames {
        let shown = arguments.operands.count == 1 ? frames : Path.join(frames, folder)
        try FrameFolder(path: context.path(shown), shown: shown, disk: context.disk)
          .write(bytes, of: context.path(path), limits: limits)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as InspectRefusal {
      found.append(error.diagnostic)
    } catch {
      found.append(Diagnostic(failure: error, path: path))
    }
    found.forEach(reporter.show)
    diagnostics += found
  }
  if arguments.json {
    let document = JSONValue.object([
      .init("command", .string("inspect")), .init("version", .string(decalVersion)),
      .init("files", .array(documents)), .init("diagnostics", .array(diagnostics.map(\.json))),
    ])
    context.io.standardOutput(document.serialized(.pretty))
  }
  return diagnostics.contains { $0.severity == .error } ? .assetFailed : .success
}

/// Why a file is not looked into or its frames are not written.
struct InspectRefusal: Error {
  /// What is told.
  let diagnostic: Diagnostic

  /// Makes an error's diagnostic.
  init(path: String, _ message: String, id: String) {
    diagnostic = Diagnostic(.error, path: path, message, id: id)
  }
}

/// The bytes of a file that is no larger than the limit.
private func readImage(_ path: String, _ arguments: Arguments, _ context: Context) throws -> [UInt8] {
  let place = context.path(path)
  let limit = arguments.limits.limits.fileBytes
  switch try context.disk.status(place, followLinks: true) {
  case nil: throw InspectRefusal(path: path, "there is no such file", id: "no-such-file")
  case let status? where status.kind == .directory:
    throw InspectRefusal(path: path, "is a folder; give the files in it", id: "not-a-file")
  case let status? where status.kind != .file:
    throw InspectRefusal(path: path, "is a pipe, a socket or a device; give a file", id: "not-a-file")
  case let status? where status.size > limit:
    throw DecodeError.overLimit(.fileBytes, value: status.size, limit: limit)
  default: return try context.disk.read(place)
  }
}

/// A folder's name for each file: its own name, with a number where several have one.
private func frameFolders(for paths: [String]) -> [String] {
  var used: Set<String> = []
  return paths.map { path in
    let name = Path.name(path)
    var candidate = name
    var number = 2
    while !used.insert(candidate.lowercased()).inserted {
      candidate = "\(name)-\(number)"
      number += 1
    }
    return candidate
  }
}
