import Imaging
import TestSupport

@testable import Pipeline

/// Seeds and near-misses of art; pictures have the size of the small grid, so that they are looked at as they are.
enum ArtCases {
  static let all = contrast + place + time + whole + enlarged + alike + fringe

  private static let face = Sketch().disc(150, 150, 130, .gold).disc(105, 120, 18, .black).disc(195, 120, 18, .black)
    .box(90, 190, 120, 24, radius: 12, .black)
  private static let badge = Sketch().disc(150, 150, 130, .black).disc(150, 150, 118, .scarlet)

  private static let strokes = [40.0, 100, 160, 220].reduce(Sketch()) { $0.box(30, $1, 240, 12, radius: 6, .black) }
  private static let paleStrokes = [40.0, 100, 160, 220].reduce(Sketch()) {
    $0.box(30, $1, 240, 12, radius: 6, RGBA8(250, 250, 245))
  }

  static let contrast: [CheckCase] = [
    .art(.unreadableDark, "a black disc", true, Sketch().disc(150, 150, 130, .black)),
    .art(.unreadableDark, "a navy box", true, Sketch().box(20, 20, 260, 260, radius: 30, .navy)),
    .art(.unreadableDark, "black strokes", true, strokes),
    .art(
      .unreadableDark, "a black word beside a face", true,
      face.painted { $1 > 250 ? .clear : nil }
        .box(20, 276, 260, 20, .black)),
    .art(
      .unreadableDark, "a black disc with a white rim", false,
      Sketch().disc(150, 150, 138, .white).disc(150, 150, 130, .black)),
    .art(
      .unreadableDark, "black strokes on white paper", false,
      Sketch().box(10, 10, 280, 280, radius: 20, .white)
        .ring(150, 150, 90, width: 14, .black)),
    .art(
      .unreadableDark, "a navy disc with a bright middle", false,
      Sketch().disc(150, 150, 130, .navy)
        .disc(150, 150, 60, .gold)),
    .art(
      .unreadableDark, "a soft shadow below a face", false,
      Sketch().box(40, 270, 220, 24, radius: 12, RGBA8(0, 0, 0, 70))
        .disc(150, 130, 120, .gold).disc(110, 100, 16, .black)),
    .art(.unreadableLight, "a white disc", true, Sketch().disc(150, 150, 130, .white)),
    .art(.unreadableLight, "a pale box", true, Sketch().box(20, 20, 260, 260, radius: 30, RGBA8(236, 234, 228))),
    .art(.unreadableLight, "white strokes", true, paleStrokes),
    .art(
      .unreadableLight, "a white disc with a dark rim", false,
      Sketch().disc(150, 150, 138, RGBA8(60, 60, 60)).disc(150, 150, 130, .white)),
    .art(.unreadableLight, "a plain yellow disc", false, Sketch().disc(150, 150, 130, RGBA8(255, 235, 0))),
    .art(
      .unreadableLight, "thin brown lines with a white rim", false,
      Sketch().disc(150, 150, 140, .white).ring(150, 150, 122, width: 9, RGBA8(110, 40, 10)).disc(110, 130, 10, .black)),
    .art(
      .unreadableDark, "a black cat with shining eyes", true,
      Sketch().disc(150, 150, 130, .black).disc(110, 120, 22, .gold).disc(190, 120, 22, .gold)),
    .art(
      .unreadableLight, "a white disc with a large black mouth", false,
      Sketch().disc(150, 150, 130, .white)
        .disc(150, 170, 70, .black)),
  ]

  static let place: [CheckCase] = [
    .art(
      .cutByEdge, "an outlined disc beyond the bottom", true,
      Sketch().disc(150, 240, 140, .black)
        .disc(150, 240, 128, .scarlet)),
    .art(
      .cutByEdge, "an outlined disc beyond the left side", true,
      Sketch().disc(70, 150, 120, .black)
        .disc(70, 150, 108, .azure)),
    .art(
      .cutByEdge, "a striped body beyond the top", true,
      Sketch().box(60, -40, 180, 300, radius: 40, .black)
        .box(72, -40, 156, 288, radius: 30, .gold).box(130, -40, 40, 300, .scarlet)),
    .art(
      .cutByEdge, "a disc that touches all sides", false,
      Sketch().disc(150, 150, 150, .black)
        .disc(150, 150, 138, .scarlet)),
    .art(
      .cutByEdge, "a card with a border", false,
      Sketch().box(0, 0, 300, 300, radius: 30, .black)
        .box(12, 12, 276, 276, radius: 20, .gold)),
    .art(.cutByEdge, "an opaque picture", false, Art.noise(300)),
    .art(
      .cutByEdge, "a tip that touches the edge", false,
      Sketch().painted { x, y in
        abs(x - 150) * 3 < y && y < 280 ? (x % 40 < 20 ? .scarlet : .gold) : nil
      }),
    .art(.offCenter, "at the left", true, Sketch().disc(80, 150, 70, .scarlet)),
    .art(.offCenter, "in the corner below", true, Sketch().disc(210, 210, 80, .scarlet)),
    .art(.offCenter, "at the top", true, Sketch().box(10, 10, 280, 120, radius: 20, .azure)),
    .art(.offCenter, "in the middle", false, badge),
    .art(.offCenter, "a little off", false, Sketch().disc(162, 150, 120, .scarlet)),
    .art(.offCenter, "wide and in the middle", false, Sketch(300, 120).box(5, 5, 290, 110, radius: 20, .azure)),
    .art(.wideMargins, "a small disc", true, Sketch().disc(150, 150, 80, .scarlet)),
    .art(.wideMargins, "a small box", true, Sketch().box(75, 90, 150, 120, radius: 10, .azure)),
    .art(
      .wideMargins, "a small moving disc", true,
      [Sketch().disc(130, 150, 70, .scarlet), Sketch().disc(170, 150, 70, .scarlet)],
      100),
    .art(.wideMargins, "a large disc", false, badge),
    .art(.wideMargins, "a wide bar", false, Sketch().box(5, 120, 290, 60, radius: 20, .azure)),
    .art(
      .wideMargins, "a small disc that moves far", false,
      [Sketch().disc(60, 150, 50, .scarlet), Sketch().disc(240, 150, 50, .scarlet)], 100),
  ]

  static let time: [CheckCase] = [
    .art(.flashing, "black and white at 10 Hz", true, [badge, Sketch().disc(150, 150, 130, .white)], 50),
    .art(
      .flashing, "gray steps at 5 Hz", true,
      [Sketch().disc(150, 150, 130, RGBA8(60, 60, 60)), Sketch().disc(150, 150, 130, RGBA8(180, 180, 180))], 100),
    .art(.flashing, "blinking at 5 Hz", true, [face, Sketch().disc(150, 150, 8, .black)], 100),
    .art(.flashing, "black and white at 2 Hz", false, [badge, Sketch().disc(150, 150, 130, .white)], 250),
    .art(.flashing, "a small light at 10 Hz", false, [badge, badge.disc(150, 150, 50, .white)], 50),
    .art(
      .flashing, "a disc that jumps", false,
      (0..<6).map { Sketch().disc($0 % 2 == 0 ? 80 : 220, 150, 70, .black) }, 80),
    .art(.fastFrames, "50 frames a second", true, [badge, face], 20),
    .art(.fastFrames, "30 frames a second", true, [badge, face, badge], 33),
    .art(.fastFrames, "one short frame", true, PlainPNG.animation([(badge.bitmap, 200), (face.bitmap, 40)])),
    .art(.fastFrames, "20 frames a second", false, [badge, face], 50),
    .art(.fastFrames, "10 frames a second", false, [badge, face], 100),
    .art(.fastFrames, "a still", false, badge),
    .art(.firstFrame, "nothing at first", true, [Sketch(), badge, face], 100),
    .art(.firstFrame, "a dot at first", true, [Sketch().disc(150, 150, 12, .scarlet), badge], 100),
    .art(.firstFrame, "a breath at first", true, [Sketch().disc(150, 150, 130, RGBA8(200, 40, 40, 10)), badge], 100),
    .art(.firstFrame, "half its size at first", false, [Sketch().disc(150, 150, 65, .scarlet), badge], 100),
    .art(
      .firstFrame, "translucent at first", false, [Sketch().disc(150, 150, 130, RGBA8(200, 40, 40, 128)), badge], 100),
    .art(.firstFrame, "a small still", false, Sketch().disc(150, 150, 12, .scarlet)),
    .art(.bandingRisk, "a shaded disc that turns", true, [shaded(1, 1), shaded(-1, 1)], 100),
    .art(.bandingRisk, "a shaded box that changes", true, [shadedBox(0), shadedBox(20)], 100),
    .art(.bandingRisk, "a shaded square", true, [shaded(1, -1, radius: 300), shaded(1, 1, radius: 300)], 100),
    .art(.bandingRisk, "flat colors", false, [badge, face], 100),
    .art(.bandingRisk, "a still", false, shaded(1, 1)),
    .art(.bandingRisk, "a small shaded eye", false, [face.overlaid(shaded(1, 1), 40), face], 100),
  ]

  private static func shaded(_ dx: Int, _ dy: Int, radius: Int = 140) -> Sketch {
    Sketch().painted { x, y in
      let (u, v) = (x - 150, y - 150)
      guard u * u + v * v < radius * radius else { return nil }
      return RGBA8(UInt8(128 + u * dx * 100 / 150), UInt8(128 + v * dy * 100 / 150), UInt8(128 + (u + v) * 50 / 150))
    }
  }

  private static func shadedBox(_ shift: Int) -> Sketch {
    Sketch().painted { x, y in
      (20..<280).contains(x) && (20..<280).contains(y)
        ? RGBA8(UInt8(x * 220 / 300 + shift), UInt8(y * 200 / 300), 90) : nil
    }
  }

  static let whole: [CheckCase] = [
    .art(.opaqueSticker, "a plain square", true, Sketch(300, 300, .scarlet)),
    .art(.opaqueSticker, "a photograph", true, Art.noise(300)),
    .art(
      .opaqueSticker, "a wide photograph", true,
      PlainPNG.still(picture(300, 200) { RGBA8(UInt8($0 / 2), UInt8($1), 9) })),
    .art(.opaqueSticker, "round corners", false, Sketch().box(0, 0, 300, 300, radius: 40, .scarlet)),
    .art(.opaqueSticker, "a face", false, face),
    .art(.opaqueSticker, "a veil", false, Sketch(300, 300, RGBA8(200, 40, 40, 200))),
    .art(.cornerContent, "a mark at the top left", true, Sketch(300, 300, .white).box(2, 2, 60, 24, .black)),
    .art(.cornerContent, "a logo below", true, Sketch(300, 300, .black).disc(284, 284, 14, .white)),
    .art(
      .cornerContent, "a mark in every corner", true,
      Sketch(300, 300, .gold).box(0, 0, 26, 26, .navy)
        .box(274, 274, 26, 26, .navy)),
    .art(.cornerContent, "a face on white", false, Sketch(300, 300, .white).disc(150, 150, 120, .gold)),
    .art(.cornerContent, "a frame", false, Sketch(300, 300, .navy).box(6, 6, 288, 288, .white)),
    .art(
      .cornerContent, "a thin frame", false,
      Sketch(300, 300, .black).box(2, 2, 296, 296, .white).disc(150, 150, 90, .gold)),
    .art(.cornerContent, "a photograph", false, Art.noise(300)),
  ]

  /// Many small things with hard edges.
  private static func mosaic(_ side: Int) -> Sketch {
    Sketch(side).painted { x, y in
      let value = (x * 7 + y * 13 + x * y * 5) % 11
      return value < 3 ? nil : value < 6 ? .scarlet : value < 9 ? .azure : .gold
    }
  }

  private static func lattice(_ side: Int, step: Double = 12) -> Sketch {
    stride(from: 6.0, to: Double(side), by: step).reduce(Sketch(side, side, .white)) {
      $0.box($1, 0, 4, Double(side), .navy).box(0, $1, Double(side), 4, .navy)
    }
  }

  static let enlarged: [CheckCase] = [
    .art(.looksEnlarged, "blocks of 4", true, mosaic(50).blocks(4)),
    .art(.looksEnlarged, "blocks of 3", true, mosaic(64).blocks(3)),
    .art(.looksEnlarged, "enlarged 5 times", true, lattice(60).enlarged(5)),
    .art(.looksEnlarged, "enlarged 4 times", true, lattice(75).enlarged(4)),
    .art(.looksEnlarged, "drawn at its size", false, lattice(300)),
    .art(.looksEnlarged, "blocks that fit the grid", false, mosaic(50).blocks(6)),
    .art(.looksEnlarged, "drawn on an even grid, and reduced", false, lattice(600, step: 24)),
    .art(.looksEnlarged, "pixel art as it was drawn", false, mosaic(32)),
  ]

  static let fringe: [CheckCase] = [
    .art(.matteFringe, "cut out of white", true, flattened(badgeOfBlue, over: 255, isSoft: false)),
    .art(.matteFringe, "flattened over white", true, flattened(badgeOfBlue, over: 255, isSoft: true)),
    .art(
      .matteFringe, "flattened over black", true, flattened(Sketch().disc(150, 150, 130, .gold), over: 0, isSoft: true)),
    .art(.matteFringe, "cut out by a wand", true, cutOut),
    .art(.matteFringe, "a dark disc with a soft shadow", false, shadowed.disc(150, 150, 110, RGBA8(60, 60, 70))),
    .art(.matteFringe, "clean", false, badgeOfBlue),
    .art(.matteFringe, "with a white outline", false, Sketch().disc(150, 150, 140, .white).disc(150, 150, 130, .azure)),
    .art(.matteFringe, "pixel art", false, mosaic(40)),
  ]

  /// A disc on white, smoothed over several pixels; what is nearly white is cut away.
  private static let cutOut = Sketch().painted { x, y in
    let distance = Double((x - 150) * (x - 150) + (y - 150) * (y - 150)).squareRoot()
    let share = min(max((distance - 128) / 3, 0), 1)
    guard share < 0.97 else { return nil }
    return RGBA8(UInt8(60 + 195 * share), UInt8(110 + 145 * share), UInt8(230 + 25 * share))
  }

  private static let shadowed = Sketch().painted { x, y in
    let distance = Double((x - 150) * (x - 150) + (y - 150) * (y - 150)).squareRoot()
    let alpha = 0.7 * min(max(1 - (distance - 110) / 16, 0), 1)
    return alpha < 0.01 ? nil : RGBA8(0, 0, 0, UInt8(alpha * 255))
  }

  private static let badgeOfBlue = Sketch().disc(150, 150, 130, .azure).disc(150, 150, 60, .gold)

  /// A picture whose edges were mixed with a level of gray; hard edges are opaque then.
  private static func flattened(_ sketch: Sketch, over level: Int, isSoft: Bool) -> Sketch {
    Sketch().painted { x, y in
      let color = sketch.bitmap[x, y]
      guard color.alpha > 0 else { return nil }
      func mix(_ sample: UInt8) -> UInt8 {
        UInt8((Int(sample) * Int(color.alpha) + level * (255 - Int(color.alpha))) / 255)
      }
      return RGBA8(mix(color.red), mix(color.green), mix(color.blue), isSoft ? color.alpha : 255)
    }
  }

  static let alike: [CheckCase] = [
    .pair(.nearDuplicate, "the same", true, face.png, face.png),
    .pair(.nearDuplicate, "a pixel more", true, face.png, face.box(150, 150, 1, 1, .black).png),
    .pair(
      .nearDuplicate, "a level brighter", true, badge.png,
      Sketch().disc(150, 150, 130, .black)
        .disc(150, 150, 118, RGBA8(221, 41, 41)).png),
    .pair(
      .nearDuplicate, "one that looks away", false, face.png,
      face.disc(105, 120, 18, .gold)
        .disc(112, 120, 18, .black).png),
    .pair(
      .nearDuplicate, "another color", false, badge.png,
      Sketch().disc(150, 150, 130, .black)
        .disc(150, 150, 118, .azure).png),
    .pair(.nearDuplicate, "a still and an animation", false, face.png, animation([face, badge], 100)),
  ]
}

extension Sketch {
  /// A disc of another picture in the middle of this one.
  fileprivate func overlaid(_ other: Sketch, _ radius: Int) -> Sketch {
    painted { x, y in
      (x - 150) * (x - 150) + (y - 150) * (y - 150) < radius * radius ? other.bitmap[x, y] : nil
    }
  }
}
