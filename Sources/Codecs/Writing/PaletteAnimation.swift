import Imaging

/// A kept frame and the moments during which it is shown.
struct ShownFrame: Hashable {
  /// The number of the source frame.
  var frame: Int
  /// The moments that it stands for, in order.
  var moments: Range<Int>
  /// How long it is shown, in seconds.
  var delay: Rational
}

/// Thins moments evenly over the whole loop to a number of frames, folding the delays of those that go.
///
/// Of each group the moment that is shown longest stays, so that a held pose is never lost; the first group keeps the
/// very first, the picture of readers without animation.
func thinned(_ moments: [Moment], to count: Int) -> [ShownFrame] {
  (0..<count).map { group in
    let range = (group * moments.count / count)..<((group + 1) * moments.count / count)
    var kept = range.lowerBound
    if group > 0 { for i in range where moments[kept].delay < moments[i].delay { kept = i } }
    let delay = range.reduce(Rational.zero) { $0 + moments[$1].delay }
    return ShownFrame(frame: moments[kept].frame, moments: range, delay: delay)
  }
}

/// One try at writing an animation with a shared palette.
struct PaletteAttempt {
  /// Frames written so far.
  var sequence: FrameSequence
  let format: PixelFormat
  /// The whole file's bytes; a guess where the try was given up.
  var size: Int
  var isComplete: Bool
  /// The mean squared error of what is on screen against the source, weighted by time; the palette's part counts more.
  var error: Double
}

/// Writes an animation whose frames share one reduced palette.
struct PaletteAnimation {
  let animation: SizedAnimation
  let moments: [Moment]

  /// How much farther a pixel's old entry may be than its nearest, in squared 8-bit units, to be kept.
  private static let holdTolerance: Float = 4

  /// How much more an error of the palette counts than one of holding a frame.
  ///
  /// Bands and flattened shading are seen all over the picture for as long as it is shown. Chosen so that the order of
  /// frame rates agrees with SSIMULACRA2 on shaded, translucent and filmed clips; anything from 3 to 9 does.
  private static let paletteWeight = 4.0

  /// Remaps, plans and compresses the shown frames; gives up where the bytes pass `limit`.
  func attempt(_ shown: [ShownFrame], _ palette: Palette, _ plan: StreamPlan, limit: Int) throws -> PaletteAttempt {
    let search = StreamSearch(plan)
    let remapper = Remapper(palette)
    let format = PixelFormat(palette: palette)
    let solid = palette.colors.map { $0.alpha == 255 }
    let head = PNGWriter(size: animation.size, format: format, animation: (1, 0)).bytes.count + 12
    var result = PaletteAttempt(sequence: FrameSequence(), format: format, size: 0, isComplete: true, error: 0)
    var canvas: IndexPlane?
    var time = 0.0
    for (number, entry) in shown.enumerated() {
      try Task.checkCancellation()
      let bitmap = animation.frames[entry.frame].bitmap
      let plane = remapper.remap(bitmap, previous: canvas, tolerance: Self.holdTolerance)
      let own = remapper.meanSquaredError(plane, against: bitmap)
      for moment in moments[entry.moments] {
        let seen = animation.frames[moment.frame].bitmap
        let error = moment.frame == entry.frame ? own : remapper.meanSquaredError(plane, against: seen)
        let weight = max(moment.delay.value, 1e-6)
        result.error += weight * (error + (Self.paletteWeight - 1) * own)
        time += weight
      }
      add(plane, after: canvas, solid: solid, delay: entry.delay, search, to: &result)
      result.size = head + result.sequence.size
      if result.size > limit, number + 1 < shown.count {
        result.size = head + result.sequence.size * shown.count / (number + 1)
        result.isComplete = false
        break
      }
      canvas = plane
    }
    result.error /= max(time, 1e-6)
    return result
  }

  /// The error of holding the shown frames, were they exact: no palette can do better.
  func holdingError(_ shown: [ShownFrame]) -> Double {
    var (error, time) = (0.0, 0.0)
    for entry in shown {
      for moment in moments[entry.moments] {
        let weight = max(moment.delay.value, 1e-6)
        time += weight
        if moment.frame == entry.frame { continue }
        error += weight * meanSquaredError(animation.frames[entry.frame].bitmap, animation.frames[moment.frame].bitmap)
      }
    }
    return error / max(time, 1e-6)
  }

  private func add(
    _ plane: IndexPlane, after canvas: IndexPlane?, solid: [Bool], delay: Rational, _ search: borrowing StreamSearch,
    to result: inout PaletteAttempt
  ) {
    let size = animation.size
    var difference = FrameDifference(whole: size)
    var shown: [UInt8] = []
    if let canvas {
      shown = canvas.indices
      let found = FrameDifference(from: shown, to: plane.indices, size: size) { solid[Int($0)] }
      guard let found else { return result.sequence.hold(delay) }
      difference = found
    }
    let (rect, format) = (difference.rect, result.format)
    func pack(_ indices: [UInt8]) -> PackedRows { format.pack(indices, width: rect.width, height: rect.height) }
    var forms: [(blend: Blend, rows: PackedRows)] = []
    // Animations are given a clear entry; it is always the first.
    if difference.allowsOver {
      forms.append((.over, pack(difference.over(plane.indices, shown: shown, width: size.width, keep: 0))))
    }
    if !difference.isSparse {
      forms.append((.source, pack(difference.source(plane.indices, width: size.width))))
    }
    let (form, stream) = search.smallest(forms.map { ($0.rows, 0) })
    let corner = format.pack([plane.indices[0]], width: 1, height: 1)
    result.sequence.append(rect, forms[form].blend, stream, delay: delay, corner: corner)
  }
}
