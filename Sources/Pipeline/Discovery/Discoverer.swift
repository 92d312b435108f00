import AssetCatalog
import Codecs
import Imaging

/// Walks art folders and finds what becomes a sticker.
///
/// Each folder and each file is used once, however many links lead to it. System files and hidden ones are passed over,
/// and so are Decal's own output and asset catalogs.
struct Discoverer {
  /// The disk.
  let disk: any Disk
  /// The folder that relative paths start from.
  let root: String
  /// Bounds on headers that are read to tell frames from stickers.
  let limits: DecodeLimits

  /// The pack, for what sidecars may say.
  var pack = Configuration()
  /// What the header of an image says; nil where it cannot be read.
  var header: (String) -> HeaderFacts?

  var found = Discovery()
  var refusals: [Diagnostic] = []
  var visited: Set<FileIdentity> = []
  var excluded: Set<FileIdentity> = []

  init(disk: any Disk, root: String, limits: DecodeLimits = DecodeLimits()) {
    self.disk = disk
    self.root = root
    self.limits = limits
    header = { location in
      guard (try? disk.checkSize(of: location, limits)) != nil, let bytes = try? disk.read(location) else { return nil }
      return HeaderFacts(bytes, limits: limits)
    }
  }

  /// Finds the art of files and folders, in the order in which they are given and natural order below them.
  ///
  /// `excluding` are files and folders that are no art though they lie inside: the output and the master icons.
  /// `asFrames` takes a folder that is given as the frames of one animation. Throws `BuildRefusal` with everything that
  /// is missing or cannot be read.
  mutating func discover(_ inputs: [String], excluding: [String] = [], asFrames: Bool = false) throws(BuildRefusal)
    -> Discovery
  {
    for path in excluding {
      if let status = try? disk.status(Path.join(root, path), followLinks: true) {
        excluded.insert(FileIdentity(status))
      }
    }
    for input in inputs { visit(input: input, asFrames: asFrames) }
    guard refusals.isEmpty else { throw BuildRefusal(refusals) }
    markCollisions(in: &found.assets)
    return found
  }

  private mutating func visit(input: String, asFrames: Bool) {
    let path = input.count > 1 && input.hasSuffix("/") ? String(input.dropLast()) : input
    let before = found.assets.count
    let file = SourceFile(location: Path.join(root, path), path: path)
    do throws(DiskError) {
      guard let status = try disk.status(file.location, followLinks: true) else {
        return refuse(path, "there is no such file or folder; check the path", "missing-input")
      }
      switch status.kind {
      case .directory:
        if excluded.contains(FileIdentity(status)) {
          return refuse(path, "art folder and output folder are one; choose another output", "output-is-input")
        }
        let isSequence = asFrames || FolderName(path).isForced
        guard visited.insert(FileIdentity(status)).inserted else { return }
        let names = try disk.list(file.location)
        walk(ArtFolder(file: file, isInput: true, isForced: isSequence), names: names)
      case .file:
        guard visited.insert(FileIdentity(status)).inserted else { return }
        var candidate = Candidate(file: file, name: Path.name(path))
        candidate.kind = ContentKind(prefix: try disk.readPrefix(file.location, count: ContentKind.prefixLength))
        candidate.problem = candidate.kind.problem(path: path)
        add(candidate)
      case .link, .other:
        refuse(path, "neither a file nor a folder", "missing-input")
      }
      attachSidecar(ofInput: path, since: before)
    } catch {
      refuse(path, error.message, "unreadable")
    }
  }

  private mutating func refuse(_ path: String, _ message: String, _ id: String) {
    refusals.append(Diagnostic(.error, path: path, message, id: id))
  }

  /// Says something about a path.
  mutating func tell(_ severity: Severity, _ path: String, _ message: String, _ id: String) {
    found.diagnostics.append(Diagnostic(severity, path: path, message, id: id))
  }
}

/// Which file it is, whatever its name.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
  }
}

/// A folder being walked.
struct ArtFolder {
  var file: SourceFile
  /// Whether it was given, not found.
  var isInput: Bool
  /// Whether its pictures are one animation by its name or by what was asked.
  var isForced: Bool
}

/// A file that may be art.
struct Candidate {
  var file: SourceFile
  var name: String
  var isLink = false
  var kind = ContentKind.image
  var problem: Diagnostic?
}

/// A folder's name and what it says.
struct FolderName {
  /// The name without `.frames`.
  let stem: String
  /// Whether it ends in `.frames`.
  let isForced: Bool

  init(_ path: String) {
    let name = Path.name(path)
    let (stem, suffix) = Path.split(name)
    isForced = suffix.lowercased() == "frames"
    self.stem = isForced ? stem : name
  }

  /// Catalogs of Xcode: finished, and no art.
  var isCatalog: Bool {
    ["xcstickers", "xcassets", "stickerpack", "stickersiconset", "appiconset"].contains(
      Path.split(stem).suffix.lowercased())
  }
}

extension Discoverer {
  private mutating func walk(_ folder: ArtFolder, names: [String]) {
    var files: [Candidate] = []
    var folders: [(name: String, file: SourceFile)] = []
    for name in names.naturallySorted(by: { $0 }) where !SystemNames.contains(name) {
      let file = SourceFile(location: Path.join(folder.file.location, name), path: Path.join(folder.file.path, name))
      guard let (kind, isLink) = kind(of: file) else { continue }
      if kind == .directory { folders.append((name, file)) }
      if kind == .other {
        tell(
          .warning, file.path, "a pipe, socket or device is no art; skipped, take it out of the folder", "special-file")
      }
      if kind == .file { files.append(Candidate(file: file, name: name, isLink: isLink)) }
    }
    var sidecars = sidecars(&files, folders: folders.map(\.name))
    recognize(&files, in: folder)
    let missing = placeholders(names, in: folder)
    if !missing.isEmpty { files = (files + missing).naturallySorted(by: \.name) }
    let sequence = frames(files, in: folder)
    if sequence == nil { files = largestScales(files) }
    // Files and folders of one folder are in one order.
    var entries = folders.map { (name: $0.name, folder: Optional($0.file), file: Candidate?.none) }
    if let sequence {
      found.assets.append(sequence)
    } else {
      entries += files.map { (name: $0.name, folder: nil, file: $0) }
    }
    for entry in entries.naturallySorted(by: \.name) {
      let before = found.assets.count
      if let file = entry.file { add(file) }
      if let subfolder = entry.folder { descend(subfolder, name: entry.name, isInsideFrames: folder.isForced) }
      if let file = entry.file?.file ?? entry.folder { attach(&sidecars, to: file, since: before) }
    }
    tell(unused: sidecars)
  }

  private mutating func descend(_ file: SourceFile, name: String, isInsideFrames: Bool) {
    let folderName = FolderName(name)
    if isInsideFrames {
      return tell(.warning, file.path, "a folder inside a folder of frames is passed over", "skipped")
    }
    do throws(DiskError) {
      guard let status = try disk.status(file.location, followLinks: true),
        !excluded.contains(FileIdentity(status)), visited.insert(FileIdentity(status)).inserted
      else { return }
      if folderName.isCatalog { return tell(.note, file.path, "an asset catalog is no art and was skipped", "skipped") }
      let names = try disk.list(file.location)
      let before = found.assets.count
      walk(ArtFolder(file: file, isInput: false, isForced: folderName.isForced), names: names)
      if found.assets.count == before, hasImageSuffix(name) {
        let problem = Diagnostic(
          .error, path: file.path, "a folder, not an image; rename it or remove it", id: "not-an-image")
        found.assets.append(
          SourceAsset(
            name: CatalogName.sanitized(Path.split(name).stem), path: file.path, content: .file(file), problem: problem)
        )
      }
    } catch {
      tell(.error, file.path, error.message, "unreadable")
    }
  }

  /// What a path is, links followed; tells of what cannot be followed or named.
  private mutating func kind(of file: SourceFile) -> (kind: FileKind, isLink: Bool)? {
    do throws(DiskError) {
      let status = try disk.status(file.location, followLinks: false)
      if let status, status.kind != .link { return (status.kind, false) }
      if status != nil {
        if let target = try disk.status(file.location, followLinks: true) { return (target.kind, true) }
        tell(.warning, file.path, "a symbolic link that leads nowhere; repair it or remove it", "broken-link")
      } else if file.path.contains("\u{fffd}") {
        tell(.error, file.path, "the name is not UTF-8; rename it", "bad-name")
      }
    } catch {
      tell(.error, file.path, error.message, "unreadable")
    }
    return nil
  }
}
