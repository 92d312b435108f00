import AssetCatalog

extension Builder {
  /// Writes an icon set folder from a master; only `icon` of the configuration counts.
  ///
  /// A folder that ends in `.appiconset` gets the icons of an app, and so does any other where the configuration has a style
  /// of app icons; without one that style is single. Else the icons are those of Messages. Files of the set's names are overwritten, a master never, and nothing is removed. Throws `BuildRefusal`
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
    let suffix = Path.split(Path.name(output)).suffix.lowercased()
    options.appIcon = options.appIcon ?? (suffix == "appiconset" ? .single : nil)
    try refuseContradictions(options, output: output, isMessagesSet: suffix == "stickersiconset")
    let kind = options.appIcon.map { IconSetKind.app($0) } ?? .messages
    let names = kind.slots(for: options).map(\.filename) + [CatalogLayout.contents]
    try refuseOverwriting(options, names.map { Path.join(folder, $0) }, root: root)
    observer.receive(.planned(jobs: 1))
    disk.removeAbandoned(in: folder)
    let (files, diagnostics) = try await observed(IconSlot.messagesIconSetName) {
      let made = try IconPress(disk: disk, root: root, limits: limits).files(options, kind)
      return (made, made.diagnostics)
    }
    try Task.checkCancellation()
    var summary = BuildSummary()
    summary.diagnostics = diagnostics
    summary.icons = files.count { $0.size != nil }
    do throws(DiskError) {
      // The description comes last: at every instant all that it names is there.
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

  /// Refuses masters that the set has no place for, and a folder that Xcode would take for another set.
  private func refuseContradictions(
    _ options: IconOptions, output: String, isMessagesSet: Bool
  ) throws(BuildRefusal) {
    var problems: [String] = []
    if options.appIcon != nil, isMessagesSet {
      problems.append("a folder of this name holds the icons of Messages; name that of an app icon AppIcon.appiconset")
    }
    if options.appIcon != .single, options.dark != nil || options.tinted != nil {
      problems.append(
        "dark and tinted masters are for an app icon of the style single; name the folder AppIcon.appiconset")
    }
    if options.appIcon != nil, options.messages != nil {
      problems.append("an app icon has no 4:3 icons; leave their master out")
    }
    guard problems.isEmpty else {
      throw BuildRefusal(problems.map { Diagnostic(.error, path: output, $0, id: "config-value") })
    }
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
