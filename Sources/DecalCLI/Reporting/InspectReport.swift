import AssetCatalog
import Codecs
import Imaging
import Pipeline

/// What `inspect` says of one file, for people and for machines.
struct InspectReport {
  /// The file as it was typed.
  let path: String
  /// What is in it.
  let facts: ImageFacts

  /// Text: a first line with the most important, then one line a topic.
  var lines: [String] {
    let header = facts.header
    var lines = [
      "\(path): \(header.format.displayName), \(header.size) px, \(counted(facts.bytes, "byte"))",
      topic("color", color), topic("alpha", alphaText),
    ]
    if !facts.delays.isEmpty { lines += [topic("frames", framesText), topic("delays", delaysText)] }
    if header.orientation != .up {
      let size = header.orientation.swapsSides ? header.size.transposed : header.size
      lines.append(topic("upright", "\(size) px, by orientation \(header.orientation.rawValue)"))
    }
    if let profile = facts.profile { lines.append(topic("profile", profile)) }
    if case .gamma(let value, let chromaticities) = header.color {
      lines.append(topic("gamma", "\(value)" + (chromaticities == nil ? "" : ", with primaries of its own")))
    }
    if header.color != .sRGB { lines.append(topic("gamut", gamutText)) }
    return lines + [topic("chunks", chunksText)]
  }

  private func topic(_ name: String, _ text: String) -> String { "  " + name.filled(to: 9) + text }

  private var color: String {
    let depth = "\(facts.header.bitDepth) bit\(facts.header.bitDepth == 1 ? "" : "s")"
    return "\(facts.header.colorModel), \(depth), \(counted(facts.colors, "color")) used"
  }

  private var alphaText: String {
    switch facts.alpha {
    case "none": "none"
    case "opaque": "a channel, opaque everywhere"
    case "binary": "each pixel clear or opaque"
    default: "soft edges"
    }
  }

  private var gamutText: String {
    let pixels = facts.header.size.area * facts.header.frameCount
    let outside = facts.pixelsOutsideSRGB
    if outside == 0 { return "all within sRGB" }
    let percent = outside * 100 / max(1, pixels)
    return (percent == 0 ? "less than 1 %" : "\(percent) %") + " of the pixels lie outside sRGB"
  }

  private var framesText: String {
    "\(grouped(facts.header.frameCount)), \(seconds(facts.delays.reduce(.zero, +))) as stored, "
      + playsText(facts.header.playCount)
  }

  /// Equal neighbors together: `2 x 100 ms, 80 ms`; the first twelve.
  private var delaysText: String {
    let runs = facts.delays.reduce(into: [(delay: Rational, count: Int)]()) { runs, delay in
      if runs.last?.delay == delay { runs[runs.count - 1].count += 1 } else { runs.append((delay, 1)) }
    }
    let shown = runs.prefix(12).map { $0.count == 1 ? exact($0.delay) : "\($0.count) x \(exact($0.delay))" }
    return (shown + (runs.count > 12 ? ["... (--json has all)"] : [])).joined(separator: ", ")
  }

  /// Milliseconds where they are whole, else the fraction in seconds.
  private func exact(_ delay: Rational) -> String {
    1000 % delay.denominator == 0
      ? "\(delay.numerator * (1000 / delay.denominator)) ms" : "\(delay.numerator)/\(delay.denominator) s"
  }

  /// Each name once, in the order of its first, with how often it comes; the first forty.
  private var chunksText: String {
    var places: [String: Int] = [:]
    var counts: [(name: String, count: Int)] = []
    for chunk in facts.chunks {
      if let index = places[chunk.name] {
        counts[index].count += 1
      } else {
        places[chunk.name] = counts.count
        counts.append((chunk.name, 1))
      }
    }
    let shown = counts.prefix(40).map { $0.count == 1 ? $0.name : "\($0.count) x \($0.name)" }
    return (shown + (counts.count > 40 ? ["... (--json has all)"] : [])).joined(separator: ", ")
  }
}

extension ImageFormat {
  /// The name as people write it.
  var displayName: String { self == .webp ? "WebP" : rawValue.uppercased() }
}

extension InspectReport {
  /// The file's part of the document of `--json`; delays are `[numerator, denominator]` in seconds.
  var json: JSONValue {
    let header = facts.header
    var members: [JSONValue.Member] = [
      .init("file", .string(path)), .init("format", .string(header.format.rawValue)), .init("bytes", .int(facts.bytes)),
      .init("width", .int(header.size.width)), .init("height", .int(header.size.height)),
      .init("frames", .int(header.frameCount)), .init("delays", .array(facts.delays.map(\.json))),
      .init("plays", .int(header.playCount)), .init("orientation", .int(header.orientation.rawValue)),
      .init("colorModel", .string(header.colorModel)), .init("bitDepth", .int(header.bitDepth)),
      .init("colors", .int(facts.colors)), .init("alpha", .string(facts.alpha)),
      .init("profile", facts.profile.map(JSONValue.string) ?? .null),
    ]
    if case .gamma(let value, _) = header.color { members.append(.init("gamma", .double(value))) }
    members.append(.init("pixelsOutsideSRGB", .int(facts.pixelsOutsideSRGB)))
    members.append(.init("chunks", .array(facts.chunks.map(json))))
    members.append(
      .init(
        "warnings",
        .array(facts.warnings.map { .object([.init("id", .string($0.id)), .init("message", .string($0.message))]) })))
    return .object(members)
  }

  private func json(_ chunk: ImageFacts.Chunk) -> JSONValue {
    .object([
      .init("name", .string(chunk.name)), .init("offset", .int(chunk.offset)), .init("length", .int(chunk.length)),
    ])
  }
}

extension Rational {
  /// `[numerator, denominator]`.
  var json: JSONValue { .array([.int(numerator), .int(denominator)]) }
}
