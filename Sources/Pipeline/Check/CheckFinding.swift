public import AssetCatalog
public import Imaging

/// A change of `decal.json` that would do away with a finding.
public struct ConfigurationEdit: Sendable, Hashable {
  /// The keys that lead to the value, such as `overrides`, `wave`, `trim`.
  public var path: [String]
  /// The value.
  public var value: JSONValue

  /// Makes an edit.
  public init(_ path: [String], _ value: JSONValue) {
    precondition(!path.isEmpty, "a value has a key")
    (self.path, self.value) = (path, value)
  }
}

/// One thing that `decal check` found.
public struct CheckFinding: Sendable, Hashable {
  /// The id of its rule, or that of a diagnostic of reading.
  public var id: String
  /// How much it matters.
  public var severity: Severity
  /// The file or folder, as the user knows it; nil for the whole pack.
  public var path: String?
  /// The frame, from 0, where it is about one.
  public var frame: Int?
  /// The part of the finished picture, in its pixels, where it is about a part.
  public var region: PixelRect?
  /// What was found, with what was measured; one line, lower case, no final stop.
  public var message: String
  /// Why it matters; empty where the message says all.
  public var why: String
  /// What to do; empty where the message says all.
  public var advice: String
  /// What `--fix` would do.
  public var edit: ConfigurationEdit?

  /// Makes a finding of a rule.
  init(
    _ rule: CheckRule, _ severity: Severity? = nil, path: String?, frame: Int? = nil, region: PixelRect? = nil,
    _ message: String, edit: ConfigurationEdit? = nil
  ) {
    (id, self.severity, self.path) = (rule.id, severity ?? rule.severity, path)
    (self.frame, self.region, self.message) = (frame, region, message)
    (why, advice, self.edit) = (rule.why, rule.advice, edit)
  }

  /// Takes over a diagnostic of reading or planning, which says all in one line.
  public init(_ diagnostic: Diagnostic) {
    (id, severity, path, message) = (diagnostic.id, diagnostic.severity, diagnostic.path, diagnostic.message)
    (why, advice) = ("", "")
  }

  /// The finding as a build tells it: one line that ends with what to do.
  var diagnostic: Diagnostic {
    let step = advice.split(separator: ": ").first.map(String.init) ?? advice
    let first = step.prefix(1).lowercased() + step.dropFirst()
    return Diagnostic(severity, path: path, first.isEmpty ? message : "\(message); \(first.trimmedStop)", id: id)
  }
}

extension String {
  /// The text without its final stop.
  fileprivate var trimmedStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// A share as people write it: `12 %`.
func percent(_ share: Double) -> String {
  let percent = Int((share * 100).rounded())
  return percent == 0 && share > 0 ? "less than 1 %" : "\(percent) %"
}

/// A number that is not negative, to tenths: `1.6`.
func decimal(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
