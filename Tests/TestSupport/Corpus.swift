public import Foundation

/// The shared corpus of real files that tests read where it is present.
///
/// Found at the environment's `DECAL_CORPUS`, else beside the package. Mark a test that needs it
/// `.enabled(if: Corpus.isPresent)`, so that a run without it says what was skipped.
public enum Corpus {
  /// The corpus folder.
  public static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["DECAL_CORPUS"] { return URL(filePath: path) }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    // A worktree may lie one level deeper than a clone.
    return ["../shared/corpus", "../../shared/corpus"].map { package.appending(path: $0).standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) } ?? package.appending(path: "../shared/corpus")
  }()

  /// Whether the corpus is there.
  public static let isPresent = FileManager.default.fileExists(atPath: root.appending(path: "INDEX.tsv").path)

  /// The address of a file or folder of the corpus.
  public static func url(_ path: String) -> URL { root.appending(path: path) }

  /// Whether it holds a file or folder.
  public static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

  /// The bytes of one of its files.
  public static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(path))) }

  /// The files below one of its folders, as paths from the root, in the order of their names.
  public static func files(in folder: String, withExtension wanted: String? = nil) throws -> [String] {
    let base = url(folder)
    guard let walk = FileManager.default.enumerator(at: base, includingPropertiesForKeys: [.isRegularFileKey]) else {
      return []
    }
    let prefix = root.standardizedFileURL.path + "/"
    var found: [String] = []
    for case let file as URL in walk {
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
      if let wanted, file.pathExtension.lowercased() != wanted { continue }
      found.append(String(file.standardizedFileURL.path.dropFirst(prefix.count)))
    }
    return found.sorted()
  }
}
