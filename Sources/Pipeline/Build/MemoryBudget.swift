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
  /// animation's canvas takes what `TemporaryBands` reckons with; finished frames are there 2 to 3.4 times while palettes
  /// compete, and once more when they are looked at again.
  func memory(_ header: HeaderFacts?, file: Int) -> Int {
    let (start, perFrame) = (24 << 20, 5)
    guard let header else { return start + file }
    let frames = if case .frames(let files) = source.content { files.count } else { header.frames }
    let isCanvas = if case .file = source.content { frames > 1 } else { false }
    let finished = recipe.render.side * recipe.render.side * 4
    let pixels = header.width * header.height * (isCanvas ? TemporaryBands.canvasBytes : 8)
    return start + file + pixels + (frames > 1 ? frames * finished * perFrame : 0)
  }
}
