import AssetCatalog
import Codecs
import Imaging

/// The art that a starter pack begins with, drawn here: a round face and a heart with white outlines.
enum StarterArt {
  /// Pixels of a side: those of the largest grid.
  static let side = GridSize.large.pixels
  /// What the numbered frames are called, and how many a second there are.
  static let frames = (folder: "wink.frames", count: 8, fps: 8)

  private static let yellow = RGBA8(255, 200, 61)
  private static let ink = RGBA8(66, 40, 30)
  private static let red = RGBA8(235, 64, 86)
  private static let rose = RGBA8(255, 150, 120)

  /// The files below the art folder, by path.
  static func files() -> [(path: String, bytes: [UInt8])] {
    var files = [("hello.png", png(face { smile(&$0) })), ("love.png", png(heart()))]
    for index in 0..<frames.count {
      // Closed in the middle of the second half.
      let open = [1, 1, 1, 1, 0.45, 0.1, 0.1, 0.45][index % frames.count]
      files.append(("\(frames.folder)/wink-\(index + 1).png", png(face(wink: open) { smile(&$0) })))
    }
    return files.map { (path: $0.0, bytes: $0.1) }
  }

  /// A master icon: square, opaque.
  static func icon() -> [UInt8] {
    var canvas = StarterCanvas(side: 1024, background: RGBA8(84, 104, 230))
    draw(&canvas, scale: 0.72, wink: 1) { smile(&$0, scale: 0.72) }
    return StillEncoder(effort: .fast, forcesRGB: true).encode(canvas.bitmap).bytes
  }

  private static func png(_ bitmap: Bitmap) -> [UInt8] { StillEncoder(effort: .fast).encode(bitmap).bytes }

  private static func face(wink: Double = 1, _ mouth: (inout StarterCanvas) -> Void) -> Bitmap {
    var canvas = StarterCanvas(side: side)
    draw(&canvas, scale: 1, wink: wink, mouth)
    return canvas.bitmap
  }

  /// The face; `wink` is how far its left eye is open.
  private static func draw(
    _ canvas: inout StarterCanvas, scale: Double, wink: Double, _ mouth: (inout StarterCanvas) -> Void
  ) {
    let head = StarterShape.disk(0.82 * scale)
    canvas.fill(.white, around: SIMD2(), reach: 0.82 * scale, outline: 0.1 * scale, head)
    canvas.fill(yellow, around: SIMD2(), reach: 0.82 * scale, head)
    for side in [-1.0, 1] {
      let cheek = SIMD2(side * 0.52, 0.14) * scale
      canvas.fill(rose, around: cheek, reach: 0.14 * scale, StarterShape.ellipse(SIMD2(0.14, 0.09) * scale))
      let eye = SIMD2(side * 0.28, -0.18) * scale
      let open = side < 0 ? wink : 1
      if open < 0.2 {
        let lid = StarterShape.arc(0.12 * scale, width: 0.06 * scale, turned: true)
        canvas.fill(ink, around: eye, reach: 0.16 * scale, lid)
      } else {
        canvas.fill(ink, around: eye, reach: 0.17 * scale, StarterShape.ellipse(SIMD2(0.1, 0.17 * open) * scale))
        let light = eye + SIMD2(0.03, -0.07 * open) * scale
        canvas.fill(.white, around: light, reach: 0.04 * scale, StarterShape.disk(0.035 * open * scale))
      }
    }
    mouth(&canvas)
  }

  private static func smile(_ canvas: inout StarterCanvas, scale: Double = 1) {
    let place = SIMD2(0, 0.16) * scale
    canvas.fill(ink, around: place, reach: 0.34 * scale, StarterShape.bowl(0.34 * scale))
    canvas.fill(
      red, around: place + SIMD2(0, 0.22) * scale, reach: 0.2 * scale, StarterShape.ellipse(SIMD2(0.17, 0.09) * scale))
  }

  private static func heart() -> Bitmap {
    var canvas = StarterCanvas(side: side)
    let heart = StarterShape.heart(0.98)
    canvas.fill(.white, around: SIMD2(), reach: 0.9, outline: 0.1, heart)
    canvas.fill(red, around: SIMD2(), reach: 0.9, heart)
    let shine = StarterShape.line(SIMD2(-0.05, 0.12), SIMD2(0.06, -0.02), width: 0.1)
    canvas.fill(RGBA8(255, 196, 200), around: SIMD2(-0.5, -0.38), reach: 0.2, shine)
    return canvas.bitmap
  }
}
