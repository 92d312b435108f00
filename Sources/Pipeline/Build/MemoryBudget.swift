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

extension StickerJob {
  /// The bytes that the job will take at most, by what the headers of its files say; `file` is the size of the largest.
  ///
  /// Measured: 16 to 21 MB to begin with; the file, which stays in memory; of a still 4 bytes a pixel, 8 of 16-bit samples. An
  /// animation's canvas takes what `TemporaryBands` reckons with. It has its finished frames once and those of the file once
  /// more, as far as they stay in memory; while it is coded, in place of the latter, what is made ready of some frames,
  /// and each worker's buffers.
  func memory(_ header: HeaderFacts?, file: Int) -> Int {
    let start = 24 << 20
    guard let header else { return start + file }
    let frames = if case .frames(let files) = source.content { files.count } else { header.frames }
    let isCanvas = if case .file = source.content { frames > 1 } else { false }
    let read = start + file + header.width * header.height * (isCanvas ? TemporaryBands.canvasBytes : 8)
    if frames < 2 { return read }
    let finished = recipe.render.side * recipe.render.side * 4
    // Two workers take 14 times a frame each; a frame that is kept ready 1.75 times.
    let coding = finished * (2 * 14 + min(frames, 48) * 7 / 4)
    return read + min(frames * finished, TemporaryBands.memory)
      + max(min(frames * finished, TemporaryBands.finishedMemory), coding)
  }
}
