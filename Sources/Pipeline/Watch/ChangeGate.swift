/// What a watcher is told of.
public enum Change: Sendable, Hashable {
  /// Something at a path came or has other content.
  case edited(String)
  /// Something at a path went.
  case removed(String)
  /// More happened than could be told: anything may have changed.
  case overflow
}

/// Decides when a build begins: when it has been quiet for a while since the last change.
///
/// Programs save by removing and making anew, and folders are emptied to be filled again: after something went, the quiet
/// has to last longer, unless it came back. A storm that does not end is cut. Times come from outside.
package struct ChangeGate: Sendable {
  /// How long it is quiet before a build.
  package static let quiet = Duration.milliseconds(100)
  /// The same after something went that did not come back.
  package static let removalQuiet = Duration.seconds(1)
  /// The longest that a change waits.
  package static let patience = Duration.seconds(10)

  private var first: Duration?
  private var last = Duration.zero
  private var paths: Set<String> = []
  private var gone: Set<String> = []

  /// Nothing happened yet.
  package init() {}

  /// Takes note of a change.
  package mutating func note(_ change: Change, at time: Duration) {
    first = first ?? time
    last = time
    switch change {
    case .edited(let path):
      gone.remove(path)
      paths.insert(path)
    case .removed(let path):
      gone.insert(path)
      paths.insert(path)
    case .overflow: break
    }
  }

  /// Asks for a build at a time, whatever happens.
  package mutating func retry(at time: Duration) {
    guard first == nil else { return }
    (first, last) = (time - ChangeGate.quiet, time - ChangeGate.quiet)
  }

  /// When the build is to begin; nil while nothing happened.
  package var due: Duration? {
    guard let first else { return nil }
    let quiet = gone.isEmpty ? ChangeGate.quiet : ChangeGate.removalQuiet
    return min(last + quiet, max(first + ChangeGate.patience, last))
  }

  /// Begins a build: what changed, and nothing is pending any more.
  package mutating func open() -> Set<String> {
    defer { self = ChangeGate() }
    return paths
  }
}
