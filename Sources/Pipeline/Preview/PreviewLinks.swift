import AssetCatalog

/// What a page shows pictures by: paths relative to it, or the pictures themselves.
struct PreviewLinks: Sendable {
  /// The disk.
  let disk: any Disk
  /// The output folder.
  let output: String
  /// What the sources' paths are relative to.
  let root: String
  /// Whether the page holds its pictures.
  let isInline: Bool
  /// The way from the output folder to the root, where the output lies below that.
  private let up: String?

  /// The most bytes of a source that a page holds; it is there to compare with and may be left out.
  static let largestSource = 1_000_000

  /// `place` is the output's path relative to the root, or an absolute one.
  init(disk: any Disk, root: String, place: String, isInline: Bool) {
    (self.disk, self.root, self.isInline) = (disk, root, isInline)
    output = Path.join(root, place)
    var below: [String]? = Path.components(place)
    if place.utf8.first == UInt8(ascii: "/") || below?.contains("..") == true {
      // The same folder under another name has the same page.
      let (base, folder) = (try? disk.canonicalPath(root.isEmpty ? "." : root), try? disk.canonicalPath(output))
      below = nil
      if let base, let folder, Path.contains(base, folder) {
        below = Array(Path.components(folder).dropFirst(Path.components(base).count))
      }
    }
    up = below.map { $0.map { _ in ".." }.joined(separator: "/") }
  }

  /// The address of a file of the output; its digest keeps browsers from showing an older one.
  func picture(_ path: String, digest: String?) -> String? {
    if isInline {
      return (try? disk.read(Path.join(output, path))).map { PreviewLinks.data($0, type: PreviewLinks.type(of: $0)) }
    }
    return PreviewLinks.encoded(path) + PreviewLinks.version(digest)
  }

  /// The addresses of a source's files, and why some are left out.
  ///
  /// A page that holds its pictures has all frames of an animation, or the first alone where they are too large together.
  func source(_ files: [SourceFile], digest: String?) -> (addresses: [String], why: String?) {
    guard isInline else {
      let paths = files.compactMap(relative)
      guard paths.count == files.count else { return ([], "The source lies where this page has no path to.") }
      return (paths.map { PreviewLinks.encoded($0) + PreviewLinks.version(digest) }, nil)
    }
    let sizes = disk.statuses(files.map { ($0.location, true) }).map { $0?.size }
    guard let first = sizes.first ?? nil else { return ([], "The source could not be read.") }
    guard first <= PreviewLinks.largestSource else {
      return ([], "The source is larger than 1 MB and was left out of this page.")
    }
    let fits = sizes.reduce(0) { $0 + ($1 ?? 0) } <= PreviewLinks.largestSource
    let held = (fits ? files : [files[0]]).compactMap { try? disk.read($0.location) }
    guard held.count == (fits ? files.count : 1) else { return ([], "The source could not be read.") }
    return (
      held.map { PreviewLinks.data($0, type: PreviewLinks.type(of: $0)) },
      fits ? nil : "The frames are larger than 1 MB together; this page has the first one."
    )
  }

  /// The way to a source from the output folder.
  private func relative(_ file: SourceFile) -> String? {
    if let up, file.path.utf8.first != UInt8(ascii: "/") { return up.isEmpty ? file.path : up + "/" + file.path }
    guard let place = try? disk.canonicalPath(Path.parent(file.location)), let base = try? disk.canonicalPath(output)
    else { return nil }
    let (to, from) = (Path.components(place) + [Path.name(file.location)], Path.components(base))
    let shared = zip(to.dropLast(), from).prefix { Path.same($0, $1) }.count
    return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)).joined(separator: "/")
  }

  /// A path as an address: every byte but letters, digits, slashes and `-._~` by its number.
  static func encoded(_ path: String) -> String {
    let plain = Set("-._~/".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in path.utf8 {
      let isLetter = 0x61...0x7a ~= byte | 0x20 && byte < 0x80
      if isLetter || 0x30...0x39 ~= byte || plain.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func version(_ digest: String?) -> String { digest.map { "?" + $0.prefix(8) } ?? "" }

  private static func data(_ bytes: [UInt8], type: String) -> String {
    "data:\(type);base64," + Base64.text(bytes)
  }

  /// The type by the first bytes, of what browsers and Decal read both.
  private static func type(of bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xff, 0xd8]) { return "image/jpeg" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    return bytes.starts(with: Array("RIFF".utf8)) ? "image/webp" : "image/png"
  }
}
