/// The `Contents.json` of a `.stickerpack`.
public struct StickerPackContents: CatalogDocument {
  /// The grid size.
  public var gridSize: GridSize
  /// The folders of the pack's stickers, such as `Fox.sticker`, in display order.
  public var stickers: [String]

  /// Makes a pack.
  public init(gridSize: GridSize, stickers: [String]) {
    self.gridSize = gridSize
    self.stickers = stickers
  }

  /// Reads a pack.
  public init(_ json: JSONValue) throws(CatalogError) {
    let root = try CatalogReader(json)
    gridSize = try root.object("properties").word("grid-size", GridSize.self)
    stickers = []
    for sticker in try root.objects("stickers") { stickers.append(try sticker.string("filename")) }
  }

  /// See `CatalogDocument`.
  public var json: JSONValue {
    .object([
      catalogInfo,
      JSONValue.Member("properties", .object([JSONValue.Member("grid-size", .string(gridSize.rawValue))])),
      JSONValue.Member(
        "stickers", .array(stickers.map { .object([JSONValue.Member("filename", .string($0))]) })),
    ])
  }
}
