import Codecs
import Imaging

extension Conformance {
  static let jpegSuites = [
    Suite(name: "jpeg-image-rs", reference: "the suite's pictures; 3 levels, decoders round the transforms differently")
    {
      try each("jpeg-image-rs", "jpg") { path, name in
        // Lossless JPEG is not read, and the scans of the other file break off.
        if name.hasPrefix("lossless") || name == "partial_progressive.jpg" { return try refusal(path) }
        let reference = String(path.dropLast(3)) + "png"
        guard Corpus.exists(reference) else { return try read(path) }
        return compare(try first(path), try PNGOracle(try Corpus.bytes(reference)).rgba, tolerance: 3)
      }
    },
    Suite(
      name: "jpeg-exif-orientation",
      reference: "the upright picture of its series, each compressed anew; 4 levels in the mean"
    ) {
      try
        (each("jpeg-exif-orientation", "jpg", judgeOrientation)
        + each("jpeg-exif-orientation", "webp", judgeOrientation))
    },
    Suite(name: "jpeg-libjxl", reference: "the picture before compression; 4 levels in the mean") {
      try each("jpeg-libjxl", "jpg") { path, name in
        // That of ink was made with a profile and is judged by its own test.
        guard name.hasPrefix("flower_small"), !name.contains("cmyk") else { return try read(path) }
        let original = try PNGOracle(try Corpus.bytes(folder + "jpeg-libjxl/flower_small.rgb.png")).rgba
        return resembles(try first(path), original, mean: 4)
      }
    },
    Suite(name: "jpeg-wuffs", reference: "the picture before compression; 8 levels in the mean") {
      try each("jpeg-wuffs", "jpeg") { path, name in
        if name.contains("truncated") { return try refusal(path) }
        // The others are of another picture, gray, or lack the scans with the detail.
        guard name.hasPrefix("peacock"), !name.contains("gray"), !name.contains("scan") || name.contains("scan009")
        else { return try read(path) }
        return resembles(
          try first(path), try PNGOracle(try Corpus.bytes(folder + "jpeg-wuffs/peacock.png")).rgba, mean: 8)
      }
    },
  ]

  private static func judgeOrientation(_ path: String, _ name: String) throws -> Verdict {
    let stem = String(name.prefix { $0 != "." })
    // The files 1 to 8 each show another number.
    guard let mark = stem.lastIndex(of: "_") else { return try read(path) }
    let ext = String(name.drop { $0 != "." })
    let first = stem.hasPrefix("hopper") ? "2" : "1"
    let ours = try upright(path)
    let theirs = try upright(folder + "jpeg-exif-orientation/" + stem[...mark] + first + ext)
    guard ours.size == theirs.size else { return .wrong("it does not stand upright") }
    return resembles(ours.rgba8, theirs.rgba8, mean: 4)
  }

  private static func upright(_ path: String) throws -> Raster {
    let reader = try ImageReader(bytes: try Corpus.bytes(path))
    guard let frame = try reader.nextFrame() else { throw DecodeError.unrecognized }
    return frame.raster.upright(reader.header.orientation)
  }

  static let webpSuites = [
    Suite(
      name: "webp-image-rs",
      reference: "the suite's pictures; exact, blended frames 1 level: libwebp rounds the blend in its own way"
    ) {
      let references = try Corpus.files(in: folder + "webp-image-rs-reference", withExtension: "png")
      return try each("webp-image-rs", "webp") { path, name in
        let stem = String(name.dropLast(5))
        let frames = try frames(path)
        var verdict = Verdict.unreferenced
        for reference in references {
          let parts = reference.split(separator: "/").last?.dropLast(4).split(separator: "-") ?? []
          guard let found = parts.first, found == stem else { continue }
          let index = parts.count > 1 ? (Int(parts[1]) ?? 1) - 1 : 0
          guard index < frames.count else { return .wrong("it has too few frames") }
          let theirs = try PNGOracle(try Corpus.bytes(reference)).rgba
          let one = compare(
            frames[index].raster.rgba8, theirs, tolerance: stem == "random_lossless" ? 1 : 0)
          switch one {
          case .wrong: return one
          case .near: verdict = .near
          default: if verdict == .unreferenced { verdict = .exact }
          }
        }
        return verdict
      }
    },
    Suite(name: "webp-image", reference: "none") {
      try each("webp-image", "webp") { path, _ in try read(path) }
    },
    Suite(name: "webp-wuffs", reference: "none") {
      try each("webp-wuffs", "webp") { path, _ in try read(path) }
    },
  ]
}
