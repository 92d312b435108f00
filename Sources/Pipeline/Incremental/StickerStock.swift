import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finished stickers of a build that the cache holds until they are written, so that memory need not.
///
/// Other builds share the cache, and a full disk empties it: a sticker that is gone or damaged is made once more.
final class StickerStock: Sendable {
  private let cache: JobCache
  private let plan: Mutex<BuildPlan?>
  private let press: StickerPress

  init(_ cache: JobCache, _ plan: BuildPlan, disk: any Disk) {
    self.cache = cache
    self.plan = Mutex(plan)
    press = StickerPress(disk: disk)
  }

  /// Lets go of the plan, which is long, when all is written; no bytes may be asked for any more.
  func close() { plan.withLock { $0 = nil } }

  /// The outcome of the job at a place of the plan, without the bytes, which the cache has.
  func holding(_ outcome: StickerOutcome, of place: Int, _ fingerprint: Fingerprint) -> StickerOutcome {
    guard let bytes = outcome.sticker?.bytes else { return outcome }
    let (count, digest) = (bytes.count, bytes.digest)
    var outcome = outcome
    outcome.sticker?.bytes = FileBytes(count: count, digest: digest) { [self] () throws(DiskError) in
      try load(place, fingerprint, digest)
    }
    return outcome
  }

  private func load(_ place: Int, _ fingerprint: Fingerprint, _ digest: Digest) throws(DiskError) -> [UInt8] {
    guard let job = plan.withLock({ $0?.stickers[place] }) else { preconditionFailure("the stock is closed") }
    if let kept = cache.sticker(fingerprint, art: Path.parent(job.source.path))?.sticker?.bytes, kept.digest == digest {
      return try kept.load()
    }
    let made = try? press.press(job).sticker?.bytes
    guard let made, made.digest == digest else {
      throw DiskError(operation: "read", path: job.source.path, code: ESTALE)
    }
    return try made.load()
  }
}
