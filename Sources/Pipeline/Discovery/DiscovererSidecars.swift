import AssetCatalog

/// The sidecars of a folder by the stem that they share with art.
struct FolderSidecars {
  fileprivate var files: [PathKey: Candidate] = [:]
}

extension Discoverer {
  /// Takes the files that lie where sidecars would out of a folder's files: JSON with the stem of another entry.
  func sidecars(_ files: inout [Candidate], folders: [String]) -> FolderSidecars {
    var found = FolderSidecars()
    guard files.contains(where: isJSON) else { return found }
    let stems = Set(
      files.filter { !isJSON($0) }.flatMap { self.stems(of: $0.name) }.map { PathKey($0) }
        + folders.map { PathKey(FolderName($0).stem) })
    files.removeAll { file in
      let stem = PathKey(Path.split(file.name).stem)
      guard isJSON(file), stems.contains(stem), found.files[stem] == nil, !isForeign(file.file) else { return false }
      found.files[stem] = file
      return true
    }
    return found
  }

  private func isJSON(_ file: Candidate) -> Bool { Path.split(file.name).suffix.lowercased() == "json" }

  /// The stem of a name, and that without `@2x`.
  private func stems(of name: String) -> [String] {
    let stem = Path.split(name).stem
    return [stem, ScaleSuffix(stem: stem).name]
  }

  /// Whether a file that can be read is no sidecar.
  private func isForeign(_ file: SourceFile) -> Bool {
    do throws(DiskError) { return try read(file, over: StickerOptions()) == nil } catch { return false }
  }

  /// Reads a file that lies where a sidecar would; nil where it is something else.
  private func read(_ file: SourceFile, over base: StickerOptions) throws(DiskError) -> Sidecar.Reading? {
    if let size = try disk.status(file.location, followLinks: true)?.size, size > Configuration.maximumBytes {
      return nil
    }
    return Sidecar.read(try disk.read(file.location), of: file, grid: pack.grid, over: base)
  }

  /// Gives the assets from an index on, where they are the one of an entry, what a sidecar of the folder says.
  mutating func attach(_ sidecars: inout FolderSidecars, to entry: SourceFile, since index: Int) {
    guard !sidecars.files.isEmpty, found.assets.count == index + 1, Path.same(found.assets[index].path, entry.path)
    else { return }
    let name = Path.name(entry.path)
    let isFolder = if case .frames = found.assets[index].content { true } else { false }
    for stem in isFolder ? [FolderName(name).stem] : stems(of: name) {
      guard let file = sidecars.files.removeValue(forKey: PathKey(stem)) else { continue }
      return attach(file.file, to: index)
    }
  }

  /// Says of what is left that no sticker takes it.
  mutating func tell(unused sidecars: FolderSidecars) {
    for file in sidecars.files.values.naturallySorted(by: \.name) {
      tell(.note, file.file.path, "a sidecar that no sticker takes was skipped", "skipped")
    }
  }

  /// Looks for the sidecar of art that was given by its own path.
  mutating func attachSidecar(ofInput path: String, since index: Int) {
    guard found.assets.count == index + 1, Path.same(found.assets[index].path, path) else { return }
    let asset = found.assets[index]
    let isFolder = if case .frames = asset.content { true } else { false }
    let name = Path.name(path)
    for stem in isFolder ? [FolderName(name).stem] : stems(of: name) {
      let path = Path.join(Path.parent(path), stem + ".json")
      let file = SourceFile(location: Path.join(root, path), path: path)
      guard (try? disk.status(file.location, followLinks: true))?.kind == .file, !isForeign(file) else { continue }
      return attach(file, to: index)
    }
  }

  private mutating func attach(_ file: SourceFile, to index: Int) {
    do throws(DiskError) {
      let base = pack.options(of: found.assets[index])
      guard let reading = try read(file, over: base) else { return }
      found.assets[index].sidecar = reading.sidecar
      let errors = reading.diagnostics.filter { $0.severity == .error }
      found.diagnostics += reading.diagnostics.filter { $0.severity != .error } + errors.dropFirst()
      found.assets[index].problem = found.assets[index].problem ?? errors.first
    } catch {
      found.assets[index].sidecar = Sidecar(file: file)
      let problem = Diagnostic(.error, path: file.path, error.message, id: "unreadable")
      found.assets[index].problem = found.assets[index].problem ?? problem
    }
  }
}
