import Foundation

/// The table of all suites, as it stands in CONFORMANCE.md.
public struct ConformanceTable: Sendable {
  /// The table and the exceptions below it, in Markdown.
  public let text: String
  /// `suite/file: reason`, one for each file that is wrong.
  public let wrong: [String]

  private static let columns = [
    "suite", "files", "exact", "within tolerance", "refused as it should", "read, no reference", "read otherwise",
    "wrong",
  ]

  /// Runs every suite; throws where the corpus cannot be read.
  public init() throws {
    var totals = [Int](repeating: 0, count: 7)
    var rows: [String] = []
    var references: [String] = []
    var exceptions: [String: [String]] = [:]
    var wrong: [String] = []
    for suite in Conformance.suites {
      let judgments = try suite.judge()
      var counts = [judgments.count, 0, 0, 0, 0, 0, 0]
      for judgment in judgments {
        switch judgment.verdict {
        case .exact: counts[1] += 1
        case .near: counts[2] += 1
        case .refused: counts[3] += 1
        case .unreferenced: counts[4] += 1
        case .otherwise(let reason):
          counts[5] += 1
          exceptions[reason, default: []].append("\(suite.name)/\(judgment.file)")
        case .wrong(let reason):
          counts[6] += 1
          wrong.append("\(suite.name)/\(judgment.file): \(reason)")
        }
      }
      for i in totals.indices { totals[i] += counts[i] }
      rows.append(Self.row([suite.name] + counts.map(String.init)))
      references.append("- \(suite.name): \(suite.reference).")
    }
    rows.append(Self.row(["all"] + totals.map(String.init)))
    let header = [Self.row(Self.columns), Self.row(["---"] + Array(repeating: "---:", count: 7))]
    let others = exceptions.sorted { $0.key < $1.key }.map { "- \($0.key): \($0.value.joined(separator: ", "))." }
    let parts = [
      header + rows, ["Compared with:"], references, ["Read otherwise:"], others,
      wrong.isEmpty ? [] : ["Wrong:"], wrong.map { "- \($0)" },
    ]
    text = parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    self.wrong = wrong
  }

  private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  private static let start = "<!-- made by make conformance -->\n"
  private static let end = "<!-- end -->\n"

  /// A document with the table between its two marks; nil where it has no marks.
  public func placed(in document: String) -> String? {
    guard let from = document.range(of: Self.start), let to = document.range(of: Self.end) else { return nil }
    return document[..<from.upperBound] + text + document[to.lowerBound...]
  }
}
