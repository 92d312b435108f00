import Codecs
import Imaging

/// What a build of an output made of one sticker; there is one of it, however many lists it is in.
final class StickerRecord: Sendable {
  /// The sticker's name.
  let name: String
  /// The source, as the user knows it.
  let source: String
  /// What it was made from.
  let inputs: [JobInput]
  /// How, as text.
  let recipe: String
  /// All of that.
  let fingerprint: Fingerprint
  /// The file, relative to the output folder.
  let path: String
  /// What came of it.
  let outcome: StickerOutcome

  init(
    name: String, source: String, inputs: [JobInput], recipe: String, fingerprint: Fingerprint, path: String,
    outcome: StickerOutcome
  ) {
    (self.name, self.source, self.inputs, self.recipe) = (name, source, inputs, recipe)
    (self.fingerprint, self.path, self.outcome) = (fingerprint, path, outcome)
  }
}

/// What the last build made of the icons.
struct IconRecord: Sendable {
  /// The masters.
  var inputs: [JobInput]
  /// How, as text.
  var recipe: String
  /// All of that.
  var fingerprint: Fingerprint
  /// What came of it.
  var outcome: IconOutcome
}

/// What the last build of an output folder saw, made and said: one file in the state folder.
///
/// The laws:
/// 1. It decides only how much work is spared, never what is made: without it the same bytes come out.
/// 2. One that is damaged, or of another version of Decal, counts as none.
/// 3. It is written last, when all that it says is true.
struct BuildLog: Sendable {
  /// Who wrote it.
  var tool: ToolIdentity
  /// The configuration and all other options.
  var options: Digest
  /// Whether a build that sees the same says and leaves the same.
  var isReplayable: Bool
  /// What was seen, sorted.
  var files: SeenFiles
  /// The stickers, in the order of the plan; those that had a problem before they were read are left out.
  var stickers: [StickerRecord]
  /// The icons.
  var icons: IconRecord?
  /// What the build came to.
  var summary: BuildSummary

  /// The beginning of the file; the number is raised where its layout changes.
  static let kind = "decal log 2\n"
}

extension BuildLog {
  /// The bytes; paths are kept relative to `root` where they lie below it.
  ///
  /// What is needed to find that nothing changed comes first, so that no more has to be taken apart then.
  func bytes(root: String, masters: [String]) -> FileBytes {
    FileBytes { put in
      StateWriter.seal(BuildLog.kind, to: put) { write(root: LogRoot(root), masters: masters, to: $0) }
    }
  }

  private func write(root: LogRoot, masters: [String], to take: ([UInt8]) -> Void) {
    var writer = StateWriter()
    writer.put(tool.text)
    writer.put(options)
    writer.put(isReplayable)
    writer.put(BriefSummary(summary))
    writer.put(files, below: root, flush: take)
    let recipes = Array(Set(stickers.map(\.recipe))).sorted(by: Path.precedes)
    let places = Dictionary(uniqueKeysWithValues: recipes.enumerated().map { ($1, $0) })
    writer.put(recipes) { $0.put($1) }
    writer.put(stickers) { writer, sticker in
      writer.put(sticker.name)
      writer.put(sticker.source)
      writer.put(sticker.inputs) { $0.put($1) }
      writer.put(places[sticker.recipe] ?? 0)
      writer.put(sticker.fingerprint.digest)
      writer.put(sticker.path)
      writer.put(sticker.outcome, below: Path.parent(sticker.source))
      writer.flush(to: take)
    }
    writer.put(icons) { writer, icons in
      writer.put(icons.inputs) { $0.put($1) }
      writer.put(icons.recipe)
      writer.put(icons.fingerprint.digest)
      writer.put(icons.outcome, masters: masters)
    }
    writer.put(summary.diagnostics) { writer, diagnostic in
      writer.put(diagnostic, below: ".")
      writer.flush(to: take)
    }
    writer.put((summary.written + summary.unchanged).sorted(by: Path.precedes)) { writer, path in
      writer.put(path)
      writer.flush(to: take)
    }
    writer.flush(atLeast: 0, to: take)
  }

  /// Reads the bytes; `disk` has the output folder, from which finished files are taken.
  init(_ bytes: [UInt8], root: String, output: String, masters: [String], disk: any Disk) throws(StateDamage) {
    self = try LogFile(bytes, root: root).all(output: output, masters: masters, disk: disk)
  }
}

/// What a build came to, in short.
struct BriefSummary: Sendable {
  /// The icon files.
  var icons: Int
  /// All stickers.
  var stickers: Int
  /// Those that were made.
  var made: Int
  /// Warnings and errors.
  var problems: [Diagnostic]

  init(icons: Int, stickers: Int, made: Int, problems: [Diagnostic]) {
    (self.icons, self.stickers, self.made, self.problems) = (icons, stickers, made, problems)
  }

  init(_ summary: BuildSummary) {
    self.init(
      icons: summary.icons, stickers: summary.stickerCount, made: summary.madeCount,
      problems: summary.diagnostics.filter { $0.severity != .note })
  }
}

/// A log's file, taken apart as far as is needed to find that nothing changed.
struct LogFile: Sendable {
  let tool: ToolIdentity
  let options: Digest
  let isReplayable: Bool
  let brief: BriefSummary
  let files: SeenFiles
  private let rest: StateReader

  init(_ bytes: [UInt8], root: String) throws(StateDamage) {
    var reader = try StateReader(bytes, kind: BuildLog.kind)
    tool = ToolIdentity(text: try reader.string())
    options = try reader.digest()
    isReplayable = try reader.flag()
    brief = try reader.briefSummary()
    files = try reader.seenFiles(LogRoot(root))
    rest = reader
  }

  /// All of it; `disk` has the output folder, from which finished files are taken.
  func all(output: String, masters: [String], disk: any Disk) throws(StateDamage) -> BuildLog {
    var reader = rest
    let recipes = try reader.list { reader throws(StateDamage) in try reader.string() }
    let stickers = try reader.list { reader throws(StateDamage) in
      let (name, source) = (try reader.string(), try reader.string())
      let inputs = try reader.list { reader throws(StateDamage) in try reader.jobInput() }
      let recipe = try reader.int()
      guard recipes.indices.contains(recipe) else { throw StateDamage() }
      let fingerprint = Fingerprint(try reader.digest())
      let path = try reader.string()
      let outcome = try reader.stickerOutcome(below: Path.parent(source)) { () throws(DiskError) in
        try disk.read(Path.join(output, path))
      }
      return StickerRecord(
        name: name, source: source, inputs: inputs, recipe: recipes[recipe], fingerprint: fingerprint, path: path,
        outcome: outcome)
    }
    let icons = try reader.optional { reader throws(StateDamage) in
      IconRecord(
        inputs: try reader.list { reader throws(StateDamage) in try reader.jobInput() },
        recipe: try reader.string(), fingerprint: Fingerprint(try reader.digest()),
        outcome: try reader.iconOutcome(masters: masters) { path throws(DiskError) in
          try disk.read(Path.join(output, path))
        })
    }
    var summary = BuildSummary(brief)
    summary.diagnostics = try reader.diagnostics(below: ".")
    summary.unchanged = try reader.list { reader throws(StateDamage) in try reader.string() }
    summary.stickers = stickers.map { StickerResult($0) }
    return BuildLog(
      tool: tool, options: options, isReplayable: isReplayable, files: files, stickers: stickers, icons: icons,
      summary: summary)
  }
}

extension BuildSummary {
  /// What is known of it in short: no sticker by itself, no note.
  init(_ brief: BriefSummary) {
    self.init()
    (icons, stickerCount, madeCount, diagnostics) = (brief.icons, brief.stickers, brief.made, brief.problems)
  }
}

/// The folder that a log's paths are relative to.
struct LogRoot {
  private let prefix: [UInt8]
  private let root: String

  init(_ root: String) {
    self.root = root
    let isHere = root.isEmpty || root == "."
    prefix = isHere ? [] : Array((root.utf8.last == UInt8(ascii: "/") ? root : root + "/").utf8)
  }

  /// A path as the log has it.
  func split(_ path: String) -> (isBelow: Bool, rest: String) {
    if path.utf8.starts(with: prefix), prefix.count < path.utf8.count,
      prefix.count > 0 || !path.utf8.starts(with: "/".utf8)
    {
      return (true, String(Substring(path.utf8.dropFirst(prefix.count))))
    }
    return Path.same(path, root) ? (true, ".") : (false, path)
  }

  func join(_ isBelow: Bool, _ rest: String) -> String { isBelow ? Path.join(root, rest) : rest }
}

extension StateWriter {
  fileprivate mutating func put(_ input: JobInput) {
    put(input.name)
    put(input.digest)
  }

  fileprivate mutating func put(_ brief: BriefSummary) {
    put(brief.icons)
    put(brief.stickers)
    put(brief.made)
    put(brief.problems, below: ".")
  }

  /// Sorted paths share their beginnings with the ones before.
  fileprivate mutating func put(_ files: SeenFiles, below root: LogRoot, flush take: ([UInt8]) -> Void) {
    var last: [UInt8] = []
    put(files) { writer, file in
      let (isBelow, rest) = root.split(file.path)
      let path = Array(rest.utf8)
      let shared = zip(last, path).prefix { $0 == $1 }.count
      last = path
      writer.put(isBelow)
      writer.put(shared)
      writer.put(Array(path[shared...]))
      writer.put(file)
      writer.flush(to: take)
    }
  }

  fileprivate mutating func put(_ file: SeenFile) {
    put(file.isLink)
    put(file.isSettled)
    put(file.stamp) { writer, stamp in
      writer.put(FileKind.all.firstIndex(of: stamp.kind) ?? 0)
      writer.put(stamp.size)
      writer.put(stamp.modified)
      writer.put(stamp.changed)
      writer.put(Int(bitPattern: UInt(stamp.inode)))
    }
    put(file.digest) { $0.put($1) }
    put(file.prefix) { $0.put($1) }
    put(file.header) { writer, header in
      writer.put(header.width)
      writer.put(header.height)
      writer.put(header.frames)
      writer.put(header.pixelBytes)
    }
    put(file.names) { $0.put($1) }
  }
}

extension StateReader {
  fileprivate mutating func jobInput() throws(StateDamage) -> JobInput {
    JobInput(name: try string(), digest: try digest())
  }

  fileprivate mutating func briefSummary() throws(StateDamage) -> BriefSummary {
    BriefSummary(icons: try int(), stickers: try int(), made: try int(), problems: try diagnostics(below: "."))
  }

  fileprivate mutating func seenFiles(_ root: LogRoot) throws(StateDamage) -> SeenFiles {
    var files = SeenFiles()
    var path: [UInt8] = []
    _ = try list { reader throws(StateDamage) in
      let isBelow = try reader.flag()
      let shared = try reader.int()
      guard 0...path.count ~= shared else { throw StateDamage() }
      path.removeSubrange(shared...)
      try reader.blob(onto: &path)
      files.append(try reader.seenFile(root.join(isBelow, String(decoding: path, as: UTF8.self))))
    }
    return files
  }

  fileprivate mutating func seenFile(_ path: String) throws(StateDamage) -> SeenFile {
    let (isLink, isSettled) = (try flag(), try flag())
    let stamp = try optional { reader throws(StateDamage) in
      let kind = try reader.int()
      guard FileKind.all.indices.contains(kind) else { throw StateDamage() }
      return FileStamp(
        FileStatus(
          kind: FileKind.all[kind], size: try reader.int(), modified: try reader.int(), changed: try reader.int(),
          device: 0, inode: UInt64(UInt(bitPattern: try reader.int()))))
    }
    return SeenFile(
      path: path, isLink: isLink, stamp: stamp, isSettled: isSettled,
      digest: try optional { reader throws(StateDamage) in try reader.digest() },
      prefix: try optional { reader throws(StateDamage) in try reader.blob() },
      header: try optional { reader throws(StateDamage) in
        HeaderFacts(
          width: try reader.int(), height: try reader.int(), frames: try reader.int(), pixelBytes: try reader.int())
      },
      names: try optional { reader throws(StateDamage) in try reader.digest() })
  }
}

extension FileKind {
  /// In the order of their numbers in the log.
  fileprivate static let all: [FileKind] = [.file, .directory, .link, .other]
}
