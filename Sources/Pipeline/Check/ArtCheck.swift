import AssetCatalog
import Codecs
import Imaging

/// Finished pixels to be checked, and what they came from.
struct CheckedArt: Sendable {
  /// The source, or the picture in a catalog, as the user knows it.
  var path: String
  /// The sticker's name in `decal.json`; nil where nothing can be set.
  var name: String?
  /// The pixels.
  var animation: SizedAnimation
  /// Where they lie on the canvas; nil where that is the whole of it.
  var placement: Placement?
  /// The size of the upright source.
  var sourceSize: PixelSize
  /// How they were made.
  var recipe: StickerRecipe
  /// Whether they were numbered frames, which have a rate of their own.
  var isNumbered = false
  /// Ids of what was told already.
  var told: Set<String> = []
  /// What its sidecar says, which comes before what can be edited.
  var sidecar = StickerOptions()

  /// Frames that are looked at closely.
  static let samples = 8

  /// Places of frames, evenly over the animation, the first one included.
  var sampled: [Int] {
    let count = animation.frames.count
    let step = max(1, (count + Self.samples - 1) / Self.samples)
    return Array(stride(from: 0, to: count, by: step))
  }

  /// An edit of this sticker's own options.
  func edit(_ key: EditableKey, _ value: JSONValue) -> ConfigurationEdit? {
    guard let name, !sidecar.says(key) else { return nil }
    return ConfigurationEdit(["overrides", name, key.rawValue], value)
  }
}

/// A key that a finding can set.
enum EditableKey: String {
  case outline, trim, fps, defringe
}

extension StickerOptions {
  fileprivate func says(_ key: EditableKey) -> Bool {
    switch key {
    case .outline: outline != nil
    case .trim: trim != nil
    case .fps: fps != nil
    case .defringe: defringe != nil
    }
  }
}

/// Looks at finished pixels; what takes long is left out of builds.
struct ArtCheck {
  let art: CheckedArt
  /// Where the art lies.
  let rect: PixelRect
  let geometry: AlphaGeometry

  init(_ art: CheckedArt) {
    self.art = art
    rect = art.placement?.target ?? PixelRect(art.animation.size)
    geometry = AlphaGeometry(of: art.animation, inside: rect)
  }

  /// What a build tells: it takes a small part of the time that encoding takes.
  var cheap: [CheckFinding] {
    guard !geometry.box.isEmpty else { return [] }
    return contrast() + margins() + flashing() + fastFrames() + firstFrame() + cuts()
  }

  /// Everything that one sticker shows by itself.
  var all: [CheckFinding] {
    guard !geometry.box.isEmpty else { return [] }
    return cheap + opacity() + banding() + enlargement()
  }

  func finding(
    _ rule: CheckRule, as severity: Severity? = nil, frame: Int? = nil, region: PixelRect? = nil, _ message: String,
    edit: ConfigurationEdit? = nil
  ) -> CheckFinding {
    CheckFinding(rule, severity, path: art.path, frame: frame, region: region, message, edit: edit)
  }
}

// MARK: - Contrast

extension ArtCheck {
  /// Art, or a part of it, that is lost on most of the frames.
  private func contrast() -> [CheckFinding] {
    guard !geometry.isOpaque else { return [] }
    let surveys = art.sampled.compactMap { place in
      ContrastSurvey(of: art.animation.frames[place].bitmap).map { (frame: place, survey: $0) }
    }
    return ChatBackground.allCases.compactMap { background in
      let rule = background == .dark ? CheckRule.unreadableDark : .unreadableLight
      let lost = surveys.filter { !$0.survey.whole.contrast(on: background).isReadable }
      if lost.count * 2 > surveys.count, let first = lost.first {
        let contrast = first.survey.whole.contrast(on: background)
        return finding(
          rule, frame: frame(first.frame),
          "\(percent(contrast.area)) of the art stands out from a \(background.color) chat", edit: outline(background))
      }
      return lostPart(surveys, background, rule)
    }
  }

  /// The largest part that is lost in most frames, where the whole is not.
  private func lostPart(
    _ surveys: [(frame: Int, survey: ContrastSurvey)], _ background: ChatBackground, _ rule: CheckRule
  ) -> CheckFinding? {
    let lost = surveys.compactMap { frame, survey -> (frame: Int, parts: [ContrastSurvey.Part])? in
      guard survey.parts.count > 1 else { return nil }
      let parts = survey.parts.filter { part in
        part.share >= ArtCheck.leastPart && part.solidity >= ArtCheck.leastSolidity
          && !part.contrast(on: background).isReadable
      }
      return parts.isEmpty ? nil : (frame, parts)
    }
    guard lost.count * 2 > surveys.count, let first = lost.first,
      let largest = first.parts.max(by: { $0.share < $1.share })
    else { return nil }
    let count = first.parts.count
    let share = percent(first.parts.reduce(0) { $0 + $1.share })
    let what = count == 1 ? "a part of the art (\(share)) is" : "\(count) parts of the art (\(share)) are"
    return finding(
      rule, as: .note, frame: frame(first.frame), region: largest.box, "\(what) lost on a \(background.color) chat",
      edit: outline(background))
  }

  /// The least share of a part that is told.
  private static let leastPart = ContrastSurvey.leastShare
  /// Shadows and glows may be lost.
  private static let leastSolidity = 0.6

  /// A border about as wide as people draw it, of the other color, where there is none yet.
  private func outline(_ background: ChatBackground) -> ConfigurationEdit? {
    guard art.recipe.render.outline.width == 0 else { return nil }
    let width = max(4, art.animation.size.width / 50)
    let color = background == .dark ? "white" : "#333333"
    return art.edit(.outline, .object([.init("width", .int(width)), .init("color", .string(color))]))
  }

  private func frame(_ place: Int) -> Int? { art.animation.isAnimated ? place : nil }
}

extension ChatBackground {
  fileprivate var color: String { self == .light ? "white" : "black" }
}

// MARK: - Place

extension ArtCheck {
  /// The least part of the square's side that art takes.
  private static let leastExtent = 0.7
  /// The most that its middle is off, as a part of the side.
  private static let mostOffset = 0.08

  private func margins() -> [CheckFinding] {
    guard !geometry.isOpaque else { return [] }
    var findings: [CheckFinding] = []
    let trim = art.recipe.render.trim ? nil : art.edit(.trim, .bool(true))
    let extent = geometry.extent(padding: art.recipe.render.padding)
    if extent < ArtCheck.leastExtent, !art.told.contains("pixel-art") {
      findings.append(
        finding(
          .wideMargins, region: geometry.box,
          "the art takes \(percent(extent)) of the square's side, less than \(percent(ArtCheck.leastExtent))",
          edit: trim))
    }
    let offset = geometry.offset
    let words =
      [
        (abs(offset.x), offset.x < 0 ? "left" : "right"), (abs(offset.y), offset.y < 0 ? "up" : "down"),
      ].filter { $0.0 > ArtCheck.mostOffset }.map { "\(percent($0.0)) \($0.1)" }
    if !words.isEmpty {
      findings.append(
        finding(
          .offCenter, region: geometry.box, "the art lies \(words.joined(separator: " and ")) of the middle", edit: trim
        ))
    }
    return findings
  }

  private func cuts() -> [CheckFinding] {
    let options = art.recipe.render
    guard !geometry.isOpaque, options.fit == .contain, options.background == nil, options.outline.width == 0 else {
      return []
    }
    var sides = Set(EdgeCut.Side.allCases)
    if let bounds = art.placement?.bounds {
      // What was trimmed to its content touches every side of it.
      if bounds.x > 0 { sides.remove(.left) }
      if bounds.y > 0 { sides.remove(.top) }
      if bounds.maxX < art.sourceSize.width { sides.remove(.right) }
      if bounds.maxY < art.sourceSize.height { sides.remove(.bottom) }
    }
    let found = art.sampled.map { place in
      (place, EdgeCut.find(in: art.animation.frames[place].bitmap, inside: rect, sides: sides))
    }.filter { !$0.1.isEmpty }
    // What runs out of the picture in some frames is motion.
    guard found.count * 2 > art.sampled.count, let (place, cuts) = found.first,
      let longest = cuts.max(by: { $0.share < $1.share })
    else { return [] }
    let sideWords = EdgeCut.Side.allCases.filter { side in cuts.contains { $0.side == side } }.map(\.rawValue)
    return [
      finding(
        .cutByEdge, frame: frame(place), region: longest.region,
        "cut straight at the \(alternatives(sideWords).replacing(" or ", with: " and ")), over \(percent(longest.share)) of the side"
      )
    ]
  }
}

// MARK: - Time

extension ArtCheck {
  private func flashing() -> [CheckFinding] {
    let worst = ChatBackground.allCases.compactMap { Flashing.find(in: art.animation, on: $0) }
      .max { $0.area < $1.area }
    guard let worst else { return [] }
    return [
      finding(
        .flashing, frame: worst.frame,
        "\(worst.flashes) flashes within a second over \(percent(worst.area)) of the sticker; three are the most")
    ]
  }

  /// Messages is said to show no frame for less.
  private static let leastDelay = Rational(1, 20)

  private func fastFrames() -> [CheckFinding] {
    let frames = art.animation.frames
    let fast = frames.filter { $0.delay < ArtCheck.leastDelay }
    guard art.animation.isAnimated, let shortest = fast.map(\.delay).min() else { return [] }
    let slowed = art.animation.duration.value + fast.reduce(0) { $0 + ArtCheck.leastDelay.value - $1.delay.value }
    let edit = art.isNumbered && fast.count == frames.count ? art.edit(.fps, .int(20)) : nil
    return [
      finding(
        .fastFrames, frame: frames.firstIndex { $0.delay < ArtCheck.leastDelay },
        "\(fast.count) of \(frames.count) frames are shown for less than 50 ms (\(shortest.milliseconds) ms): "
          + "\(decimal(art.animation.duration.value)) s may take \(decimal(slowed)) s", edit: edit)
    ]
  }

  /// The least coverage of the first frame, as a part of the fullest one's.
  private static let leastFirst = 0.06

  private func firstFrame() -> [CheckFinding] {
    guard art.animation.isAnimated, let most = geometry.coverage.max(), !art.told.contains(CheckRule.firstFrame.id)
    else {
      return []
    }
    let first = geometry.coverage[0]
    guard first < most * ArtCheck.leastFirst else { return [] }
    return [
      finding(
        .firstFrame, frame: 0,
        first == 0 ? "the first frame is empty" : "the first frame shows \(percent(first / most)) of what others show")
    ]
  }
}
