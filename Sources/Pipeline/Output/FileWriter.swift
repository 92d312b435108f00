/// Writes those files of an output folder that are not there yet; several workers may use one at once.
struct FileWriter: Sendable {
  let disk: any Disk
  let output: String
  let ownership: Ownership
  /// Files that were there with the bytes that they are to have; of the others the disk is asked.
  let right: Set<ManifestFile>

  /// What was done to some files.
  struct Report: Sendable {
    var written: [String] = []
    var unchanged: [String] = []
    /// The file that could not be written, after which none was.
    var failure: (file: OutputFile, error: DiskError)?
  }

  /// Whether a file has the bytes that it is to have.
  func isRight(_ file: OutputFile) -> Bool {
    right.contains(file.entry) || ownership.state(of: file.path, for: file.digest) == .same
  }

  /// Writes files one by one until one cannot be written.
  func write(_ files: [OutputFile]) -> Report {
    var report = Report()
    for file in files {
      do throws(DiskError) {
        if try write(file) { report.written.append(file.path) } else { report.unchanged.append(file.path) }
      } catch {
        report.failure = (file, error)
        break
      }
    }
    return report
  }

  /// Writes a file; false where that was not needed.
  private func write(_ file: OutputFile) throws(DiskError) -> Bool {
    let location = Path.join(output, file.path)
    let isThere =
      file.path == Manifest.filename ? (try? disk.digest(location)) == file.digest.hex : isRight(file)
    if isThere { return false }
    try disk.createDirectory(Path.parent(location))
    try file.bytes.write(to: location, on: disk)
    return true
  }
}
