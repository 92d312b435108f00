import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

/// Seeds and near-misses of animations that Xcode writes anew, without a palette.
enum SequenceCases {
  static let all: [CheckCase] = [
    .catalog(.heavyInTruecolor, "256 colors that fit with a palette", true) { $0.addSequence("C", grains(5, 256)) },
    .catalog(.heavyInTruecolor, "16 colors that fit with a palette", true) { $0.addSequence("C", grains(9, 16)) },
    .catalog(.heavyInTruecolor, "truecolor frames that are light alone", true) {
      $0.addSequence("C", (1...2).map { encodeRGBA8(Art.noisy(300, UInt64($0))) })
    },
    .catalog(.heavyInTruecolor, "an animation in an image set", true) { $0.addImages(["wave.png": palette(5)]) },
    .catalog(.heavyInTruecolor, "one file in a sticker", false) { $0.addSticker("A", palette(5)) },
    .catalog(.heavyInTruecolor, "a sequence that fits in truecolor", false) { $0.addSequence("C", grains(2, 256)) },
    .catalog(.heavyInTruecolor, "heavy frames of which little moves", false) {
      let still = Art.noisy(300, 1)
      $0.addSequence(
        "C",
        (0..<3).map { frame in
          var bitmap = still
          bitmap[frame, 0] = .black
          return encodeRGBA8(bitmap)
        })
    },
    .catalog(.heavyInTruecolor, "stills in an image set", false) {
      let frames = grains(5, 256)
      $0.addImages(Dictionary(uniqueKeysWithValues: frames.indices.map { ("\($0).png", frames[$0]) }))
    },
  ]

  /// Pictures of grain in so many colors, palette files each.
  static func grains(_ count: Int, _ colors: Int) -> [[UInt8]] {
    (1...count).map { StillEncoder(effort: .fast).encode(grain($0, colors)).bytes }
  }

  /// The same frames as one file with a palette.
  static func palette(_ count: Int) -> [UInt8] {
    let frames = (1...count).map { SizedFrame(bitmap: grain($0, 256), delay: Rational(1, 10)) }
    let animation = SizedAnimation(frames: frames, playCount: 0)
    guard let asset = try? RateDistortionEncoder(effort: .fast).encode(animation, budget: 499_999) else {
      preconditionFailure("nobody ends it")
    }
    return asset.bytes
  }

  private static func grain(_ seed: Int, _ colors: Int) -> Bitmap {
    var bitmap = Art.noisy(300, UInt64(seed))
    for y in 0..<300 {
      for x in 0..<300 {
        let value = Int(bitmap[x, y].red) % colors
        bitmap[x, y] = RGBA8(UInt8(value), UInt8(value * 7 % 256), UInt8(255 - value))
      }
    }
    return bitmap
  }
}

extension CatalogFiles {
  /// Adds a sequence of frames.
  fileprivate mutating func addSequence(_ name: String, _ frames: [[UInt8]]) {
    let folder = "\(Self.pack)/\(name).stickersequence"
    let names = frames.indices.map { "\($0).png" }
    for (file, bytes) in zip(names, frames) { files[folder + "/" + file] = bytes }
    files[folder + Self.contents] =
      StickerSequenceContents(
        duration: 10, durationType: .fps, accessibilityLabel: "A fox, \(name)", frames: names
      ).bytes
    list(["A.sticker", "B.sticker", "\(name).stickersequence"])
  }

  /// Adds a set of images in a group.
  fileprivate mutating func addImages(_ images: [String: [UInt8]]) {
    for (name, bytes) in images { files["\(Self.root)/Images/Wave.imageset/\(name)"] = bytes }
  }
}

@Suite struct SequenceWeight {
  /// KB-08: what 450 KB hold with a palette is too heavy where Xcode takes frames, and is not where it takes one file.
  @Test func framesThatFitOnlyWithAPaletteAreToldInBothSizes() async throws {
    let frames = SequenceCases.grains(5, 256)
    var catalog = CatalogFiles()
    catalog.addSequence("C", frames)
    let found = try await findings(catalog)
    let finding = try #require(found.first { $0.id == "heavy-in-truecolor" })
    let stored = frames.reduce(0) { $0 + $1.count }
    #expect(stored < 499_999)
    #expect(finding.severity == .warning && finding.path == CatalogFiles.pack + "/C.stickersequence")
    let sizes = finding.message.split(separator: " ").compactMap { Int($0) }
    let isTold = sizes.count == 5 && sizes[0] == 5 && sizes[1] == stored && sizes[4] == 499_999
    #expect(isTold && sizes[2] > stored * 3 / 2, "\(finding.message)")
    #expect(finding.advice.contains("decal build"))

    let file = SequenceCases.palette(5)
    #expect(file.count < 499_999)
    var finished = CatalogFiles()
    finished.addSticker("A", file)
    let ids = try await findings(finished).map(\.id)
    #expect(!ids.contains("heavy-in-truecolor") && !ids.contains("too-heavy"), "\(ids)")
  }

  /// A pack whose output keeps a sequence that Decal did not write.
  @Test func sequencesThatAPackKeepsAreMeasured() async throws {
    var catalog = CatalogFiles()
    catalog.addSequence("C", SequenceCases.grains(5, 256))
    var files = ["art/a.png": Sketch().disc(150, 150, 130, .scarlet).png]
    for (path, bytes) in catalog.files { files["out/" + path] = bytes }
    let one = CheckCase(rule: .heavyInTruecolor, name: "", isSeeded: true, files: files)
    let paths = try await one.findings().filter { $0.id == "heavy-in-truecolor" }.map(\.path)
    #expect(paths == ["out/\(CatalogFiles.pack)/C.stickersequence"])
  }

  private func findings(_ catalog: CatalogFiles) async throws -> [CheckFinding] {
    try await CheckCase(
      rule: .heavyInTruecolor, name: "", isSeeded: true, files: catalog.files, subject: CatalogFiles.root
    ).findings()
  }
}
