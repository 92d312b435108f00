import AssetCatalog
import Pipeline

/// Writes what happens as it happens, one JSON object a line.
struct EventLines: BuildObserver {
  private let io: IO
  private let arguments: Arguments

  init(_ context: Context, _ arguments: Arguments) { (io, self.arguments) = (context.io, arguments) }

  func receive(_ event: BuildEvent) {
    if case .diagnostic(let diagnostic) = event, diagnostic.isAllowed(arguments) { return }
    io.standardOutput(event.json.serialized(.compact) + "\n")
  }
}

extension BuildEvent {
  /// An object whose `event` says which it is.
  var json: JSONValue {
    switch self {
    case .waiting(let output): object("waiting", [.init("output", .string(output))])
    case .adopting(let replaced): object("adopting", [.init("replaced", .array(replaced.map(JSONValue.string)))])
    case .planned(let jobs): object("planned", [.init("jobs", .int(jobs))])
    case .started(let name): object("started", [.init("name", .string(name))])
    case .finished(let name): object("finished", [.init("name", .string(name))])
    case .diagnostic(let diagnostic): object("diagnostic", diagnostic.members)
    }
  }

  private func object(_ name: String, _ members: [JSONValue.Member]) -> JSONValue {
    .object([.init("event", .string(name))] + members)
  }
}
