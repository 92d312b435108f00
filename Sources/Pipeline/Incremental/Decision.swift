/// Whether a job's result of before is right, or why it must be made.
public enum Decision: Sendable, Hashable {
  /// What is there is what would be made.
  case upToDate
  /// It must be made, for this reason.
  case build(Reason)
}

/// Why a job's result of before does not do.
public enum Reason: Sendable, Hashable {
  /// Nothing is known of an earlier build of this output.
  case noLog
  /// The last build did not have it.
  case new
  /// All is made again because that was asked for.
  case forced
  /// Decal or one of its libraries is another version.
  case tool
  /// These files have other bytes.
  case changed([String])
  /// These files came.
  case added([String])
  /// These files went.
  case removed([String])
  /// These options are other ones: `padding 0 -> 12`.
  case options([String])
  /// The finished file is not there.
  case missing(String)
  /// The finished file is not what was written.
  case edited(String)
  /// It failed in a way that may pass.
  case failedBefore

  /// The reason in a few words.
  public var text: String {
    switch self {
    case .noLog: "no record of an earlier build"
    case .new: "new"
    case .forced: "--force"
    case .tool: "decal or a library has another version"
    case .changed(let paths): "\(Reason.some(paths)) changed"
    case .added(let paths): "\(Reason.some(paths)) came"
    case .removed(let paths): "\(Reason.some(paths)) went"
    case .options(let changes): Reason.some(changes)
    case .missing(let path): "\(path) is not there"
    case .edited(let path): "\(path) is not what was written"
    case .failedBefore: "it failed before"
    }
  }

  private static func some(_ texts: [String]) -> String {
    texts.prefix(4).joined(separator: ", ") + (texts.count > 4 ? ", …" : "")
  }
}

/// Where a job's result came from.
public enum JobOrigin: String, Sendable {
  /// It was there.
  case kept
  /// An earlier build's work was in the cache.
  case cached
  /// The work was done.
  case pressed
  /// Nothing was done: it was only asked what would be.
  case planned
}

/// What was decided of one job.
public struct JobReport: Sendable, Hashable {
  /// The sticker's or icon set's name.
  public var name: String
  /// Whether and why it had to be made.
  public var decision: Decision
  /// Where the result came from.
  public var origin: JobOrigin
}

extension Reason {
  /// Why a job is not that of a record; nil where all is alike.
  static func between(_ old: [JobInput], _ new: [JobInput], recipes: (old: String, new: CanonicalText), art: String)
    -> Reason?
  {
    func paths(_ names: [String]) -> [String] { names.map { Path.join(art, $0) } }
    let before = Dictionary(old.map { (PathKey($0.name), $0.digest) }, uniquingKeysWith: { first, _ in first })
    let now = Set(new.map { PathKey($0.name) })
    let added = new.filter { before[PathKey($0.name)] == nil }.map(\.name)
    if !added.isEmpty { return .added(paths(added)) }
    let removed = old.filter { !now.contains(PathKey($0.name)) }.map(\.name)
    if !removed.isEmpty { return .removed(paths(removed)) }
    let changed = new.filter { before[PathKey($0.name)] != $0.digest }.map(\.name)
    if !changed.isEmpty { return .changed(paths(changed)) }
    let options = recipes.new.changes(since: CanonicalText(text: recipes.old))
    return options.isEmpty ? nil : .options(options)
  }
}
