import Pipeline

/// What a `build` command line means: the files it named were looked up.
struct BuildRequest {
  /// The folder that paths of the configuration are relative to.
  var root: String
  /// All of it.
  var configuration: Configuration
  /// Warnings and errors of `decal.json` and between options.
  var diagnostics: [Diagnostic] = []

  /// The configuration's file, as it was typed; nil where there is none.
  var file: String?
  /// Where what spares later builds work is kept.
  var state = StateFolder(path: StateFolder.name)

  /// Looks only for where the state is.
  init(locating arguments: Arguments, _ context: Context) {
    root = context.path(arguments.operands.first ?? "")
    configuration = Configuration()
    let hasFile = (try? context.disk.status(Path.join(root, "decal.json"), followLinks: true)) != nil
    placeState(arguments, context, hasFile: hasFile)
  }

  /// `.decal` beside the configuration, or in the output where there is none.
  private mutating func placeState(_ arguments: Arguments, _ context: Context, hasFile: Bool) {
    let output = arguments.output.map(context.path) ?? Path.join(root, configuration.output)
    let folder = arguments.cacheDir.map(context.path) ?? Path.join(hasFile ? root : output, StateFolder.name)
    state = StateFolder(path: folder)
    if let size = arguments.cacheSize ?? configuration.cacheSize { state.limit = size * 1_000_000 }
  }

  /// Reads `decal.json` where there is one and puts the options over it.
  init(_ arguments: Arguments, _ context: Context) {
    let typed = arguments.operands.first ?? ""
    root = context.path(typed)
    configuration = Configuration()
    guard let file = locate(typed, arguments, context) else { return }
    if let path = file.path {
      self.file = file.shown
      read(path, shown: file.shown, context)
    } else if arguments.stickers.isEmpty {
      fail(
        "no decal.json and no --stickers; give --stickers PATH, or the folder of a pack", file.shown, "no-configuration"
      )
      return
    }
    apply(arguments, context)
    placeState(arguments, context, hasFile: file.path != nil)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    diagnostics += configuration.problems(file: file.path == nil ? "decal" : file.shown)
    configuration = configuration.resolved()
  }

  private mutating func fail(_ message: String, _ path: String?, _ id: String) {
    diagnostics.append(Diagnostic(.error, path: path, message, id: id))
  }

  /// The configuration's file, nil where there is none, and how messages name it; nil where there is no such folder.
  private mutating func locate(
    _ typed: String, _ arguments: Arguments, _ context: Context
  ) -> (path: String?, shown: String)? {
    do {
      switch try context.disk.status(root.isEmpty ? "." : root, followLinks: true)?.kind {
      case .directory:
        let path = Path.join(root, "decal.json")
        let exists = try context.disk.status(path, followLinks: true) != nil
        return exists ? (path, Path.join(typed, "decal.json")) : (nil, typed.isEmpty ? "." : typed)
      case nil:
        fail("there is no such folder; give the folder of a pack", typed, "no-such-folder")
      default:
        fail("not a folder; give the folder that holds decal.json", typed, "not-a-folder")
      }
    } catch {
      fail(error.message, typed.isEmpty ? "." : typed, "cannot-read")
    }
    return nil
  }

  private mutating func read(_ path: String, shown: String, _ context: Context) {
    do {
      if let size = try context.disk.status(path, followLinks: true)?.size, size > Configuration.maximumBytes {
        return fail("\(size) bytes, a configuration has at most \(Configuration.maximumBytes)", shown, "over-limit")
      }
      let parsed = Configuration.parse(try context.disk.read(path), file: shown)
      configuration = parsed.configuration
      diagnostics += parsed.diagnostics
    } catch {
      fail(error.message, shown, "cannot-read")
    }
  }

  private mutating func apply(_ arguments: Arguments, _ context: Context) {
    let paths = RootedPaths(root: root, context: context)
    var typed = arguments
    typed.icon.master = arguments.icon.master.map(paths.fromRoot)
    typed.icon.messages = arguments.icon.messages.map(paths.fromRoot)
    typed.icon.dark = arguments.icon.dark.map(paths.fromRoot)
    typed.icon.tinted = arguments.icon.tinted.map(paths.fromRoot)
    configuration = typed.over(configuration)
    if !arguments.stickers.isEmpty { configuration.stickers = arguments.stickers.map(paths.fromRoot) }
    if let output = arguments.output { configuration.output = paths.fromRoot(output) }
  }
}

/// Turns typed paths, relative to the working directory, into paths relative to a pack's folder.
struct RootedPaths {
  /// The folder.
  let root: String
  /// Where we are.
  let context: Context

  /// A path that names the same place, seen from the root; absolute ones stay.
  func fromRoot(_ typed: String) -> String {
    let path = context.path(typed)
    if root.isEmpty || root == "." || typed.hasPrefix("/") { return typed }
    let (inner, outer) = (Path.components(path), Path.components(root))
    if path.hasPrefix("/") == root.hasPrefix("/"), inner.starts(with: outer), !inner.contains("..") {
      return inner.count == outer.count ? "." : inner.dropFirst(outer.count).joined(separator: "/")
    }
    // The way up is only known once links are resolved; the last name stays as it was typed.
    let folder = Path.parent(path)
    guard let base = try? context.disk.canonicalPath(root), let place = try? context.disk.canonicalPath(folder) else {
      return path
    }
    let (to, from) = (Path.components(place) + [Path.name(path)], Path.components(base))
    let shared = zip(to, from).prefix { Path.same($0, $1) }.count
    return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)).joined(separator: "/")
  }
}

/// `decal build`.
func performBuild(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  let start = SystemDisk.now()
  var request = BuildRequest(arguments, context)
  let adopted = arguments.adopt ? AdoptedCatalog(&request, arguments, context) : nil
  let output = arguments.output ?? Path.join(arguments.operands.first ?? "", request.configuration.output)
  if request.diagnostics.contains(where: { $0.severity == .error }) {
    return refuse("build", request.diagnostics, output: output, Reporter(context, arguments))
  }
  return try await make(
    "build", arguments, context, limits: request.configuration.limits, output: output,
    folder: arguments.operands.first ?? "", warnings: request.diagnostics
  ) { [request] in
    var builder = $0
    builder.state = request.state
    let tools = arguments.depfile ?? arguments.stamp ?? arguments.xcfilelist
    builder.isDetailed = builder.isDetailed || tools != nil
    var summary = try await builder.build(request.configuration, root: request.root)
    guard !arguments.dryRun else { return summary }
    if arguments.opensPreview { summary.diagnostics += await context.openPreview(request, in: output) }
    if let adopted, summary.madeCount > 0 { summary.diagnostics.append(adopted.write(context)) }
    let hasFailed = (request.diagnostics + summary.diagnostics).fails(arguments)
    do throws(DiskError) {
      try context.tellBuildTools(
        summary, arguments, configuration: request.file, output: output, start: start, hasFailed: hasFailed)
    } catch {
      summary.diagnostics.append(Diagnostic(.error, path: error.path, error.message, id: "cannot-write"))
    }
    return summary
  }
}
