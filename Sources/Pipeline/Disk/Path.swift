#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What paths are made of; no path here is looked up on a disk.
package enum Path {
  /// One path below another; an absolute second one stands for itself.
  package static func join(_ folder: String, _ rest: String) -> String {
    if rest.utf8.first == UInt8(ascii: "/") || folder.isEmpty || folder == "." { return rest.isEmpty ? folder : rest }
    if rest.isEmpty || rest == "." { return folder }
    let slash = folder.utf8.last == UInt8(ascii: "/") ? "" : "/"
    // Appending would leave room for more, and there are lists of many paths.
    var path = ""
    path.reserveCapacity(folder.utf8.count + slash.utf8.count + rest.utf8.count)
    path += folder
    path += slash
    path += rest
    return path
  }

  /// The last component, without trailing slashes.
  package static func name(_ path: String) -> String {
    components(path).last ?? path
  }

  /// All but the last component; `.` where there is none.
  package static func parent(_ path: String) -> String {
    let parts = components(path).dropLast()
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    if parts.isEmpty { return isAbsolute ? "/" : "." }
    return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
  }

  /// The folder with its slash, nothing where there is none, and what follows.
  static func parted(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let start = path.utf8.index(after: slash)
    return (String(path[..<start]), String(path[start...]))
  }

  /// The components between slashes, empty ones and `.` left out.
  package static func components(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
  }

  /// A name split at its last dot: `a.b.png` is `a.b` and `png`; a leading dot begins no extension.
  package static func split(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
  }

  /// Whether a path is a folder's own or lies below it, byte for byte; both canonical.
  package static func contains(_ folder: String, _ path: String) -> Bool {
    let outer = components(folder).map { Array($0.utf8) }
    return components(path).map { Array($0.utf8) }.starts(with: outer)
  }

  /// Whether bytes of one path come before those of another; unlike `<` on strings it tells é from é.
  package static func precedes(_ a: String, _ b: String) -> Bool { compare(a, b) < 0 }

  /// Whether two paths have the same bytes.
  package static func same(_ a: String, _ b: String) -> Bool { a.utf8.count == b.utf8.count && compare(a, b) == 0 }

  /// Negative, 0 or positive as the bytes of one path come before, equal or follow those of another.
  private static func compare(_ a: String, _ b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        guard let left = a.baseAddress, let right = b.baseAddress else { return a.count - b.count }
        let order = Int(memcmp(left, right, min(a.count, b.count)))
        return order == 0 ? a.count - b.count : order
      }
    }
  }
}

/// A path as a key: equal only where the bytes are, as a disk may hold two Unicode forms of one name.
struct PathKey: Hashable {
  let path: String

  init(_ path: String) { self.path = path }

  static func == (a: PathKey, b: PathKey) -> Bool { Path.same(a.path, b.path) }

  func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
