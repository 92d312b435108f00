/// A resampling kernel; the raw value is the word used on the command line and in `decal.json`.
public enum Kernel: String, CaseIterable, Sendable {
  /// The nearest source pixel.
  case nearest
  /// The mean of the covered pixels.
  case box
  /// The tent, support 1.
  case triangle
  /// Mitchell-Netravali with B = C = 1/3.
  case mitchell
  /// Catmull-Rom, the cubic with B = 0, C = 1/2.
  case catmullRom = "catmull-rom"
  /// Lanczos with two lobes.
  case lanczos2
  /// Lanczos with three lobes.
  case lanczos3

  /// The kernel where none is chosen: Catmull-Rom.
  ///
  /// Of the kernels that pass every field case (Lanczos 3 darkens and brightens a fine checkerboard by more than 2
  /// levels, box and nearest alias) it keeps the most detail and the steepest edges, and unlike Lanczos 2 it leaves an
  /// enlarged gradient even. `DecalBench kernels` prints the figures.
  public static let `default` = Kernel.catmullRom
}

/// How art meets its canvas; the raw value is the word used on the command line and in `decal.json`.
public enum Fit: String, CaseIterable, Sendable {
  /// All of the art, centered, transparent where it does not reach.
  case contain
  /// All of the canvas, the art cropped evenly where it does not fit.
  case cover
  /// All of both; the art is stretched.
  case fill
}
