import Codecs
import Imaging

// What jobs came to, as the state folder keeps it. Paths are kept relative to where the art lies, so that an entry holds in
// another checkout. A test counts the properties of each type: one that is added must be added here too.

extension StateWriter {
  mutating func put(_ diagnostics: [Diagnostic], below folder: String) {
    put(diagnostics) { $0.put($1, below: folder) }
  }

  mutating func put(_ diagnostic: Diagnostic, below folder: String) {
    put(Severity.all.firstIndex(of: diagnostic.severity) ?? 0)
    put(diagnostic.path) { $0.put(path: $1, below: folder) }
    put(diagnostic.message)
    put(diagnostic.id)
  }

  /// A path, without the folder where it begins with that.
  private mutating func put(path: String, below folder: String) {
    let prefix = folder + "/"
    let isBelow = folder != "." && path.utf8.starts(with: prefix.utf8)
    put(isBelow)
    put(isBelow ? String(Substring(path.utf8.dropFirst(prefix.utf8.count))) : path)
  }

  mutating func put(_ size: PixelSize) {
    put(size.width)
    put(size.height)
  }

  mutating func put(_ region: PixelRegion) {
    put(region.x)
    put(region.y)
    put(region.width)
    put(region.height)
  }

  mutating func put(_ source: SourceFacts) {
    put(source.format.rawValue)
    put(source.size)
    put(source.frames)
    put(source.digest.hex)
  }

  mutating func put(_ picture: PictureFacts) {
    put(picture.size)
    put(picture.frames)
    put(picture.duration.numerator)
    put(picture.duration.denominator)
    put(picture.plays)
    put(picture.digest.hex)
  }

  mutating func put(_ report: EncodingReport) {
    put(report.method.rawValue)
    put(report.colors) { $0.put($1) }
    put(report.sourceFrames)
    put(report.keptFrames)
    put(report.mergedFrames)
    put(report.attempts)
  }

  mutating func put(_ quality: AnimationQuality) {
    put(quality.score)
    put(quality.flicker)
    put(quality.holdingShare)
  }

  /// Size and digest of a file's bytes.
  mutating func put(_ bytes: FileBytes) {
    put(bytes.count)
    put(bytes.digest.hex)
  }

  /// Everything but the bytes; `folder` is where the art lies.
  mutating func put(_ outcome: StickerOutcome, below folder: String) {
    put(outcome.sticker) { writer, sticker in
      writer.put(sticker.bytes)
      writer.put(sticker.report)
      writer.put(sticker.picture)
      writer.put(sticker.quality)
      writer.put(sticker.source)
    }
    put(outcome.source) { $0.put($1) }
    put(outcome.extent) { $0.put($1) }
    put(outcome.diagnostics, below: folder)
    put(outcome.dependsOnBudget)
  }

  /// Everything but the bytes; `masters` are the paths in their order.
  mutating func put(_ outcome: IconOutcome, masters: [String]) {
    func role(_ path: String) -> Int { masters.firstIndex { Path.same($0, path) } ?? -1 }
    put(outcome.sets) { writer, set in
      writer.put(set.folder)
      writer.put(set.icons) { writer, icon in
        writer.put(icon.filename)
        writer.put(icon.bytes)
        writer.put(icon.picture)
        writer.put(role(icon.master))
      }
      writer.put(set.contents)
    }
    put(outcome.masters.sorted { role($0.key) < role($1.key) }) { writer, master in
      writer.put(role(master.key))
      writer.put(master.value)
    }
    put(outcome.diagnostics) { writer, diagnostic in
      writer.put(diagnostic.path.map(role) ?? -1)
      writer.put([diagnostic], below: ".")
    }
  }
}

extension StateReader {
  mutating func diagnostics(below folder: String) throws(StateDamage) -> [Diagnostic] {
    try list { reader throws(StateDamage) in
      let index = try reader.int()
      guard Severity.all.indices.contains(index) else { throw StateDamage() }
      let path = try reader.optional { reader throws(StateDamage) in
        try reader.flag() ? Path.join(folder, try reader.string()) : try reader.string()
      }
      return Diagnostic(Severity.all[index], path: path, try reader.string(), id: try reader.string())
    }
  }

  private mutating func hexDigest() throws(StateDamage) -> Digest {
    guard let digest = Digest(hex: try string()) else { throw StateDamage() }
    return digest
  }

  mutating func size() throws(StateDamage) -> PixelSize {
    let (width, height) = (try int(), try int())
    guard 0...1 << 30 ~= width, 0...1 << 30 ~= height else { throw StateDamage() }
    return PixelSize(width: width, height: height)
  }

  mutating func region() throws(StateDamage) -> PixelRegion {
    let region = PixelRegion(x: try double(), y: try double(), width: try double(), height: try double())
    guard [region.x, region.y, region.width, region.height].allSatisfy(\.isFinite) else { throw StateDamage() }
    return region
  }

  mutating func sourceFacts() throws(StateDamage) -> SourceFacts {
    guard let format = ImageFormat(rawValue: try string()) else { throw StateDamage() }
    return SourceFacts(format: format, size: try size(), frames: try int(), digest: try hexDigest())
  }

  mutating func pictureFacts() throws(StateDamage) -> PictureFacts {
    let (size, frames, numerator, denominator) = (try size(), try int(), try int(), try int())
    guard denominator > 0 else { throw StateDamage() }
    return PictureFacts(
      size: size, frames: frames, duration: Rational(numerator, denominator), plays: try int(),
      digest: try hexDigest())
  }

  mutating func report() throws(StateDamage) -> EncodingReport {
    guard let method = EncodingReport.Method(rawValue: try string()) else { throw StateDamage() }
    return EncodingReport(
      method: method, colors: try optional { reader throws(StateDamage) in try reader.int() },
      sourceFrames: try int(), keptFrames: try int(), mergedFrames: try int(), attempts: try int())
  }

  mutating func quality() throws(StateDamage) -> AnimationQuality {
    AnimationQuality(score: try double(), flicker: try double(), holdingShare: try double())
  }

  mutating func fileBytes(_ load: @escaping @Sendable () throws(DiskError) -> [UInt8]) throws(StateDamage) -> FileBytes
  {
    FileBytes(count: try int(), digest: try hexDigest(), load: load)
  }

  /// A sticker's outcome; `load` gets its bytes.
  mutating func stickerOutcome(
    below folder: String, _ load: @escaping @Sendable () throws(DiskError) -> [UInt8]
  ) throws(StateDamage) -> StickerOutcome {
    let sticker = try optional { reader throws(StateDamage) in
      PressedSticker(
        bytes: try reader.fileBytes(load), report: try reader.report(), picture: try reader.pictureFacts(),
        quality: try reader.quality(), source: try reader.sourceFacts())
    }
    return StickerOutcome(
      sticker: sticker, source: try optional { reader throws(StateDamage) in try reader.sourceFacts() },
      extent: try optional { reader throws(StateDamage) in try reader.region() },
      diagnostics: try diagnostics(below: folder), dependsOnBudget: try flag())
  }

  /// The icons' outcome; `load` gets the bytes of a file of a folder.
  mutating func iconOutcome(
    masters: [String], _ load: @escaping @Sendable (String) throws(DiskError) -> [UInt8]
  ) throws(StateDamage) -> IconOutcome {
    func master(_ role: Int) throws(StateDamage) -> String {
      guard masters.indices.contains(role) else { throw StateDamage() }
      return masters[role]
    }
    var outcome = IconOutcome()
    outcome.sets = try list { reader throws(StateDamage) in
      let folder = try reader.string()
      let icons = try reader.list { reader throws(StateDamage) in
        let name = try reader.string()
        return PressedIcon(
          filename: name,
          bytes: try reader.fileBytes { () throws(DiskError) in try load(folder + "/" + name) },
          picture: try reader.pictureFacts(), master: try master(try reader.int()))
      }
      return PressedIconSet(folder: folder, icons: icons, contents: try reader.blob())
    }
    for (role, facts) in try list({ reader throws(StateDamage) in (try reader.int(), try reader.sourceFacts()) }) {
      outcome.masters[try master(role)] = facts
    }
    outcome.diagnostics = try list { reader throws(StateDamage) in
      let role = try reader.int()
      guard var diagnostic = try reader.diagnostics(below: ".").first else { throw StateDamage() }
      if role >= 0 { diagnostic.path = try master(role) }
      return diagnostic
    }
    return outcome
  }
}

extension Severity {
  /// In the order of their numbers in the state.
  fileprivate static let all: [Severity] = [.note, .warning, .error]
}
