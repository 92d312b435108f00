import Imaging

/// Whether the pictures of a folder are numbered frames of one animation.
///
/// They are where their names differ in one number only, the numbers run (one by one with few gaps, or in equal steps),
/// none of them is animated itself and all have one size.
enum FrameSequence {
  /// What was found out.
  enum Verdict: Equatable {
    /// They are frames; these numbers of the run are missing.
    case frames(missing: [Int])
    /// They are a group of stickers, for this reason.
    case group(reason: String)
  }

  /// What must be known of one picture.
  struct Picture {
    var name: String
    /// Nil where the header cannot be read.
    var header: (size: PixelSize, frames: Int)?
  }

  /// Judges by names alone; pictures need not be read where this says that they are a group.
  ///
  /// Where the folder is frames by its name (`isForced`), many numbers may be missing.
  static func judge(names: [String], isForced: Bool = false) -> Verdict {
    guard names.count >= 2 else { return .group(reason: "one picture alone") }
    guard let numbers = runningNumbers(names) else {
      return .group(reason: "their names differ in more than a running number")
    }
    let sorted = numbers.sorted()
    guard Set(sorted).count == sorted.count else { return .group(reason: "a number comes twice") }
    let steps = Set(zip(sorted, sorted.dropFirst()).map { $1 - $0 })
    if steps.count == 1, steps.first == 1 || sorted.count >= 4 { return .frames(missing: []) }
    let missing = sorted[sorted.count - 1] - sorted[0] + 1 - sorted.count
    guard missing <= (isForced ? 1000 : sorted.count / 4) else {
      return .group(reason: "\(missing) numbers between \(sorted[0]) and \(sorted[sorted.count - 1]) are missing")
    }
    let present = Set(sorted)
    return .frames(missing: (sorted[0]...sorted[sorted.count - 1]).filter { !present.contains($0) })
  }

  /// Judges by names and headers.
  static func judge(_ pictures: [Picture]) -> Verdict {
    let verdict = judge(names: pictures.map(\.name))
    guard case .frames = verdict else { return verdict }
    var sizes: [PixelSize] = []
    for picture in pictures {
      guard let header = picture.header else { return .group(reason: "\(picture.name) cannot be read") }
      if header.frames > 1 { return .group(reason: "\(picture.name) is an animation itself") }
      if !sizes.contains(header.size) { sizes.append(header.size) }
    }
    guard sizes.count == 1 else {
      return .group(reason: "their sizes differ (\(sizes.prefix(2).map(\.description).joined(separator: ", ")))")
    }
    return verdict
  }

  /// The number that differs from name to name, where nothing else does.
  private static func runningNumbers(_ names: [String]) -> [Int]? {
    let split = names.map { parts(Path.split($0).stem) }
    guard let first = split.first, split.allSatisfy({ $0.texts == first.texts }) else { return nil }
    let varying = first.numbers.indices.filter { index in split.contains { $0.numbers[index] != first.numbers[index] } }
    guard varying.count == 1 else { return nil }
    return split.map { $0.numbers[varying[0]] }
  }

  /// A stem's runs of digits, and the texts before, between and behind them.
  private static func parts(_ stem: String) -> (texts: [[UInt8]], numbers: [Int]) {
    var texts: [[UInt8]] = [[]]
    var numbers: [Int] = []
    var digits: [UInt8] = []
    func flush() {
      guard !digits.isEmpty else { return }
      if digits.count <= 9, let number = Int(String(decoding: digits, as: UTF8.self)) {
        numbers.append(number)
        texts.append([])
      } else {
        // Longer than any frame counter: an identifier.
        texts[texts.count - 1] += digits
      }
      digits = []
    }
    for byte in stem.utf8 {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        digits.append(byte)
      } else {
        flush()
        texts[texts.count - 1].append(byte)
      }
    }
    flush()
    return (texts, numbers)
  }
}
