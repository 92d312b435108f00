import AssetCatalog
import Codecs
import Imaging
import Pipeline

/// What a build, a conversion or an icon set came to, for people and for machines.
struct BuildReport {
  /// The command's name.
  let command: String
  /// What was made.
  let summary: BuildSummary
  /// Where, as the user wrote it.
  let output: String
  /// Whether to say why each sticker was made or not.
  var explains = false
  /// Whether nothing was to be done.
  var isDry = false
  /// How a diagnostic is told to people.
  var located: (Diagnostic) -> Diagnostic = { $0 }

  /// What took how long, where that is asked for.
  var timings: Timings?

  /// Text: a line a sticker, all diagnostics, a last line.
  func show(_ reporter: Reporter) {
    guard !reporter.json else { return reporter.io.standardOutput(lastEvent) }
    if explains { explanation.forEach(reporter.say) }
    // What was there before is not told again, but for its problems.
    let kept = Set(summary.jobs.filter { $0.origin == .kept }.map(\.name))
    let stickers = summary.stickers.filter { !kept.contains($0.name) }
    let nameColumn = min(40, stickers.map(\.name.columns).max() ?? 0)
    let sizeColumn = stickers.map { grouped($0.bytes).count }.max() ?? 0
    for sticker in stickers {
      reporter.say("  " + sticker.name.filled(to: nameColumn) + "  " + outcome(of: sticker, sizeColumn))
    }
    if summary.icons > 0, !kept.contains(BuildReport.iconJob), !isNothingNew {
      reporter.say("  " + counted(summary.icons, "icon"))
    }
    let old = Set(summary.stickers.filter { kept.contains($0.name) }.flatMap(\.diagnostics))
    for diagnostic in summary.diagnostics where reporter.quiet || !isInALine(diagnostic) {
      if diagnostic.severity != .note || !old.contains(diagnostic) { reporter.show(located(diagnostic)) }
    }
    timings?.lines.forEach(reporter.say)
    reporter.say(isDry ? plan : lastLine)
  }

  /// The name of the job that makes the icons.
  private static let iconJob = IconSlot.messagesIconSetName

  /// Whether all is as it was.
  private var isNothingNew: Bool { summary.written.isEmpty && summary.removed.isEmpty }

  /// A line a job, in plan order.
  private var explanation: [String] {
    summary.jobs.map { job in
      guard case .build(let reason) = job.decision else { return "\(job.name): up to date" }
      return "\(job.name): \(job.origin.text): \(reason.text)"
    }
  }

  /// What would be done.
  private var plan: String {
    let count = { (origin: JobOrigin) in summary.jobs.count { $0.origin == origin } }
    return "nothing was written; in \(output) \(grouped(count(.planned))) would be pressed, "
      + "\(grouped(count(.cached))) taken from the cache, \(grouped(count(.kept))) are up to date"
  }

  private func outcome(of sticker: StickerResult, _ sizeColumn: Int) -> String {
    guard sticker.output != nil, let report = sticker.report else { return "not made" }
    let size = grouped(sticker.bytes).aligned(to: sizeColumn) + " bytes"
    let parts = (isAnimated(sticker) ? [frames(of: sticker)] : []) + cost(report, sticker)
    return size + "  " + parts.joined(separator: ", ")
  }

  /// Whether the sticker's line says the same.
  private func isInALine(_ diagnostic: Diagnostic) -> Bool { ["palette", "frames-thinned"].contains(diagnostic.id) }

  private func isAnimated(_ sticker: StickerResult) -> Bool { sticker.duration > .zero }

  private func frames(of sticker: StickerResult) -> String {
    let report = sticker.report
    let (kept, different) = (report?.keptFrames ?? 1, (report?.sourceFrames ?? 1) - (report?.mergedFrames ?? 0))
    let count = kept < different ? "\(grouped(kept)) of \(counted(different, "frame"))" : counted(kept, "frame")
    return "\(count), \(seconds(sticker.duration))"
  }

  /// What the byte budget cost: nothing, or colors, quality and flicker.
  private func cost(_ report: EncodingReport, _ sticker: StickerResult) -> [String] {
    guard report.method == .palette else { return ["lossless"] }
    var parts = [counted(report.colors ?? 256, "color")]
    if let quality = sticker.quality {
      parts.append("quality \(Int(quality.score.rounded()))")
      if isAnimated(sticker) { parts.append("flicker \(tenths(quality.flicker))") }
    }
    return parts
  }

  private var lastLine: String {
    let (made, all) = (summary.madeCount, summary.stickerCount)
    var parts: [String] = []
    if all > 0 {
      parts.append(made == all ? counted(made, "sticker") : "\(grouped(made)) of \(counted(all, "sticker"))")
    }
    if summary.icons > 0 { parts.append(counted(summary.icons, "icon")) }
    if parts.isEmpty, isNothingNew { return "nothing was made in \(output)" }
    let what = parts.isEmpty ? "nothing" : parts.joined(separator: " and ")
    return "\(what) in \(output): \(changes)"
  }

  private var changes: String {
    let (written, removed) = (summary.written.count, summary.removed.count)
    if written == 0 && removed == 0 { return "nothing changed" }
    var parts = ["\(counted(written, "file")) written"]
    if !summary.unchanged.isEmpty { parts.append("\(grouped(summary.unchanged.count)) unchanged") }
    if removed > 0 { parts.append("\(grouped(removed)) removed") }
    return parts.joined(separator: ", ")
  }
}

extension JobOrigin {
  fileprivate var text: String {
    switch self {
    case .kept: "up to date"
    case .cached: "from the cache"
    case .pressed: "pressed"
    case .planned: "to be pressed"
    }
  }
}

extension BuildReport {
  /// The last line of `--json`.
  var lastEvent: String { document.serialized(.compact) + "\n" }

  private var document: JSONValue {
    .object(members + (timings.map { [.init("timings", $0.json)] } ?? []))
  }

  private var members: [JSONValue.Member] {
    [
      .init("event", .string("done")), .init("command", .string(command)), .init("version", .string(decalVersion)),
      .init("ok", .bool(!summary.hasErrors)), .init("output", .string(output)), .init("icons", .int(summary.icons)),
      .init("stickers", .array(summary.stickers.map(json))), .init("jobs", .array(summary.jobs.map(json))),
      texts("written", summary.written),
      texts("unchanged", summary.unchanged), texts("removed", summary.removed),
      .init("diagnostics", .array(summary.diagnostics.map(\.json))),
    ]
  }

  private func texts(_ key: String, _ values: [String]) -> JSONValue.Member {
    .init(key, .array(values.map(JSONValue.string)))
  }

  private func json(_ job: JobReport) -> JSONValue {
    var reason = JSONValue.null
    if case .build(let why) = job.decision { reason = .string(why.text) }
    return .object([
      .init("name", .string(job.name)), .init("origin", .string(job.origin.rawValue)), .init("reason", reason),
    ])
  }

  private func json(_ sticker: StickerResult) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(sticker.name)), .init("source", .string(sticker.source)),
      .init("output", sticker.output.map(JSONValue.string) ?? .null),
    ]
    if sticker.output != nil, let report = sticker.report {
      members += [
        .init("bytes", .int(sticker.bytes)), .init("width", .int(sticker.size.width)),
        .init("height", .int(sticker.size.height)), .init("frames", .int(report.keptFrames)),
        .init("sourceFrames", .int(report.sourceFrames)), .init("mergedFrames", .int(report.mergedFrames)),
        .init("durationMs", .int(sticker.duration.milliseconds)), .init("plays", .int(sticker.plays)),
        .init("encoding", .string(report.method.rawValue)),
        .init("colors", report.colors.map(JSONValue.int) ?? .null),
        .init("quality", sticker.quality.map { .double(($0.score * 10).rounded() / 10) } ?? .null),
        .init("flicker", sticker.quality.map { .double(($0.flicker * 100).rounded() / 100) } ?? .null),
      ]
    }
    return .object(members)
  }
}

extension Diagnostic {
  /// A diagnostic in the document of `--json`.
  var json: JSONValue { .object(members) }

  /// What JSON says of it.
  var members: [JSONValue.Member] {
    [
      .init("path", path.map(JSONValue.string) ?? .null), .init("severity", .string(severity.rawValue)),
      .init("message", .string(message)), .init("id", .string(id)),
    ]
  }
}
