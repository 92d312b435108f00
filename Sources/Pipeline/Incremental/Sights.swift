/// What a build saw of a path, and how sure that is.
struct Sight: Sendable {
  var file: SeenFile
  /// Whether this build changed it.
  var isOwn = false
  /// Whether this build changed what a folder holds since it was listed.
  var isEdited = false
  var isUnstable = false
  /// When the stamp was taken.
  var time: Int
  /// What a folder holds, where it was listed: names that this build made or removed since are counted in.
  var names: Set<String>?

  init(file: SeenFile, time: Int, isOwn: Bool = false) { (self.file, self.time, self.isOwn) = (file, time, isOwn) }
}

/// Sights by their paths, which are kept as folders and names, as most folders hold several.
struct Sights: Sendable {
  private struct Key: Hashable {
    var folder: Int32
    var isLink: Bool
    var name: PathKey
  }

  private var folders: [PathKey: Int32] = [:]
  private var places: [Key: Int32] = [:]
  /// Of its path a sight in here has the name alone.
  private var list = PieceList<(sight: Sight?, folder: Int32)>()

  subscript(path: String, isLink isLink: Bool) -> Sight? {
    get {
      let (folder, name) = Path.parted(path)
      guard let number = folders[PathKey(folder)],
        let place = places[Key(folder: number, isLink: isLink, name: PathKey(name))]
      else { return nil }
      return list[Int(place)].sight
    }
    set {
      let (folder, name) = Path.parted(path)
      let number = folders[PathKey(folder)] ?? Int32(folders.count)
      let key = Key(folder: number, isLink: isLink, name: PathKey(name))
      var value = newValue
      value?.file.path = name
      if let place = places[key] {
        list[Int(place)].sight = value
      } else if value != nil {
        folders[PathKey(folder)] = number
        places[key] = Int32(list.count)
        list.append((value, number))
      }
    }
  }

  /// Shows each sight with its whole path to `finish`, gives the files of those that it accepts, and forgets all.
  mutating func empty(_ finish: (inout Sight) -> Bool) -> SeenFiles {
    var texts = [String](repeating: "", count: folders.count)
    for (folder, number) in folders { texts[Int(number)] = folder.path }
    (folders, places) = ([:], [:])
    var files = SeenFiles(folders: texts)
    list.empty { place in
      guard var sight = place.sight else { return }
      let name = sight.file.path
      sight.file.path = texts[Int(place.folder)] + name
      guard finish(&sight) else { return }
      sight.file.path = name
      files.append(sight.file, in: place.folder)
    }
    files.sort()
    return files
  }
}
