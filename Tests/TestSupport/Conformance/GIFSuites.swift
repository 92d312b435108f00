import Codecs
import Foundation
import Imaging

extension Conformance {
  static let gifSuites = [
    Suite(name: "gif-test-suite", reference: "the suite's pictures and delays; exact") {
      try each("gif-test-suite", "conf") { path, _ in try judge(try GIFFacts(path)) }
    },
    Suite(
      name: "gif-giflib",
      reference: "all images drawn over each other without transparency, compared with our last frame where that shows"
    ) {
      try each("gif-giflib", "gif") { path, name in
        let reference = String(path.dropLast(3)) + "rgb"
        guard Corpus.exists(reference) else { return try read(path) }
        guard let last = try frames(path).last?.raster.rgba8 else { return .wrong("it has no frame") }
        let theirs = try Corpus.bytes(reference)
        guard theirs.count == last.count / 4 * 3 else { return .wrong("its size differs from the reference's") }
        let rgba = (0..<last.count / 4).flatMap { i in
          last[i * 4 + 3] == 0 ? [0, 0, 0, 0] : theirs[i * 3..<i * 3 + 3] + [255]
        }
        return compare(last, rgba)
      }
    },
    Suite(name: "gif-image-rs", reference: "the suite's picture of the first frame; exact") {
      try each("gif-image-rs", "gif") { path, name in
        // The reference of that name was made from the file that stands here as interlaced~2.gif.
        if name == "interlaced.gif" { return try read(path) }
        let stem = name == "interlaced~2.gif" ? "interlaced.gif" : name
        let reference = folder + "gif-image-rs-reference/\(stem).png"
        guard Corpus.exists(reference) else { return try read(path) }
        return compare(try first(path), try PNGOracle(try Corpus.bytes(reference)).rgba)
      }
    },
    Suite(name: "gif-pillow", reference: "the suite's picture of the frame that it names; exact") {
      let frameOf = [
        "different_transparency": (1, "merged"), "dispose_none_load_end": (1, "second"),
        "dispose_prev_first_frame": (1, "seeked"), "missing_background": (1, "first_frame"),
      ]
      return try each("gif-pillow", "gif") { path, name in
        let stem = String(name.dropLast(4))
        guard let (index, word) = frameOf[stem] else { return try read(path) }
        let theirs = try PNGOracle(try Corpus.bytes(folder + "gif-pillow/\(stem)_\(word).png")).rgba
        let frames = try frames(path)
        return frames.count > index ? compare(frames[index].raster.rgba8, theirs) : .wrong("it has too few frames")
      }
    },
  ]

  /// The files that are read in another way than the suite's author reads them, and why.
  private static let gifsReadOtherwise: [String: String] = {
    let joined = "images without a delay are frames, as in browsers; the suite joins them to one"
    return [
      "animation-multi-image-explicit-zero-delay.gif": joined, "animation-multi-image.gif": joined,
      "dispose-restore-previous.gif": joined, "high-color.gif": joined, "images-combine.gif": joined,
      "images-overlap.gif": joined,
      "plain-text.gif": "text is not drawn, as in browsers; the suite has no picture of it",
      "no-data.gif": "a file without any image is refused; the suite shows nothing",
    ]
  }()

  private static func judge(_ facts: GIFFacts) throws -> Verdict {
    let path = folder + "gif-test-suite/" + facts.input
    if let reason = gifsReadOtherwise[facts.input] {
      // Still, no frame may be broken.
      do { return try frames(path).isEmpty ? .wrong("it has no frame") : .otherwise(reason) } catch {
        return facts.input == "no-data.gif" ? .otherwise(reason) : .wrong("it is refused")
      }
    }
    if facts.pixels.isEmpty { return try refusal(path) }
    let frames = try frames(path)
    guard frames.count == facts.pixels.count else { return .wrong("it has \(frames.count) frames") }
    for (i, frame) in frames.enumerated() {
      let verdict = compare(
        frame.raster.rgba8, try Corpus.bytes(folder + "gif-test-suite-rgba/" + facts.pixels[i]))
      if verdict != .exact { return verdict }
      if i < facts.delays.count, frame.storedDelay != Rational(facts.delays[i], 100) {
        return .wrong("frame \(i + 1) has another delay")
      }
    }
    return .exact
  }
}

/// What a test of the GIF suite says of its file.
private struct GIFFacts {
  var input = ""
  var pixels: [String] = []
  var delays: [Int] = []

  init(_ path: String) throws {
    for line in try String(contentsOf: Corpus.url(path), encoding: .utf8).split(separator: "\n") {
      guard let range = line.firstRange(of: " = ") else { continue }
      let value = String(line[range.upperBound...])
      switch line[..<range.lowerBound] {
      case "input": input = value
      case "pixels": pixels.append(value)
      case "delay": delays.append(Int(value) ?? -1)
      default: break
      }
    }
  }
}
