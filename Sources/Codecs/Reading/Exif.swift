import Imaging

/// Reads the orientation out of a TIFF block; nil where it says none or is broken.
///
/// Source: Exif 2.32, sections 4.5.2 and 4.6.4, tag 0x0112.
func exifOrientation(_ block: [UInt8]) -> Orientation? {
  // WebP files often keep JPEG's prefix.
  let start = block.holds([0x45, 0x78, 0x69, 0x66, 0, 0]) ? 6 : 0
  guard block.count >= start + 14 else { return nil }
  let isBig = block.holds("MM", at: start)
  guard isBig || block.holds("II", at: start) else { return nil }
  func read16(_ at: Int) -> Int { isBig ? block.big16(at) : block.little16(at) }
  func read32(_ at: Int) -> Int { isBig ? block.big32(at) : block.little32(at) }
  guard read16(start + 2) == 42 else { return nil }
  let directory = start + read32(start + 4)
  guard directory + 2 <= block.count else { return nil }
  for i in 0..<read16(directory) {
    let entry = directory + 2 + i * 12
    guard entry + 12 <= block.count else { return nil }
    if read16(entry) == 0x0112 {
      // A SHORT by the standard; some cameras write a LONG.
      let value = read16(entry + 2) == 4 ? read32(entry + 8) : read16(entry + 8)
      return Orientation(rawValue: value)
    }
  }
  return nil
}
