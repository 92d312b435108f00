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
  var digest: String
}

/// A finished sticker.
struct PressedSticker: Sendable {
  /// The file.
  var bytes: [UInt8]
  /// How it came to its size.
  var report: EncodingReport
  /// What is in it, by decoding it again.
  var picture: PictureFacts
  /// What it was made from.
  var source: SourceFacts
}

/// What became of a sticker job.
struct StickerOutcome: Sendable {
  /// The sticker, or nil where it failed.
  var sticker: PressedSticker?
  /// What it was made from, where that was found out.
  var source: SourceFacts?
  /// What to tell, the reason of a failure included.
  var diagnostics: [Diagnostic]
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
      var animation = rendered.animation
      if let plays = job.recipe.plays { animation.playCount = plays }
      let source = SourceFacts(
        format: rendered.sourceFormat, size: rendered.sourceSize, frames: animation.frames.count, digest: digest)
      let asset = try encode(animation, job.recipe)
      diagnostics += losses(asset, job)
      guard asset.bytes.count <= job.recipe.budget else {
        return StickerOutcome(source: source, diagnostics: diagnostics)
      }
      let picture = try readBack(asset, of: animation)
      let sticker = PressedSticker(bytes: asset.bytes, report: asset.report, picture: picture, source: source)
      return StickerOutcome(sticker: sticker, source: source, diagnostics: diagnostics)
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

  /// Decodes a finished file, which must show what it was made of.
  private func readBack(_ asset: EncodedAsset, of animation: SizedAnimation) throws(EncoderFault) -> PictureFacts {
    let picture: PictureFacts
    do throws(DecodeError) {
      picture = try PictureFacts(decoding: asset.bytes)
    } catch { throw EncoderFault(reason: error.message) }
    // Frames that all look the same are one still.
    let isStill = asset.report.mergedFrames == animation.frames.count - 1
    let duration = isStill ? Rational.zero : animation.duration
    guard picture.size == animation.size, picture.duration == duration else {
      throw EncoderFault(reason: "it is \(picture.size) px and \(picture.duration.milliseconds) ms long")
    }
    return picture
  }

  /// The pixels, and the digest of what they were made from.
  private func render(_ job: StickerJob) throws -> (RenderedSticker, digest: String) {
    let renderer = StickerRenderer(job.recipe.render)
    switch job.source.content {
    case .file(let file):
      let bytes = try disk.read(file.location)
      return (try renderer.render(bytes: bytes, path: job.source.path), SHA256.hexDigest(bytes))
    case .frames(let files):
      var digests = ""
      for file in files { digests += SHA256.hexDigest(try disk.read(file.location)) + "\n" }
      let stills = files.map { file in
        StillFile(path: file.path) { [disk] in try disk.read(file.location) }
      }
      let rendered = try renderer.render(stills: stills, fps: job.recipe.fps, path: job.source.path)
      return (rendered, SHA256.hexDigest(Array(digests.utf8)))
    }
  }

  /// A still is lossless where that fits; all else is the search's.
  private func encode(_ animation: SizedAnimation, _ recipe: StickerRecipe) throws -> EncodedAsset {
    if !animation.isAnimated {
      let still = StillEncoder(effort: recipe.effort).encode(animation.frames[0].bitmap)
      try recipe.render.limits.time?.check()
      if still.bytes.count <= recipe.budget { return still }
    }
    return try RateDistortionEncoder(effort: recipe.effort, time: recipe.render.limits.time).encode(
      animation, budget: recipe.budget)
  }

  /// What was given up for the budget, and whether that was enough.
  private func losses(_ asset: EncodedAsset, _ job: StickerJob) -> [Diagnostic] {
    let (report, budget) = (asset.report, job.recipe.budget)
    func tell(_ severity: Severity, _ message: String, _ id: String) -> Diagnostic {
      Diagnostic(severity, path: job.source.path, message, id: id)
    }
    if asset.bytes.count > budget {
      let step =
        report.sourceFrames > 1 ? "fewer frames, a smaller grid or simpler art" : "a smaller grid or simpler art"
      return [
        tell(.error, "\(asset.bytes.count) bytes at best, the budget is \(budget); it takes \(step)", "over-budget")
      ]
    }
    var diagnostics: [Diagnostic] = []
    if report.method == .palette {
      let colors = report.colors.map { "\($0) colors" } ?? "a palette"
      diagnostics.append(tell(.note, "reduced to \(colors) to fit \(budget) bytes", "palette"))
    }
    let thinned = report.sourceFrames - report.mergedFrames - report.keptFrames
    if thinned > 0 {
      let message =
        "\(report.keptFrames) of \(report.sourceFrames - report.mergedFrames) frames kept to fit \(budget) bytes"
      diagnostics.append(tell(.warning, message + "; the time stays the same", "frames-thinned"))
    }
    return diagnostics
  }
}

/// A finished file that does not show what it was made of: a fault of Decal, not of the art.
private struct EncoderFault: Error {
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
