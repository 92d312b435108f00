/// How much a diagnostic matters.
public enum Severity: String, Sendable, Hashable, Comparable {
  /// Worth knowing.
  case note
  /// Worth changing.
  case warning
  /// The asset was not made.
  case error

  /// Notes come first.
  public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// One thing to tell the user: what, the value, the rule, the next step.
public struct Diagnostic: Sendable, Hashable {
  /// The file or key it is about, relative as the user wrote it; nil for the whole run.
  public var path: String?
  /// How much it matters.
  public var severity: Severity
  /// One line, lower case, no final stop.
  public var message: String
  /// A stable word such as `icon-too-small`.
  public var id: String

  /// Makes a diagnostic.
  public init(_ severity: Severity, path: String?, _ message: String, id: String) {
    self.path = path
    self.severity = severity
    self.message = message
    self.id = id
  }

  /// `path: severity: message [id]`.
  public var line: String { (path.map { "\($0): " } ?? "") + "\(severity.rawValue): \(message) [\(id)]" }
}
