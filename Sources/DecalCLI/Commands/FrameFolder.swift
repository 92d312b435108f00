import AssetCatalog
import Codecs
import Imaging
import Pipeline

/// A folder of composed frames: `0000.png` and so on, and `frames.json`, which is written last.
struct FrameFolder {
  /// The folder as the disk takes it.
  let path: String
  /// The folder as it was typed.
  let shown: String
  /// The disk.
  let disk: any Disk

  private let listName = "frames.json"

  init(path: String, shown: String, disk: any Disk) {
    self.path = path
    self.shown = shown
    self.disk = disk
  }

  /// Decodes a file and writes its frames; only an empty folder or one of an earlier run is taken.
  ///
  /// Throws `InspectRefusal`, `DecodeError` and `DiskError`.
  func write(_ bytes: [UInt8], of input: String, limits: DecodeLimits) throws {
    let earlier = try earlierNames(input)
    try disk.createDirectory(path)
    let reader = try ImageReader(bytes: bytes, limits: limits)
    var entries: [JSONValue] = []
    var names: Set<String> = [listName]
    while let frame = try reader.nextFrame() {
      try Task.checkCancellation()
      let name = frameName(entries.count)
      let bitmap = Bitmap(size: frame.raster.size, pixels: frame.raster.rgba8)
      try replace(name, encodeRGBA8(bitmap))
      names.insert(name)
      entries.append(
        .object([
          .init("file", .string(name)), .init("delay", frame.delay.json), .init("storedDelay", frame.storedDelay.json),
        ]))
    }
    let list = JSONValue.object([.init("plays", .int(reader.header.playCount)), .init("frames", .array(entries))])
    for name in earlier where !names.contains(name) { try disk.removeFile(Path.join(path, name)) }
    try replace(listName, list.bytes(.pretty))
  }

  /// The names of an earlier run; throws where the folder holds anything else or the input itself.
  private func earlierNames(_ input: String) throws -> [String] {
    guard let status = try disk.status(path, followLinks: true) else { return [] }
    guard status.kind == .directory else { throw refusal("a file stands where the frames' folder should be") }
    let names = try disk.list(path)
    if let stranger = names.sorted().first(where: { $0 != listName && !isFrameName($0) }) {
      throw refusal("holds \"\(stranger)\", which is no frame; give an empty or new folder")
    }
    guard names.isEmpty || names.contains(listName) else {
      throw refusal("holds pictures but no \(listName) of an earlier run; give an empty or new folder")
    }
    let source = try disk.status(input, followLinks: true)
    for name in names {
      let status = try disk.status(Path.join(path, name), followLinks: true)
      if let status, status.device == source?.device, status.inode == source?.inode {
        throw refusal("holds the input itself; give another folder")
      }
    }
    return names
  }

  private func refusal(_ message: String) -> InspectRefusal {
    InspectRefusal(path: shown, message, id: "frames-folder")
  }

  private func replace(_ name: String, _ bytes: [UInt8]) throws(DiskError) {
    try disk.write(bytes, to: Path.join(path, name))
  }

  /// `0000.png`; more digits from 10,000 on.
  private func frameName(_ index: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".png"
  }

  private func isFrameName(_ name: String) -> Bool {
    let stem = name.dropLast(4)
    return name.hasSuffix(".png") && stem.count >= 4 && stem.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
