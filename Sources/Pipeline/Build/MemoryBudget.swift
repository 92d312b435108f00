import Codecs

/// What the jobs of a build share.
struct JobBudget: Sendable {
  /// Bytes.
  let memory: MemoryBudget
  /// Processors, as many as jobs may run at once.
  let processors: SpareProcessors

  /// What a builder was given.
  init(of builder: Builder) {
    memory = MemoryBudget(builder.memory)
    processors = SpareProcessors(builder.jobs)
  }

  /// Does a job when there are bytes for it, on a processor of its own.
  func run<Result>(_ bytes: Int, _ job: () throws -> Result) async throws -> Result {
    await memory.take(bytes)
    // The budget's own task: a job may end by an error.
    defer { Task { [memory] in await memory.give(bytes) } }
    try Task.checkCancellation()
    return try processors.occupy(job)
  }
}

/// Bytes that jobs may take together; who comes first is served first.
actor MemoryBudget {
  private let limit: Int
  private var used = 0
  private var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Nil bounds nothing.
  init(_ limit: Int?) { self.limit = limit ?? .max }

  /// Takes bytes, when they are free; one that wants more than there is runs alone.
  func take(_ bytes: Int) async {
    if waiting.isEmpty, fits(bytes) {
      used += bytes
    } else {
      await withCheckedContinuation { waiting.append((bytes, $0)) }
    }
  }

  /// Gives them back.
  func give(_ bytes: Int) {
    used -= bytes
    while let next = waiting.first, fits(next.bytes) {
      used += next.bytes
      waiting.removeFirst().continuation.resume()
    }
  }

  private func fits(_ bytes: Int) -> Bool { used == 0 || used <= limit - min(bytes, limit) }
}

/// What a job takes before it reads anything; measured were 16 to 21 MB.
private let startBytes = 24 << 20

extension StickerJob {
  /// The bytes that the job will take at most, by what the headers of its files say; `file` is the size of the largest.
  ///
  /// Measured: the file stays in memory, and of a still what `HeaderFacts.pixelBytes` says. An
  /// animation's canvas takes what `TemporaryBands` reckons with. It has its finished frames once and those of the file once
  /// more, as far as they stay in memory; while it is coded, in place of the latter, what is made ready of some frames,
  /// and each worker's buffers.
  func memory(_ header: HeaderFacts?, file: Int) -> Int {
    guard let header else { return startBytes + file }
    let frames = if case .frames(let files) = source.content { files.count } else { header.frames }
    let isCanvas = if case .file = source.content { frames > 1 } else { false }
    let read = startBytes + file + header.area * (isCanvas ? TemporaryBands.canvasBytes : header.pixelBytes)
    if frames < 2 { return read }
    let finished = recipe.render.side * recipe.render.side * 4
    // Two workers take 14 times a frame each; a frame that is kept ready 1.75 times.
    let coding = finished * (2 * 14 + min(frames, 48) * 7 / 4)
    return read + min(frames * finished, TemporaryBands.memory)
      + max(min(frames * finished, TemporaryBands.finishedMemory), coding)
  }
}

extension IconOptions {
  /// The bytes that making icons will take at most, by the headers of the masters and the sizes of their files.
  ///
  /// Measured: all files stay in memory, the masters are decoded one after another, and each stays in the working space,
  /// 16 bytes a pixel, no larger than composing needs; the icon's is there two and a quarter times.
  static func memory(_ masters: [(header: HeaderFacts?, file: Int)]) -> Int {
    let files = masters.reduce(0) { $0 + $1.file }
    let headers = masters.compactMap(\.header)
    let read = headers.map { $0.area * $0.pixelBytes }.max() ?? 0
    let limit = IconRenderer.compositionLimit * IconRenderer.compositionLimit
    let composed = headers.map { min($0.area, limit) * 16 }
    return startBytes + files + read + composed.reduce(0, +) + (composed.max() ?? 0) * 5 / 4
  }
}
