/// The part of a color profile that tells whether it can be meant for an image.
///
/// Source: ICC.1:2022, section 7.2.
struct ICCHeader {
  /// The words for the device's color space that images use.
  enum Space { case gray, rgb, cmyk }

  var space: Space

  /// Nil where the bytes are no profile of a device with such a space.
  init?(_ profile: [UInt8]) {
    guard profile.count >= 132, profile.big32(0) <= profile.count, profile.holds("acsp", at: 36) else { return nil }
    // Links, abstract profiles and named colors say nothing of an image's numbers.
    let devices: [StaticString] = ["scnr", "mntr", "prtr", "spac"]
    guard devices.contains(where: { profile.holds($0, at: 12) }) else { return nil }
    if profile.holds("GRAY", at: 16) {
      space = .gray
    } else if profile.holds("RGB ", at: 16) {
      space = .rgb
    } else if profile.holds("CMYK", at: 16) {
      space = .cmyk
    } else {
      return nil
    }
  }

  /// Whether the profile can describe such numbers; gray ones may also stand as R = G = B.
  func fits(isGray: Bool, isCMYK: Bool) -> Bool {
    switch space {
    case .gray: isGray
    case .rgb: !isCMYK
    case .cmyk: isCMYK
    }
  }
}
