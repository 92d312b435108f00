import AssetCatalog

/// Marks all assets whose stickers would have one name, also on a file system that ignores case or normalization.
func markCollisions(in assets: inout [SourceAsset]) {
  var groups: [String: [Int]] = [:]
  for (index, asset) in assets.enumerated() where asset.problem == nil {
    groups[CatalogName.collisionKey(asset.name), default: []].append(index)
  }
  for group in groups.values where group.count > 1 {
    for index in group {
      let others = group.filter { $0 != index }.map { assets[$0].path }
      let shown = others.prefix(4).joined(separator: ", ") + (others.count > 4 ? ", …" : "")
      assets[index].problem = Diagnostic(
        .error, path: assets[index].path,
        "the sticker \"\(assets[index].name)\" would also be made from \(shown); rename one", id: "name-collision")
    }
  }
}
