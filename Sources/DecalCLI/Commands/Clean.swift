import AssetCatalog
import Pipeline

/// `decal clean`.
func performClean(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  let reporter = Reporter(context, arguments)
  let request = BuildRequest(locating: arguments, context)
  do {
    let (files, bytes) = try request.state.clean(on: context.disk)
    if arguments.json {
      let document = JSONValue.object([
        .init("command", .string("clean")), .init("version", .string(decalVersion)), .init("files", .int(files)),
        .init("bytes", .int(bytes)),
      ])
      context.io.standardOutput(document.serialized(.pretty))
    }
    let what = files == 0 ? "nothing" : "\(counted(files, "file")), \(grouped(bytes)) bytes"
    reporter.say("\(what) removed from \(request.state.path)")
    return .success
  } catch {
    reporter.show(Diagnostic(.error, path: error.path, error.message, id: "cannot-write"))
    return .assetFailed
  }
}
