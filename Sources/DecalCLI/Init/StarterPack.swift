import AssetCatalog
import Pipeline

/// A file that `decal init` writes.
struct StarterFile {
  /// The path, relative to the pack's folder.
  let path: String
  /// The bytes.
  let bytes: [UInt8]

  init(_ path: String, _ bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  init(_ path: String, _ text: String) { self.init(path, Array(text.utf8)) }
}

/// The files of a starter pack.
struct StarterPack {
  /// The pack's name.
  let name: String
  /// The grid size.
  let grid: GridSize
  /// The output folder, relative to the pack's.
  let output: String
  /// Whether the pack has a `decal.json` already: then art and icon are its own.
  let isConfigured: Bool
  /// Whether there is art in `art/` already.
  let hasArt: Bool

  private static let labels = [
    (name: "hello", label: "Hello, a smiling face"), (name: "love", label: "A red heart"),
    (name: "wink", label: "A winking face"),
  ]

  /// All of them, in the order in which they are told.
  func files(xcode: Bool) -> [StarterFile] {
    var files: [StarterFile] = []
    if !isConfigured {
      let configuration = StarterConfiguration(
        name: name, grid: grid, labels: hasArt ? [] : StarterPack.labels, icon: "icon.png")
      files.append(StarterFile("decal.json", configuration.text))
      if !hasArt {
        files += StarterArt.files().map { StarterFile("art/" + $0.path, $0.bytes) }
        files.append(StarterFile("art/wink.json", StarterPack.sidecar))
      }
      files.append(StarterFile("icon.png", StarterArt.icon()))
    }
    files.append(StarterFile(StarterConfiguration.schema, Configuration.schema.serialized(.pretty)))
    files += [StarterFile("Makefile", makefile), StarterFile(".gitignore", gitignore)]
    files += ArtBoard.fitting(grid).map { StarterFile("templates/" + $0.name, $0.svg) }
    if xcode { files += XcodeProject(name: name, output: output).files.map { StarterFile($0.path, $0.text) } }
    return files
  }

  private static let sidecar = """
    // Options of the sticker "wink" alone, with the keys of "overrides" in decal.json.
    {
      "fps": \(StarterArt.frames.fps),
    }

    """

  private var makefile: String {
    """
    # "make" presses what changed; "make watch" does so whenever art is saved.
    DECAL ?= decal

    .PHONY: stickers watch clean
    stickers:
    \t$(DECAL) build

    watch:
    \t$(DECAL) watch

    # Forgets earlier builds: the next one makes all again.
    clean:
    \t$(DECAL) clean

    """
  }

  private var gitignore: String {
    let folders = output.hasPrefix("/") || output.hasPrefix("..") ? [] : ["/\(output)/"]
    return Help.text(
      ["# What Decal makes from the rest."] + folders + ["/.decal/", ".DS_Store", "xcuserdata/"])
  }
}
