import AssetCatalog

/// What is no longer needed, and what is not Decal's.
extension Publisher {
  /// What is Decal's and nothing makes any more, in the order of removal: descriptions from the outside in, then the rest.
  func stalePaths(_ publication: Publication, _ structure: [OutputFile]) -> [String] {
    var needed = Set((structure.map(\.path) + publication.carried.map(\.path)).map(PathKey.init))
    for (group, outcome) in zip(publication.groups, report.outcomes) {
      if case .refused = outcome { continue }
      needed.formUnion(group.files.map { PathKey($0.path) })
    }
    let stale = ownership.paths.filter { !needed.contains(PathKey($0)) }
    let isContents = { (path: String) in Path.name(path) == CatalogLayout.contents }
    let depth = { (path: String) in Path.components(path).count }
    return stale.filter(isContents).sorted { (depth($0), $0) < (depth($1), $1) } + stale.filter { !isContents($0) }
  }

  mutating func remove(_ path: String) {
    let state = ownership.state(of: path, for: nil)
    switch state {
    case .same, .foreign: return
    case .absent:
      // A build that was killed may have taken the file and left its folder.
      try? removeEmptyFolders(above: path)
    case .edited where !force:
      report.diagnostics.append(
        Diagnostic(
          .warning, path: path, "edited since decal wrote it, and no longer made: it is kept and yours now",
          id: "edited-output"))
    case .ours, .edited:
      guard !isWritten(path) else { return }
      do throws(DiskError) {
        try disk.removeFile(location(path))
        report.removed.append(path)
        try removeEmptyFolders(above: path)
      } catch {
        stuck += previous.files.filter { Path.same($0.path, path) }
        report.diagnostics.append(Diagnostic(writing: error))
      }
    }
  }

  func removeEmptyFolders(above path: String) throws(DiskError) {
    var folder = Path.parent(path)
    while folder != ".", try disk.removeDirectoryIfEmpty(location(folder)) { folder = Path.parent(folder) }
  }

  /// Whether a path is another spelling of a file that was written, on a file system that ignores case or normalization.
  private func isWritten(_ path: String) -> Bool {
    guard let status = try? disk.status(location(path), followLinks: false) else { return false }
    let key = CatalogName.collisionKey(path)
    return (report.written + report.unchanged).contains { other in
      guard CatalogName.collisionKey(other) == key, !Path.same(other, path) else { return false }
      let found = try? disk.status(location(other), followLinks: false)
      return found.map { FileIdentity($0) == FileIdentity(status) } ?? false
    }
  }

  /// Removes what a killed run left of files being written.
  func removeTemporaryFiles() {
    let folders = Set(ownership.paths.map { Path.parent($0) }).union(["."])
    for folder in folders {
      for name in (try? disk.list(location(folder))) ?? [] where isTemporaryName(name) {
        try? disk.removeFile(Path.join(location(folder), name))
      }
    }
  }

  /// Names what is in the catalogs and not Decal's; it is left alone.
  ///
  /// The files come sorted by their paths.
  mutating func tellForeign(_ known: [ManifestFile], kept: [String]) {
    let kept = Set(kept.map(PathKey.init))
    for folder in [CatalogLayout.catalog, CatalogLayout.appIconSet] { tellForeign(in: folder, known, kept) }
  }

  private mutating func tellForeign(in folder: String, _ known: [ManifestFile], _ kept: Set<PathKey>) {
    guard known.lists(folder) else { return }
    for name in ((try? disk.list(location(folder))) ?? []).sorted(by: Path.precedes) {
      let path = folder + "/" + name
      guard !SystemNames.contains(name), !kept.contains(PathKey(path)) else { continue }
      if known.lists(path) {
        if (try? disk.status(location(path), followLinks: false))?.kind == .directory {
          tellForeign(in: path, known, kept)
        }
      } else {
        let isPack = Path.split(name).suffix.lowercased() == "stickerpack"
        let message =
          isPack
          ? "a second sticker pack, not written by decal; Xcode takes one only, move it away"
          : "not written by decal; left alone, and not in the pack"
        report.diagnostics.append(Diagnostic(.warning, path: path, message, id: "foreign-file"))
      }
    }
  }
}

extension [ManifestFile] {
  /// Whether one of these, sorted by their paths, is at a path or below it.
  fileprivate func lists(_ path: String) -> Bool {
    func first(from path: String) -> ManifestFile? {
      var (low, high) = (startIndex, endIndex)
      while low < high {
        let middle = (low + high) / 2
        if Path.precedes(self[middle].path, path) { low = middle + 1 } else { high = middle }
      }
      return low < endIndex ? self[low] : nil
    }
    let folder = path + "/"
    return first(from: path).map { Path.same($0.path, path) } ?? false
      || first(from: folder).map { $0.path.utf8.starts(with: folder.utf8) } ?? false
  }
}
