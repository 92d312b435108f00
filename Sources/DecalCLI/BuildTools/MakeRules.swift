import Pipeline

/// What `make` is told of a build: what it read and what came of it.
struct MakeRules {
  /// What the rule makes.
  let target: String
  /// Files and folders that were read.
  let inputs: [String]
  /// Tells a folder from a file.
  let isFolder: (String) -> Bool

  /// The file for `include`: the target depends on all inputs, and an input that is gone stops nothing.
  var text: String {
    let names = inputs.compactMap(said).map(MakeRules.escaped)
    let rule = MakeRules.escaped(target) + ":" + names.map { " \\\n  " + $0 }.joined() + "\n"
    return "# Written by decal: what the pack is made from.\n" + rule + names.map { "\n\($0):\n" }.joined()
  }

  /// A name as make may hear it: `a(b)` is a member of an archive for it, whatever its escapes.
  ///
  /// A folder has another name; a file is left to the folder that it lies in.
  private func said(_ name: String) -> String? {
    guard name.utf8.last == UInt8(ascii: ")"), name.contains("(") else { return name }
    return isFolder(name) ? name + "/." : nil
  }

  /// A name as GNU make reads it back.
  ///
  /// For some characters it has no escape that holds everywhere: there a pattern stands, which the file itself meets.
  static func escaped(_ name: String) -> String {
    var result = name.hasPrefix("~") ? "./" : ""
    let scalars = Array(name.unicodeScalars)
    for (index, character) in scalars.enumerated() {
      // Before the end of a name an escape would be taken for that of what follows.
      let isLast = index == scalars.count - 1
      switch character {
      case "$": result += "$$"
      case " ", "#", ":": result += isLast ? "?" : "\\" + String(character)
      case "&" where isLast: result += "?"
      case ";", "=", "%", "|", "*", "?", "[", "]", "(", ")", "\\", "\0"..." ": result += "?"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

/// What Xcode is told of a build phase: one path a line.
struct FileLists {
  /// What was read.
  let inputs: [String]
  /// What was made.
  let outputs: [String]

  /// The name and the text of each list.
  var files: [(name: String, text: String)] {
    [("inputs.xcfilelist", FileLists.text(inputs)), ("outputs.xcfilelist", FileLists.text(outputs))]
  }

  /// Paths that are not absolute are relative to the project's folder, where a build phase runs.
  private static func text(_ paths: [String]) -> String {
    paths.map { ($0.hasPrefix("/") ? $0 : "$(SRCROOT)/" + $0) + "\n" }.joined()
  }
}

extension Context {
  /// Writes what other build tools read, where that was asked for; throws `DiskError`.
  ///
  /// `start` is when the build began, nanoseconds since 1970; `hasFailed` whether make is to try again.
  func tellBuildTools(
    _ summary: BuildSummary, _ arguments: Arguments, configuration: String?, output: String, start: Int, hasFailed: Bool
  ) throws(DiskError) {
    let inputs = (configuration.map { [$0] } ?? []) + summary.inputs
    if let depfile = arguments.depfile {
      let target = arguments.stamp ?? Path.join(output, "manifest.json")
      let rules = MakeRules(target: target, inputs: inputs) { input in
        (try? disk.status(path(input), followLinks: true))?.kind == .directory
      }
      try update(path(depfile), rules.text)
    }
    if let folder = arguments.xcfilelist {
      let files = (summary.written + summary.unchanged).sorted(by: Path.precedes).map { Path.join(output, $0) }
      for (name, text) in FileLists(inputs: inputs, outputs: files).files {
        try update(Path.join(path(folder), name), text)
      }
    }
    // Newer than all that was read, older than what was changed since: of the time before anything was read.
    if let stamp = arguments.stamp, !hasFailed {
      try update(path(stamp), "decal \(decalVersion)\n")
      try disk.touch(path(stamp), at: start)
    }
  }

  private func update(_ path: String, _ text: String) throws(DiskError) {
    let bytes = Array(text.utf8)
    disk.removeAbandoned(in: Path.parent(path))
    if let found = try? disk.read(path), found == bytes { return }
    try disk.createDirectory(Path.parent(path))
    try disk.write(bytes, to: path)
  }
}
