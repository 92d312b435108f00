import Imaging

// What takes longer than builds wait for.
extension ArtCheck {
  func opacity() -> [CheckFinding] {
    guard geometry.isOpaque, art.recipe.render.background == nil else { return [] }
    var findings = [finding(.opaqueSticker, "every pixel is opaque, it is shown as a square")]
    if let corner = CornerContent.find(in: art.animation.frames[0].bitmap, inside: rect) {
      findings.append(
        finding(
          .cornerContent, region: corner.region,
          "\(percent(corner.share)) of what a round corner cuts off is not background"))
    }
    return findings
  }

  /// More colors than a palette holds, by so much that it is not antialiasing.
  private static let manyColors = 1024
  /// The least part of the opaque area that is smooth.
  private static let leastGradient = 0.3

  func banding() -> [CheckFinding] {
    guard art.animation.isAnimated else { return [] }
    let places = [0, art.animation.frames.count / 2]
    let risky = places.map { place -> Double in
      let frame = art.animation.frames[place].bitmap
      guard frame.colors(upTo: ArtCheck.manyColors) >= ArtCheck.manyColors else { return 0 }
      return frame.gradientShare
    }
    guard let most = risky.max(), most >= ArtCheck.leastGradient else { return [] }
    return [
      finding(.bandingRisk, frame: places[risky.firstIndex(of: most) ?? 0], "\(percent(most)) of it is smooth gradient")
    ]
  }

  /// Edges of finished art are narrower than this.
  private static let mostEdgeWidth = 2.4

  func enlargement() -> [CheckFinding] {
    guard !art.told.contains("upscaled"), !art.told.contains("pixel-art"),
      let width = Enlargement.edgeWidth(of: art.animation.frames[0].bitmap), width >= ArtCheck.mostEdgeWidth
    else { return [] }
    let side = Int((Double(max(art.animation.size.width, art.animation.size.height)) / width * 1.2 / 10).rounded()) * 10
    return [
      finding(
        .looksEnlarged,
        "its sharpest edges are \(decimal(width)) px wide, as in a picture of about \(side) px that was enlarged")
    ]
  }
}
