import Imaging

/// What is decided before the first frame is rendered.
struct RenderPlan: Sendable {
  /// The size of the source canvas.
  var source: PixelSize
  /// Where the art goes.
  var placement: Placement
  /// The kernel.
  var kernel: Kernel
  /// The color that is taken out of the art's edges.
  var matte: Matte?
  /// What to tell of the decision.
  var diagnostics: [Diagnostic]
}

extension RenderPlan {
  /// Whether a source of half its size still has two pixels each way for one of what is made.
  var mayHalve: Bool {
    let (region, target) = (placement.region, placement.target)
    let reduction = min(region.width / Double(target.width), region.height / Double(target.height))
    return reduction >= 4 && matte == nil && kernel != .nearest && placement.bounds == PixelRect(source)
  }

  /// The plan for a source that is decoded at half its size.
  func halved(_ orientation: Orientation) -> RenderPlan {
    var plan = self
    plan.source = source.halved
    plan.placement = placement.halved(orientation)
    return plan
  }
}

extension StickerRenderer {
  /// Decides where the art goes and how it is scaled, with a pass over the frames where that depends on them.
  func plan(for canvas: PixelSize, path: String?, open: () throws -> any FrameSource) throws -> RenderPlan {
    let side = PixelSize(square: options.side)
    let matte = try matte(open)
    let matteNotes = matte.flatMap { self.note($0, path: path) }.map { [$0] } ?? []
    // Pixel art keeps its pixels only whole and at one factor, so that no crop and no stretch is meant.
    let mayBePixelArt =
      options.kernel == nil && options.fit == .contain
      && max(canvas.width, canvas.height) <= ArtSurvey.longestPixelArtSide
    let survey = options.trim || mayBePixelArt ? try survey(open()) : ArtSurvey()
    let art = options.trim && !survey.content.isEmpty ? survey.content : PixelRect(canvas)
    if mayBePixelArt, survey.isPixelArt,
      let placement = Placement(
        enlargingByWholeFactor: art, canvas: side, padding: options.padding + options.outline.width)
    {
      let factor = placement.target.width / art.width
      let note = Diagnostic(
        .note, path: path,
        "pixel art of \(art.size) px: every pixel becomes \(factor)x\(factor) px; --kernel \(Kernel.default.rawValue) smooths it instead",
        id: "pixel-art")
      return RenderPlan(
        source: canvas, placement: placement, kernel: .nearest, matte: matte, diagnostics: [note] + matteNotes)
    }
    let placement = Placement(
      art: art, canvas: side, fit: options.fit, padding: options.padding + options.outline.width)
    var diagnostics = matteNotes
    if placement.enlarges {
      diagnostics.append(
        Diagnostic(
          .warning, path: path,
          "art of \(art.size) px is enlarged to \(placement.target.size) px; export it with \(options.side) px or more",
          id: "upscaled"))
    }
    return RenderPlan(
      source: canvas, placement: placement, kernel: options.kernel ?? .default, matte: matte, diagnostics: diagnostics)
  }

  /// The color to take out of edges, from the first frame that shows something.
  private func matte(_ open: () throws -> any FrameSource) throws -> Matte? {
    if options.defringe == .off { return nil }
    let source = try open()
    while let frame = try source.next() {
      try Task.checkCancellation()
      guard !frame.raster.isClear else { continue }
      switch options.defringe {
      case .off: return nil
      case .auto: return frame.raster.matte()
      case .matte(let color):
        return frame.raster.matte(of: SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255)
      }
    }
    return nil
  }

  /// Says which color was found, where it was looked for.
  private func note(_ matte: Matte, path: String?) -> Diagnostic? {
    guard options.defringe == .auto else { return nil }
    return Diagnostic(
      .note, path: path,
      "the edges show \(matte.rgba8.hexadecimal.prefix(7)), over which the art was flattened; it is taken out",
      id: "defringed")
  }

  private func survey(_ source: any FrameSource) throws -> ArtSurvey {
    var survey = ArtSurvey()
    while let frame = try source.next() {
      try Task.checkCancellation()
      frame.bands.forEach { survey.add($0, x: frame.origin.x, y: frame.origin.y + $1) }
    }
    return survey
  }
}
