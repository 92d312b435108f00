import Codecs
import Foundation
import Imaging
import TestSupport

/// Reads files that were made to do harm, each in a process of its own, and measures what it takes.
enum HostileRun {
  /// The most memory that one file may take, in MB.
  private static let mostMemory = 512
  /// The most time, in seconds.
  private static let mostSeconds = 5.0

  /// Ends the program with 1 if a file crashes its reader, takes too much memory or too long.
  static func run(corpus: String?) {
    if let corpus { setenv("DECAL_CORPUS", corpus, 1) }
    guard Corpus.isPresent, let files = try? Corpus.files(in: "hostile") + Corpus.files(in: "conformance") else {
      print("no files at \(Corpus.root.path); say where they are: DecalBench hostile CORPUS")
      exit(1)
    }
    var results: [(file: String, run: Run)] = []
    var bad = 0
    for file in files {
      let run = Run(reading: Corpus.url(file).path)
      results.append((file, run))
      if run.status != 0 || run.megabytes > mostMemory || run.seconds > mostSeconds {
        bad += 1
        print("bad: \(file): status \(run.status), \(run.megabytes) MB, \(Bench.fixed(run.seconds, 2)) s")
      }
    }
    print("\(results.count) files, \(bad) bad")
    for (file, run) in results.sorted(by: { $0.run.megabytes > $1.run.megabytes }).prefix(5) {
      print("  \(run.megabytes) MB  \(file)")
    }
    for (file, run) in results.sorted(by: { $0.run.seconds > $1.run.seconds }).prefix(5) {
      print("  \(Bench.fixed(run.seconds, 2)) s  \(file)")
    }
    if bad > 0 { exit(1) }
  }

  /// Decodes and reports files in this process, whatever they are; what is wrong with them is no failure.
  static func read(_ paths: [String]) {
    var (whole, refused) = (0, 0)
    for path in paths {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      let bytes = [UInt8](data)
      if (try? ImageFacts(bytes: bytes)) != nil { whole += 1 } else { refused += 1 }
      if let reader = try? ImageReader(bytes: bytes) { convert(reader) }
    }
    print("\(whole) read, \(refused) refused")
  }

  private static func convert(_ reader: ImageReader) {
    let converter = ColorConverter(reader.header.color)
    var row = [Float](repeating: 0, count: reader.header.size.width * 4)
    while let frame = try? reader.nextFrame() {
      for y in 0..<frame.raster.size.height {
        row.withUnsafeMutableBufferPointer { converter.convert(frame.raster, row: y, into: $0) }
      }
    }
  }
}

/// One file read in a process of its own.
private struct Run {
  var status: Int32 = -1
  var megabytes = 0
  var seconds = 0.0

  init(reading path: String) {
    let arguments = [CommandLine.arguments[0], "read", path]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    // A crash is told by the status alone.
    var surroundings: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { (words + surroundings).forEach { free($0) } }
    var child: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    guard posix_spawn(&child, arguments[0], &actions, nil, &words, &surroundings) == 0 else { return }
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child else { return }
    // The processor's time: that of the wall depends on what else runs.
    seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    seconds += Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    // Kilobytes on Linux, bytes on macOS.
    #if canImport(Darwin)
      megabytes = usage.ru_maxrss / 1_048_576
    #else
      megabytes = usage.ru_maxrss / 1024
    #endif
  }
}
