import AssetCatalog
import Codecs
import Imaging
import TestSupport
import Testing

@testable import Pipeline

private let orange = RGBA8(255, 153, 0)

private func flat(_ width: Int = 64, _ height: Int = 64, _ color: RGBA8 = orange) -> [UInt8] {
  PNGMaker.rgba(width, height) { _, _ in color }
}

private func disc(_ side: Int, radius: Double, _ color: RGBA8 = RGBA8(255, 0, 0)) -> [UInt8] {
  PNGMaker.rgba(side, side) { x, y in
    let (dx, dy) = (x - Double(side) / 2, y - Double(side) / 2)
    return dx * dx + dy * dy < radius * radius ? color : .clear
  }
}

private func render(
  _ icon: [UInt8], messages: [UInt8]? = nil, dark: [UInt8]? = nil, tinted: [UInt8]? = nil,
  _ change: (inout IconOptions) -> Void = { _ in }
) throws -> IconSets {
  var options = IconOptions()
  change(&options)
  func master(_ name: String, _ bytes: [UInt8]?) -> IconMaster? { bytes.map { IconMaster(path: name, bytes: $0) } }
  let masters = IconMasters(
    icon: IconMaster(path: "icon.png", bytes: icon), messages: master("messages.png", messages),
    dark: master("dark.png", dark), tinted: master("tinted.png", tinted))
  return try IconRenderer(options: options, effort: .fast).render(masters)
}

private func decoded(_ file: IconFile) throws -> Bitmap { try MasterImage.decode(bytes: file.bytes).image.bitmap() }

private func file(_ name: String, _ files: [IconFile]) throws -> IconFile {
  try #require(files.first { $0.name == name })
}

private func pixels(_ bitmap: Bitmap) -> Set<RGBA8> {
  Set((0..<bitmap.size.height).flatMap { y in (0..<bitmap.size.width).map { bitmap[$0, y] } })
}

private func colorType(_ png: [UInt8]) -> UInt8 { png[25] }

private func ids(_ sets: IconSets) -> [String] { sets.diagnostics.map(\.id) }

@Suite struct IconSetFiles {
  /// IC-01, IC-06, IC-07 and AC-05: every slot has its file, of exact size, opaque RGB, and nothing else is there.
  @Test func `the Messages set is complete`() throws {
    let sets = try render(flat())
    let contents = try IconSetContents(parsing: file("Contents.json", sets.messages).bytes)
    #expect(contents.images.map(\.slot) == IconSlot.messages)
    #expect(sets.messages.last?.name == "Contents.json" && sets.appIcon.isEmpty)
    #expect(Set(sets.messages.dropLast().map(\.name)) == Set(contents.images.compactMap(\.filename)))
    for image in contents.images {
      let icon = try file(#require(image.filename), sets.messages)
      let expected = try #require(image.slot.pixels)
      let size = PixelSize(width: expected.width, height: expected.height)
      let bitmap = try decoded(icon)
      #expect(bitmap.size == size && icon.size == size)
      #expect(pixels(bitmap) == [orange])
      #expect(colorType(icon.bytes) == 2 && icon.bytes[24] == 8)
      #expect(!chunkNames(icon.bytes).contains("tRNS") && chunkNames(icon.bytes).contains("sRGB"))
    }
  }

  @Test func `equal sizes are equal files and every run gives the same bytes`() throws {
    let master = PNGMaker.rgba(100, 100) { x, y in RGBA8(UInt8(x * 2), UInt8(y * 2), 77) }
    let first = try render(master).messages
    #expect(try render(master).messages == first)
    #expect(try file("Icon-29x29@2x-iphone.png", first).bytes == file("Icon-29x29@2x-ipad.png", first).bytes)
  }

  @Test func `the older app icons are 18 files`() throws {
    let sets = try render(flat()) { $0.appIcon = .legacy }
    #expect(sets.appIcon.count == 19)
    #expect(try decoded(file("Icon-83.5x83.5@2x-ipad.png", sets.appIcon)).size == PixelSize(square: 167))
  }

  @Test func `the Messages set is left out where only app icons are wanted`() throws {
    var options = IconOptions()
    options.appIcon = .single
    let masters = IconMasters(icon: IconMaster(path: "icon.png", bytes: flat()))
    let sets = try IconRenderer(options: options, effort: .fast).render(masters, messages: false)
    #expect(sets.messages.isEmpty && sets.appIcon.count == 2)
  }

  /// IC-15.
  @Test func `dark keeps its alpha, tinted is gray, and both have entries of their own`() throws {
    let sets = try render(flat(), dark: disc(64, radius: 20), tinted: flat(64, 64, RGBA8(200, 40, 90))) {
      $0.appIcon = .single
    }
    #expect(ids(sets).contains("icon-gray"))
    #expect(
      sets.appIcon.map(\.name)
        == ["Icon-1024x1024.png", "Icon-1024x1024-dark.png", "Icon-1024x1024-tinted.png", "Contents.json"])
    #expect(sets.appIcon.dropLast().map { colorType($0.bytes) } == [2, 6, 2])
    let dark = try decoded(sets.appIcon[1])
    #expect(dark[0, 0].alpha == 0 && dark[512, 512] == RGBA8(255, 0, 0))
    let tinted = pixels(try decoded(sets.appIcon[2]))
    #expect(tinted.count == 1 && tinted.allSatisfy { $0.red == $0.green && $0.green == $0.blue && $0.red > 60 })
    let contents = try IconSetContents(parsing: sets.appIcon[3].bytes)
    #expect(contents.images.map(\.slot.appearance) == [nil, .dark, .tinted])
  }

  @Test func `without such masters there are no entries for dark and tinted`() throws {
    let sets = try render(flat()) { $0.appIcon = .single }
    #expect(sets.appIcon.map(\.name) == ["Icon-1024x1024.png", "Contents.json"])
    let legacy = try render(flat(), dark: flat()) { $0.appIcon = .legacy }
    #expect(!String(decoding: try #require(legacy.appIcon.last).bytes, as: UTF8.self).contains("appearances"))
  }
}

@Suite struct IconMasterHandling {
  /// IC-02 and IC-03.
  @Test func `a logo is put on the background that is given, or on white with a warning`() throws {
    let sets = try render(disc(128, radius: 40)) { $0.background = RGBA8(0x1E, 0x88, 0xE5) }
    let note = try #require(sets.diagnostics.first { $0.id == "icon-on-background" })
    #expect(note.severity == .note && note.message.contains("#1E88E5") && note.path == "icon.png")
    for name in ["Icon-29x29@3x-iphone.png", "Icon-60x45@3x-iphone.png"] {
      let icon = try decoded(file(name, sets.messages))
      #expect(icon[0, 0] == RGBA8(0x1E, 0x88, 0xE5) && icon[icon.size.width - 1, 20] == icon[0, 0])
    }
    let white = try render(disc(128, radius: 40))
    #expect(white.diagnostics.contains { $0.id == "icon-background-default" && $0.severity == .warning })
    #expect(try decoded(file("Icon-29x29@2x-ipad.png", white.messages))[0, 0] == .white)
  }

  /// IC-04.
  @Test func `rounded corners and shadows are mended, and it is said`() throws {
    func plate(_ margin: Double, shadow: UInt8) -> [UInt8] {
      PNGMaker.rgba(128, 128) { x, y in
        let half = 64 - margin
        let (dx, dy) = (max(abs(x - 64) - half + 30, 0), max(abs(y - 64) - half + 30, 0))
        return dx * dx + dy * dy < 900 && abs(x - 64) < half && abs(y - 64) < half ? orange : RGBA8(0, 0, 0, shadow)
      }
    }
    let rounded = try render(plate(0, shadow: 0)) { $0.background = .black }
    #expect(ids(rounded) == ["icon-corners-filled", "icon-too-small"])
    #expect(rounded.diagnostics[0].message.contains("not with the background"))
    let shadowed = try render(plate(14, shadow: 60))
    #expect(ids(shadowed) == ["icon-cropped-to-plate", "icon-corners-filled", "icon-too-small"])
    #expect(shadowed.diagnostics[0].message.contains("100x100 px of 128x128"))
    for sets in [rounded, shadowed] {
      for file in sets.messages.dropLast() { #expect(pixels(try decoded(file)) == [orange], "\(file.name)") }
    }
  }

  /// IC-09.
  @Test func `a master that is not square is refused with the ways out`() throws {
    for (width, height) in [(64, 60), (65, 64)] {
      let sets = try render(flat(width, height))
      #expect(sets.messages.isEmpty && ids(sets) == ["icon-not-square"])
      let message = sets.diagnostics[0].line
      for part in ["icon.png: error: \(width)x\(height) px", "--fit contain", "--fit cover", "--fit fill"] {
        #expect(message.contains(part))
      }
    }
    for fit in Fit.allCases {
      let sets = try render(flat(64, 60)) { $0.fit = fit }
      #expect(ids(sets).contains("icon-squared") && sets.messages.count == 14)
    }
  }

  @Test func `a great master is refused by its own size, not that of a smaller copy`() throws {
    let row = [UInt8](repeating: 90, count: 3000 * 3)
    let master = PNGMaker(PixelSize(width: 3000, height: 2100), colorType: 2, rows: Array(repeating: row, count: 2100))
    #expect(try render(master.bytes).diagnostics.map(\.line).first?.contains("3000x2100 px") == true)
  }

  /// IC-11.
  @Test(arguments: [180, 512])
  func `a small master is enlarged with a warning`(side: Int) throws {
    let sets = try render(flat(side, side))
    let warning = try #require(sets.diagnostics.first { $0.id == "icon-too-small" })
    #expect(warning.message.contains("\(side)x\(side) px") && warning.message.contains("1024x1024"))
    #expect(colorType(try file("Icon-1024x1024@1x-ios-marketing.png", sets.messages).bytes) == 2)
  }

  @Test func `a master of 1024 has nothing to be told of`() throws {
    let row = [UInt8](repeating: 90, count: 1024 * 3)
    let master = PNGMaker(PixelSize(square: 1024), colorType: 2, rows: Array(repeating: row, count: 1024)).bytes
    #expect(try render(master).diagnostics.isEmpty)
  }

  /// IC-13: one gray ramp in four forms.
  @Test func `masters of every color type give the same icons`() throws {
    let size = PixelSize(square: 64)
    let ramp = (0..<64).map { UInt8($0 * 4) }
    let palette = (name: "PLTE", data: ramp.flatMap { [$0, $0, $0] })
    let masters = [
      PNGMaker(size, colorType: 0, rows: .init(repeating: ramp, count: 64)),
      PNGMaker(size, colorType: 4, rows: .init(repeating: ramp.flatMap { [$0, 255] }, count: 64)),
      PNGMaker(
        size, depth: 16, colorType: 6,
        rows: .init(repeating: ramp.flatMap { [$0, $0, $0, $0, $0, $0, 255, 255] }, count: 64)),
      PNGMaker(size, colorType: 3, extra: [palette], rows: .init(repeating: (0..<64).map { UInt8($0) }, count: 64)),
    ]
    let sets = try masters.map { try render($0.bytes).messages }
    for files in sets.dropFirst() { #expect(files == sets[0]) }
    #expect(sets[0].dropLast().allSatisfy { colorType($0.bytes) == 2 && $0.bytes[24] == 8 })
    let icon = try decoded(file("Icon-29x29@2x-ipad.png", sets[0]))
    #expect(icon[0, 5].red < 10 && icon[57, 5].red > 240)
  }

  @Test func `the 4:3 icons have a master of their own`() throws {
    let blue = RGBA8(0, 0, 200)
    let sets = try render(flat(), messages: flat(128, 96, blue))
    #expect(sets.diagnostics.filter { $0.path == "messages.png" }.map(\.id) == ["icon-too-small"])
    #expect(pixels(try decoded(file("Icon-60x45@2x-iphone.png", sets.messages))) == [blue])
    #expect(pixels(try decoded(file("Icon-27x20@3x-universal.png", sets.messages))) == [blue])
    #expect(pixels(try decoded(file("Icon-29x29@3x-iphone.png", sets.messages))) == [orange])
    let odd = try render(flat(), messages: flat(200, 96, blue))
    #expect(ids(odd).contains("icon-not-4x3") && odd.messages.count == 14)
  }

  /// IC-12 and the rule that one bad file is named.
  @Test func `a master that cannot be read is an error that names it`() throws {
    let sets = try render(flat(), messages: [1, 2, 3], dark: []) { $0.appIcon = .single }
    #expect(sets.messages.isEmpty && sets.appIcon.isEmpty)
    let errors = sets.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.path) == ["messages.png", "dark.png"])
    #expect(errors.allSatisfy { $0.id == "cannot-read" })
  }

  @Test func `a wide-gamut master can keep its colors, and the icons say so`() throws {
    let side = PixelSize(square: 64)
    let p3 = DisplayP3.tagged(png: PlainPNG.still(Bitmap(size: side, fill: RGBA8(0, 255, 0)), extra: [("sRGB", [0])]))
    let sets = try render(p3) { $0.color = .keepP3 }
    for file in sets.messages where file.size != nil {
      let reader = try ImageReader(bytes: file.bytes)
      guard case .icc = reader.header.color, case .rgba8(let pixels)? = try reader.nextFrame()?.raster.samples else {
        Issue.record("no profile, or no 8-bit pixels: \(file.name)")
        continue
      }
      #expect(Array(pixels[0..<4]) == [0, 255, 0, 255], "\(file.name)")
    }
    // A background is sRGB as it is typed.
    let logo = try render(disc(128, radius: 40)) {
      $0.color = .keepP3
      $0.background = RGBA8(216, 69, 50)
    }
    let corner = try decoded(try file("Icon-1024x1024@1x-ios-marketing.png", logo.messages))[0, 0]
    #expect(abs(Int(corner.red) - 216) <= 1 && abs(Int(corner.green) - 69) <= 1 && abs(Int(corner.blue) - 50) <= 1)
    #expect(ids(try render(p3)).contains("gamut-clipped") && !ids(sets).contains("gamut-clipped"))
  }

  @Test func `cancellation ends the work`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try render(flat())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

@Suite(.enabled(if: Corpus.isPresent)) struct IconMastersOfRealApps {
  @Test(arguments: (try? Corpus.files(in: "icons", withExtension: "png")) ?? [])
  func `every real master gives a full set`(path: String) throws {
    let sets = try render(Corpus.bytes(path)) { $0.fit = .contain }
    #expect(sets.messages.count == 14)
    for file in sets.messages.dropLast() {
      #expect(colorType(file.bytes) == 2)
      #expect(try decoded(file).size == file.size)
    }
  }

  /// IC-12: a JPEG by another name is read by what it is.
  @Test func `a JPEG master gives PNG icons`() throws {
    let path = try #require(try Corpus.files(in: "art-static", withExtension: "jpg").first)
    let sets = try render(Corpus.bytes(path)) { $0.fit = .cover }
    #expect(sets.messages.count == 14)
    #expect(sets.messages.dropLast().allSatisfy { $0.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) })
  }

  /// IC-14: Display P3 is taken to sRGB, values and tag alike.
  @Test func `a wide-gamut master gives sRGB icons`() throws {
    let bytes = try Corpus.bytes("icons/mastodon-dark-p3-alpha.png")
    let raster = try #require(try ImageReader(bytes: bytes).nextFrame()).raster
    let sets = try render(bytes) { $0.background = .black }
    let icon = try file("Icon-1024x1024@1x-ios-marketing.png", sets.messages)
    #expect(chunkNames(icon.bytes).contains("sRGB") && !chunkNames(icon.bytes).contains("iCCP"))
    let bitmap = try decoded(icon)
    guard case .rgba8(let samples) = raster.samples else {
      Issue.record("8-bit samples")
      return
    }
    for (x, y) in [(300, 300), (512, 700), (800, 400)] {
      let p3 = samples[(y * 1024 + x) * 4..<(y * 1024 + x) * 4 + 3].map { SRGB.linear(Double($0) / 255) }
      // Display P3 to sRGB, both D65: SMPTE EG 432-1 and IEC 61966-2-1 primaries.
      let linear = [
        1.2249 * p3[0] - 0.2247 * p3[1], -0.0420 * p3[0] + 1.0419 * p3[1],
        -0.0197 * p3[0] - 0.0786 * p3[1] + 1.0979 * p3[2],
      ]
      let expected = linear.map { Int((SRGB.encoded(min(max($0, 0), 1)) * 255).rounded()) }
      let got = bitmap[x, y]
      for (value, wanted) in zip([got.red, got.green, got.blue], expected) { #expect(abs(Int(value) - wanted) <= 3) }
    }
  }
}
