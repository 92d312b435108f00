import AssetCatalog
import Pipeline

/// `decal build --adopt`: what a catalog in the output folder says becomes the configuration's.
struct AdoptedCatalog {
  /// The keys that `decal.json` gets.
  private var members: [JSONValue.Member] = []
  private let place: String
  private let old: [UInt8]?

  /// Takes order and labels, and name and grid size where nobody set them, into a request; nil where there is no catalog.
  init?(_ request: inout BuildRequest, _ arguments: Arguments, _ context: Context) {
    // Where it is a link, what it leads to is edited.
    let file = Path.join(request.root, "decal.json")
    place = (try? context.disk.canonicalPath(file)) ?? file
    old = request.file == nil ? nil : try? context.disk.read(place)
    let keys = AdoptedCatalog.keys(old)
    let before = request.configuration
    let output = Path.join(request.root, before.output)
    do throws(BuildRefusal) {
      guard let found = try FoundCatalog(in: output, named: before.name, on: context.disk) else { return nil }
      take(found, into: &request, arguments, keys)
    } catch {
      request.diagnostics += error.diagnostics
    }
  }

  private mutating func take(
    _ found: FoundCatalog, into request: inout BuildRequest, _ arguments: Arguments, _ keys: Set<String>
  ) {
    let before = request.configuration
    request.configuration = found.adopted(
      by: before, setsName: arguments.name == nil && !keys.contains("name"),
      setsGrid: arguments.grid == nil && !keys.contains("grid"))
    request.diagnostics += found.missing.map {
      Diagnostic(
        .note, path: nil, "the catalog lists \"\($0)\", which is not in it; it is left out of the order", id: "adopted")
    }
    let new = request.configuration
    if old == nil {
      members = [.init("stickers", .array(new.stickers.map(JSONValue.string))), .init("output", .string(new.output))]
      if let master = new.icon.master { members.append(.init("icon", .string(master))) }
    }
    if !keys.contains("name") { members.append(.init("name", .string(new.name))) }
    if !keys.contains("grid") { members.append(.init("grid", .string(new.grid.rawValue))) }
    if !keys.contains("order") { members.append(.init("order", .array(new.order.map(JSONValue.string)))) }
    if !keys.contains("labels"), !new.labels.isEmpty {
      let labels = new.labels.sorted { Path.precedes($0.key, $1.key) }
      members.append(.init("labels", .object(labels.map { .init($0.key, .string($0.value)) })))
    }
  }

  private static func keys(_ text: [UInt8]?) -> Set<String> {
    guard let text, case .object(let members)? = try? JSONValue(parsing: text, comments: true) else { return [] }
    return Set(members.map(\.key))
  }

  /// Writes the keys into `decal.json`, whose other lines stay; answers what was done, or why not.
  func write(_ context: Context) -> Diagnostic {
    let names = members.map(\.key).joined(separator: ", ")
    guard let text = Configuration.text(old, adding: members) else {
      return Diagnostic(
        .warning, path: "decal.json", "\(names) of the adopted catalog could not be put in; write them there",
        id: "adopted")
    }
    do throws(DiskError) {
      context.disk.removeAbandoned(in: Path.parent(place))
      if !members.isEmpty { try context.disk.write(text, to: place) }
      return Diagnostic(
        .note, path: "decal.json",
        members.isEmpty ? "says all that the catalog says" : "now has \(names) of the catalog",
        id: "adopted")
    } catch {
      return Diagnostic(.error, path: "decal.json", error.message, id: "cannot-write")
    }
  }
}
