import Codecs
import Imaging

/// The suites of the corpus, every file of them judged against the reference beside it.
public enum Conformance {
  /// What became of one file.
  public enum Verdict: Sendable, Hashable {
    /// Every sample is that of the reference.
    case exact
    /// No further from the reference than the suite's tolerance.
    case near
    /// Refused, and the suite says so too, or the file is of a kind that is not read.
    case refused
    /// Read whole, and there is nothing to compare it with.
    case unreferenced
    /// Read in another way than the reference, for a reason.
    case otherwise(String)
    /// None of these.
    case wrong(String)
  }

  /// One file and its verdict.
  public struct Judgment: Sendable {
    /// The file's name in its suite.
    public var file: String
    /// What became of it.
    public var verdict: Verdict
  }

  /// One folder of the corpus.
  public struct Suite: Sendable {
    /// The folder's name.
    public var name: String
    /// What the files are compared with, and how far they may be off.
    public var reference: String
    /// Judges every file.
    public var judge: @Sendable () throws -> [Judgment]
  }

  /// All suites.
  public static let suites = pngSuites + gifSuites + jpegSuites + webpSuites

  /// The folder of the suites in the corpus.
  static let folder = "conformance/"

  /// Judges the files of a suite that have an extension, one by one.
  static func each(_ suite: String, _ ext: String, _ verdict: (_ path: String, _ name: String) throws -> Verdict)
    throws -> [Judgment]
  {
    try Corpus.files(in: folder + suite, withExtension: ext).map { path in
      let name = String(path.dropFirst((folder + suite).count + 1))
      do {
        return Judgment(file: name, verdict: try verdict(path, name))
      } catch let error as DecodeError {
        return Judgment(file: name, verdict: .wrong(error.message))
      } catch is PNGOracle.Fault {
        return Judgment(file: name, verdict: .wrong("the reference cannot be read"))
      }
    }
  }

  /// All frames of a file.
  static func frames(_ path: String) throws -> [DecodedFrame] {
    let reader = try ImageReader(bytes: try Corpus.bytes(path))
    var frames: [DecodedFrame] = []
    while let frame = try reader.nextFrame() { frames.append(frame) }
    return frames
  }

  /// The first frame's samples.
  static func first(_ path: String) throws -> [UInt8] {
    let reader = try ImageReader(bytes: try Corpus.bytes(path))
    guard let frame = try reader.nextFrame() else { throw DecodeError.unrecognized }
    return frame.raster.rgba8
  }

  /// Refused is right; read is wrong.
  static func refusal(_ path: String) throws -> Verdict {
    do {
      _ = try frames(path)
      return .wrong("it is read, and should be refused")
    } catch is DecodeError {
      return .refused
    }
  }

  /// Decoded without a reference, it counts as read.
  static func read(_ path: String) throws -> Verdict {
    try frames(path).isEmpty ? .wrong("it has no frame") : .unreferenced
  }

  /// Compares samples; what is hidden under alpha 0 does not count.
  static func compare(_ ours: [UInt8], _ theirs: [UInt8], tolerance: Int = 0) -> Verdict {
    guard ours.count == theirs.count else { return .wrong("its size differs from the reference's") }
    var largest = 0
    for i in ours.indices where i % 4 == 3 || ours[i | 3] != 0 || theirs[i | 3] != 0 {
      largest = max(largest, abs(Int(ours[i]) - Int(theirs[i])))
    }
    if largest == 0 { return .exact }
    return largest <= tolerance ? .near : .wrong("\(largest) levels from the reference")
  }

  /// Compares by the mean difference of color, for files that were compressed anew.
  static func resembles(_ ours: [UInt8], _ theirs: [UInt8], mean limit: Double) -> Verdict {
    guard ours.count == theirs.count else { return .wrong("its size differs from the reference's") }
    var sum = 0
    for i in ours.indices where i % 4 != 3 { sum += abs(Int(ours[i]) - Int(theirs[i])) }
    if sum == 0 { return .exact }
    let mean = Double(sum) / Double(max(1, ours.count * 3 / 4))
    return mean <= limit ? .near : .wrong("\((mean * 10).rounded() / 10) levels from the reference in the mean")
  }
}
