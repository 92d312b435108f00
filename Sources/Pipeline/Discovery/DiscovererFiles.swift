import AssetCatalog
import Codecs
import Imaging

extension Discoverer {
  /// Looks at the first bytes of files and keeps those that are art or were meant to be.
  mutating func recognize(_ files: inout [Candidate], in folder: ArtFolder) {
    var kept: [Candidate] = []
    var skipped: [String] = []
    let readable = Set(files.filter { hasImageSuffix($0.name) }.map { Path.split($0.name).stem })
    // A file's own name counts before those of links to it.
    let new = Set(
      (files.filter { !$0.isLink } + files.filter(\.isLink)).filter { isNew($0) }.map { PathKey($0.file.path) })
    for var file in files where new.contains(PathKey(file.file.path)) {
      do throws(DiskError) {
        file.kind = ContentKind(prefix: try disk.readPrefix(file.file.location, count: ContentKind.prefixLength))
        // An original beside its export is no mistake.
        let isAlone = !readable.contains(Path.split(file.name).stem)
        let isMeant = hasImageSuffix(file.name) || (file.kind.finishedArt != nil && isAlone)
        if isMeant { file.problem = file.kind.problem(path: file.file.path) }
        if !isMeant, isAlone, let art = file.kind.workingFile {
          tell(.warning, file.file.path, art.message, "working-file")
          continue
        }
        if file.kind == .image || file.problem != nil { kept.append(file) } else { skipped.append(file.name) }
      } catch {
        guard hasImageSuffix(file.name) else {
          skipped.append(file.name)
          continue
        }
        file.problem = Diagnostic(.error, path: file.file.path, error.message, id: "unreadable")
        kept.append(file)
      }
    }
    if !skipped.isEmpty {
      let shown = skipped.prefix(5).joined(separator: ", ") + (skipped.count > 5 ? ", …" : "")
      let what =
        skipped.count == 1 ? "1 file that is no art was skipped" : "\(skipped.count) files that are no art were skipped"
      tell(.note, folder.file.path, "\(what): \(shown)", "skipped")
    }
    files = kept
  }

  /// Pictures that iCloud has taken off the machine; a sticker would be missing without a word.
  func placeholders(_ names: [String], in folder: ArtFolder) -> [Candidate] {
    names.compactMap { name in
      guard let wanted = SystemNames.placeholder(name), !names.contains(wanted) else { return nil }
      let path = Path.join(folder.file.path, wanted)
      var candidate = Candidate(
        file: SourceFile(location: Path.join(folder.file.location, name), path: path), name: wanted, kind: .other)
      candidate.problem = Diagnostic(
        .error, path: path, "only in iCloud, not on this machine; download it in Finder first", id: "not-downloaded")
      return candidate
    }
  }

  /// Whether a file was not met before under another name; the output and the master icons count as met.
  private mutating func isNew(_ candidate: Candidate) -> Bool {
    guard let status = try? disk.status(candidate.file.location, followLinks: true) else { return true }
    if excluded.contains(FileIdentity(status)) { return false }
    if visited.insert(FileIdentity(status)).inserted { return true }
    tell(.note, candidate.file.path, "another name of a file that is used already; skipped", "same-file")
    return false
  }

  /// The animation that a folder's files are, or nil where they are stickers; says what was decided.
  mutating func frames(_ files: [Candidate], in folder: ArtFolder) -> SourceAsset? {
    guard !files.isEmpty else {
      if folder.isForced { tell(.warning, folder.file.path, "a folder of frames without an image", "no-frames") }
      return nil
    }
    if folder.isForced {
      let verdict = FrameSequence.judge(names: files.map(\.name), isForced: true)
      return sequence(files, in: folder, verdict: verdict)
    }
    let verdict = judge(files)
    switch verdict {
    case .frames where !folder.isInput: return sequence(files, in: folder, verdict: verdict)
    case .frames:
      tell(
        .note, folder.file.path,
        "\(files.count) numbered pictures right in the art folder are stickers; put them into a sub-folder to make them one animation",
        "sticker-group")
    case .group(let reason) where !folder.isInput && files.count > 1:
      tell(
        .note, folder.file.path,
        "\(files.count) stickers, no animation: \(reason); "
          + "name the folder \(Path.name(folder.file.path)).frames to make it one", "sticker-group")
    case .group: break
    }
    return nil
  }

  private func judge(_ files: [Candidate]) -> FrameSequence.Verdict {
    let byName = FrameSequence.judge(names: files.map(\.name))
    guard case .frames = byName else { return byName }
    return FrameSequence.judge(
      files.map { file in
        let header = header(file.file.location)
        return FrameSequence.Picture(
          name: file.name, header: header.map { (PixelSize(width: $0.width, height: $0.height), $0.frames) })
      })
  }

  private mutating func sequence(_ files: [Candidate], in folder: ArtFolder, verdict: FrameSequence.Verdict)
    -> SourceAsset
  {
    let path = folder.file.path
    let what = files.count == 1 ? "1 frame is a still" : "\(files.count) numbered frames are one animation"
    tell(.note, path, what, "frame-sequence")
    if case .frames(let missing) = verdict, !missing.isEmpty {
      let shown = missing.prefix(5).map(String.init).joined(separator: ", ") + (missing.count > 5 ? ", …" : "")
      tell(.warning, path, "numbers are missing among the frames: \(shown); check the export", "frame-gap")
    }
    return SourceAsset(
      name: CatalogName.sanitized(FolderName(path).stem), path: path, content: .frames(files.map(\.file)),
      problem: files.lazy.compactMap(\.problem).first)
  }

  /// Takes the largest of pictures that differ in `@2x` or `@3x` only.
  mutating func largestScales(_ files: [Candidate]) -> [Candidate] {
    var groups: [String: [(suffix: ScaleSuffix, file: Candidate)]] = [:]
    for file in files {
      let suffix = ScaleSuffix(stem: Path.split(file.name).stem)
      groups[suffix.name, default: []].append((suffix, file))
    }
    var smaller: Set<PathKey> = []
    for file in files {
      let suffix = ScaleSuffix(stem: Path.split(file.name).stem)
      guard let group = groups[suffix.name], group.contains(where: { $0.suffix.isPresent }),
        let largest = group.map(\.suffix.scale).max(), suffix.scale == largest
      else { continue }
      let dropped = group.filter { $0.suffix.scale < largest }.map(\.file)
      guard !dropped.isEmpty else { continue }
      smaller.formUnion(dropped.map { PathKey($0.file.path) })
      let names = dropped.map(\.name).joined(separator: ", ")
      tell(.note, file.file.path, "the largest scale is used; \(names) skipped", "scale-variants")
    }
    return files.filter { !smaller.contains(PathKey($0.file.path)) }
  }

  mutating func add(_ candidate: Candidate) {
    let stem = ScaleSuffix(stem: Path.split(candidate.name).stem).name
    let name = CatalogName.sanitized(stem)
    if !Path.same(name, stem), candidate.problem == nil {
      tell(.note, candidate.file.path, "the sticker is named \"\(name)\"", "name-changed")
    }
    found.assets.append(
      SourceAsset(name: name, path: candidate.file.path, content: .file(candidate.file), problem: candidate.problem))
  }
}
