/// The lines on which the keys of a JSON text stand, so that a message can name them.
///
/// The text has been parsed already; where it is not JSON, the lines found are of no meaning but the walk ends.
struct KeyLines {
  private var lines: [[String]: Int] = [:]
  /// The place after the opening brace of each object that keys lead to.
  private(set) var objects: [[String]: Int] = [:]

  /// The line of a key, or of the nearest key above it that is known, from 1.
  func line(of path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return nil
  }

  /// Walks a text with `//` and `/* */` comments.
  init(_ bytes: [UInt8]) {
    var walk = Walk(bytes: bytes)
    walk.run { lines[$0] = lines[$0] ?? $1 }
    objects = walk.objects
  }

  private struct Walk {
    let bytes: [UInt8]
    var at = 0
    var line = 1
    /// One entry an open bracket: the key that is being read, nil in an array.
    var keys: [String?] = []
    var expectsKey = false
    var objects: [[String]: Int] = [:]

    mutating func run(found: ([String], Int) -> Void) {
      while at < bytes.count {
        switch bytes[at] {
        case UInt8(ascii: "\""): text(found)
        case UInt8(ascii: "{"): open(object: true)
        case UInt8(ascii: "["): open(object: false)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
        case UInt8(ascii: ","):
          expectsKey = keys.last.map { $0 != nil } ?? false
          at += 1
        case UInt8(ascii: "/"): comment()
        default: step()
        }
      }
    }

    private mutating func step() {
      if bytes[at] == UInt8(ascii: "\n") { line += 1 }
      at += 1
    }

    private mutating func open(object: Bool) {
      let path = keys.compactMap { $0 }
      if object, path.count == keys.count { objects[path] = at + 1 }
      keys.append(object ? "" : nil)
      expectsKey = object
      at += 1
    }

    private mutating func close() {
      _ = keys.popLast()
      expectsKey = false
      at += 1
    }

    private mutating func comment() {
      let block = at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "*")
      while at < bytes.count {
        if !block && bytes[at] == UInt8(ascii: "\n") { return }
        if block && bytes[at] == UInt8(ascii: "*") && at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "/") {
          at += 2
          return
        }
        step()
      }
    }

    /// Reads a text; keys with escapes are found by their parsed form only where the escape is plain, which is enough here.
    private mutating func text(_ found: ([String], Int) -> Void) {
      var content: [UInt8] = []
      let start = line
      at += 1
      while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
        if bytes[at] == UInt8(ascii: "\\") { step() }
        guard at < bytes.count else { return }
        content.append(bytes[at])
        step()
      }
      at += 1
      guard expectsKey, !keys.isEmpty else { return }
      keys[keys.count - 1] = String(decoding: content, as: UTF8.self)
      expectsKey = false
      // Keys of objects inside arrays have no name to be reached by.
      let path = keys.compactMap { $0 }
      if path.count == keys.count { found(path, start) }
    }
  }
}
