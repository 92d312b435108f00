import Codecs

/// Finished files by fingerprint, in the state folder: `entries/ab/cdef…`, one file a job.
///
/// The laws:
/// 1. A fingerprint holds no path and no time: an entry is right in any checkout and on any machine with these libraries.
/// 2. An entry is written at once by a rename: builds may share the folder.
/// 3. One that is damaged or gone means that the job runs; nothing about the cache is ever an error.
struct JobCache: Sendable {
  /// The disk, untraced: what the cache holds decides nothing.
  let disk: any Disk
  /// The build's disk, for folders that may be new beside the art.
  let folders: any Disk
  /// The state folder.
  let folder: String

  /// The beginning of a file; the number is raised where its layout changes.
  private static let kind = "decal entry 2\n"

  private func path(_ fingerprint: Fingerprint) -> String {
    let hex = fingerprint.digest.hex
    return "\(folder)/entries/\(hex.prefix(2))/\(hex.dropFirst(2))"
  }

  /// A sticker, with its bytes; `art` is the folder of its source.
  func sticker(_ fingerprint: Fingerprint, art: String) -> StickerOutcome? {
    read(fingerprint) { reader throws(StateDamage) in
      let blobs = try reader.blobs()
      return try reader.stickerOutcome(below: art) { () throws(DiskError) in blobs[""] ?? [] }
    }
  }

  /// Keeps a sticker; answers whether it is there.
  func store(_ outcome: StickerOutcome, _ fingerprint: Fingerprint, art: String) -> Bool {
    guard let bytes = try? outcome.sticker?.bytes.load() ?? [] else { return false }
    var writer = StateWriter()
    writer.put(blobs: ["": bytes])
    writer.put(outcome, below: art)
    return write(writer, fingerprint)
  }

  /// Icons, with their bytes.
  func icons(_ fingerprint: Fingerprint, masters: [String]) -> IconOutcome? {
    read(fingerprint) { reader throws(StateDamage) in
      let blobs = try reader.blobs()
      return try reader.iconOutcome(masters: masters) { path throws(DiskError) in blobs[path] ?? [] }
    }
  }

  /// Keeps icons.
  func store(_ outcome: IconOutcome, _ fingerprint: Fingerprint, masters: [String]) {
    var blobs: [String: [UInt8]] = [:]
    for set in outcome.sets {
      for icon in set.icons {
        guard let bytes = try? icon.bytes.load() else { return }
        blobs[set.folder + "/" + icon.filename] = bytes
      }
    }
    var writer = StateWriter()
    writer.put(blobs: blobs)
    writer.put(outcome, masters: masters)
    _ = write(writer, fingerprint)
  }

  private func read<Outcome>(
    _ fingerprint: Fingerprint, _ take: (inout StateReader) throws(StateDamage) -> Outcome
  ) -> Outcome? {
    guard let bytes = try? disk.read(path(fingerprint)), var reader = try? StateReader(bytes, kind: JobCache.kind),
      (try? reader.digest()) == fingerprint.digest
    else { return nil }
    return try? take(&reader)
  }

  private func write(_ content: StateWriter, _ fingerprint: Fingerprint) -> Bool {
    var writer = StateWriter()
    writer.put(fingerprint.digest)
    writer.append(content)
    let path = path(fingerprint)
    guard (try? folders.createDirectory(Path.parent(path))) != nil else { return false }
    return (try? disk.write(writer.sealed(JobCache.kind), to: path)) != nil
  }
}

extension StateWriter {
  fileprivate mutating func put(blobs: [String: [UInt8]]) {
    put(blobs.sorted { Path.precedes($0.key, $1.key) }) { writer, blob in
      writer.put(blob.key)
      writer.put(blob.value)
    }
  }
}

extension StateReader {
  fileprivate mutating func blobs() throws(StateDamage) -> [String: [UInt8]] {
    let list = try list { reader throws(StateDamage) in (try reader.string(), try reader.blob()) }
    return Dictionary(list, uniquingKeysWith: { first, _ in first })
  }
}

extension [Diagnostic] {
  /// Whether the same art and options say the same again: what a disk or a fault says may pass.
  var isReproducible: Bool {
    allSatisfy {
      !["unreadable", "cannot-write", "failed", "encoder-fault", "missing-input"].contains($0.id)
    }
  }
}

extension StickerOutcome {
  /// Whether it may stand for a job that is the same: a limit on time fails where a machine is slow.
  func isReproducible(_ limits: DecodeLimits) -> Bool {
    diagnostics.isReproducible && (sticker != nil || limits.time == nil)
  }
}

extension IconOutcome {
  /// Whether it may stand for a job that is the same.
  func isReproducible(_ limits: DecodeLimits) -> Bool {
    diagnostics.isReproducible && (!sets.isEmpty || limits.time == nil)
  }
}
