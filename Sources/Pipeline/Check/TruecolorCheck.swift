import Codecs
import Imaging

// Animations that Xcode does not take as they are.
extension Checker {
  /// Measures animations that Xcode writes anew without a palette, frames in their own pixels.
  func weigh(_ jobs: [StickerJob]) async throws -> [CheckFinding] {
    try await bounded(jobs.map(inOwnPixels)) { try weigh($0) }.compactMap { $0 }
  }

  private func weigh(_ job: StickerJob) throws -> CheckFinding? {
    guard let weight = try weight(of: job), weight.bytes > Configuration.appleLimit else { return nil }
    let locations = Set(job.source.files.map(\.location))
    let stored = disk.statuses(locations.map { ($0, true) }).reduce(0) { $0 + ($1?.size ?? 0) }
    return CheckFinding(
      .heavyInTruecolor, path: job.source.path,
      "its \(weight.frames) frames are \(stored) bytes as they lie and \(weight.bytes) bytes in 24 bits, "
        + "\(Configuration.appleLimit) are the most")
  }

  /// The frames, and the bytes that they take in truecolor; nil where they do not move or cannot be read, which is told
  /// by who looks at the pictures.
  private func weight(of job: StickerJob) throws -> (frames: Int, bytes: Int)? {
    let limits = job.recipe.render.limits
    do {
      for file in job.source.files { try disk.checkSize(of: file.location, limits) }
      let animation = try StickerPress(disk: disk).render(job).0.animation
      guard animation.isAnimated else { return nil }
      let encoder = TruecolorEncoder(effort: .fast, time: limits.time?.started())
      return (animation.frames.count, try encoder.exactSize(of: animation))
    } catch let error as CancellationError {
      throw error
    } catch {
      return nil
    }
  }

  /// The job at the size that its first picture has, so that nothing is scaled.
  private func inOwnPixels(_ job: StickerJob) -> StickerJob {
    var job = job
    let limits = job.recipe.render.limits
    if let bytes = job.source.files.first.flatMap({ try? disk.read($0.location) }),
      let size = try? ImageReader(bytes: bytes, limits: limits).header.size
    {
      job.recipe.render.side = max(size.width, size.height)
    }
    return job
  }
}
