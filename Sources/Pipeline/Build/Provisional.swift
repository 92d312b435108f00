extension PackRun {
  /// What stands for a sticker while its art may be half-written: what the last build made of it, or nothing yet.
  ///
  /// Nil where the outcome counts: when nothing is watched, or the art has stood still for a while.
  func provisional(_ job: StickerJob, _ outcome: StickerOutcome) -> DoneSticker? {
    guard builder.keepsEarlier, outcome.diagnostics.contains(where: { $0.mayBeHalfWritten }),
      isYoung((job.source.files + (job.source.sidecar.map { [$0.file] } ?? [])).map(\.location))
    else { return nil }
    return DoneSticker(report: nil, record: history?.record(of: job), provisional: job.source.path)
  }

  /// The same for the icons.
  func provisional(_ options: IconOptions, _ outcome: IconOutcome) -> DoneIcons? {
    guard builder.keepsEarlier, outcome.sets.isEmpty, let master = options.master,
      isYoung(options.masters.map { Path.join(root, $0) })
    else { return nil }
    let record = history?.log?.icons
    return DoneIcons(outcome: record?.outcome ?? IconOutcome(), report: nil, record: record, provisional: master)
  }

  /// Whether one of these files was changed, or went, a moment ago.
  ///
  /// Times that programs can set do not count.
  private func isYoung(_ files: [String]) -> Bool {
    let patience = Int(ProvisionalErrors.patience / .nanoseconds(1))
    return builder.disk.statuses(files.map { ($0, true) }).contains { status in
      // A clock that was set back must not make a file young for ever.
      status.map { abs(builder.now() - $0.changed) < patience } ?? true
    }
  }
}

extension Diagnostic {
  /// Whether it may be of a file that is still being written.
  fileprivate var mayBeHalfWritten: Bool {
    let ids = [
      "damaged-image", "damaged-frames", "not-an-image", "unreadable", "unsupported-format", "failed", "config-syntax",
    ]
    return ids.contains(id)
  }
}
