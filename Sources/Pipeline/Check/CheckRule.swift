/// One thing that `decal check` looks for: the findings, the help and the tests all come from the list of them.
public struct CheckRule: Sendable, Hashable {
  /// What is looked at.
  public enum Topic: String, CaseIterable, Sendable {
    /// Raw art and the pictures of a catalog.
    case art
    /// Masters and icon sets.
    case icons
    /// The folders and descriptions of a catalog.
    case catalog
    /// What VoiceOver reads.
    case labels
  }

  /// A stable word such as `unreadable-dark`.
  public let id: String
  /// What it is about.
  public let topic: Topic
  /// How much it matters where the finding does not say otherwise.
  public let severity: Severity
  /// What is looked for, one line, lower case, no final stop.
  public let title: String
  /// Why it matters, whole sentences.
  public let why: String
  /// What to do, whole sentences.
  public let advice: String

  init(_ id: String, _ topic: Topic, _ severity: Severity, _ title: String, why: String, advice: String) {
    (self.id, self.topic, self.severity, self.title) = (id, topic, severity, title)
    (self.why, self.advice) = (why, advice)
  }

  /// The rule of an id, or nil where it has none: diagnostics of reading and building say all in one line.
  public static func named(_ id: String) -> CheckRule? { all.first { $0.id == id } }

  /// All rules in the order of the help.
  public static let all = art + labels + icons + catalog
}

extension CheckRule {
  static let unreadableDark = CheckRule(
    "unreadable-dark", .art, .warning, "art that is lost on a black chat",
    why: "Half of all chats are dark, and what is as dark as they are is not seen.",
    advice: "Give it a white outline: \"outline\": { \"width\": 8, \"color\": \"white\" }.")
  static let unreadableLight = CheckRule(
    "unreadable-light", .art, .warning, "art that is lost on a white chat",
    why: "What is as light as the chat is not seen.",
    advice: "Give it a dark outline: \"outline\": { \"width\": 6, \"color\": \"#333333\" }.")
  static let cutByEdge = CheckRule(
    "cut-by-edge", .art, .note, "art that goes on beyond its canvas",
    why: "A sticker stands free: a straight cut looks like a mistake where it was none.",
    advice: "Draw on a larger canvas, or end the art before the edge.")
  static let offCenter = CheckRule(
    "off-center", .art, .note, "art that is not in the middle of its square",
    why: "Stickers stand in a grid, and one that hangs to a side breaks its rows.",
    advice: "\"trim\": true cuts the margins off and centers what is left.")
  static let wideMargins = CheckRule(
    "wide-margins", .art, .note, "art that is small in its square",
    why: "A sticker is shown at a fixed size, and empty margins make what is on it smaller than on its neighbors.",
    advice: "\"trim\": true cuts the margins off.")
  static let bandingRisk = CheckRule(
    "banding-risk", .art, .note, "animations with large smooth gradients",
    why: "An animation over its budget gets one palette of at most 256 colors, which shows gradients as bands.",
    advice: "Flat shading, fewer frames or a smaller grid keep it smooth.")
  static let flashing = CheckRule(
    "flashing", .art, .warning, "more than three large flashes a second",
    why: "Such flashes can cause seizures (WCAG 2.3.1), and Apple's guidelines warn of them, too.",
    advice: "Flash less often, over less than a quarter of the sticker, or with less change of brightness.")
  static let fastFrames = CheckRule(
    "fast-frames", .art, .warning, "frames that are shown for less than 50 ms",
    why: "Messages is reported to play them at 50 ms, so that the animation runs slower than it was drawn.",
    advice: "Export it at 20 frames a second or fewer; numbered frames take \"fps\": 20.")
  static let firstFrame = CheckRule(
    "first-frame-empty", .art, .warning, "a first frame on which nothing is seen",
    why: "The first frame is what the sticker browser shows, and what is seen where animations are off.",
    advice: "Begin with a frame that shows the art.")
  static let opaqueSticker = CheckRule(
    "opaque-sticker", .art, .note, "art without any transparency",
    why: "It is shown as a square with hard corners; most stickers stand free on the chat.",
    advice: "Export the art with a transparent background, unless a square is meant.")
  static let cornerContent = CheckRule(
    "corner-content", .art, .note, "something in the corners of an opaque picture",
    why: "Message bubbles have round corners, which cut it off.",
    advice: "Keep it away from the corners by a tenth of the shorter side.")
  static let looksEnlarged = CheckRule(
    "looks-enlarged", .art, .note, "art that was enlarged before it was exported",
    why: "What was enlarged stays blurred or blocky at any size.",
    advice: "Export the original: vectors at the size of the grid, pixel art as small as it was drawn.")
  static let nearDuplicate = CheckRule(
    "near-duplicate", .art, .note, "two stickers that look alike",
    why: "People choose by a glance at the shelf; two that look the same are one too many.",
    advice: "Remove one, or make the difference larger.")

  static let matteFringe = CheckRule(
    "matte-fringe", .art, .note, "a rim of the color that art was flattened over",
    why: "The rim is not seen on the page that the art was cut out of, and shines on every other background.",
    advice: "\"defringe\": \"auto\" takes it out; better, export the art with soft transparency.")

  static let art = [
    unreadableDark, unreadableLight, cutByEdge, offCenter, wideMargins, bandingRisk, flashing, fastFrames, firstFrame,
    opaqueSticker, cornerContent, looksEnlarged, nearDuplicate, matteFringe,
  ]
}

extension CheckRule {
  static let labelMissing = CheckRule(
    "label-missing", .labels, .warning, "a sticker without a label",
    why: "VoiceOver reads the file's name instead.", advice: "Say in a few words what the sticker shows.")
  static let labelIsName = CheckRule(
    "label-is-name", .labels, .warning, "a label that is the file's name",
    why: "VoiceOver would read it letter by letter.", advice: "Say in a few words what the sticker shows.")
  static let labelTooLong = CheckRule(
    "label-too-long", .labels, .warning, "a label of more than 150 characters",
    why: "Messages takes at most 150.", advice: "Shorten it.")
  static let labelRepeated = CheckRule(
    "label-repeated", .labels, .warning, "a label of several stickers",
    why: "Who only hears the labels cannot tell these stickers apart.", advice: "Say what makes each of them different."
  )

  static let labels = [labelMissing, labelIsName, labelTooLong, labelRepeated]
}

extension CheckRule {
  static let iconCorners = CheckRule(
    "icon-corners", .icons, .warning, "rounded corners drawn into an icon",
    why: "The system rounds the corners itself, and what was rounded before shows as a rim or as clipped corners.",
    advice: "Export the icon square, filled to its corners.")
  static let iconBusy = CheckRule(
    "icon-busy", .icons, .note, "an icon full of detail without a focal point",
    why: "Icons are seen at 27 points; Apple asks for a simple background and one focal point.",
    advice: "Show one thing, larger, on a calm background.")
  static let iconSmall = CheckRule(
    "icon-too-small", .icons, .warning, "a master of less than 1024 px",
    why: "The App Store shows it at 1024 px, enlarged and blurred.", advice: "Export it at 1024x1024 or more.")
  static let iconTransparent = CheckRule(
    "icon-transparent", .icons, .note, "a master that is not opaque",
    why: "Icons have no transparency; Decal puts a color under it.",
    advice: "Export it opaque, or choose the color by \"icon\": { \"background\": ... }.")
  static let iconNotSquare = CheckRule(
    "icon-not-square", .icons, .warning, "a master that is not square",
    why: "App icons are square, so that it is cut, widened or stretched.", advice: "Export it at 1024x1024.")
  static let iconAlpha = CheckRule(
    "icon-alpha", .icons, .error, "an icon with an alpha channel",
    why: "The App Store refuses it (ITMS-90717), even where every pixel is opaque.",
    advice: "Write it without an alpha channel; \"decal icon\" does.")
  static let iconSize = CheckRule(
    "icon-size", .icons, .error, "an icon of another size than its slot",
    why: "Xcode refuses it: \"x.png is 120x121 but should be 120x120\".",
    advice: "Export it at the size of the slot; \"decal icon\" makes all sizes.")
  static let iconMissing = CheckRule(
    "icon-missing", .icons, .error, "a slot of an icon set without an icon",
    why: "The App Store refuses the upload (ITMS-90649, 90642 or 90704).",
    advice: "Fill every slot; \"decal icon\" makes all sizes.")
  static let iconPlatform = CheckRule(
    "icon-platform", .icons, .error, "a slot without its platform",
    why: "Without \"platform\" : \"ios\" the icon is dropped, and the App Store refuses the upload (ITMS-90649).",
    advice: "Add \"platform\" : \"ios\" to the entry.")
  static let iconUnassigned = CheckRule(
    "icon-unassigned", .icons, .warning, "an entry or a file that belongs to no slot",
    why: "Xcode calls it an unassigned child and leaves it out.",
    advice: "Correct its size, scale and idiom, or remove it.")
  static let iconSetName = CheckRule(
    "icon-set-name", .icons, .warning, "an icon set of an unusual name",
    why: "Projects ask for \"iMessage App Icon\", and case counts: else no icon is found.",
    advice: "Rename it, or set ASSETCATALOG_COMPILER_APPICON_NAME to its name.")
  static let iconSetMissing = CheckRule(
    "icon-set-missing", .icons, .warning, "a sticker catalog without an icon set",
    why: "Without icons the App Store refuses the upload (ITMS-90649), unless another catalog of the target has them.",
    advice: "Make them with \"decal icon\", or give --icon to \"decal build\".")

  static let icons = [
    iconCorners, iconBusy, iconSmall, iconTransparent, iconNotSquare, iconAlpha, iconSize, iconMissing, iconPlatform,
    iconUnassigned, iconSetName, iconSetMissing,
  ]
}

extension CheckRule {
  static let contentsUnreadable = CheckRule(
    "contents-unreadable", .catalog, .error, "a Contents.json that is missing or unreadable",
    why: "Xcode passes over the folder without a word.", advice: "Repair it, or let \"decal build\" write it anew.")
  static let unknownKey = CheckRule(
    "unknown-key", .catalog, .warning, "a key that the format does not have",
    why: "It has no effect, and Xcode does not say so.", advice: "Correct its spelling, or remove it.")
  static let gridSize = CheckRule(
    "grid-size", .catalog, .error, "a grid size that is none",
    why: "Xcode knows small, regular and large, and takes another silently for regular.",
    advice: "Set properties.grid-size to small, regular or large.")
  static let packCount = CheckRule(
    "pack-count", .catalog, .error, "several sticker packs in one catalog, or none",
    why: "An extension has exactly one: \"Multiple message payload provider extensions found\".",
    advice: "Keep one .stickerpack.")
  static let stickerMissing = CheckRule(
    "sticker-missing", .catalog, .error, "a sticker or picture that is named but missing",
    why: "Xcode leaves it out without a word.", advice: "Put it there, or take its name out.")
  static let stickerUnlisted = CheckRule(
    "sticker-unlisted", .catalog, .warning, "a sticker or a picture that nothing names",
    why: "It is not shown, and Xcode does not say so.", advice: "Name it in the Contents.json, or remove it.")
  static let stickerRepeated = CheckRule(
    "sticker-repeated", .catalog, .warning, "a sticker that is listed twice",
    why: "It is shown twice, or the build fails.", advice: "List it once.")
  static let stickerExtension = CheckRule(
    "sticker-extension", .catalog, .error, "a picture whose extension is not taken",
    why: "The App Store refuses it: \"invalid extension for a 'Sticker' file\".",
    advice: "Name it .png, animated PNG too; .gif, .jpg and .jpeg are taken as well.")
  static let stickerFormat = CheckRule(
    "sticker-format", .catalog, .error, "a picture that is not what its extension says",
    why: "Messages shows PNG, APNG, GIF and JPEG; what is something else inside is not shown.",
    advice: "Convert it with \"decal convert\".")
  static let stickerNames = CheckRule(
    "sticker-names", .catalog, .warning, "names that differ in case or kind alone",
    why: "The finished bundle names a sticker by its stem: one takes the place of the other.", advice: "Rename one.")
  static let stickerSize = CheckRule(
    "sticker-size", .catalog, .warning, "stickers of other sizes than the grid's",
    why: "Apple asks for one size in a pack, that of its grid; others are scaled on the phone.",
    advice: "Export them at 300, 408 or 618 px for small, regular and large; \"decal build\" does.")
  static let tooHeavy = CheckRule(
    "too-heavy", .catalog, .warning, "a sticker of 500,000 bytes or more",
    why: "Apple takes less than 500 KB; above 512,000 bytes the sticker is not shown.",
    advice: "Press it with \"decal convert\", which fits any animation into 499,999 bytes.")
  static let heavyInTruecolor = CheckRule(
    "heavy-in-truecolor", .catalog, .warning, "a sequence or image set too heavy in 24 bits",
    why: "Xcode makes its frames into an animation without a palette, which may be twice as large, and only warns: "
      + "a sticker that is too heavy cannot be peeled off, and is blank when it is sent.",
    advice: "Make one file of the frames with \"decal build\" or \"decal convert\"; what a .sticker holds is taken as "
      + "it is.")

  static let catalog = [
    contentsUnreadable, unknownKey, gridSize, packCount, stickerMissing, stickerUnlisted, stickerRepeated,
    stickerExtension, stickerFormat, stickerNames, stickerSize, tooHeavy, heavyInTruecolor,
  ]
}
