import AssetCatalog

extension Builder {
  /// Writes an icon set folder from a master; only `icon` of the configuration counts.
  ///
  /// A folder that ends in `.appiconset` gets the icons of an app, in the style of the configuration; any other gets those
  /// of Messages. Files of the set's names are overwritten, a master never, and nothing is removed. Throws `BuildRefusal`
  /// before anything is written, and `CancellationError`.
  public func makeIconSet(_ configuration: Configuration, root: String, output: String) async throws -> BuildSummary {
    var options = configuration.icon
    let folder = Path.join(root, output)
    guard options.master != nil else {
      throw BuildRefusal([Diagnostic(.error, path: nil, "no master icon is given; give its path", id: "missing-input")])
    }
    let missing = missingMasters(options, root: root)
    guard missing.isEmpty else { throw BuildRefusal(missing) }
    if let status = try? disk.status(folder, followLinks: true), status.kind != .directory {
      throw BuildRefusal([
        Diagnostic(.error, path: output, "the output is not a folder; choose another", id: "output-not-folder")
      ])
    }
    let isAppIcon = Path.split(Path.name(output)).suffix.lowercased() == "appiconset"
    options.appIcon = isAppIcon ? options.appIcon ?? .single : nil
    let kind = options.appIcon.map { IconSetKind.app($0) } ?? .messages
    let names = kind.slots(for: options).map(\.filename) + [CatalogLayout.contents]
    try refuseOverwriting(options, names.map { Path.join(folder, $0) }, root: root)
    observer.receive(.planned(jobs: 1))
    let outcome = try press(options, [kind], root: root)
    try Task.checkCancellation()
    var summary = BuildSummary()
    summary.diagnostics = outcome.diagnostics
    guard let set = outcome.sets.first else { return summary }
    summary.icons = set.icons.count
    do throws(DiskError) {
      // The description comes last: at every instant all that it names is there.
      let files =
        set.icons.map { (name: $0.filename, bytes: $0.bytes) } + [(name: CatalogLayout.contents, bytes: set.contents)]
      for file in files {
        switch try disk.replace(Path.join(folder, file.name), with: file.bytes) {
        case .written: summary.written.append(file.name)
        case .unchanged: summary.unchanged.append(file.name)
        }
      }
    } catch {
      tell([Diagnostic(writing: error)])
      summary.diagnostics.append(Diagnostic(writing: error))
    }
    summary.written.sort(by: Path.precedes)
    summary.unchanged.sort(by: Path.precedes)
    return summary
  }

  private func refuseOverwriting(_ options: IconOptions, _ targets: [String], root: String) throws(BuildRefusal) {
    var masters: Set<FileIdentity> = []
    for path in options.masters {
      if let status = try? disk.status(Path.join(root, path), followLinks: true) {
        masters.insert(FileIdentity(status))
      }
    }
    for target in targets {
      guard let status = try? disk.status(target, followLinks: true), masters.contains(FileIdentity(status)) else {
        continue
      }
      throw BuildRefusal([
        Diagnostic(.error, path: target, "would overwrite a master; name another output", id: "output-is-input")
      ])
    }
  }
}
