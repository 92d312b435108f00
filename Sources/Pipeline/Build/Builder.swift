public import Codecs
public import Imaging

/// What happens during a build, in the order it happens; jobs may interleave.
public enum BuildEvent: Sendable {
  /// Another build of the same output runs; this one begins when that is over.
  case waiting(output: String)
  /// A catalog that somebody else made is taken over: these files of the output are replaced or removed.
  case adopting(replaced: [String])
  /// The plan is made: this many jobs will run.
  case planned(jobs: Int)
  /// A job has begun: the sticker's or icon set's name.
  case started(name: String)
  /// A job has ended.
  case finished(name: String)
  /// Something to tell.
  case diagnostic(Diagnostic)
}

/// Who is told; the default implementation does nothing.
public protocol BuildObserver: Sendable {
  /// Receives an event, from any task.
  func receive(_ event: BuildEvent)
}

extension BuildObserver {
  /// Ignores the event.
  public func receive(_ event: BuildEvent) {}
}

/// An observer that does nothing.
public struct SilentObserver: BuildObserver {
  /// Makes one.
  public init() {}
}

/// What became of one sticker.
public struct StickerResult: Sendable {
  /// The sticker's name, the stem of its source.
  public var name: String
  /// The source file or frame folder, relative to the configuration's folder.
  public var source: String
  /// The finished file, relative to the output folder; nil where it failed.
  public var output: String?
  /// The finished file's size in bytes.
  public var bytes: Int
  /// The canvas in pixels.
  public var size: PixelSize
  /// The time of one play, in seconds; zero for a still.
  public var duration: Rational
  /// Times it plays, 0 = for ever.
  public var plays: Int
  /// How it was encoded; nil where it failed.
  public var report: EncodingReport?
  /// How well it shows its art; nil where it failed.
  public var quality: AnimationQuality?
  /// Its diagnostics.
  public var diagnostics: [Diagnostic]
}

/// What a build did.
public struct BuildSummary: Sendable {
  /// One result a sticker, in display order, the failed ones included.
  public var stickers: [StickerResult] = []
  /// The number of stickers, also where they are not told one by one.
  public var stickerCount = 0
  /// The number of those that were made.
  public var madeCount = 0
  /// The number of icon files made.
  public var icons = 0
  /// What was decided, and why, in plan order; sources that had a problem before they were read are left out.
  public var jobs: [JobReport] = []
  /// Art and masters that were read, and the folders they lie in, as the disk has them; sorted.
  public var inputs: [String] = []
  /// Sources that may be half-written, where earlier results are kept: they are not told of, and are to be built again soon.
  public var provisional: [String] = []
  /// All diagnostics in plan order, those of stickers included.
  public var diagnostics: [Diagnostic] = []
  /// Files written, relative to the output folder, sorted.
  public var written: [String] = []
  /// Files whose bytes were already right.
  public var unchanged: [String] = []
  /// Files removed because nothing makes them any more.
  public var removed: [String] = []
  /// Whether an asset failed or is over its budget: exit code 1.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// An empty summary.
  public init() {}
}

/// Why a build could not begin: exit code 2, nothing was written.
public struct BuildRefusal: Error, Sendable {
  /// All the problems, not only the first.
  public var diagnostics: [Diagnostic]

  /// Makes a refusal.
  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

/// Presses packs.
public struct Builder: Sendable {
  /// The disk.
  public var disk: any Disk
  /// Who is told.
  public var observer: any BuildObserver
  /// Jobs that run at once, at least 1.
  public var jobs: Int
  /// Make everything again, and replace and remove files that somebody edited since Decal wrote them.
  public var force: Bool
  /// Bounds on what is decoded.
  public var limits: DecodeLimits
  /// The most bytes that jobs may take together, by estimate; nil for no bound.
  ///
  /// One job always runs.
  public var memory: Int?
  /// Take over a catalog in the output folder that Decal did not write.
  public var adopts = false
  /// Wait where another build of the same output runs; else refuse.
  public var waits = true
  /// Where a pack's builds keep what spares the next one work; nil keeps nothing.
  public var state: StateFolder?
  /// Decide only: nothing is made and nothing is written.
  public var isDry = false
  /// Keep the last good sticker of a source that cannot be made: for watching, where art may be half-written.
  ///
  /// What was changed less than 2 s ago and cannot be read is not even told of. Else such a sticker goes, as it would not be
  /// there in a new folder.
  public var keepsEarlier = false
  /// Let the page that shows the pack look for what the next build makes: for watching.
  public var refreshesPreview = false
  /// Tell all of a build that has nothing to do: else no sticker by itself, and no note.
  public var isDetailed = true
  /// The time, nanoseconds since 1970.
  public var now: @Sendable () -> Int = { SystemDisk.now() }

  /// Makes a builder.
  public init(
    disk: any Disk, observer: any BuildObserver = SilentObserver(), jobs: Int = 2, force: Bool = false,
    limits: DecodeLimits = DecodeLimits()
  ) {
    self.disk = disk
    self.observer = observer
    self.jobs = jobs
    self.force = force
    self.limits = limits
  }
}
