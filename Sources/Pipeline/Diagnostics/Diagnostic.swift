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

  /// `path: severity: message [id]`, one line whatever the names: control characters are escaped.
  public var line: String {
    ((path.map { "\($0): " } ?? "") + "\(severity.rawValue): \(message) [\(id)]").escapingControls
  }
}

extension String {
  /// The text with characters that steer a terminal, break a line or turn its direction written as `\n` or `\u{1B}`.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: \.steers) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.steers: result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var steers: Bool {
    switch value {
    // Overrides of direction, line and paragraph separators.
    case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
    default: properties.generalCategory == .control
    }
  }
}
