import Pipeline

#if os(macOS)
  private let opener = "open"
#else
  private let opener = "xdg-open"
#endif

extension Context {
  /// Opens the page of a pack; answers why that cannot be done.
  ///
  /// `output` is the output folder as it was typed.
  func openPreview(_ request: BuildRequest, in output: String) async -> [Diagnostic] {
    let shown = Path.join(output, "preview.html")
    let page = path(shown)
    guard request.configuration.preview != .none, (try? disk.status(page, followLinks: true)) != nil else {
      return [Diagnostic(.note, path: shown, "there is no preview to open", id: "not-opened")]
    }
    // A browser may run as long as its window is there.
    let command = "command -v \(opener) >/dev/null || exit 127; \(opener) \(quoted(page)) >/dev/null 2>&1 &"
    guard await io.shell(command, "") != 0 else { return [] }
    return [Diagnostic(.note, path: shown, "\(opener) is not there; open the page by hand", id: "not-opened")]
  }

  /// A path as one word of the shell that is no option.
  private func quoted(_ path: String) -> String {
    var word = path.hasPrefix("-") ? "'./" : "'"
    for scalar in path.unicodeScalars {
      if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
    }
    return word + "'"
  }
}
