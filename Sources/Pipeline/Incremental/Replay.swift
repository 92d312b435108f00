import AssetCatalog
import Codecs

// A build that sees what the last one saw comes to what that came to: nothing is read but stamps.

extension LogFile {
  /// Whether a build with these options would see, leave and say the same.
  func isCurrent(options: Digest, on disk: any Disk) -> Bool {
    guard isReplayable, tool == .current, self.options == options else { return false }
    return stride(from: 0, to: files.count, by: LogFile.together).allSatisfy { start in
      let some = files[start..<min(start + LogFile.together, files.count)]
      let statuses = disk.statuses(some.map { (path: $0.path, followLinks: !$0.isLink) })
      return zip(some, statuses).allSatisfy { $0.isCurrent($1, on: disk) }
    }
  }

  /// So many files are asked for at once: enough for all processors, and little memory.
  private static let together = 4096
}

extension BuildLog {
  /// What the build came to, as one that found all of it done.
  var replay: BuildSummary {
    var summary = summary
    summary.jobs =
      (icons == nil ? [] : [JobReport(name: IconSlot.messagesIconSetName, decision: .upToDate, origin: .kept)])
      + stickers.map { JobReport(name: $0.name, decision: .upToDate, origin: .kept) }
    return summary
  }
}

extension Digest {
  /// The digest of all that was asked of a build.
  init(_ configuration: Configuration, _ builder: Builder) {
    let all = (
      configuration: configuration, limits: builder.limits, keepsEarlier: builder.keepsEarlier,
      refreshesPreview: builder.refreshesPreview
    )
    self.init(of: CanonicalText(all).text)
  }
}
