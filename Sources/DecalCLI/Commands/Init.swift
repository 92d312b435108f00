import AssetCatalog
import Pipeline

/// `decal init`.
func performInit(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  let reporter = Reporter(context, arguments)
  var session = InitSession(root: context.path(arguments.operands.first ?? ""), disk: context.disk)
  do throws(DiskError) {
    let pack = try session.survey(arguments, context)
    guard session.problems.isEmpty else { return session.refuse(reporter) }
    try session.write(pack.files(xcode: arguments.xcode))
  } catch {
    session.problems = [Diagnostic(.error, path: error.path, error.message, id: "cannot-\(error.operation)")]
    _ = session.refuse(reporter)
    return .assetFailed
  }
  guard session.problems.isEmpty else { return session.refuse(reporter) }
  session.report(arguments, reporter)
  return arguments.werror && !session.warnings.isEmpty ? .assetFailed : .success
}

/// One run of `decal init`.
private struct InitSession {
  let root: String
  let disk: any Disk
  var problems: [Diagnostic] = []
  /// Paths of files that were written, that were the same already, and that are others and stay.
  var written: [String] = []
  var same: [String] = []
  var kept: [String] = []
  /// What was typed and changes nothing, as `decal.json` says something else.
  private var ignored: [Diagnostic] = []

  init(root: String, disk: any Disk) { (self.root, self.disk) = (root, disk) }

  mutating func fail(_ path: String?, _ message: String, _ id: String) {
    problems.append(Diagnostic(.error, path: path, message, id: id))
  }

  /// Looks at what is there; `problems` has what keeps the work from its beginning.
  mutating func survey(_ arguments: Arguments, _ context: Context) throws(DiskError) -> StarterPack {
    let typed = arguments.operands.first ?? ""
    var configuration = Configuration()
    let file = Path.join(root, "decal.json")
    let isConfigured = try disk.status(file, followLinks: false) != nil
    if isConfigured {
      let parsed = Configuration.parse(try disk.read(file), file: Path.join(typed, "decal.json"))
      problems += parsed.diagnostics.filter { $0.severity == .error }
      configuration = parsed.configuration
      ignore("name", arguments.name, kept: configuration.name)
      ignore("grid", arguments.grid?.rawValue, kept: configuration.grid.rawValue)
    } else {
      configuration.name = arguments.name ?? folderName(context) ?? configuration.name
      configuration.grid = arguments.grid ?? configuration.grid
    }
    let name = configuration.name
    if arguments.xcode, name.contains("$(") || name.contains("${") {
      fail("name", "\"\(name)\" has what Xcode takes for a variable; leave out $( and ${", "bad-name")
    }
    if arguments.xcode, configuration.output.hasPrefix("/") {
      fail(
        "output", "\(configuration.output) is absolute, and a project has no absolute path; use a relative one",
        "config-value")
    }
    let art = Path.join(root, "art")
    let isFolder = try disk.status(art, followLinks: true)?.kind == .directory
    let hasArt = isFolder ? try !disk.list(art).isEmpty : false
    return StarterPack(
      name: name, grid: configuration.grid, output: configuration.output, isConfigured: isConfigured, hasArt: hasArt)
  }

  private mutating func ignore(_ key: String, _ typed: String?, kept: String) {
    guard let typed, typed != kept else { return }
    let message = "the \(key) is \"\(kept)\" there, and stays; to have \"\(typed)\" edit it there"
    ignored.append(Diagnostic(.warning, path: "decal.json", message, id: "kept"))
  }

  /// The folder's own name, where it can be a pack's.
  private func folderName(_ context: Context) -> String? {
    guard let path = try? disk.canonicalPath(root.isEmpty ? "." : root) else { return nil }
    return ValueReader.folderName.read(.string(Path.name(path)))
  }

  /// Writes what is not there, or nothing: where one cannot be written those before it go again.
  mutating func write(_ files: [StarterFile]) throws(DiskError) {
    var missing: [StarterFile] = []
    for file in files {
      let path = Path.join(root, file.path)
      if let obstacle = try obstacle(above: file.path) {
        if !problems.contains(where: { $0.path == obstacle }) {
          fail(obstacle, "a file, where a folder is needed; move it away", "in-the-way")
        }
      } else if try disk.status(path, followLinks: false) == nil {
        missing.append(file)
      } else if (try? disk.read(path)) == file.bytes {
        same.append(file.path)
      } else {
        kept.append(file.path)
      }
    }
    guard problems.isEmpty else { return }
    var folders: [String] = []
    do throws(DiskError) {
      for file in missing {
        folders += try makeFolders(for: file.path)
        try disk.write(file.bytes, to: Path.join(root, file.path))
        written.append(file.path)
      }
    } catch {
      for path in written { try? disk.removeFile(Path.join(root, path)) }
      for folder in folders.reversed() { _ = try? disk.removeDirectoryIfEmpty(folder) }
      throw error
    }
  }

  /// What stands above a path and is no folder.
  private func obstacle(above path: String) throws(DiskError) -> String? {
    for folder in ancestors(path) {
      if let status = try disk.status(folder, followLinks: true), status.kind != .directory { return folder }
    }
    return nil
  }

  /// The folders above a path of the pack, the outermost first, and the pack's own.
  private func ancestors(_ path: String) -> [String] {
    var folders: [String] = []
    var folder = Path.parent(Path.join(root.isEmpty ? "." : root, path))
    while folder != ".", folder != "/" {
      folders.append(folder)
      folder = Path.parent(folder)
    }
    return folders.reversed()
  }

  /// Makes the folders above a path; answers those that were not there.
  private func makeFolders(for path: String) throws(DiskError) -> [String] {
    var made: [String] = []
    for folder in ancestors(path) where try disk.status(folder, followLinks: true) == nil {
      try disk.createDirectory(folder)
      made.append(folder)
    }
    return made
  }
}

extension InitSession {
  func refuse(_ reporter: Reporter) -> ExitCode {
    if reporter.json { reporter.io.standardOutput(document.serialized(.pretty)) }
    problems.forEach(reporter.show)
    return .usage
  }

  /// Tells what was done and what to do next.
  func report(_ arguments: Arguments, _ reporter: Reporter) {
    if arguments.json { return reporter.io.standardOutput(document.serialized(.pretty)) }
    warnings.forEach(reporter.show)
    written.forEach { reporter.say("wrote \($0)") }
    if written.isEmpty { reporter.say("nothing to write: all is there") }
    let folder = arguments.operands.first
    let build = "decal build" + (folder.map { " " + InitSession.shellQuoted($0) } ?? "")
    let project = written.first { $0.hasSuffix("/project.pbxproj") }.map(Path.parent)
    reporter.say("next: \(build)" + (project.map { ", then open \($0)" } ?? ""))
  }

  /// What is not as one might expect.
  var warnings: [Diagnostic] {
    ignored + kept.map { Diagnostic(.warning, path: $0, "is there already and was kept", id: "kept") }
  }

  private var document: JSONValue {
    func list(_ paths: [String]) -> JSONValue { .array(paths.map(JSONValue.string)) }
    return .object([
      .init("command", .string("init")), .init("version", .string(decalVersion)), .init("ok", .bool(problems.isEmpty)),
      .init("written", list(written)), .init("unchanged", list(same)), .init("kept", list(kept)),
      .init("diagnostics", .array((problems + ignored).map(\.json))),
    ])
  }

  /// A word as the shell takes it.
  private static func shellQuoted(_ path: String) -> String {
    let word = path.hasPrefix("-") ? "./" + path : path
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
