import Codecs
import Foundation
import Imaging

extension Conformance {
  static let pngSuites = [
    Suite(name: "pngsuite", reference: "the suite's pictures, and a plain decoder of our own; exact") {
      try each("pngsuite", "png") { path, name in
        if name.hasPrefix("x") { return try refusal(path) }
        let ours = try first(path)
        let reference = folder + "pngsuite-reference/" + name
        if Corpus.exists(reference) {
          let verdict = compare(ours, try PNGOracle(try Corpus.bytes(reference)).rgba)
          guard verdict == .exact else { return verdict }
        }
        return compare(ours, try PNGOracle(try Corpus.bytes(path)).rgba)
      }
    },
    Suite(name: "pngsuite-ios-cgbi", reference: "the pictures before Xcode rewrote them; 1 level, premultiplied") {
      try each("pngsuite-ios-cgbi", "png") { path, name in
        let original = folder + "pngsuite/" + name.replacing("iphone_", with: "")
        guard Corpus.exists(original) else { return try read(path) }
        let theirs = try PNGOracle(try Corpus.bytes(original)).rgba
        return compare(premultiplied(try first(path)), premultiplied(theirs), tolerance: 1)
      }
    },
    Suite(name: "png-libpng-testpngs", reference: "a plain decoder of our own; exact") {
      try each("png-libpng-testpngs", "png") { path, _ in
        compare(try first(path), try PNGOracle(try Corpus.bytes(path)).rgba)
      }
    },
    Suite(name: "apng-philip-numbered", reference: "what the suite's page says of the last frame; exact") {
      let expected = try expectations()
      return try each("apng-philip-numbered", "png") { path, name in
        guard let says = expected.first(where: { $0.file == name })?.says else { return try read(path) }
        return try judge(path, name, says)
      }
    },
    Suite(name: "apng-philip", reference: "what the numbered suite's page says of the same file; exact") {
      let expected = try expectations()
      return try each("apng-philip", "png") { path, name in
        guard let known = expected.first(where: { $0.twin == name }) else { return try read(path) }
        return try judge(path, known.file, known.says)
      }
    },
  ]

  private static func premultiplied(_ rgba: [UInt8]) -> [UInt8] {
    rgba.indices.map { $0 % 4 == 3 ? rgba[$0] : UInt8((Int(rgba[$0]) * Int(rgba[$0 | 3]) + 127) / 255) }
  }

  private static func expectations() throws -> [(file: String, twin: String, says: String)] {
    try String(contentsOf: Corpus.url(folder + "apng-philip-numbered/EXPECTED.tsv"), encoding: .utf8)
      .split(separator: "\n").dropFirst().map { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        return (fields[0], fields[1], fields[2])
      }
  }

  private static func judge(_ path: String, _ number: String, _ says: String) throws -> Verdict {
    guard !says.hasPrefix("INVALID") else { return try judgeInvalid(path) }
    let frames = try frames(path)
    guard let last = frames.last?.raster else { return .wrong("it has no frame") }
    func solid(_ color: [UInt8], tolerance: Int = 0) -> Verdict {
      compare(last.rgba8, (0..<last.size.area).flatMap { _ in color }, tolerance: tolerance)
    }
    switch number {
    case "015.png": return compare(last.rgba8, framed(last.size, [0, 0, 255, 255], [0, 0, 0, 0]))
    // 0.9 of green blended fifteen times at half alpha, in the file's own numbers: its gamma is not applied yet.
    case "022.png": return solid([0, 229, 0, 255], tolerance: 1)
    case "023.png": return solid([229, 0, 0, 255], tolerance: 1)
    case "025.png"..."029.png": return solid([255, 255, 0, 255])
    case "030.png"..."032.png": return solid([0, 0, 255, 255])
    case "033.png", "038.png": return solid([0, 0, 128, 255])
    case "034.png": return compare(last.rgba8, framed(last.size, [128, 128, 128, 255], [255, 255, 255, 255]))
    case "035.png": return solid([128, 128, 128, 255])
    case "019.png": return solid([0, 255, 0, 2], tolerance: 1)
    default: break
    }
    if says.hasPrefix("solid green") { return solid([0, 255, 0, 255]) }
    if says.hasPrefix("fully transparent") { return solid([0, 0, 0, 0]) }
    return .unreferenced
  }

  /// An invalid file is refused, or its frames until it breaks, or the default image, are shown: no red in any of them.
  private static func judgeInvalid(_ path: String) throws -> Verdict {
    guard let frames = try? frames(path) else { return .refused }
    let isRed = frames.contains { frame in
      let p = frame.raster.rgba8
      return stride(from: 0, to: p.count, by: 4).contains { p[$0] > 200 && p[$0 + 1] < 100 && p[$0 + 3] > 100 }
    }
    return isRed ? .wrong("it shows red") : .exact
  }

  /// A picture with a rectangle of half its size in the middle.
  private static func framed(_ size: PixelSize, _ outside: [UInt8], _ inside: [UInt8]) -> [UInt8] {
    let (left, top) = (size.width / 4, size.height / 4)
    return (0..<size.area).flatMap { i in
      let (x, y) = (i % size.width, i / size.width)
      let isInside = x >= left && x < left + size.width / 2 && y >= top && y < top + size.height / 2
      return isInside ? inside : outside
    }
  }
}
