import Pipeline

/// What `make` is told of a build: what it read and what came of it.
struct MakeRules {
  /// What the rule makes.
  let target: String
  /// Files and folders that were read.
  let inputs: [String]

  /// The file for `include`: the target depends on all inputs, and an input that is gone stops nothing.
  ///
  /// Names with line breaks cannot be said in make's language and are left out.
  var text: String {
    let names = inputs.filter { !$0.contains(where: \.isNewline) }.map(MakeRules.escaped)
    let rule = MakeRules.escaped(target) + ":" + names.map { " \\\n  " + $0 }.joined() + "\n"
    return "# Written by decal: what the pack is made from.\n" + rule + names.map { "\n\($0):\n" }.joined()
  }

  /// A name as GNU make reads it back.
  ///
  /// For some characters it has no escape that holds everywhere: there a pattern stands, which the file itself meets.
  static func escaped(_ name: String) -> String {
    var result = name.hasPrefix("~") ? "./" : ""
    var slashes = 0
    for character in name.unicodeScalars {
      switch character {
      case "$": result += "$$"
      case ";", "=", "%", "|", "\t": result += "?"
      case " ", "#", ":", "*", "?":
        // Backslashes before an escaped character are halved.
        result += String(repeating: "\\", count: slashes) + "\\" + String(character)
      default: result.unicodeScalars.append(character)
      }
      slashes = character == "\\" ? slashes + 1 : 0
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
  func tellBuildTools(_ summary: BuildSummary, _ arguments: Arguments, configuration: String?, output: String)
    throws(DiskError)
  {
    let inputs = (configuration.map { [$0] } ?? []) + summary.inputs
    if let depfile = arguments.depfile {
      let target = arguments.stamp ?? Path.join(output, "manifest.json")
      try update(path(depfile), MakeRules(target: target, inputs: inputs).text)
    }
    if let folder = arguments.xcfilelist {
      let files = (summary.written + summary.unchanged).sorted(by: Path.precedes).map { Path.join(output, $0) }
      for (name, text) in FileLists(inputs: inputs, outputs: files).files {
        try update(Path.join(path(folder), name), text)
      }
    }
    // Last, and newer than all inputs; where art failed, make is to try again.
    if let stamp = arguments.stamp, !summary.hasErrors {
      try update(path(stamp), "decal \(decalVersion)\n")
      try disk.touch(path(stamp))
    }
  }

  private func update(_ path: String, _ text: String) throws(DiskError) {
    let bytes = Array(text.utf8)
    if let found = try? disk.read(path), found == bytes { return }
    try disk.createDirectory(Path.parent(path))
    try disk.write(bytes, to: path)
  }
}
