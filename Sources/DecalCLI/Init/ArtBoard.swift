import AssetCatalog

/// An SVG to draw a sticker or an icon on, with its guides in a layer of their own.
///
/// Plain shapes and attributes only: no script, no style sheet, nothing from outside, so that any editor opens it.
struct ArtBoard {
  /// The file's name.
  let name: String
  private let width: Int
  private let height: Int
  private let title: String
  private let about: String
  private let guides: [String]

  /// All of them: one for each grid size, and the icons.
  static let all = GridSize.allCases.map(sticker) + [squareIcon, wideIcon]

  /// Those that fit a pack.
  static func fitting(_ grid: GridSize) -> [ArtBoard] { [sticker(grid), squareIcon, wideIcon] }

  private init(_ name: String, _ width: Int, _ height: Int, _ title: String, _ about: String, _ guides: [String]) {
    (self.name, self.width, self.height) = (name, width, height)
    (self.title, self.about, self.guides) = (title, about, guides)
  }

  /// The text of the file.
  var svg: String {
    let size = "width=\"\(width)\" height=\"\(height)\""
    let lines =
      [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) viewBox=\"0 0 \(width) \(height)\">",
        "  <title>\(title)</title>", "  <desc>\(about) Hide the layer \"guides\" before you export.</desc>",
        "  <g id=\"art\">", "    <rect id=\"canvas\" \(size) fill=\"none\"/>", "  </g>", "  <g id=\"guides\">",
      ] + guides.map { "    " + $0 } + ["  </g>", "</svg>"]
    return Help.text(lines)
  }
}

// MARK: - Stickers

extension ArtBoard {
  /// The board of a grid size: the pixels of a finished sticker.
  private static func sticker(_ grid: GridSize) -> ArtBoard {
    let side = grid.pixels
    let safe = side / 25
    let type = side / 25
    return ArtBoard(
      "sticker-\(grid.rawValue).svg", side, side, "Sticker, grid size \(grid.rawValue)",
      "\(side) x \(side) px are \(side / 3) points at 3x. Keep art inside the dashed line, or its edge looks cut. "
        + "The tinted corners are lost where the picture is shown in a rounded bubble (about 18 points; an estimate).",
      [
        corners(side, side, radius: bubbleCorner),
        "<rect id=\"edge\" x=\"0.5\" y=\"0.5\" width=\"\(side - 1)\" height=\"\(side - 1)\" \(line("#8a8f98"))/>",
        "<rect id=\"safe-area\" x=\"\(safe)\" y=\"\(safe)\" width=\"\(side - 2 * safe)\" height=\"\(side - 2 * safe)\" "
          + "\(line("#0a84ff")) stroke-dasharray=\"6 4\"/>",
        cross(side, side),
        text("\(grid.rawValue), \(side) px", x: side / 2, y: side - safe - type / 2, size: type),
      ])
  }

  /// The corner of a message's bubble in pixels at 3x.
  private static let bubbleCorner = 54
}

// MARK: - Icons

extension ArtBoard {
  /// The square master that all icons are made from.
  private static let squareIcon: ArtBoard = {
    let side = 1024
    let inner = 824
    return ArtBoard(
      "icon-square.svg", side, side, "Master icon, square",
      "1024 x 1024 px, opaque to the corners: the system rounds them. The tinted corners are what its mask takes away "
        + "(a corner of 22.37 % of the side; an approximation). Keep what matters inside the dashed lines; the circle is "
        + "what round places show.",
      [
        corners(side, side, radius: maskCorner(side)),
        "<rect id=\"mask\" x=\"1\" y=\"1\" width=\"1022\" height=\"1022\" rx=\"\(maskCorner(side))\" \(line("#ff375f"))/>",
        "<rect id=\"safe-area\" x=\"\((side - inner) / 2)\" y=\"\((side - inner) / 2)\" width=\"\(inner)\" "
          + "height=\"\(inner)\" \(line("#0a84ff")) stroke-dasharray=\"12 8\"/>",
        "<circle id=\"round-places\" cx=\"512\" cy=\"512\" r=\"\(inner / 2)\" \(line("#0a84ff")) stroke-dasharray=\"12 8\"/>",
        cross(side, side),
        text("square icon, 1024 px", x: 512, y: 962, size: 28),
      ])
  }()

  /// The 4:3 master of the icons in Messages.
  private static let wideIcon: ArtBoard = {
    let (width, height) = (1024, 768)
    return ArtBoard(
      "icon-4x3.svg", width, height, "Master icon of Messages, 4:3",
      "1024 x 768 px, opaque to the corners. Without one of its own Messages gets the square icon with its edges continued "
        + "to both sides. The tinted corners are what a rounded mask takes away (22.37 % of the height; an "
        + "approximation). The circle is what round places show: keep what matters inside it.",
      [
        corners(width, height, radius: maskCorner(height)),
        "<rect id=\"mask\" x=\"1\" y=\"1\" width=\"1022\" height=\"766\" rx=\"\(maskCorner(height))\" \(line("#ff375f"))/>",
        "<rect id=\"square-icon\" x=\"128\" y=\"1\" width=\"768\" height=\"766\" \(line("#8a8f98")) stroke-dasharray=\"4 8\"/>",
        "<circle id=\"round-places\" cx=\"512\" cy=\"384\" r=\"340\" \(line("#0a84ff")) stroke-dasharray=\"12 8\"/>",
        cross(width, height),
        text("4:3 icon, 1024 x 768 px", x: 512, y: 750, size: 28),
      ])
  }()

  /// The corner of the system's mask, 22.37 % of the side, in whole pixels.
  private static func maskCorner(_ side: Int) -> Int { (side * 2237 + 5000) / 10000 }
}

// MARK: - Shapes

extension ArtBoard {
  private static func line(_ color: String) -> String { "fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"" }

  private static func cross(_ width: Int, _ height: Int) -> String {
    "<path id=\"center\" d=\"M\(width / 2) 0V\(height)M0 \(height / 2)H\(width)\" fill=\"none\" stroke=\"#8a8f98\" "
      + "stroke-width=\"1\" stroke-opacity=\"0.5\"/>"
  }

  /// The four corners outside a rounded rectangle.
  private static func corners(_ width: Int, _ height: Int, radius: Int) -> String {
    let (right, bottom) = (width - radius, height - radius)
    let path =
      "M0 0H\(radius)A\(radius) \(radius) 0 0 0 0 \(radius)Z"
      + "M\(width) 0V\(radius)A\(radius) \(radius) 0 0 0 \(right) 0Z"
      + "M\(width) \(height)H\(right)A\(radius) \(radius) 0 0 0 \(width) \(bottom)Z"
      + "M0 \(height)V\(bottom)A\(radius) \(radius) 0 0 0 \(radius) \(height)Z"
    return "<path id=\"lost-corners\" d=\"\(path)\" fill=\"#ff375f\" fill-opacity=\"0.3\"/>"
  }

  private static func text(_ text: String, x: Int, y: Int, size: Int) -> String {
    "<text id=\"size\" x=\"\(x)\" y=\"\(y)\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"\(size)\" "
      + "text-anchor=\"middle\" fill=\"#8a8f98\">\(text)</text>"
  }
}
