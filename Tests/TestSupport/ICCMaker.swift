/// Builds small color profiles.
public enum ICCMaker {
  /// The colorants of Display P3 relative to D50: the XYZ of red, green and blue.
  public static let displayP3 = [[0.5151, 0.2412, -0.0011], [0.2919, 0.6922, 0.0419], [0.1572, 0.0666, 0.7841]]
  /// Those of sRGB.
  public static let sRGB = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7139]]

  /// A profile of three colorants and the curve of sRGB.
  public static func rgb(_ colorants: [[Double]]) -> [UInt8] {
    let curve = tag("para", [0, 3, 0, 0] + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed))
    let names = ["rXYZ", "gXYZ", "bXYZ"]
    let corners = zip(names, colorants).map { ($0, tag("XYZ ", $1.flatMap(fixed))) }
    return profile("RGB ", corners + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) })
  }

  /// A gray profile of a power.
  public static func gray(gamma: Double) -> [UInt8] {
    profile("GRAY", [("kTRC", tag("para", [0, 0, 0, 0] + fixed(gamma)))])
  }

  /// An RGB profile of a lookup table: the lightness is that of green, red and blue make the hue.
  public static func table() -> [UInt8] {
    let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { fixed($0) }
    let ramps = (0..<3).flatMap { _ in (0..<256).map { UInt8($0) } }
    let corners = (0..<8).flatMap { corner -> [UInt8] in
      [corner & 2 == 0 ? 0 : 255, corner & 4 == 0 ? 110 : 150, corner & 1 == 0 ? 120 : 140]
    }
    return profile(
      "RGB ", [("A2B0", tag("mft1", [3, 3, 2, 0] + matrix + ramps + corners + ramps))], connection: "Lab ")
  }

  private static func fixed(_ value: Double) -> [UInt8] { big32(Int((value * 65536).rounded())) }

  private static func tag(_ type: String, _ data: [UInt8]) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] + data }

  private static func profile(
    _ space: String, _ tags: [(String, [UInt8])], connection: String = "XYZ "
  ) -> [UInt8] {
    let all = tags + [("wtpt", tag("XYZ ", [0.9642, 1, 0.8249].flatMap(fixed)))]
    var table = big32(all.count)
    var data: [UInt8] = []
    for (name, body) in all {
      table += Array(name.utf8) + big32(132 + all.count * 12 + data.count) + big32(body.count)
      data += body + Array(repeating: 0, count: (4 - body.count % 4) % 4)
    }
    var header = Array(repeating: UInt8(0), count: 128)
    func put(_ bytes: [UInt8], _ at: Int) { header.replaceSubrange(at..<at + bytes.count, with: bytes) }
    put(big32(128 + table.count + data.count), 0)
    put([4, 0x30], 8)
    put(Array("mntr\(space)\(connection)".utf8), 12)
    put(Array("acsp".utf8), 36)
    put([0.9642, 1, 0.8249].flatMap(fixed), 68)
    return header + table + data
  }
}
