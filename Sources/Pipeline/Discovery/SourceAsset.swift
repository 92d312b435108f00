/// A file of art, with the names it goes by.
struct SourceFile: Hashable, Sendable {
  /// Where the disk has it.
  var location: String
  /// As the user knows it: relative to the configuration's folder, or as it was given.
  var path: String
}

/// One thing that becomes one sticker.
struct SourceAsset: Hashable, Sendable {
  /// What it is made from.
  enum Content: Hashable, Sendable {
    /// A picture or an animation in one file.
    case file(SourceFile)
    /// An animation, one file a frame, in order.
    case frames([SourceFile])
  }

  /// The sticker's name: the stem, made a safe folder name.
  var name: String
  /// The file or the folder of frames, as the user knows it.
  var path: String
  /// What it is made from.
  var content: Content
  /// What a file beside it says of how it is made.
  var sidecar: Sidecar?
  /// Why no sticker can be made of it, found before any pixel was read; nil where nothing is known against it.
  var problem: Diagnostic?

  /// The files it is made from.
  var files: [SourceFile] {
    switch content {
    case .file(let file): [file]
    case .frames(let files): files
    }
  }
}

/// What was found in the art folders.
struct Discovery: Sendable {
  /// The art, in natural order.
  var assets: [SourceAsset] = []
  /// What was decided and passed over.
  var diagnostics: [Diagnostic] = []
}
