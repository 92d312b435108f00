import AssetCatalog

extension Builder {
  /// Writes the page that shows the pack, or removes it where none is wanted.
  func showPreview(_ files: PackFiles, root: String, portable: PortablePaths, _ report: inout PublishReport) {
    let configuration = files.pack.configuration
    let links = PreviewLinks(
      disk: disk, root: root, place: configuration.output, isInline: configuration.preview == .inline)
    let publisher = PreviewPublisher(disk: disk, output: links.output, force: force)
    guard configuration.preview != .none else { return publisher.remove(&report) }
    let data = files.preview(report.outcomes, links, portable: portable, refreshes: refreshesPreview)
    let page = PreviewPage.bytes(
      data, title: configuration.name, isInline: links.isInline, refreshes: refreshesPreview)
    publisher.publish(page, refreshes: refreshesPreview, &report)
  }
}

/// Brings the page in an output folder up to date.
///
/// It is no part of the pack: it is written when all else is done, the manifest does not list it, as it names the place
/// of the sources, and where it cannot be written the build warns only.
struct PreviewPublisher {
  /// The disk.
  let disk: any Disk
  /// The output folder.
  let output: String
  /// Whether a page that somebody changed is replaced.
  let force: Bool

  /// Writes the page where it differs, and beside it, where it `refreshes`, the digest that it looks for.
  func publish(_ page: FileBytes, refreshes: Bool, _ report: inout PublishReport) {
    do throws(DiskError) {
      if try write(page, &report), refreshes {
        try PreviewState.write(seal: PreviewPage.seal(of: page.load()), output: output, disk: disk)
      } else {
        try PreviewState.remove(output: output, disk: disk)
      }
    } catch {
      report.diagnostics.append(
        Diagnostic(.warning, path: error.path, "the page is not written: \(error.message)", id: "cannot-write"))
    }
    sort(&report)
  }

  /// Removes a page that Decal wrote and nobody changed.
  func remove(_ report: inout PublishReport) {
    try? PreviewState.remove(output: output, disk: disk)
    guard let page = try? existing(), PreviewPage.author(of: page) == .decal,
      (try? disk.removeFile(location)) != nil
    else { return }
    report.removed.append(PreviewPage.filename)
    sort(&report)
  }

  private func sort(_ report: inout PublishReport) {
    report.written.sort(by: Path.precedes)
    report.unchanged.sort(by: Path.precedes)
    report.removed.sort(by: Path.precedes)
  }

  private var location: String { Path.join(output, PreviewPage.filename) }

  /// The bytes of a page that is there; nil where there is none or something else.
  private func existing() throws(DiskError) -> [UInt8]? {
    guard try disk.status(location, followLinks: false)?.kind == .file else { return nil }
    return try disk.read(location)
  }

  /// Whether the page is there in the end as it should be.
  private func write(_ page: FileBytes, _ report: inout PublishReport) throws(DiskError) -> Bool {
    let status = try disk.status(location, followLinks: false)
    if status?.kind == .file, try disk.digest(location) == page.digest.hex {
      report.unchanged.append(PreviewPage.filename)
      return true
    }
    if status != nil, let problem = try obstacle() {
      report.diagnostics.append(problem)
      return false
    }
    try page.write(to: location, on: disk)
    report.written.append(PreviewPage.filename)
    return true
  }

  /// Why a page that is there is not replaced.
  private func obstacle() throws(DiskError) -> Diagnostic? {
    switch try existing().map(PreviewPage.author) ?? .other {
    case .decal: return nil
    case .edited where force: return nil
    case .edited:
      return Diagnostic(
        .warning, path: PreviewPage.filename,
        "edited since decal wrote it and kept; move it away, or replace it with --force", id: "edited-output")
    case .other:
      return Diagnostic(
        .warning, path: PreviewPage.filename,
        "not written by decal and kept; move it away to get a preview, or use --no-preview", id: "in-the-way")
    }
  }
}

/// What an open page looks for while `decal watch` runs: the digest in the last line of the page as it is now, as a script.
///
/// Browsers let a page from disk load no other kind of file beside it that it could read.
public enum PreviewState {
  /// The file's name in the output folder.
  static let filename = "preview-state.js"
  private static let start = "decalState(\""
  private static let end = "\");\n"

  /// The file's bytes for a page with a seal.
  private static func bytes(seal: String) -> [UInt8] { Array((start + seal + end).utf8) }

  /// Whether Decal wrote the file's bytes.
  private static func isOwn(_ bytes: [UInt8]) -> Bool {
    let seal = String(decoding: bytes.dropFirst(start.utf8.count).prefix(64), as: UTF8.self)
    return Digest(hex: seal) != nil && bytes == PreviewState.bytes(seal: seal)
  }

  /// Writes the file where nothing of somebody else is in the way; it is no result, and no report names it.
  static func write(seal: String, output: String, disk: any Disk) throws(DiskError) {
    let path = Path.join(output, filename)
    let bytes = bytes(seal: seal)
    if let status = try disk.status(path, followLinks: false) {
      guard status.kind == .file else { return }
      let found = try disk.read(path)
      if found == bytes || !isOwn(found) { return }
    }
    try disk.write(bytes, to: path)
  }

  /// Removes the file where Decal wrote it, as nothing refreshes the page any more.
  public static func remove(output: String, disk: any Disk) throws(DiskError) {
    let path = Path.join(output, filename)
    guard try disk.status(path, followLinks: false)?.kind == .file, isOwn(try disk.read(path)) else { return }
    try disk.removeFile(path)
  }
}
