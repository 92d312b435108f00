import AssetCatalog
import Codecs
import Imaging

/// What is known of a source once it was read.
struct SourceFacts: Hashable, Sendable {
  /// The format, that of the first file where it is numbered frames.
  var format: ImageFormat
  /// The upright canvas.
  var size: PixelSize
  /// The frames.
  var frames: Int
  /// The digest of the file; of numbered frames, that of their digests, one a line.
  var digest: Digest
}

/// A finished sticker.
struct PressedSticker: Sendable {
  /// The file.
  var bytes: FileBytes
  /// How it came to its size.
  var report: EncodingReport
  /// What is in it, by decoding it again.
  var picture: PictureFacts
  /// How well it shows what it was made from.
  var quality: AnimationQuality
  /// What it was made from.
  var source: SourceFacts
}

/// What became of a sticker job.
struct StickerOutcome: Sendable {
  /// The sticker, or nil where it failed.
  var sticker: PressedSticker?
  /// What it was made from, where that was found out.
  var source: SourceFacts?
  /// Where the whole source lies on the canvas of the grid's size, where it was rendered.
  var extent: PixelRegion?
  /// What to tell, the reason of a failure included.
  var diagnostics: [Diagnostic]
  /// Whether another budget may make another file, even where this one fits it.
  var dependsOnBudget = true
}

/// Makes one sticker: read, render, encode, decode again.
struct StickerPress: Sendable {
  /// The disk.
  var disk: any Disk

  /// Makes a sticker; throws nothing but `CancellationError`.
  func press(_ job: StickerJob) throws(CancellationError) -> StickerOutcome {
    if let problem = job.source.problem { return StickerOutcome(diagnostics: [problem]) }
    var job = job
    job.recipe.render.limits.time = job.recipe.render.limits.time?.started()
    var diagnostics: [Diagnostic] = []
    do {
      for file in job.source.files { try disk.checkSize(of: file.location, job.recipe.render.limits) }
      let (rendered, digest) = try render(job)
      diagnostics = rendered.diagnostics
      let animation = played(rendered.animation, job.recipe)
      let source = SourceFacts(
        format: rendered.sourceFormat, size: rendered.sourceSize, frames: animation.frames.count, digest: digest)
      var attempt = try PressAttempt(animation, on: animation, job.recipe)
      if job.recipe.allowsDownscale, !attempt.looksGood { attempt = try smaller(job, than: attempt, on: animation) }
      diagnostics += attempt.diagnostics(job)
      diagnostics += StageTimes.measure(.check) {
        ArtCheck(CheckedArt(rendered, animation, job)).cheap.map(\.diagnostic)
      }
      let extent = rendered.placement.extent(of: rendered.sourceSize)
      guard let picture = attempt.picture else {
        return StickerOutcome(source: source, extent: extent, diagnostics: diagnostics)
      }
      let sticker = PressedSticker(
        bytes: FileBytes(attempt.asset.bytes), report: attempt.asset.report, picture: picture, quality: attempt.quality,
        source: source)
      // What was pressed further to fit would not have been for a larger budget.
      let report = attempt.asset.report
      let isExactStill = !animation.isAnimated && report.method == .lossless && report.attempts == 1
      return StickerOutcome(
        sticker: sticker, source: source, extent: extent, diagnostics: diagnostics, dependsOnBudget: !isExactStill)
    } catch let error as CancellationError {
      throw error
    } catch let error as DiskError {
      let path = job.source.files.first { Path.same($0.location, error.path) }?.path ?? job.source.path
      diagnostics.append(Diagnostic(.error, path: path, error.message, id: "unreadable"))
    } catch {
      diagnostics.append(Diagnostic(failure: error, path: job.source.path))
    }
    return StickerOutcome(diagnostics: diagnostics)
  }

  /// The animation, with the plays that are asked for.
  private func played(_ animation: SizedAnimation, _ recipe: StickerRecipe) -> SizedAnimation {
    var animation = animation
    if let plays = recipe.plays { animation.playCount = plays }
    return animation
  }

  /// The best of the sizes of smaller grids, as the grid asked for will show it, where one is plainly better.
  private func smaller(_ job: StickerJob, than first: PressAttempt, on target: SizedAnimation) throws -> PressAttempt {
    var best = first
    for side in GridSize.allCases.map(\.pixels).sorted(by: >) where side < target.size.width {
      let scaled = try render(job.scaled(to: side)).0.animation
      let attempt = try PressAttempt(played(scaled, job.recipe), on: target, job.recipe)
      if attempt.isPlainlyBetter(than: best) { best = attempt }
    }
    return best
  }

  /// The pixels, and the digest of what they were made from.
  func render(_ job: StickerJob) throws -> (RenderedSticker, digest: Digest) {
    let renderer = StickerRenderer(job.recipe.render)
    switch job.source.content {
    case .file(let file):
      let (bytes, digest) = try StageTimes.measure(.read) {
        let bytes = try disk.read(file.location)
        return (bytes, Digest(of: bytes))
      }
      return (try renderer.render(bytes: bytes, path: job.source.path), digest)
    case .frames(let files):
      var digests = ""
      for file in files {
        digests += SHA256.hexDigest(try StageTimes.measure(.read) { try disk.read(file.location) }) + "\n"
      }
      let stills = files.map { file in
        StillFile(path: file.path) { [disk] in try disk.read(file.location) }
      }
      let rendered = try renderer.render(stills: stills, fps: job.recipe.fps, path: job.source.path)
      return (rendered, Digest(of: digests))
    }
  }
}

extension StickerJob {
  /// The same sticker in fewer pixels.
  fileprivate func scaled(to side: Int) -> StickerJob {
    var job = self
    job.recipe.render.padding = recipe.render.padding * side / recipe.render.side
    job.recipe.render.outline.width = recipe.render.outline.width * side / recipe.render.side
    job.recipe.render.side = side
    return job
  }
}

/// A finished file that does not show what it was made of: a fault of Decal, not of the art.
struct EncoderFault: Error {
  var reason: String
}

extension Diagnostic {
  /// Why an asset was not made.
  package init(failure error: any Error, path: String) {
    switch error {
    case let error as FrameFileError: self.init(decoding: error.reason, path: error.path)
    case let error as DecodeError: self.init(decoding: error, path: path)
    case let error as DiskError: self.init(.error, path: path, error.message, id: "unreadable")
    case let error as EncoderFault:
      self.init(
        .error, path: path, "the finished file cannot be trusted: \(error.reason); please report this fault of decal",
        id: "encoder-fault")
    default: self.init(.error, path: path, "\(error)", id: "failed")
    }
  }

  private init(decoding error: DecodeError, path: String) {
    let id =
      switch error {
      case .empty, .unrecognized: "not-an-image"
      case .unsupportedFormat, .unsupported: "unsupported-format"
      case .damaged: "damaged-image"
      case .overLimit: "over-limit"
      }
    self.init(.error, path: path, error.message, id: id)
  }
}
