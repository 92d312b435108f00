public import Codecs
public import Imaging

/// How art becomes a sticker's pixels; all of it, with the art itself, decides them.
public struct RenderOptions: Sendable, Hashable {
  /// The side of the square canvas in pixels.
  public var side: Int
  /// How art meets the canvas.
  public var fit = Fit.contain
  /// The kernel; nil is the measured default, and lets pixel art be enlarged by whole factors.
  public var kernel: Kernel?
  /// Empty border in pixels of the canvas, on each side.
  public var padding = 0
  /// Whether transparent margins are cut off first, those that all frames share.
  public var trim = false
  /// A color put under the whole canvas in linear light, or nil for transparency.
  public var background: RGBA8?
  /// A border around the art, drawn under it and inside the padding.
  public var outline = Outline.none
  /// What is done about a rim of the color that the art was flattened over.
  public var defringe = Defringe.off
  /// Bounds on what is decoded.
  public var limits = DecodeLimits()

  /// Makes the default options for a canvas.
  public init(side: Int) {
    precondition(side > 0, "a canvas has pixels")
    self.side = side
  }
}

/// A sticker's pixels.
public struct RenderedSticker: Sendable {
  /// The frames at their final size.
  public var animation: SizedAnimation
  /// The size of the upright source canvas.
  public var sourceSize: PixelSize
  /// The format of the source, that of the first file where it is numbered frames.
  public var sourceFormat: ImageFormat
  /// Which part of the art lies where on the canvas.
  public var placement: Placement
  /// What to tell of it.
  public var diagnostics: [Diagnostic]
}

/// One file of an animation that is numbered frames.
public struct StillFile: Sendable {
  /// The path as diagnostics name it.
  public var path: String
  /// Reads the file; called once or twice for each rendering.
  public var load: @Sendable () throws -> [UInt8]

  /// Makes a frame file.
  public init(path: String, load: @escaping @Sendable () throws -> [UInt8]) {
    self.path = path
    self.load = load
  }
}

/// Why one of several frame files cannot be read.
public struct FrameFileError: Error, Sendable, Hashable {
  /// The file.
  public var path: String
  /// The reason.
  public var reason: DecodeError

  /// Makes an error.
  public init(path: String, reason: DecodeError) {
    self.path = path
    self.reason = reason
  }
}

/// Takes art to its final pixels, frame by frame as it is decoded: orientation, linear light, fit, kernel, 8 bits.
///
/// Only frames at the final size are kept.
public struct StickerRenderer: Sendable {
  /// The options.
  public let options: RenderOptions

  /// Makes a renderer.
  public init(_ options: RenderOptions) { self.options = options }

  /// Renders a picture or an animation; `path` is what diagnostics name.
  ///
  /// Throws `DecodeError`, and `CancellationError` between frames.
  public func render(bytes: [UInt8], path: String?) throws -> RenderedSticker {
    try render(path: path) { try FileFrames(bytes: bytes, path: path, limits: options.limits) }
  }

  /// Renders an animation from one file a frame, each seen for 1 / `fps` seconds, played for ever; one file is a still.
  ///
  /// Frames of differing sizes are centered on the smallest canvas that holds all of them, with a warning. Throws
  /// `FrameFileError`, what `load` throws, and `CancellationError` between frames.
  public func render(stills: [StillFile], fps: Rational, path: String?) throws -> RenderedSticker {
    precondition(!stills.isEmpty && fps > .zero, "frames and a frame rate")
    let canvas = try StillFrames.survey(stills, limits: options.limits)
    var sticker = try render(path: path) {
      StillFrames(
        files: stills, canvas: canvas, delay: Rational(fps.denominator, fps.numerator), limits: options.limits)
    }
    if let warning = canvas.warning(path: path) { sticker.diagnostics.insert(warning, at: 0) }
    return sticker
  }

  /// The steps, for either kind of source; `open` begins a pass over the frames.
  private func render(path: String?, open: () throws -> any FrameSource) throws -> RenderedSticker {
    let source = try StageTimes.measure(.decode) { try open() }
    let plan = try StageTimes.measure(.survey) { try self.plan(for: source.canvas, path: path, open: open) }
    let half = StageTimes.measure(.decode) { plan.mayHalve ? source.halve() : nil }
    var renderer = FrameRenderer(
      plan: half.map { plan.halved($0) } ?? plan, background: options.background, outline: options.outline,
      comparesFrames: source.canvas.area <= options.limits.pixelsPerAnimationFrame)
    var frames: [SizedFrame] = []
    let store = TemporaryBands(memory: TemporaryBands.memory(besides: source.canvas, options.limits))
    var shortDelays = 0
    while let frame = try StageTimes.measure(.decode, { try source.next() }) {
      try Task.checkCancellation()
      if frame.isShort { shortDelays += 1 }
      let bitmap = StageTimes.measure(.render) { renderer.render(frame) }
      frames.append(
        frames.last.map { SizedFrame(bitmap: bitmap, delay: frame.delay, after: $0, store: store) }
          ?? SizedFrame(bitmap: bitmap, delay: frame.delay))
    }
    if frames.count == 1 { frames[0].delay = .zero }
    let animation = SizedAnimation(frames: frames, playCount: source.playCount)
    var diagnostics = plan.diagnostics + source.diagnostics + renderer.diagnostics(path: path)
    diagnostics += StickerRenderer.delayNotes(animation, short: shortDelays, path: path)
    diagnostics += StickerRenderer.emptiness(animation, path: path)
    return RenderedSticker(
      animation: animation, sourceSize: source.canvas, sourceFormat: source.format, placement: plan.placement,
      diagnostics: diagnostics)
  }

  private static func delayNotes(_ animation: SizedAnimation, short: Int, path: String?)
    -> [Diagnostic]
  {
    guard animation.isAnimated, short > 0 else { return [] }
    return [
      Diagnostic(
        .note, path: path,
        "\(short) of \(animation.frames.count) frames have a delay of 10 ms or less; they are shown for 100 ms, as browsers do",
        id: "short-delay")
    ]
  }

  private static func emptiness(_ animation: SizedAnimation, path: String?) -> [Diagnostic] {
    guard let first = animation.frames.firstIndex(where: { !$0.bitmap.raster.isClear }) else {
      return [
        Diagnostic(
          .warning, path: path, "nothing is seen, every pixel is transparent; check the export", id: "empty-art")
      ]
    }
    guard first > 0 else { return [] }
    return [
      Diagnostic(
        .warning, path: path,
        "the first frame is empty, and it is the one seen where stickers do not play; begin with a frame that shows the art",
        id: "first-frame-empty")
    ]
  }
}
