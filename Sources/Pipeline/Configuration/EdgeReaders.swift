import AssetCatalog
package import Imaging

extension ValueReader where Value == Outline {
  /// A width, or a width and a color: as an object in `decal.json`, with a comma between them on the command line.
  package static let outline = ValueReader(
    noun: "an outline",
    accepted:
      "a width from 0 to \(Outline.widest) in pixels, with a color after a comma, or an object with \"width\" and \"color\"",
    schema: [
      .init(
        "anyOf",
        .array([
          .object(width.schema),
          .object([
            .init("type", .string("object")), .init("required", .array([.string("width")])),
            .init(
              "properties",
              .object([
                .init("width", .object(width.schema)), .init("color", .object(ValueReader<RGBA8>.color.schema)),
              ])),
            .init("additionalProperties", .bool(false)),
          ]),
          .object([.init("type", .string("string")), .init("pattern", .string("^[0-9]{1,2}(,.+)?$"))]),
        ]))
    ]
  ) {
    switch $0 {
    case .int: width.read($0).map { Outline(width: $0) }
    case .string(let text): outline(text)
    case .object(let members): outline(members)
    default: nil
    }
  }

  private static let width = ValueReader<Int>.integer(0...Outline.widest, "a width in pixels")

  private static func outline(_ text: String) -> Outline? {
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(parts[0]),
      let width = width.read(.int(number))
    else { return nil }
    if parts.count == 1 { return Outline(width: width) }
    return ValueReader<RGBA8>.color.read(.string(String(parts[1]))).map { Outline(width: width, color: $0) }
  }

  private static func outline(_ members: [JSONValue.Member]) -> Outline? {
    var (found, color): (Int?, RGBA8?) = (nil, .white)
    for member in members {
      switch member.key {
      case "width": found = width.read(member.value)
      case "color": color = ValueReader<RGBA8>.color.read(member.value)
      default: return nil
      }
    }
    guard let found, let color else { return nil }
    return Outline(width: found, color: color)
  }
}

extension ValueReader where Value == Defringe {
  /// `off`, `auto` or an opaque color.
  package static let defringe = ValueReader(
    noun: "a way to defringe", accepted: "off, auto, or the color to take out, such as white",
    schema: [
      .init(
        "anyOf",
        .array([
          .object([.init("enum", .array([.string("off"), .string("auto")]))]),
          .object(ValueReader<RGBA8>.opaqueColor.schema),
        ]))
    ]
  ) {
    switch $0 {
    case .string("off"): .off
    case .string("auto"): .auto
    default: ValueReader<RGBA8>.opaqueColor.read($0).map { .matte($0) }
    }
  }
}
