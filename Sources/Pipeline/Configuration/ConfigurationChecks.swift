import AssetCatalog
import Imaging

extension Configuration {
  /// The most bytes of a sticker that Apple takes.
  static let appleLimit = 499_999

  /// What is wrong between the keys, once the command line has had its say; `file` names the place for the messages.
  package func problems(file: String?) -> [Diagnostic] {
    var found: [Diagnostic] = []
    func add(_ severity: Severity, _ message: String, _ id: String) {
      found.append(Diagnostic(severity, path: file, message, id: id))
    }
    let all = [("", defaults)] + overrides.sorted { $0.key < $1.key }.map { ("overrides.\($0.key).", $0.value) }
    for (prefix, options) in all {
      for problem in imposed.over(options).problems(grid: grid, over: defaults, prefix: prefix) {
        add(problem.severity, problem.message, problem.id)
      }
    }
    var seen: Set<String> = []
    for name in order where !seen.insert(name).inserted {
      add(.error, "order lists \"\(name)\" twice; list it once", "config-value")
    }
    for (name, options) in overrides.sorted(by: { $0.key < $1.key }) {
      if let label = options.label, let other = labels[name], label != other {
        add(.error, "labels.\(name) and overrides.\(name).label differ; keep one", "config-value")
      }
    }
    if icon.master == nil, icon.messages != nil || icon.dark != nil || icon.tinted != nil || icon.appIcon != nil {
      add(.error, "icon has no master; give the path of the master icon", "config-value")
    }
    if icon.appIcon != .single, icon.dark != nil || icon.tinted != nil {
      add(
        .error, "dark and tinted masters are for the app icon; set icon.appIcon to \"single\", or give --app-icon",
        "config-value")
    }
    return found
  }

  /// The configuration with what follows from other keys filled in.
  ///
  /// An icon takes the pack's background where that is opaque, and the pack's fit, unless it has its own; labels are in one place.
  package func resolved() -> Configuration {
    var result = self
    if icon.background == nil, let background = defaults.background, background.alpha == 255 {
      result.icon.background = background
    }
    result.icon.fit = icon.fit ?? defaults.fit
    for (name, options) in overrides {
      if let label = options.label { result.labels[name] = label }
    }
    return result
  }
}
