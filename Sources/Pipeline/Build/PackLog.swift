extension PackRun {
  /// Writes the log and tends the cache; where that cannot be done the next build has more to do.
  func keep(_ done: [DoneJob], _ summary: inout BuildSummary) {
    guard let state = builder.state, let history else { return }
    let disk = history.cache.disk
    let isWorthIt = !summary.written.isEmpty || !summary.unchanged.isEmpty
    do throws(DiskError) {
      // What was read is told in any case.
      defer { if summary.inputs.isEmpty { summary.inputs = inputs(history.disk.finish()) } }
      guard isWorthIt else { return }
      try state.prepare(on: history.disk)
      state.maintain(used: Set(done.compactMap(\.fingerprint)), now: builder.now(), on: disk)
      let seen = history.disk.finish()
      summary.inputs = inputs(seen)
      let log = log(done, summary, seen)
      let path = state.log(of: output, on: disk)
      let bytes = log.bytes(root: root, masters: configuration.icon.masters)
      let isSame =
        (try? disk.status(path, followLinks: true))?.size == bytes.count && (try? disk.digest(path)) == bytes.digest.hex
      if !isSame { try bytes.write(to: path, on: disk) }
    } catch {
      let note = Diagnostic(
        .note, path: state.path, "what spares the next build work is not kept: \(error.message)", id: "state-not-kept")
      builder.tell([note])
      summary.diagnostics.append(note)
    }
  }

  private func log(
    _ done: [DoneJob], _ summary: BuildSummary, _ seen: (files: SeenFiles, unstable: [SeenFile])
  ) -> BuildLog {
    var stickers: [StickerRecord] = []
    var icons: DoneIcons?
    for one in done {
      switch one {
      case .icons(let outcome): icons = outcome
      case .sticker(let sticker): stickers += sticker.record.map { [$0] } ?? []
      }
    }
    let limits = builder.limits
    let isSame =
      summary.provisional.isEmpty && summary.diagnostics.isReproducible
      && !summary.diagnostics.contains { $0.id == "edited-output" }
      && stickers.allSatisfy { $0.outcome.isReproducible(limits) }
      && zip(stickers, summary.stickers).allSatisfy { ($0.outcome.sticker == nil) == ($1.output == nil) }
      && (icons.map { $0.record != nil && $0.outcome.isReproducible(limits) } ?? true)
    return BuildLog(
      tool: .current, options: options, isReplayable: seen.unstable.isEmpty && isSame, files: seen.files,
      stickers: stickers,
      icons: icons?.record, summary: summary)
  }
}
