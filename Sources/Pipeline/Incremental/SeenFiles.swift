/// What a build saw of many paths, which are kept as folders and names and put together when they are asked for.
struct SeenFiles: RandomAccessCollection, Sendable {
  /// The folders, each with its slash.
  private var folders: [String]
  /// Of its path a file in here has the name alone.
  private var list = PieceList<(file: SeenFile, folder: Int32)>()
  /// The places in the list, in their order.
  private var order: [Int32] = []

  /// An empty list; `folders` are those that files will be appended in.
  init(folders: [String] = []) { self.folders = folders }

  let startIndex = 0

  var endIndex: Int { order.count }

  subscript(index: Int) -> SeenFile {
    var (file, folder) = list[Int(order[index])]
    file.path = folders[Int(folder)] + file.path
    return file
  }

  /// Appends a file of which the path is the name in a folder.
  mutating func append(_ file: SeenFile, in folder: Int32) {
    order.append(Int32(list.count))
    list.append((file, folder))
  }

  /// Appends a file with its whole path, best one that lies beside the one before.
  mutating func append(_ file: SeenFile) {
    let (folder, name) = Path.parted(file.path)
    if folders.last.map({ !Path.same($0, folder) }) ?? true { folders.append(folder) }
    var file = file
    file.path = name
    append(file, in: Int32(folders.count - 1))
  }

  /// Sorts by folder and name, so that a list does not tell in what order things were seen.
  mutating func sort() {
    var ranks = [Int](repeating: 0, count: folders.count)
    for (rank, folder) in folders.indices.sorted(by: { Path.precedes(folders[$0], folders[$1]) }).enumerated() {
      ranks[folder] = rank
    }
    order.sort { a, b in
      let (a, b) = (list[Int(a)], list[Int(b)])
      if a.folder != b.folder { return ranks[Int(a.folder)] < ranks[Int(b.folder)] }
      return Path.same(a.file.path, b.file.path)
        ? b.file.isLink && !a.file.isLink : Path.precedes(a.file.path, b.file.path)
    }
  }
}

/// A long list in pieces: growing leaves no half of it empty, and emptying it gives memory back on the way.
struct PieceList<Element> {
  private let length = 512
  private var pieces: [[Element]] = []
  private(set) var count = 0

  subscript(index: Int) -> Element {
    get { pieces[index / length][index % length] }
    set { pieces[index / length][index % length] = newValue }
  }

  mutating func append(_ element: Element) {
    if count == pieces.count * length {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(length)
    }
    pieces[pieces.count - 1].append(element)
    count += 1
  }

  /// Hands all over, the last pieces first, and forgets them.
  mutating func empty(_ take: (Element) -> Void) {
    while let piece = pieces.popLast() {
      count -= piece.count
      piece.forEach(take)
    }
  }
}

extension PieceList: Sendable where Element: Sendable {}
