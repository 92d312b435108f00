import Foundation
import TestSupport

/// Runs the test suites of the corpus, prints the table and keeps it in CONFORMANCE.md.
enum ConformanceRun {
  /// The document, in the folder that the program runs in.
  private static let document = "CONFORMANCE.md"

  /// Ends the program with 1 if a file is wrong or the corpus is not there.
  static func run(corpus: String?) {
    if let corpus { setenv("DECAL_CORPUS", corpus, 1) }
    guard Corpus.isPresent else {
      print("no test suites at \(Corpus.root.path); say where they are: make conformance CORPUS=DIR")
      exit(1)
    }
    do {
      let table = try ConformanceTable()
      print(table.text, terminator: "")
      let place = URL(filePath: document)
      if let old = try? String(contentsOf: place, encoding: .utf8), let new = table.placed(in: old), new != old {
        try new.write(to: place, atomically: true, encoding: .utf8)
      }
      if !table.wrong.isEmpty { exit(1) }
    } catch {
      print("the suites cannot be read: \(error)")
      exit(1)
    }
  }
}
