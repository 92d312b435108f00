/// Where bands of rows go that would take too much memory.
public protocol BandStore: Sendable {
  /// Keeps a band and gives its place; nil where the band shall stay in memory.
  func keep(_ band: UnsafeRawBufferPointer) -> Int?
  /// Reads a band that was kept at a place.
  func read(_ place: Int, into band: UnsafeMutableRawBufferPointer)
}
